"""A `transformers` pipeline object as the system under test, called with its own settings.

The transformers package is not imported here, since the user's program has already loaded it. A classifier receives the
fields, and a generator the messages.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.probabilities import as_chances
from mutatis.core.system import Conversation, Response, System
from mutatis.text.visible import named

CLASSIFIES, GENERATES = "text-classification", "text-generation"
PAIRS = (("premise", "hypothesis"), ("context", "question"))
"""Pairs of fields that a model reads as two texts."""


def usual_pair(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of two fields that a model reads as a pair, or else of all fields."""
    return next((pair for pair in PAIRS if all(name in fields for name in pair)), tuple(fields))


def texts_of(fields: Mapping[str, str], names: Sequence[str], label: str) -> list[str]:
    """Return the texts of the named fields.

    Raises:
        UsageError: a case lacks a field that the system called `label` receives, or has no field at all.
    """
    missing = [name for name in names if name not in fields]
    if missing or not names:
        raise UsageError(f"{label}: the case has no field {', '.join(missing)!r}; it has: {', '.join(fields)}")
    return [fields[name] for name in names]


def likeliest(chances: Iterable[tuple[str, float]], digits: int) -> Response:
    """Return the likeliest label as the answer, with the rounded probabilities of all labels.

    The probabilities of classes with the same label are added up. Of several labels that are equally likely, the first
    one is the answer.

    >>> answer = likeliest([("bad", 0.25), ("good", 0.5), ("bad", 0.25)], 5)
    >>> answer.text, answer.probabilities
    ('bad', {'bad': 0.5, 'good': 0.5})
    """
    by_label: dict[str, float] = {}
    for label, chance in chances:
        by_label[label] = by_label.get(label, 0.0) + chance
    rounded = {label: round(chance, digits) for label, chance in by_label.items()}
    return Response(text=max(rounded, key=lambda label: rounded[label]), **as_chances(rounded))


def is_pipeline(value: Any) -> bool:
    """Return True if an object looks like a transformers pipeline."""
    return callable(value) and all(hasattr(value, name) for name in ("task", "model", "tokenizer", "preprocess"))


@dataclass(slots=True, kw_only=True)
class PipelineSystem(System):
    """A transformers pipeline as the system under test.

    It runs in a thread, one question at a time, because models and tokenizers are not thread-safe.
    """

    label: str
    pipeline: Any
    fields: tuple[str, ...]
    labels: Mapping[str, str]
    classes: tuple[str, ...]
    revision: str
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the hash of the weights, the pipeline's settings, and the form of its input."""
        pipe = self.pipeline
        settings = {name: str(getattr(pipe, name, {})) for name in ("_preprocess_params", "_forward_params")}
        generation = getattr(pipe, "generation_config", None) if pipe.task == GENERATES else None
        return {
            "type": "pipeline",
            "task": pipe.task,
            "revision": self.revision,
            "fields": list(self.fields),
            "labels": dict(self.labels),
            "settings": settings | {"_postprocess_params": str(getattr(pipe, "_postprocess_params", {}))},
            "generation": "" if generation is None else str(generation.to_diff_dict()),
        }

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Answer many conversations one after the other, in a thread."""
        return await asyncio.to_thread(lambda: [self._answer(conversation) for conversation in conversations])

    def _answer(self, conversation: Conversation) -> Response | SystemFailure:
        try:
            with self.lock:
                return self._called(conversation)
        except UsageError:
            raise
        except Exception as error:
            return SystemFailure(f"{self.label}: {named(error)}")

    def _called(self, conversation: Conversation) -> Response:
        if self.pipeline.task == CLASSIFIES:
            rows = self.pipeline(self._texts(conversation.fields), top_k=None)
            return likeliest(((self.labels.get(row["label"], row["label"]), row["score"]) for row in rows), 5)
        chat = [{"role": message.role, "content": message.content} for message in conversation.messages]
        templated = bool(getattr(self.pipeline.tokenizer, "chat_template", None))
        prompt: Any = chat if templated else "\n\n".join(message["content"] for message in chat) + "\n"
        generated = self.pipeline(prompt, return_full_text=False)[0]["generated_text"]
        text = str(generated if isinstance(generated, str) else generated[-1]["content"]).strip()
        if not text:
            raise SystemFailure("empty answer")
        return Response(text=text)

    def _texts(self, fields: Mapping[str, str]) -> Any:
        texts = texts_of(fields, self.fields or usual_pair(fields), self.label)
        return {"text": texts[0], "text_pair": texts[1]} if len(texts) == 2 else "\n".join(texts)


def wrapped(
    pipeline: Any, *, fields: Sequence[str], labels: Mapping[str, str], revision: str | None, label: str | None
) -> PipelineSystem:
    """Wrap a pipeline as a system under test.

    Raises:
        UsageError: the pipeline's task is neither classification nor generation.
    """
    if pipeline.task not in (CLASSIFIES, GENERATES):
        raise UsageError(
            f"got a pipeline for the task {pipeline.task!r}; expected {CLASSIFIES} or {GENERATES}; others can be "
            "tested as a function: mutatis.run(lambda text: pipeline(text)[0][...], cases)"
        )
    name = str(getattr(pipeline.model, "name_or_path", "") or type(pipeline.model).__name__)
    config = getattr(pipeline.model, "config", None)
    classes = getattr(config, "id2label", {}).values() if pipeline.task == CLASSIFIES else ()
    return PipelineSystem(
        label=label or f"transformers:{name.rstrip('/').rpartition('/')[2]}",
        pipeline=pipeline,
        fields=tuple(fields),
        labels=labels,
        classes=tuple(labels.get(label, label) for label in classes),
        revision=revision or _weights(pipeline),
    )


def _weights(pipeline: Any) -> str:
    """Return a hash of the model's weights and vocabulary. It changes if the model is trained further."""
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(pipeline.model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    digest.update(repr(sorted(pipeline.tokenizer.get_vocab().items())).encode())
    return digest.hexdigest()[:16]
