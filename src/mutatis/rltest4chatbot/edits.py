"""Measures an edit, and whether it is small enough to leave the request unchanged, which its relation expects.

This follows RLTest4Chatbot, 2.1 and 2.3. Words are compared as sets (Jaccard distance), and characters by the Jaro and
Damerau-Levenshtein distances. The word edits and the character edits that follow them are measured separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz.distance import DamerauLevenshtein, Jaro, LCSseq

from mutatis.extending import (
    ANNOTATED,
    AS_IT_IS,
    KEEP_ROUNDS,
    NO_CHANGE,
    OUTPUT_RELATIONS,
    Case,
    Constraint,
    Derivation,
    MetamorphicRelation,
    Step,
    UsageError,
    changes,
    unknown_name,
)
from mutatis.rltest4chatbot.actions import FAMILIES, perform


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRates:
    """Size of the change made by each stage of an edit (word edits, then character edits).

    Attributes:
        word: Jaccard distance of the sets of words, 0 to 1.
        character: Jaro distance, 0 to 1.
        damerau: Damerau-Levenshtein distance divided by the longer length, 0 to 1.
        words: number of changed words, which is the number of words removed or added, whichever is larger.
        characters: number of changed characters (Damerau-Levenshtein).
        changed: whether the text differs at all. A repeated word does not change the set of words.
    """

    word: float
    character: float
    damerau: float
    words: int
    characters: int
    changed: bool


Rule = Literal["thesis", "strict"]
LEAST: Mapping[Rule, tuple[int, int]] = {"thesis": (0, 0), "strict": (1, 2)}
"""Number of words and characters that may change in any text, however short, for each rule.

The thesis says that its bounds "should be adaptable" for brief sentences, but it does not specify how.
"""

EXACT = 2000 * 2000
"""Maximum number of character pairs for computing distances exactly, which takes about ten milliseconds."""


def edit_rates(source: str, after_words: str, final: str) -> EditRates:
    """Return the size of an edit: the Jaccard distance of the words, the Jaro distance and the edits per character.

    The arguments are the source, the result of the word edits, and the result of the subsequent character edits.

    >>> rates = edit_rates("a cheap room", "a nice room", "a nicee room")
    >>> rates.word, round(rates.character, 3), round(rates.damerau, 3), rates.words, rates.characters
    (0.5, 0.028, 0.083, 1, 1)
    """
    before, after = set(source.split()), set(after_words.split())
    union = before | after
    jaro, characters = _jaro_and_edits(after_words, final)
    return EditRates(
        word=1 - len(before & after) / len(union) if union else 0.0,
        character=jaro,
        damerau=characters / max(len(after_words), len(final), 1),
        words=max(len(before - after), len(after - before)),
        characters=characters,
        changed=source != final,
    )


def _jaro_and_edits(old: str, new: str) -> tuple[float, int]:
    """Return the Jaro and the Damerau-Levenshtein distances between two texts.

    Since the exact algorithms compare all pairs of letters, long texts are aligned first, and only the parts that
    differ are compared. The number of edits is then an upper bound.
    """
    if len(old) * len(new) <= EXACT:
        return Jaro.distance(old, new), DamerauLevenshtein.distance(old, new)
    edits, matched = 0, len(old)
    for change in changes(old, new):
        before, after = old[change.start : change.end], new[change.new_start : change.new_end]
        shared, edits_of_change = _shared_and_edits(before, after)
        edits += edits_of_change
        matched += shared - len(before)
    jaro = 1 - (matched / len(old) + matched / len(new) + 1) / 3 if matched else 1.0
    return jaro, edits


def _shared_and_edits(old: str, new: str) -> tuple[int, int]:
    """Return the number of characters that both sides of a change share, and the number of edits between them.

    If the sides are too long to compare, they count as completely different.
    """
    if len(old) * len(new) > EXACT:
        return 0, max(len(old), len(new))
    return LCSseq.similarity(old, new), DamerauLevenshtein.distance(old, new)


def whole_rates(source: str, final: str) -> EditRates:
    """Return the size of an edit whose stages are unknown.

    The result is compared directly with the source, in both words and characters.

    >>> rates = whole_rates("a cheap room", "a cheep room")
    >>> rates.word, round(rates.damerau, 3)
    (0.5, 0.083)
    """
    words = edit_rates(source, final, final)
    return replace(edit_rates(source, source, final), word=words.word, words=words.words)


def judged_rates(source: Case, follow_up: Case) -> EditRates:
    """Return the size of the edit of the turn under attack, which is the last one that a follow-up's steps change.

    This is the first turn (0) if the steps do not name any turns.
    """
    derivation = follow_up.derivation
    assert derivation is not None, "not a follow-up"
    turn = max((turn for step in derivation.steps for turn in step.turns or (0,)), default=0)
    fields, variant = follow_up.turns[derivation.origin.index(turn)].fields, derivation.variant
    edited = "\n".join(text for name, text in fields.items() if not variant or name in variant)
    return turn_rates(source, derivation, turn, edited)


def turn_rates(source: Case, derivation: Derivation, turn: int, edited: str) -> EditRates:
    """Return the size of the edit of a turn. If several fields were edited, they count as one text.

    By default, all fields count. The stages of the edit are unknown if it has other steps than the six families.
    """
    before, variant = source.turns[turn], derivation.variant
    names = [name for name in before.fields if not variant or name in variant]
    old = "\n".join(before.fields[name] for name in names)
    if old == edited:
        return edit_rates(old, old, old)
    steps = _staged(derivation.steps, turn)
    if not steps:
        return whole_rates(old, edited)
    values = before.annotations.get("protected", {})
    middle = "\n".join(perform(before.fields[name], steps, values).after_words for name in names)
    return edit_rates(old, middle, edited)


def _staged(steps: Sequence[Step], turn: int) -> list[Step]:
    """Return the steps on a turn, or [] if any step does not belong to the six families of edits."""
    on_turn = [s for s in steps if s.transformation != KEEP_ROUNDS and (s.turns is None or turn in s.turns)]
    return on_turn if all(step.transformation in FAMILIES for step in on_turn) else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity:
    """Rule for whether an edit is small enough to be valid.

    Attributes:
        rule: "thesis" limits the Jaccard and the Jaro distance, as published, so an edit that changes nothing is valid.
            "strict", the default, also limits the Damerau-Levenshtein distance and requires a change, because most
            permutations of all characters keep the Jaro distance within the bound.
        bound: the maximum of all these distances.
        least_words, least_characters: how many may change in any text, however short; None means the numbers for the
            rule (`LEAST`).
    """

    rule: Rule = "strict"
    bound: float = 0.25
    least_words: int | None = None
    least_characters: int | None = None

    def __post_init__(self) -> None:
        if self.rule not in LEAST:
            raise unknown_name("validity", self.rule, tuple(LEAST))
        if not 0 <= self.bound <= 1 or min(self.least) < 0:
            raise UsageError(
                f"validity: bound is {self.bound}, least_words is {self.least_words}, least_characters is "
                f"{self.least_characters}; expected a bound from 0 to 1, and numbers that are not negative"
            )

    @property
    def least(self) -> tuple[int, int]:
        """Numbers of words and of characters that may change in any text, however short.

        >>> Validity().least, Validity(rule="thesis").least, Validity(rule="thesis", least_words=1).least
        ((1, 2), (0, 0), (1, 0))
        """
        words, characters = LEAST[self.rule]
        return (
            words if self.least_words is None else self.least_words,
            characters if self.least_characters is None else self.least_characters,
        )

    def broken(self, rates: EditRates) -> str | None:
        """Return a description of the bound that an edit exceeds, or None if the edit is valid.

        >>> Validity().broken(edit_rates("taxi", "taxi", "txai")) is None
        True
        >>> Validity().broken(edit_rates("a room", "one bed", "one bed"))
        'word rate 1.00 is over 0.25'
        """
        if not rates.changed and self.rule == "strict":  # the thesis' two bounds let it pass, but it is no test
            return "nothing changed"
        allowed_words, allowed_characters = self.least  # whatever share of the text they are
        if rates.word > self.bound and rates.words > allowed_words:
            return f"word rate {rates.word:.2f} is over {self.bound:g}"
        if rates.characters <= allowed_characters:
            return None
        if rates.character > self.bound:
            return f"character rate {rates.character:.2f} is over {self.bound:g}"
        if self.rule == "strict" and rates.damerau > self.bound:
            return f"Damerau-Levenshtein rate {rates.damerau:.2f} is over {self.bound:g}"
        return None


def small_edits(validity: Validity, *others: str) -> MetamorphicRelation:
    """Return the relation "the answer stays the same" for edits that `validity` allows, on every task.

    The relation is not registered. `others` are transformations that a search uses in addition to the six families of
    edits. Under the thesis' rule (RLTest4Chatbot, 2022), an edit that changes nothing is valid and therefore judged.

    >>> small_edits(Validity()).name
    'small-edits'
    """

    def small_enough(source: Case, follow_up: Case) -> bool:
        return validity.broken(judged_rates(source, follow_up)) is None

    families = tuple(Step.of(name) for name in FAMILIES)
    return MetamorphicRelation.of(
        name="small-edits",
        transformations=(*families, *(Step.of(name) for name in (NO_CHANGE, *others))),
        output_relation=OUTPUT_RELATIONS["equal"],
        tasks=(),
        constraints=(Constraint(name=f"small-edit ({validity.rule}, {validity.bound:g})", check=small_enough),),
        unchanged="keep" if validity.rule == "thesis" else "invalid",
        tags=frozenset({"free", "search"}),
        change="noise",
        summary="The answer stays the same under small edits of words and characters.",
        paper="RLTest4Chatbot (2022)",
    )


def as_annotated() -> MetamorphicRelation:
    """Return a relation that a search uses to find the turns that a system answers correctly before any edit.

    The relation is not registered. Its follow-up is the source itself, so it asks no additional question.

    >>> as_annotated().name
    'as-annotated'
    """
    return MetamorphicRelation.of(
        name="as-annotated",
        transformations=(Step.of(AS_IT_IS),),
        output_relation=OUTPUT_RELATIONS["as-labelled"],
        tasks=(),
        reference="annotated",
        preconditions=(ANNOTATED,),
        unchanged="keep",
        tags=frozenset({"free", "search", "reference"}),
        summary="The answer before editing is the annotated one; some searches edit only inputs answered correctly.",
        paper="RLTest4Chatbot (2022)",
    )
