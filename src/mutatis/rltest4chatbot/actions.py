"""The six families of edits, which are transformations of text with parameters from 0 to 1 (RLTest4Chatbot, 2.1.2).

An action combines several families. For each family, it has an importance and a fixed number of repetitions. Each
repetition has a trigger and its parameters. The vector of an action lists all these numbers, family by family:

    importance, trigger 1, parameters 1, trigger 2, parameters 2, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mutatis.extending import TRANSFORMATIONS, Step, UsageError

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "word-insert": ("position", "operator", "word"),
    "word-drop": ("position", "operator"),
    "word-replace": ("position", "operator", "word"),
    "char-insert": ("position", "operator", "character"),
    "char-drop": ("position", "operator"),
    "char-replace": ("position", "operator", "character"),
}
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
        edits_words = step.transformation.startswith("word-")
        if edits_words and not words_come_next:
            raise UsageError("a word step follows a character step; edit words first")
        words_come_next = edits_words
        chosen = TRANSFORMATIONS[step.transformation]
        arguments = chosen.complete(dict(step.parameters))
        arguments["protected"] = tuple((values or {}).get(arguments.pop("protect"), ()))
        final = chosen.apply(final, **arguments)
        after_words = final if edits_words else after_words
    return Performed(source=text, after_words=after_words, final=final)
