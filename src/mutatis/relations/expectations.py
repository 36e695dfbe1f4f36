"""Output relations beside "the same" and "another": what is known of the answer, and in which direction it moves.

They join the names of `relations.output`. Must not know how an answer was asked, nor how two answers are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from mutatis.core.cases import EXPECTS
from mutatis.core.decision import Decision, Outcome
from mutatis.core.languages import ENGLISH, Languages
from mutatis.core.measure import Comparison, Judge, Says, Similarity
from mutatis.core.relation import Group, Observation
from mutatis.core.task import TASKS
from mutatis.relations.deciding import ReadsEnglish, WithoutJudge, judged, plain, untold, with_reference
from mutatis.relations.output import OUTPUT_RELATIONS, TOLERANCE
from mutatis.text.abstention import is_abstention
from mutatis.text.normalisation import normalise
from mutatis.text.refusals import is_refusal

_CONVERSES = (
    *(("child", "parent"), ("child", "father"), ("child", "mother"), ("follows", "followed by")),
    *(("part of", "has part"), ("member of", "has part"), ("part of", "contains"), ("replaces", "replaced by")),
    *(("subsidiary", "parent organization"), ("teacher", "student"), ("predecessor", "successor")),
    *(("owner of", "owned by"), ("employer", "employee")),
)
_SYMMETRIC = frozenset(
    {
        "spouse",
        "married to",
        "sibling",
        "sister city",
        "twin town",
        "shares border with",
        "borders",
        "partner",
        "cousin",
    }
    | {"neighbour", "neighbor", "colleague", "rival", "friend"}
)


def _phrase(value: object) -> str:
    return normalise(str(value)).strip()


def converses_of(relation: object) -> tuple[str, ...]:
    """Return what the second entity is to the first where the first is this to the second, as far as the list knows.

    >>> converses_of("father"), converses_of("Part of"), converses_of("employer of the year")
    (('child',), ('has part', 'contains'), ())
    """
    phrase = _phrase(relation)
    pairs = (pair for first, second in _CONVERSES for pair in ((first, second), (second, first)))
    return tuple(other for name, other in pairs if _phrase(name) == phrase)


def is_symmetric(relation: object) -> bool:
    """Whether the list knows a relation as one that holds both ways.

    >>> is_symmetric("Spouse"), is_symmetric("father")
    (True, False)
    """
    return _phrase(relation) in {_phrase(name) for name in _SYMMETRIC}


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """The follow-up's answer is the one that its edit settles, whatever was said to the source."""

    finds: ClassVar[Says | None] = "different"
    name: str = "known-answer"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the answers that its edit wrote down."""
        return [
            replace(comparison, reference=tuple(accepted), directed=True)
            for comparison, member in zip(with_reference(group), group.members, strict=True)
            if (accepted := member.asked.annotations.get(EXPECTS))
        ]

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer counts as one of the accepted ones."""
        if not similarities:
            return plain(Outcome.INVALID, None, "the edit does not settle an answer", judge.measure.name, ())
        similarity = similarities[0]
        if similarity.open:
            return untold(similarities, judge)
        wanted = " or ".join(map(str, group.members[0].asked.annotations[EXPECTS]))
        return judged(
            similarity.score >= judge.equal, similarity, judge, (0,), f"the answer must be {wanted!r}", "but is not"
        )


def _says_nothing(member: Observation) -> bool:
    response = member.response
    if response is None:
        return False
    if is_refusal(response.text) or is_abstention(response.text):
        return True
    task = member.case.task
    return response.value is not None and task in TASKS and TASKS[task].uninformative(response.value)


@dataclass(frozen=True, slots=True)
class Abstains(ReadsEnglish):
    """The follow-up's answer says that nothing can be said: "unknown", "no relation", or a refusal."""

    name: str = "abstains"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer says nothing; INVALID where the edit left something to say."""
        if not group.members or EXPECTS not in group.members[0].asked.annotations:
            return plain(Outcome.INVALID, None, "the edit left something to be said", "abstention", ())
        held = _says_nothing(group.members[0])
        reason = "nothing can be said, and the answer must say so"
        reason += "" if held else f": it was {str(group.members[0].answer)[:60]!r}"
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, float(held), reason, "abstention")


@dataclass(frozen=True, slots=True)
class Contains:
    """The follow-up's answer holds the source answer, and may hold more (two questions in one)."""

    finds: ClassVar[Says | None] = "different"
    name: str = "contains"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the reference."""
        return with_reference(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when every word of the reference stands in the answer, or both count as the same."""
        if not similarities or not group.reference:
            return plain(Outcome.INVALID, None, "no answers to compare", judge.measure.name, ())
        similarity, said = similarities[0], set(normalise(str(group.members[0].answer)).split())
        inside = any((words := set(normalise(str(wanted)).split())) and words <= said for wanted in group.reference)
        if similarity.open and not inside:
            return untold(similarities, judge)
        held = inside or similarity.score >= judge.equal
        return judged(held, similarity, judge, (0,), "the answer should hold the source answer", "but does not")


@dataclass(frozen=True, slots=True)
class Converse:
    """The follow-up's answer is the converse of the reference (a father's child), by the package's own list."""

    languages: ClassVar[Languages] = ENGLISH
    finds: ClassVar[Says | None] = "different"
    expects_change: ClassVar[bool] = True
    name: str = "converse"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the converses of the reference; nothing where the list has none."""
        return [
            replace(comparison, reference=others)
            for comparison in with_reference(group)
            if (others := tuple(other for wanted in comparison.reference for other in converses_of(wanted)))
        ]

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer counts as a converse."""
        if not similarities:
            return plain(Outcome.INVALID, None, "no converse is known", judge.measure.name, ())
        similarity = similarities[0]
        if similarity.open:
            return untold(similarities, judge)
        return judged(
            similarity.score >= judge.equal, similarity, judge, (0,), "the answer should be the converse", "but is not"
        )


@dataclass(frozen=True, slots=True)
class AsLabelled:
    """The answer is the annotated one; of a score that is labelled 0 or 1, it lies on the label's side of 0.5."""

    finds: ClassVar[Says | None] = "different"
    name: str = "as-labelled"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the annotated answers; a side of 0.5 needs no comparison."""
        return () if _sides(group) else with_reference(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer counts as the annotated one. An answer of 0.5 takes no side, so it is wrong."""
        sides = _sides(group)
        if sides is None:
            return OUTPUT_RELATIONS["equal"].decide(group, similarities, judge)
        label, score = sides
        held = (score - 0.5) * (label - 0.5) > 0
        reason = f"the score should be {'above' if label else 'below'} 0.5, as labelled: {score:.3g}"
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, float(held), reason, "label")


def _sides(group: Group) -> tuple[int, float] | None:
    """Return the label (0 or 1) and the score of an answer that is a number; None for other labels and answers."""
    answer = group.members[0].answer if group.members else None
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        return None
    label = {"0": 0, "1": 1}.get(str(group.reference[0]).strip()) if len(group.reference) == 1 else None
    return None if label is None else (label, float(answer))


def _scores(group: Group) -> tuple[float, float] | None:
    before = group.reference[0] if group.reference else None
    after = group.members[0].answer if group.members else None
    both = [float(v) for v in (before, after) if isinstance(v, int | float) and not isinstance(v, bool)]
    return (both[0], both[1]) if len(both) == 2 else None


@dataclass(frozen=True, slots=True)
class Directed(WithoutJudge):
    """The follow-up's score does not move in one direction by more than CheckList's tolerance.

    `side` is 1 where it must not fall, -1 where it must not rise, 0 where it must not move away from 0.5.
    """

    name: str
    side: int

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the score moved no further than the tolerance; the score is by how much it moved."""
        scores = _scores(group)
        if scores is None:
            return plain(Outcome.INVALID, None, "answers are not numbers", "direction")
        before, after = scores
        side = self.side or (1 if before < 0.5 else -1)
        moved = side * (after - before)
        word = "fall" if side > 0 else "rise"
        reason = f"the score should not {word} by more than {TOLERANCE}: {before:.3g} became {after:.3g}"
        held = moved >= -TOLERANCE - 1e-9
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, round(moved, 9), reason, "direction")


_OWN = (
    *(KnownAnswer(), Abstains(), Contains(), Converse(), AsLabelled()),
    *(Directed("not-lower", 1), Directed("not-higher", -1), Directed("not-stronger", 0)),
)
OUTPUT_RELATIONS.update({relation.name: relation for relation in _OWN})
