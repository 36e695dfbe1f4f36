"""Encodes an edit with several parts as one vector: the families of edits, how often each is used, and its parameters.

The six families are transformations of text with parameters from 0 to 1 (RLTest4Chatbot, 2.1.2). A part of an action is
a family with its importance and a fixed number of repetitions. Each repetition has a trigger and its parameters. The
vector of an action holds all of these, family by family:

    importance, trigger 1, parameters 1, trigger 2, parameters 2, ...
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mutatis.extending import TRANSFORMATIONS, Step, UsageError

WORD_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "word-insert": ("position", "operator", "word"),
    "word-drop": ("position", "operator"),
    "word-replace": ("position", "operator", "word"),
}
CHARACTER_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "char-insert": ("position", "operator", "character"),
    "char-drop": ("position", "operator"),
    "char-replace": ("position", "operator", "character"),
}
FAMILIES: Mapping[str, tuple[str, ...]] = {**WORD_FAMILIES, **CHARACTER_FAMILIES}
"""Parameters of each family. Families of words come first, because no lexicon contains a misspelt word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """One edit of a family: whether it is triggered, and its parameters in the order of `FAMILIES`."""

    trigger: bool
    parameters: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyAction:
    """The part of an action for one family; `importance` is the share of the allowed repetitions used."""

    importance: float
    repetitions: tuple[Repetition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action with one part per family, in the order of `FAMILIES`."""

    parts: tuple[FamilyAction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """A text, the result of the word edits of some steps, and the result of their character edits on that."""

    source: str
    after_words: str
    final: str


@dataclass(frozen=True, kw_only=True)
class ActionSpace:
    """The space of actions, as a cube of `size` dimensions.

    Attributes:
        combined: maximum number of families that an action may use (k).
        max_repetitions: slots for repetitions of each family in the vector.
        share: share of a text's words that one family may edit; at least one word.
        fixed: parameters of families that stay outside the vector ("protect", "model", "vectors").
    """

    combined: int = 6
    max_repetitions: int = 5
    share: float = 0.25
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.combined <= len(FAMILIES):
            raise UsageError(f"an action combines 1 to {len(FAMILIES)} families; got {self.combined}")
        if self.max_repetitions < 1 or not 0 <= self.share <= 1:
            raise UsageError("max_repetitions is 1 or more, and the share of words from 0 to 1")

    @cached_property
    def blocks(self) -> Mapping[str, slice]:
        """The slice of each family in the vector."""
        slices, start = {}, 0
        for name, parameters in FAMILIES.items():
            length = 1 + self.max_repetitions * (1 + len(parameters))
            slices[name] = slice(start, start + length)
            start += length
        return slices

    @property
    def size(self) -> int:
        """Number of dimensions of the vector: 116 with five repetitions."""
        return sum(1 + self.max_repetitions * (1 + len(parameters)) for parameters in FAMILIES.values())

    def encode(self, action: Action) -> tuple[float, ...]:
        """Encode an action as a vector in [0, 1]. `decode` restores the action."""
        vector: list[float] = []
        for part in action.parts:
            vector.append(part.importance)
            for repetition in part.repetitions:
                vector += [float(repetition.trigger), *repetition.parameters]
        if len(vector) != self.size or not all(0 <= number <= 1 for number in vector):
            raise UsageError(
                f"an action has {self.size} numbers from 0 to 1; got {len(vector)} numbers, or some outside that range"
            )
        return tuple(vector)

    def decode(self, vector: Sequence[float]) -> Action:
        """Decode a vector into an action. Numbers are clipped to [0, 1], and triggers are on from 0.5."""
        if len(vector) != self.size or any(math.isnan(number) for number in vector):
            raise UsageError(
                f"an action has {self.size} numbers from 0 to 1; got {len(vector)} numbers, or other values"
            )
        numbers = [min(1.0, max(0.0, float(number))) for number in vector]
        parts = []
        for name, parameters in FAMILIES.items():
            importance, *rest = numbers[self.blocks[name]]
            width = 1 + len(parameters)
            slots = [rest[start : start + width] for start in range(0, len(rest), width)]
            repetitions = tuple(Repetition(trigger=slot[0] >= 0.5, parameters=tuple(slot[1:])) for slot in slots)
            parts.append(FamilyAction(importance=importance, repetitions=repetitions))
        return Action(parts=tuple(parts))

    def repetitions(self, text: str) -> int:
        """Return how often one family may edit a text (m): a quarter of its words, from once up to the number of slots.

        >>> [ActionSpace().repetitions("word " * count) for count in (0, 1, 8, 11, 60)]
        [1, 1, 2, 2, 5]
        """
        return min(self.max_repetitions, max(1, int(self.share * len(text.split()))))

    def mask(self, text: str) -> tuple[bool, ...]:
        """Return which dimensions matter for a text. Slots beyond its allowed repetitions do not."""
        allowed, valid = self.repetitions(text), []
        for parameters in FAMILIES.values():
            width = 1 + len(parameters)
            valid += [True, *(slot < allowed for slot in range(self.max_repetitions) for _ in range(width))]
        return tuple(valid)

    def steps(self, action: Action, text: str, *, turns: tuple[int, ...] | None = None) -> tuple[Step, ...]:
        """Return the steps that an action makes on a text, word steps first.

        The families with the highest importance are used, at most `combined`, each for its share of the allowed
        repetitions (rounded up, so that only importance 0 means none), where these are triggered.
        """
        allowed = self.repetitions(text)
        names = list(FAMILIES)
        order = sorted(range(len(names)), key=lambda place: (-action.parts[place].importance, place))
        made = []
        for place in sorted(order[: self.combined]):
            name, part = names[place], action.parts[place]
            used = math.ceil(part.importance * allowed - 1e-9)
            fixed = self.fixed.get(name, {})
            made += [
                Step(
                    transformation=name,
                    parameters={**dict(zip(FAMILIES[name], repetition.parameters, strict=True)), **fixed},
                    turns=turns,
                )
                for repetition in part.repetitions[:used]
                if repetition.trigger
            ]
        return tuple(made)


def perform(text: str, steps: Sequence[Step], values: Mapping[str, tuple[str, ...]] | None = None) -> Performed:
    """Apply steps of the six families to a text, stage by stage; word steps must come first.

    `values` are the strings that a step's `protect` may name, in the form of a turn's annotation "protected".
    """
    stages = {True: text, False: text}
    of_words = True
    for step in steps:
        if step.transformation not in FAMILIES:
            raise UsageError(f"{step.transformation!r} is not one of the families: {', '.join(FAMILIES)}")
        is_word = step.transformation in WORD_FAMILIES
        if is_word and not of_words:
            raise UsageError("a word step follows a character step; edit words first")
        of_words = is_word
        chosen = TRANSFORMATIONS[step.transformation]
        arguments = chosen.complete(dict(step.parameters))
        arguments["protected"] = tuple((values or {}).get(arguments.pop("protect"), ()))
        final = chosen.apply(stages[False], **arguments)
        stages = {True: final if is_word else stages[True], False: final}
    return Performed(source=text, after_words=stages[True], final=stages[False])
