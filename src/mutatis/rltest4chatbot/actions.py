"""Encodes a combined edit as a vector: which families of edits it uses, how often, and how.

The six families are transformations of text with parameters from 0 to 1 (RLTest4Chatbot, 2.1.2). For each family, an
action has an importance and a fixed number of repetitions. Each repetition has a trigger and its parameters. The vector
of an action lists all of these, family by family:

    importance, trigger 1, parameters 1, trigger 2, parameters 2, ...
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

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
"""Parameters of each family. Families that edit words come first, because no lexicon contains a misspelt word."""


Action: TypeAlias = Mapping[str, tuple[float, ...]]
"""An action, as the numbers of each family: its importance, then a trigger (0 or 1) and parameters per repetition.

The importance is the share of the allowed repetitions that a family uses.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """A text before any edit, after the word edits, and after the subsequent character edits."""

    source: str
    after_words: str
    final: str


@dataclass(frozen=True, kw_only=True)
class ActionSpace:
    """The space of all actions, treated as a cube with `size` dimensions.

    Attributes:
        combined: maximum number of families that one action may use (k).
        max_repetitions: number of repetitions of each family for which the vector has room.
        share: maximum share of a text's words that one family may edit; it may always edit one word.
        fixed: parameters of families that are not part of the vector ("protect", "model", "vectors").
    """

    combined: int = 6
    max_repetitions: int = 5
    share: float = 0.25
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.combined <= len(FAMILIES):
            raise UsageError(f"an action combines 1 to {len(FAMILIES)} families; got {self.combined}")
        if self.max_repetitions < 1 or not 0 <= self.share <= 1:
            raise UsageError("max_repetitions must be at least 1, and the share of words must be from 0 to 1")

    @cached_property
    def blocks(self) -> Mapping[str, slice]:
        """The slice of an action's vector that belongs to each family of edits."""
        slices, start = {}, 0
        for name, parameters in FAMILIES.items():
            length = 1 + self.max_repetitions * (1 + len(parameters))
            slices[name] = slice(start, start + length)
            start += length
        return slices

    @property
    def size(self) -> int:
        """Number of dimensions of an action's vector: 116 with five repetitions."""
        return sum(1 + self.max_repetitions * (1 + len(parameters)) for parameters in FAMILIES.values())

    def decode(self, vector: Sequence[float]) -> Action:
        """Decode a vector into an action.

        Numbers are clipped to [0, 1], and values of 0.5 or above switch triggers on.
        """
        if len(vector) != self.size or any(math.isnan(number) for number in vector):
            raise UsageError(
                f"an action has {self.size} numbers from 0 to 1; got {len(vector)} values, or values that are not "
                "numbers"
            )
        action = {}
        for name, parameters in FAMILIES.items():
            numbers = [min(1.0, max(0.0, float(number))) for number in vector[self.blocks[name]]]
            triggers = slice(1, None, 1 + len(parameters))
            numbers[triggers] = [float(number >= 0.5) for number in numbers[triggers]]
            action[name] = tuple(numbers)
        return action

    def repetitions(self, text: str) -> int:
        """Return how often one family may edit a text (m).

        By default this is a quarter of the number of words, but at least 1 and at most `max_repetitions`.

        >>> [ActionSpace().repetitions("word " * count) for count in (0, 1, 8, 11, 60)]
        [1, 1, 2, 2, 5]
        """
        return min(self.max_repetitions, max(1, int(self.share * len(text.split()))))

    def mask(self, text: str) -> tuple[bool, ...]:
        """Return a flag per dimension that is true if the dimension has an effect on a text.

        Repetitions beyond the allowed number have no effect.
        """
        allowed = self.repetitions(text)
        has_effect: list[bool] = []
        for parameters in FAMILIES.values():
            width = 1 + len(parameters)  # a trigger and the parameters
            has_effect += [True, *(number < allowed for number in range(self.max_repetitions) for _ in range(width))]
        return tuple(has_effect)

    def steps(self, action: Action, text: str, *, turns: tuple[int, ...] | None = None) -> tuple[Step, ...]:
        """Return the steps of an action on a text, with word edits first.

        Only the `combined` families with the highest importance are used. The importance of a family is the share of
        the allowed repetitions that it may use, rounded up. Of these repetitions, only triggered ones become steps:
        `(0.5, 1, 0.2, 0, 0.7)` is an importance and two repetitions of a trigger and one parameter.
        """
        allowed = self.repetitions(text)
        chosen = sorted(FAMILIES, key=lambda name: -action[name][0])[: self.combined]
        steps = []
        for name in (name for name in FAMILIES if name in chosen):  # words before characters
            importance, *repetitions = action[name]
            width = 1 + len(FAMILIES[name])  # a trigger and the parameters
            used = math.ceil(importance * allowed - 1e-9)  # a rounding error must not add a repetition
            for start in range(0, used * width, width):
                trigger, *numbers = repetitions[start : start + width]
                if trigger:
                    parameters = {**dict(zip(FAMILIES[name], numbers, strict=True)), **self.fixed.get(name, {})}
                    steps.append(Step(transformation=name, parameters=parameters, turns=turns))
        return tuple(steps)


def perform(text: str, steps: Sequence[Step], values: Mapping[str, tuple[str, ...]] | None = None) -> Performed:
    """Apply steps of the six families of edits to a text. Steps that edit words must come first.

    `values` contains the strings to leave unchanged for each value of a step's `protect`, as in a turn's annotation
    "protected".
    """
    after_words = final = text
    words_come_next = True
    for step in steps:
        if step.transformation not in FAMILIES:
            raise UsageError(f"{step.transformation!r} is not one of the families: {', '.join(FAMILIES)}")
        edits_words = step.transformation in WORD_FAMILIES
        if edits_words and not words_come_next:
            raise UsageError("a word step follows a character step; edit words first")
        words_come_next = edits_words
        chosen = TRANSFORMATIONS[step.transformation]
        arguments = chosen.complete(dict(step.parameters))
        arguments["protected"] = tuple((values or {}).get(arguments.pop("protect"), ()))
        final = chosen.apply(final, **arguments)
        after_words = final if edits_words else after_words
    return Performed(source=text, after_words=after_words, final=final)
