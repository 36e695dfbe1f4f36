"""A local Hugging Face model as the system under test: text generation or text classification.

transformers and torch are imported only when a checkpoint (model, tokenizer and maximum input length) is loaded. A
generation model receives the messages, and a classifier the fields.
"""

from __future__ import annotations

import asyncio
import inspect
import pickle
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic

from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.extras import require
from mutatis.core.folders import hash_folder
from mutatis.core.system import Conversation, Finish, Message, Response, System
from mutatis.opening import Opens
from mutatis.options import Options
from mutatis.systems.pipelines import is_pipeline, likeliest, texts_of, usual_pair, wrapped
from mutatis.systems.registry import SYSTEMS
from mutatis.text.visible import named

_UNREADABLE = (OSError, ValueError, RuntimeError, EOFError, pickle.UnpicklingError, struct.error)
"""Errors that transformers and torch raise if a model's folder is missing, damaged or unsafe."""

UNBOUNDED = 1_000_000
"""A token limit that stands for "no limit". Tokenizers without a limit report 1e30."""


@dataclass(slots=True, kw_only=True)
class Loaded:
    """A loaded model with its tokenizer and the torch module. Answers are computed one at a time.

    Neither models nor tokenizers are thread-safe: the padding set by one call affects calls in other threads.

    Attributes:
        name: the name of its folder, or its name on the hub.
        revision: its version, by default the hash of its folder or the commit on the hub, if known.
        longest: number of tokens that the model accepts; `UNBOUNDED` or more if it has no limit.
        takes: names of the model's inputs.
    """

    name: str
    revision: str
    model: Any
    tokenizer: Any
    torch: Any
    longest: int
    takes: frozenset[str]
    lock: threading.Lock = field(default_factory=threading.Lock)
    reading: threading.Lock = field(default_factory=threading.Lock)

    @property
    def pads(self) -> bool:
        """True if texts of different lengths can share a batch. GPT-1, for example, has no padding token."""
        return self.tokenizer.pad_token_id is not None and self.model.config.pad_token_id is not None

    @property
    def answers_apart(self) -> bool:
        """True if the model returns generated text without the prompt, as encoder-decoders such as T5 do."""
        return bool(getattr(self.model.config, "is_encoder_decoder", False))


def load_pretrained(model_name: str | Path, *, family: str, revision: str | None, device: str) -> Loaded:
    """Load a tokenizer from a folder or the hub, and its model with one of transformers' `Auto` classes.

    Pickled weights that contain more than tensors are refused, so loading runs no code.

    Raises:
        UsageError: the tokenizer or the model cannot be loaded in this way.
    """
    import torch
    import transformers

    folder, on_hub = Path(model_name), _hub_revision(model_name, revision)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model_name, revision=on_hub)
        model = getattr(transformers, family).from_pretrained(model_name, revision=on_hub, weights_only=True)
    except _UNREADABLE as error:
        why = " ".join(str(error).split())[:200]
        kind = "text-classification" if family.endswith("Classification") else "text-generation"
        raise UsageError(
            f"model {str(model_name)!r} cannot be loaded as {kind} ({why}); expected a folder written by "
            "save_pretrained, with model.safetensors or a pytorch_model.bin that contains only tensors, or the name of "
            "a model on the hub"
        ) from None
    is_local = folder.is_dir()
    return Loaded(
        name=folder.resolve().name if is_local else str(model_name),
        revision=revision or (hash_folder(folder) if is_local else getattr(model.config, "_commit_hash", None)) or "",
        model=model.to(device).eval(),
        tokenizer=tokenizer,
        torch=torch,
        longest=longest_of(model, tokenizer),
        takes=frozenset(inspect.signature(model.forward).parameters),
    )


def _hub_revision(model: str | Path, revision: str | None) -> str:
    return "main" if revision is None or Path(model).is_dir() else revision


def longest_of(model: Any, tokenizer: Any) -> int:
    """Return the number of tokens that a model accepts; `UNBOUNDED` or more if it has no limit.

    The limit comes from the tokenizer and the configuration. A configuration may use -1 for "no limit" (XLNet), and
    some positions may be reserved for padding (RoBERTa has 514 positions but accepts 512 tokens).
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions and positions > 0:
        tables = (part for name, part in model.named_modules() if name.endswith("position_embeddings"))
        paddings = (getattr(table, "padding_idx", None) for table in tables)
        positions -= next((padding + 1 for padding in paddings if padding is not None), 0)
    limits = (tokenizer.model_max_length, positions)
    return min((int(limit) for limit in limits if limit and limit > 0), default=UNBOUNDED)


Kind = Literal["auto", "text-generation", "text-classification"]


@dataclass(slots=True, kw_only=True)
class GenerationSystem(System):
    """A model that continues a text. It answers prompts one by one, because padding could change an answer."""

    label: str
    loaded: Loaded
    base: Mapping[str, Any]
    options: TransformersOptions

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the model's version and the sampling parameters, which identify the system."""
        return {**self.base, **self.options.model_dump(include={"max_new_tokens", "temperature", "seed"})}

    async def ask(self, conversation: Conversation) -> Response:
        """Generate an answer to the messages, in a thread."""
        return await asyncio.to_thread(self._answer, conversation)

    def prompt(self, messages: Sequence[Message]) -> str:
        """Return the text for the model to continue, from its chat template or by joining the messages."""
        tokenizer = self.loaded.tokenizer
        if getattr(tokenizer, "chat_template", None):
            chat = [{"role": message.role, "content": message.content} for message in messages]
            try:
                return str(tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True))
            except Exception as error:
                raise SystemFailure(
                    f"{self.label}: the chat template of the model rejects the messages: {error}"
                ) from None
        return "\n\n".join(message.content for message in messages) + "\n"

    def _answer(self, conversation: Conversation) -> Response:
        """Generate the answer to a conversation. Raise SystemFailure if the prompt is too long or the answer empty."""
        loaded, tokenizer = self.loaded, self.loaded.tokenizer
        is_templated = bool(getattr(tokenizer, "chat_template", None))  # a chat template adds the special tokens itself
        prompt = self.prompt(conversation.messages)
        encoded = tokenizer(prompt, return_tensors="pt", add_special_tokens=not is_templated)
        prompt_tokens = int(encoded["input_ids"].shape[1])
        if prompt_tokens + (0 if loaded.answers_apart else self.options.max_new_tokens) > loaded.longest:
            raise SystemFailure(
                f"{self.label}: the prompt has {prompt_tokens} tokens and the answer up to "
                f"{self.options.max_new_tokens}; the model accepts at most {loaded.longest}"
            )
        temperature = float(conversation.options.get("temperature", self.options.temperature))
        sampling = {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}
        encoded = {name: encoded[name].to(loaded.model.device) for name in ("input_ids", "attention_mask")}
        with loaded.lock, loaded.torch.no_grad():
            if self.options.seed is not None:
                loaded.torch.manual_seed(self.options.seed)
            produced = loaded.model.generate(
                **encoded, **sampling, max_new_tokens=self.options.max_new_tokens, pad_token_id=_padding(tokenizer)
            )
        # An encoder-decoder's answer begins after the one token that starts its decoder.
        answer = produced[0][1 if loaded.answers_apart else prompt_tokens :].tolist()
        text = tokenizer.decode(answer, skip_special_tokens=True).strip()
        if not text:
            raise SystemFailure(f"{self.label}: empty answer")
        is_whole = len(answer) < self.options.max_new_tokens or answer[-1] in _ends(loaded)
        return Response(
            text=text,
            finish=Finish.STOP if is_whole else Finish.LENGTH,
            prompt_tokens=prompt_tokens,
            completion_tokens=len(answer),
        )


@dataclass(slots=True, kw_only=True)
class ClassificationSystem(System):
    """A model that classifies texts. An answer consists of the label and the probabilities of all labels."""

    label: str
    loaded: Loaded
    base: Mapping[str, Any]
    classes: tuple[str, ...]
    options: TransformersOptions

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the model's version, the fields that it receives, and the names of its classes."""
        return {**self.base, "fields": list(self.options.fields), "labels": list(self.classes)}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Classify many texts in batches, in a thread."""
        return await asyncio.to_thread(self._answers, conversations)

    def token_ids(self, fields: Mapping[str, str]) -> list[int]:
        """Return the token ids that the model sees for a turn's fields, after truncation."""
        ids: list[int] = self._encode([self._texts(fields)])["input_ids"][0].tolist()
        return ids

    def _texts(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        texts = tuple(texts_of(fields, self.options.fields or usual_pair(fields), self.label))
        return texts if len(texts) <= 2 else ("\n".join(texts),)

    def _encode(self, texts: Sequence[tuple[str, ...]]) -> Any:
        """Return the model's input for texts or pairs of texts, truncated to the maximum length and padded."""
        pairs = [text[1] for text in texts] if len(texts[0]) == 2 else None
        longest = self.loaded.longest if self.loaded.longest < UNBOUNDED else None
        with self.loaded.reading:
            encoded = self.loaded.tokenizer(
                [text[0] for text in texts],
                pairs,
                truncation=longest is not None,
                max_length=longest,
                padding=len(texts) > 1,
                return_tensors="pt",
            )
        # Some tokenizers return segment numbers, which models such as GPT-1 and T5 do not accept.
        for name in encoded.keys() - self.loaded.takes:
            del encoded[name]
        return encoded

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        texts = [self._texts(conversation.fields) for conversation in conversations]
        # Texts of similar length share a batch, because padding takes as much time as text.
        by_length = sorted(range(len(texts)), key=lambda number: sum(map(len, texts[number])))
        size = self.options.batch_size if self.loaded.pads else 1
        answers: dict[int, Response | SystemFailure] = {}
        for first in range(0, len(texts), size):
            numbers = by_length[first : first + size]
            answers |= zip(numbers, self._batch([texts[number] for number in numbers]), strict=True)
        return [answers[number] for number in range(len(texts))]

    def _batch(self, texts: Sequence[tuple[str, ...]]) -> list[Response | SystemFailure]:
        """Return the answers to one batch. If the model rejects a text, only this text fails.

        T5, for example, rejects texts that contain its end-of-text token.
        """
        try:
            with self.loaded.lock, self.loaded.torch.inference_mode():
                encoded = self._encode(texts)
                logits = self.loaded.model(**encoded.to(self.loaded.model.device)).logits.float()
        except (ValueError, RuntimeError, IndexError) as error:
            if len(texts) > 1:
                return [answer for text in texts for answer in self._batch([text])]
            return [SystemFailure(f"{self.label}: {named(error)}")]
        chances = (logits.softmax(-1) if logits.shape[-1] > 1 else logits.sigmoid()).tolist()
        # Rounded so that the padding of a batch, which moves the last digits, cannot change a stored answer.
        return [likeliest(zip(self.classes, row, strict=True), 5) for row in chances]


def _family(kind: str, config: Any) -> str:
    """Return the transformers `Auto` class that can load a model."""
    if kind == "text-classification":
        return "AutoModelForSequenceClassification"
    return "AutoModelForSeq2SeqLM" if getattr(config, "is_encoder_decoder", False) else "AutoModelForCausalLM"


def _padding(tokenizer: Any) -> int:
    return next((int(token) for token in (tokenizer.pad_token_id, tokenizer.eos_token_id) if token is not None), 0)


def _ends(loaded: Loaded) -> set[int]:
    ends = loaded.model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends}


@SYSTEMS.register("transformers")
class TransformersOptions(Options):
    """Options of a local model: a folder, or a name on the Hugging Face hub.

    Attributes:
        model: folder or hub name; in Python also a pipeline, which is called with its own settings.
        kind: text-generation or text-classification; by default taken from the model's configuration.
        max_new_tokens, temperature, seed: for text generation only. At temperature 0, the most likely token is used.
        fields: for classification only: the fields that the model receives, by default the task's fields. Two fields
            are passed as a pair.
        labels: for classification only: other names for the model's classes, such as {LABEL_0 = "negative"}.
        batch_size: number of texts classified at a time.
        device: "cpu", "cuda", ...
        revision: version on the hub; the default for a folder is a hash of its files.
        label: the system's name in reports.
    """

    model: Annotated[Any, Opens("loads the model", hub=True)]
    kind: Kind = "auto"
    max_new_tokens: int = pydantic.Field(default=64, ge=1)
    temperature: float = pydantic.Field(default=0.0, ge=0)
    seed: int | None = None
    fields: Sequence[str] = ()
    labels: Mapping[str, str] = {}
    batch_size: int = pydantic.Field(default=32, ge=1)
    device: str = "cpu"
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Load the model and return the system."""
        if is_pipeline(self.model):
            return wrapped(self.model, fields=self.fields, labels=self.labels, revision=self.revision, label=self.label)
        if not isinstance(self.model, str | Path):
            raise UsageError(
                f"transformers model is {self.model!r}; expected a folder, the name of a model on the hub, or a "
                "pipeline"
            )
        require("transformers", "a transformers system", "transformers", "torch")
        kind, config = self._kind()
        loaded = load_pretrained(self.model, family=_family(kind, config), revision=self.revision, device=self.device)
        base = {"type": "transformers", "kind": kind, "model": loaded.name, "revision": loaded.revision}
        label = self.label or f"transformers:{loaded.name}"
        if kind == "text-generation":
            return GenerationSystem(label=label, loaded=loaded, base=base, options=self)
        names = {int(index): self.labels.get(name, name) for index, name in config.id2label.items()}
        classes = tuple(names[index] for index in sorted(names))
        return ClassificationSystem(label=label, loaded=loaded, base=base, classes=classes, options=self)

    def _kind(self) -> tuple[str, Any]:
        from transformers import AutoConfig

        try:
            config = AutoConfig.from_pretrained(self.model, revision=_hub_revision(self.model, self.revision))
        except (OSError, ValueError) as error:
            why = " ".join(str(error).split()).split(". ")[0][:200]
            raise UsageError(
                f"transformers model {self.model!r}: neither a folder with a model nor available from the hub ({why}); "
                "expected a folder written by save_pretrained, or the name of a model on the hub"
            ) from None
        if self.kind != "auto":
            return self.kind, config
        architectures = getattr(config, "architectures", None) or [""]
        classifies = str(architectures[0]).endswith("ForSequenceClassification")
        return ("text-classification" if classifies else "text-generation"), config
