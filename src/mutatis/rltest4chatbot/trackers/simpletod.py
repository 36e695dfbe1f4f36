"""SimpleTOD as the system under test: a causal language model that continues a dialogue with its state.

The format follows Hosseini-Asl et al. 2020, section 3: the words of user and service between markers, followed by the
state as "domain slot value" triples separated by commas:

    <|endoftext|> <|context|> <|user|> ... <|system|> ... <|user|> ... <|endofcontext|> <|belief|> hotel area east ,
    hotel stars 4 <|endofbelief|>

Decoding is greedy and stops at the end-of-state marker. Each step is a decision with its probabilities. Markers are
searched for in the generated text and not among its tokens, because the official checkpoints split each marker into
several tokens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pydantic

from mutatis.extending import (
    SYSTEMS,
    Conversation,
    Finish,
    Loaded,
    ModelName,
    Options,
    Response,
    System,
    SystemFailure,
    UsageError,
    load_pretrained,
    require,
)
from mutatis.rltest4chatbot.states import DONT_CARE, SLOTS, slot_name, state_text
from mutatis.rltest4chatbot.trackers.history import exchanges, in_batches

START, CONTEXT, CONTEXT_END = "<|endoftext|>", "<|context|>", "<|endofcontext|>"
USER, SERVICE = "<|user|>", "<|system|>"
BELIEF, BELIEF_END = "<|belief|>", "<|endofbelief|>"

_SHOWN = 3
"""Number of most likely tokens whose probabilities are kept at each step. All others count as one outcome."""


def context_text(turns: Sequence[tuple[str, str]]) -> str:
    """Return a dialogue in the model's format, up to the marker after which the model writes the state.

    >>> context_text([("", "a room"), ("which day?", "monday")])  # doctest: +ELLIPSIS
    '<|endoftext|> <|context|> <|user|> a room <|system|> which day? <|user|> monday <|endofcontext|> <|belief|>'
    """
    pieces = [START, CONTEXT]
    for place, (service, user) in enumerate(turns):
        if place:
            pieces += [SERVICE, service.lower()]
        pieces += [USER, user.lower()]
    return " ".join(piece for piece in (*pieces, CONTEXT_END, BELIEF) if piece)


def prompt_of(tokenizer: Any, turns: Sequence[tuple[str, str]], room: int) -> list[int]:
    """Return a dialogue's tokens, without the oldest turns if they are too many. The last turn is always kept."""
    for first in range(len(turns)):
        numbers: list[int] = tokenizer.encode(context_text(turns[first:]), add_special_tokens=False)
        if len(numbers) <= room:
            break
    return numbers


_TWO_WORDS = {"book day": "bookday", "book people": "bookpeople", "book stay": "bookstay", "book time": "booktime"} | {
    **{"price range": "pricerange", "leave at": "leaveat", "arrive by": "arriveby"},
}


def read_belief(text: str) -> dict[str, str]:
    """Return the state in a list of "domain slot value" triples. Triples whose value is missing or "none" are ignored.

    >>> read_belief("hotel book day monday , restaurant name river bar , hotel , taxi leaveat none")
    {'hotel-bookday': 'monday', 'restaurant-name': 'river bar'}
    """
    state: dict[str, str] = {}
    for triple in text.split(","):
        domain, _, rest = triple.strip().partition(" ")
        both = " ".join(rest.split()[:2])
        slot = _TWO_WORDS.get(both, rest.partition(" ")[0])
        value = " ".join(rest.split()[2 if both in _TWO_WORDS else 1 :])
        if domain and slot and value and value not in ("none", "not mentioned"):
            state[slot_name(f"{domain}-{slot}")] = (
                DONT_CARE if value in ("dontcare", "dont care", "do n't care") else value
            )
    return state


@dataclass(slots=True)
class _Belief:
    """The text that the model has written so far for one dialogue, with the probabilities at each step."""

    numbers: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    decisions: dict[str, dict[str, float]] = field(default_factory=dict)
    text: str = ""
    ended: bool = False

    def add(self, tokenizer: Any, chances: Sequence[float], tokens: Sequence[int]) -> None:
        """Add the most likely token of a step.

        If an end-of-state marker consists of several tokens, only the first one counts as a decision.
        """
        self.numbers.append(tokens[0])
        self.decisions[str(len(self.numbers))] = {
            f"{token} {tokenizer.convert_ids_to_tokens(token)}": round(chance, 5)
            for token, chance in zip(tokens, chances, strict=True)
        }
        self.text = tokenizer.decode(self.numbers, clean_up_tokenization_spaces=False)
        self.lengths.append(len(self.text))
        if (end := _end(self.text)) is not None:
            self.ended = True
            rest_of_marker = sum(length > end for length in self.lengths) - 1
            self.decisions = dict(list(self.decisions.items())[: len(self.numbers) - rest_of_marker])


@dataclass(slots=True, kw_only=True)
class SimpleTodSystem(System):
    """A causal language model that writes dialogue states. Only MultiWOZ's usual 30 slots are kept.

    It answers one batch at a time, because models are not thread-safe. Probabilities are rounded to five digits,
    because padding can change the last digit.
    """

    label: str
    loaded: Loaded
    max_new_tokens: int
    batch_size: int

    @property
    def identity(self) -> Mapping[str, Any]:
        """The model's identity and the limit of its output."""
        model = {"model": self.loaded.name, "revision": self.loaded.revision}
        return {"type": "simpletod", **model, "max_new_tokens": self.max_new_tokens}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Return the states of many dialogues, computed in a thread and in batches of similar length."""
        return await asyncio.to_thread(self._answers, conversations)

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        answers: dict[int, Response | SystemFailure] = {}
        prompts: dict[int, list[int]] = {}
        with self.loaded.lock, self.loaded.torch.inference_mode():
            for place, conversation in enumerate(conversations):
                try:
                    prompts[place] = self._prompt(exchanges(conversation))
                except SystemFailure as failure:
                    answers[place] = failure
            answers |= in_batches(prompts, len, self.batch_size, self._batch)
        return [answers[place] for place in range(len(conversations))]

    def _batch(self, prompts: Sequence[list[int]]) -> list[Response]:
        answers = []
        for prompt, belief in zip(prompts, self._written(prompts), strict=True):
            written = read_belief(belief.text.partition("<|")[0])  # incomplete if the text was cut off
            state = {slot: value for slot, value in written.items() if slot in SLOTS}
            answers.append(
                Response(
                    text=state_text(state),
                    decisions=belief.decisions,
                    finish=Finish.STOP if belief.ended else Finish.LENGTH,
                    prompt_tokens=len(prompt),
                    completion_tokens=len(belief.decisions),
                )
            )
        return answers

    def _prompt(self, turns: Sequence[tuple[str, str]]) -> list[int]:
        """Return a dialogue's tokens, without the oldest turns if the model cannot accept all tokens."""
        room = self.loaded.longest - self.max_new_tokens
        numbers = prompt_of(self.loaded.tokenizer, turns, room)
        if len(numbers) > room:
            raise SystemFailure(
                f"{self.label}: the last turn alone has {len(numbers)} tokens and the state up to "
                f"{self.max_new_tokens}; the model accepts at most {self.loaded.longest}"
            )
        return numbers

    def _written(self, prompts: Sequence[list[int]]) -> list[_Belief]:
        """Return the text that the model writes after each prompt. Shorter prompts are padded on the left."""
        model, torch, takes = self.loaded.model, self.loaded.torch, self.loaded.takes
        longest = max(map(len, prompts))
        padded = [[prompt[0]] * (longest - len(prompt)) + prompt for prompt in prompts]
        is_prompt = [[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        tokens = torch.tensor(padded, device=model.device)
        mask = torch.tensor(is_prompt, device=model.device)
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        cache, beliefs = None, [_Belief() for _ in prompts]
        for _ in range(self.max_new_tokens):
            # Models with ALiBi take no positions, and some older ones always return all logits.
            optional = {"position_ids": positions, "logits_to_keep": 1}
            output = model(
                input_ids=tokens,
                attention_mask=mask,
                past_key_values=cache,
                use_cache=True,
                **{name: value for name, value in optional.items() if name in takes},
            )
            cache = output.past_key_values
            chances, likeliest = output.logits[:, -1].float().softmax(-1).topk(_SHOWN)
            for belief, row_chances, row_tokens in zip(beliefs, chances.tolist(), likeliest.tolist(), strict=True):
                if not belief.ended:
                    belief.add(self.loaded.tokenizer, row_chances, row_tokens)
            if all(belief.ended for belief in beliefs):
                break
            tokens, positions = likeliest[:, :1], positions[:, -1:] + 1
            mask = torch.cat([mask, mask.new_ones(len(prompts), 1)], -1)
        return beliefs


def _end(text: str) -> int | None:
    """Return the position of the first marker that ends the state or the whole text, or None if there is no marker."""
    return min((text.index(mark) for mark in (BELIEF_END, START) if mark in text), default=None)


@SYSTEMS.register("simpletod")
class SimpleTodOptions(Options):
    """Options of a SimpleTOD-style dialogue-state tracker: a causal language model in a folder or on the hub.

    Attributes:
        model: folder or hub name. Its tokenizer must be able to write the markers of the format, such as "<|belief|>",
            as single tokens or letter by letter.
        max_new_tokens: maximum length of a state in tokens; at most half of the model's input length.
        batch_size: number of dialogues tracked at a time.
        device: "cpu", "cuda", ...
        revision: version on the hub; for a folder, the hash of its files by default.
        label: its name in reports.
    """

    model: ModelName
    max_new_tokens: int = pydantic.Field(default=200, ge=1)
    batch_size: int = pydantic.Field(default=16, ge=1)
    device: str = "cpu"
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Load the model and return the system."""
        require("transformers", "a SimpleTOD tracker", "transformers", "torch")
        loaded = load_pretrained(self.model, family="AutoModelForCausalLM", revision=self.revision, device=self.device)
        unknown = [mark for mark in (CONTEXT, BELIEF, BELIEF_END) if not _knows(loaded.tokenizer, mark)]
        if unknown:
            raise UsageError(
                f"SimpleTOD model {self.model!r}: the tokenizer cannot write {', '.join(unknown)}; expected a model "
                "that was fine-tuned for SimpleTOD"
            )
        return SimpleTodSystem(
            label=self.label or f"simpletod:{loaded.name}",
            loaded=loaded,
            max_new_tokens=min(self.max_new_tokens, loaded.longest // 2),  # the other half is for the dialogue
            batch_size=self.batch_size,
        )


def _knows(tokenizer: Any, mark: str) -> bool:
    """Return True if the tokenizer can reproduce a marker, as a single token or in pieces."""
    numbers = tokenizer.encode(mark, add_special_tokens=False)
    written: str = tokenizer.decode(numbers, clean_up_tokenization_spaces=False)
    return written.strip() == mark
