"""Parts of output relations: the comparisons they request and the decisions they make.

This module is pure: it does not depend on how answers are obtained or compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from mutatis.core.calls import tools_in
from mutatis.core.cases import Turn
from mutatis.core.constraint import CAN_TELL
from mutatis.core.decision import Decision, Outcome
from mutatis.core.languages import ENGLISH, Languages
from mutatis.core.measure import Comparison, Judge, Says, Similarity
from mutatis.core.relation import Group
from mutatis.measures.by_folder import languages_read
from mutatis.measures.json_schema import schema_in
from mutatis.text.spans import images


class InWords:
    """The condition of an output relation, in words.

    Attributes:
        in_words: for reports, after the words for the edit; "" if the relations' summaries already contain it.
        for_readers: for readers of a blind sheet; `{image}`, `{settled}`, `{converse}` and `{labelled}` are filled in.
    """

    __slots__ = ()
    in_words: str = ""
    for_readers: str = ""


class Compared(InWords):
    """Base class of output relations that compare each answer with the reference."""

    __slots__ = ()
    finds: ClassVar[Says | None] = "different"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the reference."""
        return with_reference(group)


class Becomes(InWords):
    """Base class of output relations that compute a changed reference and expect it as the answer.

    Attributes:
        unknown: the reason if nothing can be computed.
        wanted, seen: the condition that a violation breaks (`{right}` is filled in), and what happened instead.
    """

    __slots__ = ()
    finds: ClassVar[Says | None] = "different"
    unknown: str
    wanted: str
    seen: str = "but is not"

    def become(self, group: Group, member: int) -> Sequence[Any]:
        """Return the answers that would be right for a member, or () if they cannot be worked out."""
        raise NotImplementedError

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each member with the changed reference."""
        return [
            replace(comparison, reference=right)
            for member, comparison in enumerate(with_reference(group))
            if (right := tuple(self.become(group, member)))
        ]

    def holds(self, group: Group, similarity: Similarity, judge: Judge) -> bool:
        """Return True if the answer counts as the changed reference."""
        return similarity.score >= judge.equal

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """The relation holds if the answer counts as the right one."""
        if not similarities:
            return plain(Outcome.INVALID, None, self.unknown, judge.measure.name, ())
        similarity = similarities[0]
        if similarity.open:
            return untold(similarities, judge)
        wanted = self.wanted.format(right=" or ".join(map(str, self.become(group, 0))))
        return judged(self.holds(group, similarity, judge), similarity, judge, (0,), wanted, self.seen)


class WithoutJudge(InWords):
    """Base class of output relations that read the answers themselves, without a judge."""

    __slots__ = ()
    finds: ClassVar[Says | None] = None

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Return no comparisons: only the answers are needed."""
        return ()


class ReadsEnglish(WithoutJudge):
    """The same, for relations that read the words of answers and support only English."""

    __slots__ = ()
    languages: ClassVar[Languages] = ENGLISH


class ReadsByFolder(WithoutJudge):
    """The same, for relations that read answers with the folder of their language."""

    __slots__ = ()
    languages: ClassVar[Languages] = languages_read()


def language_of(group: Group) -> str:
    """Return the language of a group's source."""
    return group.source.case.language or ENGLISH[0]


def answer(group: Group, member: int) -> Any:
    """Return the answer of the group's member at an index."""
    return group.members[member].answer


def with_reference(group: Group) -> list[Comparison]:
    """Compare each member with the reference."""
    return [
        Comparison(
            reference=group.reference,
            answer=answer(group, i),
            question=group.question,
            directed=group.directed,
            language=group.source.case.language,
            tools=tools_in(group.members[i].case.material),
            schema=schema_in(group.members[i].case.material),
        )
        for i in range(len(group.members))
    ]


def images_of(source: Turn, follow_up: Turn, phrase: str) -> tuple[str, ...]:
    """Return the follow-up's words for a phrase in the source's texts, if the edit changed it."""
    image_texts: dict[str, None] = {}
    for name, text in source.fields.items():
        if name in follow_up.fields:
            image_texts |= dict.fromkeys(images(text, follow_up.fields[name], phrase))
    return tuple(image_texts)


def images_in(group: Group, member: int, accepted: Sequence[Any]) -> tuple[str, ...]:
    """Return the accepted answers in the follow-up's words, if the member's edit changed them."""
    source, made = group.source.asked, group.members[member].asked
    phrases = [phrase for phrase in accepted if isinstance(phrase, str)]
    return tuple(image for phrase in phrases for image in images_of(source, made, phrase.strip(" .")))


def with_images(group: Group) -> list[Comparison]:
    """Compare each member with the reference. An answer that copies the edited text counts as the same."""
    return [
        comparison
        if not isinstance(comparison.answer, str) or comparison.answer in comparison.reference
        else replace(comparison, reference=(*comparison.reference, *images_in(group, i, comparison.reference)))
        for i, comparison in enumerate(with_reference(group))
    ]


def between(group: Group, pairs: Sequence[tuple[int, int]]) -> list[Comparison]:
    """Compare members with each other. `pairs` holds their indices."""
    question, language, tools = group.question, group.source.case.language, tools_in(group.source.case.material)
    return [
        Comparison(
            reference=(answer(group, i),), answer=answer(group, j), question=question, language=language, tools=tools
        )
        for i, j in pairs
    ]


def judged(
    held: bool, similarity: Similarity, judge: Judge, worst: tuple[int, ...], expectation: str, seen: str
) -> Decision:
    """Return the decision on a group whose similarity was measured."""
    reason = f"{expectation}, {seen}" if not held else expectation
    return Decision(
        outcome=Outcome.SATISFIED if held else Outcome.VIOLATED,
        score=similarity.score,
        reason=f"{reason}: {similarity.reason}" if similarity.reason else reason,
        measure=judge.measure.name,
        thresholds=judge.thresholds,
        undecided=judge.is_undecided(similarity.score),
        worst=worst,
        cause="" if held else similarity.cause,
    )


def plain(outcome: Outcome, score: float | None, reason: str, measure: str, worst: tuple[int, ...] = (0,)) -> Decision:
    """Return a decision that needed no judge."""
    return Decision(outcome=outcome, score=score, reason=reason, measure=measure, worst=worst)


def nothing(judge: Judge) -> Decision:
    """Return the decision if no answers can be compared."""
    return plain(Outcome.INVALID, None, "no answers to compare", judge.measure.name, ())


def deciding(similarities: Sequence[Similarity], violates: Callable[[float], bool], *, lowest: bool) -> int | None:
    """Return the pair that decides: the worst one with a verdict. None if the others hold but some are open."""
    told = [i for i, similarity in enumerate(similarities) if not similarity.open]
    if not told:
        return None
    worst = (min if lowest else max)(told, key=lambda i: similarities[i].score)
    return worst if len(told) == len(similarities) or violates(similarities[worst].score) else None


def untold(similarities: Sequence[Similarity], judge: Judge) -> Decision:
    """Return INVALID: the judge could not decide, so there is neither a violation nor a success."""
    unsure = next(similarity for similarity in similarities if similarity.open)
    reason = f"the judge cannot tell: {unsure.reason}" if unsure.reason else "the judge cannot tell"
    return replace(plain(Outcome.INVALID, None, reason, judge.measure.name, ()), precondition=CAN_TELL)
