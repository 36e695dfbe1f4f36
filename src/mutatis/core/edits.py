"""The record of how much an edit changed. Independent of how it is computed (`text.edits` does that)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRates:
    """How much each stage of an edit changed.

    Attributes:
        word: Jaccard distance of the sets of words, 0 to 1.
        character: Jaro distance, 0 to 1.
        damerau: Damerau-Levenshtein distance over the longer length, 0 to 1.
        words: how many words changed: the number of words removed or added, whichever is larger.
        characters: how many characters changed (Damerau-Levenshtein).
        changed: whether the text differs at all; repeating a word leaves its set of words as it was.
    """

    word: float
    character: float
    damerau: float
    words: int
    characters: int
    changed: bool
