"""Output relations: what must hold between the answers of a group.

Pure: they say which answers must be compared and judge by the similarities they are given. Must not know how an answer
was asked, nor how two answers are compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, ClassVar

from mutatis.core.decision import Decision, Outcome
from mutatis.core.languages import ENGLISH, Languages
from mutatis.core.measure import Comparison, Judge, Says, Similarity
from mutatis.core.relation import Expects, Group, OutputRelation
from mutatis.relations.deciding import (
    WithoutJudge,
    answer,
    between,
    deciding,
    images_in,
    judged,
    nothing,
    plain,
    untold,
    with_images,
    with_reference,
)
from mutatis.relations.opposite import OppositeMeasure
from mutatis.relations.unknown_rest import with_unknown_rest

NEUTRAL = 0.5
"""The middle of a continuous sentiment."""

TOLERANCE = 0.1
"""By how much a score may move against the expected direction: CheckList's tolerance, and what `number` calls the same.

Measured on SST-2 dev with four classifiers and the relations that want a stronger sentiment: without a tolerance 485
findings, 14 % of which change the side of 0.5; with 0.1 there are 49, half of which do. The published `stronger`
(LLMorph) has none: a move from 0.52 to 0.50 was a finding there.
"""

_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Equal:
    """The follow-up's answer is the same as the reference, or as what the edit made of it ("0ctober 1973") (EQ)."""

    finds: ClassVar[Says | None] = "different"
    expects: ClassVar[Expects] = "same"
    name: str = "equal"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the reference and with its image under the edit."""
        return with_images(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the least similar answer still counts as the same."""
        if not similarities:
            return nothing(judge)
        similarities = with_unknown_rest(group, similarities, judge)
        worst = deciding(similarities, lambda score: score < judge.equal, lowest=True)
        if worst is None:
            return untold(similarities, judge)
        similarity = similarities[worst]
        return judged(
            similarity.score >= judge.equal, similarity, judge, (worst,), "answers should be the same", "but differ"
        )


@dataclass(frozen=True, slots=True)
class Different:
    """The follow-up's answer differs from the reference (NE)."""

    finds: ClassVar[Says | None] = "same"
    expects_change: ClassVar[bool] = True
    expects: ClassVar[Expects] = "different"
    name: str = "different"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the reference."""
        return with_reference(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when even the most similar answer counts as different."""
        if not similarities:
            return nothing(judge)
        worst = deciding(similarities, lambda score: score >= judge.different, lowest=False)
        if worst is None:
            return untold(similarities, judge)
        similarity = similarities[worst]
        held = similarity.score < judge.different
        return judged(held, similarity, judge, (worst,), "answers should differ", "but are the same")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _strength(group: Group) -> tuple[float, float] | None:
    """Return the reference and the answer as distances from neutral, on the reference's side positive."""
    before = _number(group.reference[0]) if group.reference else None
    after = _number(answer(group, 0)) if group.members else None
    if before is None or after is None:
        return None
    side = 1.0 if before >= NEUTRAL else -1.0
    return side * (before - NEUTRAL), side * (after - NEUTRAL)


@dataclass(frozen=True, slots=True)
class Stronger(WithoutJudge):
    """The follow-up's number is as far from 0.5 as the reference or farther, on the same side, but for TOLERANCE."""

    name: str = "stronger"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the distance from 0.5 shrank by no more than TOLERANCE; the score is by how much it grew."""
        strength = _strength(group)
        if strength is None:
            return plain(Outcome.INVALID, None, "answers are not numbers", "distance-from-neutral")
        before, after = strength
        held = after >= before - TOLERANCE - _TINY
        reason = f"distance from {NEUTRAL} should not shrink by more than {TOLERANCE}: {before:.3g} became {after:.3g}"
        outcome = Outcome.SATISFIED if held else Outcome.VIOLATED
        return plain(outcome, round(after - before, 9), reason, "distance-from-neutral")


@dataclass(frozen=True, slots=True)
class EqualOrStronger:
    """The follow-up's number is the same as the reference or stronger (upper case on sentiment).

    An answer that has no strength, such as a text, can only stay the same.
    """

    finds: ClassVar[Says | None] = "different"
    expects: ClassVar[Expects] = "same"
    name: str = "equal-or-stronger"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the reference and with its image under the edit."""
        return with_images(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answers count as the same, or the later one is stronger."""
        same = Equal().decide(group, similarities, judge)
        if same.outcome is not Outcome.VIOLATED:
            return same
        stronger = Stronger().decide(group, (), judge)
        return stronger if stronger.outcome is Outcome.SATISFIED else same


@dataclass(frozen=True, slots=True)
class NotInverse(WithoutJudge):
    """The label is not turned into its inverse (entailment into contradiction, or the other way round)."""

    name: str = "not-inverse"
    inverse: tuple[str, str] = ("entailment", "contradiction")

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold unless the two labels are the inverse pair."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = group.reference[0], answer(group, 0)
        inverted = {before, after} == set(self.inverse)
        reason = f"{before} must not be turned into its inverse: it became {after}"
        return plain(Outcome.VIOLATED if inverted else Outcome.SATISFIED, float(not inverted), reason, "label")


@dataclass(frozen=True, slots=True)
class Opposite:
    """The follow-up's answer is the opposite relation of the reference, as a helper judges."""

    measure: ClassVar[str] = OppositeMeasure.name
    needs_helper: ClassVar[bool] = True

    expects_change: ClassVar[bool] = True
    name: str = "opposite"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the reference."""
        return with_reference(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the measure calls the two answers opposite."""
        if not similarities:
            return nothing(judge)
        similarity = similarities[0]
        if similarity.open:
            return untold(similarities, judge)
        held = similarity.score >= judge.equal
        return judged(held, similarity, judge, (0,), "answers should be opposite relations", "but are not")


@dataclass(frozen=True, slots=True)
class Image:
    """The follow-up's answer is what the edit made of the reference: of an exchanged number, the new one."""

    languages: ClassVar[Languages] = ENGLISH
    finds: ClassVar[Says | None] = "different"
    name: str = "image"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the image of the reference; nothing where the edit left the reference alone."""
        return [
            replace(comparison, reference=image_texts)
            for i, comparison in enumerate(with_reference(group))
            if (image_texts := images_in(group, i, comparison.reference))
        ]

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer counts as the same as the image."""
        if not similarities:
            reason = "the edit does not say what becomes of the source answer"
            return plain(Outcome.INVALID, None, reason, judge.measure.name, ())
        similarity = similarities[0]
        if similarity.open:
            return untold(similarities, judge)
        held = similarity.score >= judge.equal and not self._keeps_old_number(group)
        return judged(held, similarity, judge, (0,), "the answer should follow the edit", "but does not")

    @staticmethod
    def _keeps_old_number(group: Group) -> bool:
        """Whether the answer says the old number and not the new one; measures forgive a word, and so a number."""
        new, said = _numbers(*images_in(group, 0, group.reference)), _numbers(str(answer(group, 0)))
        return bool(said & (_numbers(*map(str, group.reference)) - new)) and not said & new


def _numbers(*texts: str) -> set[str]:
    return {number.replace(",", "") for text in texts for number in re.findall(r"\d[\d,]*", text)}


_INVERSES = ({"yes": "no", "no": "yes"}, {"entailment": "contradiction", "contradiction": "entailment"})


@dataclass(frozen=True, slots=True)
class Inverse:
    """Yes becomes no and no becomes yes; entailment becomes contradiction, and the other way round."""

    languages: ClassVar[Languages] = ENGLISH
    finds: ClassVar[Says | None] = "different"
    expects_change: ClassVar[bool] = True
    name: str = "inverse"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the inverse of the reference; nothing where it has none."""
        return [
            replace(comparison, reference=(inverse,))
            for comparison in with_reference(group)
            if (inverse := inverse_of(comparison.reference)) is not None
        ]

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer is the inverse one."""
        if not similarities:
            return plain(Outcome.INVALID, None, "the source answer has no inverse", judge.measure.name, ())
        similarity = similarities[0]
        if similarity.open:
            return untold(similarities, judge)
        return judged(
            similarity.score >= judge.equal, similarity, judge, (0,), "the answer should be the inverse", "but is not"
        )


def inverse_of(reference: Sequence[Any]) -> str | None:
    """Return the inverse of a yes, no, entailment or contradiction; None for every other answer.

    >>> inverse_of(("Yes, he was.",)), inverse_of(("Paris",)), inverse_of(("Nobody",))
    ('no', None, None)
    """
    first = re.match(r"\W*(\w+)", str(reference[0])) if reference else None
    said = first.group(1).lower() if first else ""
    return next((table[said] for table in _INVERSES if said in table), None)


def _pairs_within(group: Group) -> list[tuple[int, int]]:
    return list(combinations(group.with_role("equivalent"), 2))


def _pairs_across(group: Group) -> list[tuple[int, int]]:
    return list(product(group.with_role("equivalent"), group.with_role("altered")))


def _with_violating(decided: Decision, pairs: Sequence[tuple[int, int]], violates: Sequence[bool]) -> Decision:
    members = {member for pair, bad in zip(pairs, violates, strict=True) if bad for member in pair}
    return replace(decided, violating=tuple(sorted(members)))


@dataclass(frozen=True, slots=True)
class InnerConsistency:
    """All answers to one question in equivalent contexts are similar to each other (MORTAR, MR3)."""

    finds: ClassVar[Says | None] = "different"
    expects: ClassVar[Expects] = "same"
    name: str = "inner-consistency"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare every pair of members with the role "equivalent"."""
        return between(group, _pairs_within(group))

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the largest difference stays within the threshold; one verdict per question."""
        pairs = _pairs_within(group)
        if not pairs:
            return nothing(judge)
        worst = deciding(similarities, lambda score: score < judge.equal, lowest=True)
        if worst is None:
            return untold(similarities, judge)
        worst_pair = similarities[worst]
        expectation = f"{len(pairs)} pair{'s' if len(pairs) > 1 else ''} of answers should agree"
        decided = judged(
            worst_pair.score >= judge.equal, worst_pair, judge, pairs[worst], expectation, "but the worst differs"
        )
        return _with_violating(
            decided, pairs, [not similarity.open and similarity.score < judge.equal for similarity in similarities]
        )


@dataclass(frozen=True, slots=True)
class InterDivergence:
    """Every answer in an equivalent context differs from every answer in an altered one (MORTAR, MR4)."""

    finds: ClassVar[Says | None] = "same"
    expects_change: ClassVar[bool] = True
    expects: ClassVar[Expects] = "different"
    name: str = "inter-divergence"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare every member with the role "equivalent" with every one that is "altered"."""
        return between(group, _pairs_across(group))

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when even the most similar pair counts as different; one verdict per question."""
        pairs = _pairs_across(group)
        if not pairs:
            return nothing(judge)
        worst = deciding(similarities, lambda score: score >= judge.different, lowest=False)
        if worst is None:
            return untold(similarities, judge)
        worst_pair = similarities[worst]
        expectation = f"{len(pairs)} pair{'s' if len(pairs) > 1 else ''} of answers should differ"
        held = worst_pair.score < judge.different
        decided = judged(held, worst_pair, judge, pairs[worst], expectation, "but the worst agrees")
        return _with_violating(
            decided, pairs, [not similarity.open and similarity.score >= judge.different for similarity in similarities]
        )


OUTPUT_RELATIONS: dict[str, OutputRelation] = {
    relation.name: relation
    for relation in (
        *(Equal(), Different(), Stronger(), EqualOrStronger()),
        *(NotInverse(), Opposite(), Image(), Inverse(), InnerConsistency(), InterDivergence()),
    )
}
"""The output relations by the names that users write."""
