"""Defines output relations, which are conditions on the answers of a group.

This module has no side effects: it returns the pairs of answers to compare, and bases its decision on the similarities
that it is given. It does not depend on how answers are obtained or compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, product
from typing import Any, ClassVar, Literal

from mutatis.core.calls import Tool, ToolCall, tools_in
from mutatis.core.cases import EXPECTS, Turn
from mutatis.core.constraint import CAN_TELL, Evidence, Precondition, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.languages import ENGLISH, EVERY, Languages
from mutatis.core.measure import Comparison, Judge, Says, Similarity
from mutatis.core.relation import Expects, Group, Observation, OutputRelation
from mutatis.core.task import TASKS
from mutatis.measures.by_folder import languages_read
from mutatis.measures.json_answers import schema_in
from mutatis.measures.similarities import cannot_tell
from mutatis.measures.tool_calls import CallData, call_list, compare_calls
from mutatis.text.abstention import is_abstention
from mutatis.text.normalisation import normalise
from mutatis.text.refusals import is_refusal
from mutatis.text.spans import images

on_answer = partial(Precondition, stage=Stage.SOURCE_OUTPUT)
"""Function that makes a precondition on the source's answer."""


def source_reply(evidence: Evidence) -> str:
    """Return the whole text of the source's answer, or "" if there is no answer."""
    return "" if evidence.response is None else evidence.response.text


def source_answer(evidence: Evidence) -> str:
    """Return the source's answer as read by the task's parser, or the whole text if it could not be parsed."""
    response = evidence.response
    return source_reply(evidence) if response is None or response.value is None else str(response.value)


class InWords:
    """Base class of output relations, with their conditions in words.

    Attributes:
        name: the name in configurations and reports.
        in_words: the condition as shown in reports after a description of the edit; "" if the summary states it.
        for_readers: the condition for people who rate follow-ups; `{image}`, `{settled}`, `{converse}` and `{labelled}`
            are filled in.
        finds, expects, expects_change, languages: as in `OutputRelation`.
    """

    name: str
    in_words: str = ""
    for_readers: str = ""
    finds: ClassVar[Says | None] = "different"
    expects: ClassVar[Expects] = "other"
    expects_change: ClassVar[bool] = False
    languages: ClassVar[Languages] = EVERY


class Compared(InWords):
    """Base class of output relations that use a judge to compare each answer with the reference."""

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare the answer to each follow-up with the reference."""
        return with_reference(group)


class Becomes(InWords):
    """Base class of output relations that expect a changed form of the reference as the answer.

    Attributes:
        unknown: the reason given if the changed form cannot be computed.
        expectation: the condition; `{right}` stands for the correct answers.
        violation: the description of a violation, which follows the condition.
    """

    unknown: str
    expectation: str
    violation: str = "but is not"

    def correct_answers(self, group: Group, member: int) -> Sequence[Any]:
        """Return the correct answers to the follow-up with this index, or () if they cannot be computed."""
        raise NotImplementedError

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare the answer to each follow-up with the changed reference."""
        return [
            replace(comparison, reference=right)
            for member, comparison in enumerate(with_reference(group))
            if (right := tuple(self.correct_answers(group, member)))
        ]

    def holds(self, group: Group, similarity: Similarity, judge: Judge) -> bool:
        """Return True if the answer counts as the same as the changed reference."""
        return similarity.score >= judge.equal

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer counts as the correct one."""
        if not similarities:
            return invalid_decision(self.unknown, judge.measure.name)
        similarity = similarities[0]
        if similarity.open:
            return judge_unsure(similarities, judge)
        expectation = self.expectation.format(right=" or ".join(map(str, self.correct_answers(group, 0))))
        return judged(self.holds(group, similarity, judge), similarity, judge, (0,), expectation, self.violation)


class WithoutJudge(InWords):
    """Base class of output relations that read the answers themselves, without a judge.

    Attributes:
        note: the annotation that the edit must have left on the follow-up; "" if it needs none.
    """

    finds = None
    note: ClassVar[str] = ""

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Return no comparisons, since only the answers are needed."""
        return ()

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide by the answers. The verdict is INVALID if there are no answers, or if the edit left no note."""
        has_answers = group.members and group.reference
        has_note = not self.note or group.recorded(self.note) is not None
        decision = self.read(group) if has_answers and has_note else None
        return without_answers(judge) if decision is None else decision

    def read(self, group: Group) -> Decision | None:
        """Return the decision on a group with answers, or None if they are too few."""
        raise NotImplementedError


class ReadsEnglish(WithoutJudge):
    """Base class of output relations that read the words of answers in English only, without a judge."""

    languages = ENGLISH


class ReadsByFolder(WithoutJudge):
    """Base class of output relations that read answers with the word lists of their language, without a judge."""

    languages = languages_read()


def with_reference(group: Group) -> list[Comparison]:
    """Compare the answer to each follow-up with the reference."""
    return [_compared(group, group.reference, member, directed=group.directed) for member in group.members]


def _compared(group: Group, reference: tuple[Any, ...], member: Observation, *, directed: bool = False) -> Comparison:
    return Comparison(
        reference=reference,
        answer=member.answer,
        question=group.question,
        directed=directed,
        language=group.source.case.language,
        tools=tools_in(member.case.material),
        schema=schema_in(member.case.material),
    )


def images_of(source: Turn, follow_up: Turn, phrase: str) -> tuple[str, ...]:
    """Return the follow-up's words for a phrase in the source, if the edit changed the phrase."""
    in_both = [(text, follow_up.fields[name]) for name, text in source.fields.items() if name in follow_up.fields]
    return tuple(dict.fromkeys(chain.from_iterable(images(old, new, phrase) for old, new in in_both)))


def images_in(group: Group, member: int, accepted: Sequence[Any]) -> tuple[str, ...]:
    """Return the accepted answers as worded in a follow-up, if the edit changed their words."""
    source, made = group.source.asked, group.members[member].asked
    phrases = (phrase.strip(" .") for phrase in accepted if isinstance(phrase, str))
    return tuple(chain.from_iterable(images_of(source, made, phrase) for phrase in phrases))


def with_images(group: Group) -> list[Comparison]:
    """Compare the answer to each follow-up with the reference.

    An answer that copies the edited words of the reference counts as the same.
    """
    comparisons = with_reference(group)
    for member, comparison in enumerate(comparisons):
        if isinstance(comparison.answer, str) and comparison.answer not in comparison.reference:
            edited = images_in(group, member, comparison.reference)
            comparisons[member] = replace(comparison, reference=(*comparison.reference, *edited))
    return comparisons


def judged(
    held: bool, similarity: Similarity, judge: Judge, worst: tuple[int, ...], expectation: str, violation: str
) -> Decision:
    """Return the decision on a group, based on a similarity that the judge measured."""
    reason = expectation if held else f"{expectation}, {violation}"
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


def plain_decision(held: bool, reason: str, measure: str, violation: str = "", score: float | None = None) -> Decision:
    """Return a decision that was made without a judge. By default, the score is 1 if the relation holds, else 0.

    If the relation does not hold, its reason may be followed by the violation ("it should be A, but is B").
    """
    reason += "" if held or not violation else f", but {violation}"
    outcome = Outcome.SATISFIED if held else Outcome.VIOLATED
    score = float(held) if score is None else score
    return Decision(outcome=outcome, score=score, reason=reason, measure=measure, worst=(0,))


def invalid_decision(
    reason: str, measure: str, *, precondition: str | None = None, worst: tuple[int, ...] = ()
) -> Decision:
    """Return the decision INVALID, for answers that the relation does not apply to."""
    return Decision(outcome=Outcome.INVALID, reason=reason, measure=measure, precondition=precondition, worst=worst)


def without_answers(judge: Judge) -> Decision:
    """Return the decision INVALID for a group without answers to compare."""
    return invalid_decision("no answers to compare", judge.measure.name)


def judge_unsure(similarities: Sequence[Similarity], judge: Judge) -> Decision:
    """Return the decision INVALID, because the judge could not decide on one of these pairs."""
    unsure = next(similarity for similarity in similarities if similarity.open)
    reason = f"the judge cannot tell: {unsure.reason}" if unsure.reason else "the judge cannot tell"
    return invalid_decision(reason, judge.measure.name, precondition=CAN_TELL)


def extreme(similarities: Sequence[Similarity], places: Iterable[int], *, lowest: bool) -> int | None:
    """Return the index of the lowest (or highest) score among the pairs at these places.

    Pairs that the judge left undecided are skipped. Return None if none remains.
    """
    decided = [place for place in places if not similarities[place].open]
    return (min if lowest else max)(decided, key=lambda place: similarities[place].score, default=None)


def worst_decides(
    similarities: Sequence[Similarity], judge: Judge, expectation: str, violation: str, *, agree: bool
) -> Decision:
    """Decide on several pairs of answers that should all agree (or differ). The worst pair decides.

    The decision is INVALID if the judge could not decide on some of the pairs, and no other pair violates the relation.
    """
    if not similarities:
        return without_answers(judge)
    worst = extreme(similarities, range(len(similarities)), lowest=agree)
    held = worst is not None and _is_as_expected(similarities[worst], judge, agree=agree)
    if worst is None or (held and any(similarity.open for similarity in similarities)):
        return judge_unsure(similarities, judge)
    return judged(held, similarities[worst], judge, (worst,), expectation, violation)


def _is_as_expected(similarity: Similarity, judge: Judge, *, agree: bool) -> bool:
    return similarity.score >= judge.equal if agree else similarity.score < judge.different


NEUTRAL = 0.5
"""The neutral value on a continuous scale of sentiment from 0 to 1."""

TOLERANCE = 0.1
"""How far a score may move against the expected direction. This is CheckList's tolerance.

Without a tolerance, most findings are tiny movements that leave the score on the same side of 0.5. LLMorph's own rule
has no tolerance (`at-least-as-strong`): a move from 0.52 to 0.50 is a finding there.
"""

_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Equal(InWords):
    """Output relation `equal` (EQ): the answer equals the reference, possibly as edited ("0ctober 1973")."""

    expects = "same"
    in_words = "the answer stays the same"
    for_readers = "The answer must stay the same (or be the same thing as it is written now)."
    name = "equal"
    measure: str | None = None

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each follow-up's answer with the reference, and with the reference after the same edit."""
        return with_images(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the least similar answer still counts as the same."""
        decided = _without_unfinished_calls(group, similarities, judge)
        return worst_decides(decided, judge, "answers should be the same", "but differ", agree=True)


class Different(Compared):
    """Output relation `different`: the answer to the follow-up differs from the reference (NE)."""

    finds = "same"
    expects_change = True
    expects = "different"
    in_words = "the answer changes"
    for_readers = "The source answer must no longer be right: the answer must be another one, or 'unknown'."
    name = "different"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if even the most similar answer counts as different."""
        return worst_decides(similarities, judge, "answers should differ", "but are the same", agree=False)


def _scores(group: Group) -> tuple[float, float] | None:
    """Return the reference and the answer to the first follow-up, or None unless both are numbers."""
    answers = (*group.reference[:1], *(member.answer for member in group.members[:1]))
    numbers = [float(value) for value in answers if isinstance(value, int | float) and not isinstance(value, bool)]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


@dataclass(frozen=True, slots=True)
class Directed(WithoutJudge):
    """Output relation: the score does not move in a wrong direction by more than the tolerance.

    `wrong` is this direction: down, up, towards 0.5 ("in") or away from it ("out").
    """

    name: str
    wrong: Literal["down", "up", "in", "out"]
    in_words: str
    for_readers: str
    tolerance: float = TOLERANCE

    def read(self, group: Group) -> Decision:
        """Decide that the relation holds if the score moves in the wrong direction by no more than the tolerance."""
        scores = _scores(group)
        if scores is None:
            return invalid_decision("answers are not numbers", "direction", worst=(0,))
        away = 1 if scores[0] >= NEUTRAL else -1
        right = {"down": 1, "up": -1, "in": away, "out": -away}[self.wrong]
        bound = f" by more than {self.tolerance}" if self.tolerance else ""
        return directed_decision(*scores, right, self.tolerance, bound)


def directed_decision(
    before: float, after: float, right: int, tolerance: float = TOLERANCE, bound: str = ""
) -> Decision:
    """Decide that a score moves in the wrong direction by no more than the tolerance. `right` is 1 for up, -1 for down.

    The score of the decision is the distance moved in the right direction. `bound` words the tolerance for its reason;
    beside a grader's points, which have a scale of their own, it would be wrong.
    """
    moved = right * after - right * before
    reason = f"the score should not {'fall' if right > 0 else 'rise'}{bound}: {before:.3g} became {after:.3g}"
    return plain_decision(moved >= -tolerance - _TINY, reason, "direction", score=round(moved, 9))


STRONGER = Directed(
    "stronger",
    "in",
    "the same sentiment, and stronger",
    "The feeling must be as strong as before or stronger, in the same direction.",
)
"""Output relation `stronger`: the score is at least as far from 0.5 as the reference, and on the same side."""


class EqualOrStronger(Equal):
    """Output relation `equal-or-stronger`: the sentiment is the same as in the reference, or stronger.

    An answer without a strength, such as a text, must stay the same. The relation is used for upper case.
    """

    in_words = "the same answer, or the same sentiment stronger"
    for_readers = "The answer must stay the same, or say the same more strongly."
    name = "equal-or-stronger"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answers count as the same or the second one is stronger."""
        same = Equal.decide(self, group, similarities, judge)
        if same.outcome is not Outcome.VIOLATED:
            return same
        stronger = STRONGER.read(group)
        return stronger if stronger.outcome is Outcome.SATISFIED else same


class NotInverse(WithoutJudge):
    """Output relation `not-inverse`: the label does not become its opposite (entailment or contradiction)."""

    in_words = "the answer does not turn into its inverse"
    for_readers = "The label must not turn into its inverse."
    name = "not-inverse"

    def read(self, group: Group) -> Decision:
        """Decide that the relation holds unless the two labels are opposites."""
        before, after = group.reference[0], group.members[0].answer
        inverted = {before, after} == {"entailment", "contradiction"}
        reason = f"{before} must not be turned into its inverse: it became {after}"
        return plain_decision(not inverted, reason, "label")


class Image(Becomes):
    """Output relation `image`: the answer is the reference as changed by the edit, such as the new number."""

    languages = languages_read()
    unknown = "the edit does not define the new answer"
    expectation = "the answer should follow the edit"
    violation = "but does not"
    in_words = "the answer changes with the text"
    for_readers = "The answer must be the source answer as the edit has changed it: '{image}'."
    name = "image"

    def correct_answers(self, group: Group, member: int) -> Sequence[Any]:
        """Return the reference as changed by the edit, or () if the edit did not affect it."""
        return images_in(group, member, group.reference)

    def holds(self, group: Group, similarity: Similarity, judge: Judge) -> bool:
        """Return True if the answer counts as the changed reference and does not contain the old number.

        The number is checked because measures tolerate one wrong word.
        """
        old, new = _numbers(*map(str, group.reference)), _numbers(*images_in(group, 0, group.reference))
        stated = _numbers(str(group.members[0].answer))
        keeps_old = bool(stated & (old - new)) and not stated & new
        return similarity.score >= judge.equal and not keeps_old


def _numbers(*texts: str) -> set[str]:
    return {number.replace(",", "") for text in texts for number in re.findall(r"\d[\d,]*", text)}


_INVERSES = {"yes": ("no",), "no": ("yes",), "entailment": ("contradiction",), "contradiction": ("entailment",)}


class Inverse(Becomes):
    """Output relation `inverse`: yes becomes no, entailment becomes contradiction, and vice versa."""

    languages = ENGLISH
    expects_change = True
    unknown = "the source answer has no inverse"
    expectation = "the answer should be the inverse"
    in_words = "the answer becomes the inverse"
    for_readers = "The answer must turn into its inverse: yes becomes no, no becomes yes."
    name = "inverse"

    def correct_answers(self, group: Group, member: int) -> Sequence[Any]:
        """Return the inverse of the reference, or () if it has no inverse."""
        return inverse_of(group.reference)


def inverse_of(reference: Sequence[Any]) -> tuple[str, ...]:
    """Return the inverse of yes, no, entailment or contradiction, or () for any other answer.

    >>> inverse_of(("Yes, he was.",)), inverse_of(("Paris",)), inverse_of(("Nobody",))
    (('no',), (), ())
    """
    first_word = re.match(r"\W*(\w+)", str(reference[0])) if reference else None
    return _INVERSES.get(first_word[1].lower(), ()) if first_word else ()


class Pairs(InWords):
    """Base class of output relations that are decided once per question, on several pairs of its answers.

    Attributes:
        agree: whether the answers of each pair must agree, or differ.
    """

    agree: ClassVar[bool] = True

    def pairs(self, group: Group) -> Sequence[tuple[int, int]]:
        """Return the indices of the answers to compare."""
        raise NotImplementedError

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare the answers of each pair with each other."""
        members = group.members
        return [_compared(group, (members[i].answer,), members[j]) for i, j in self.pairs(group)]

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if even the worst pair is as expected."""
        pairs, agree = self.pairs(group), self.agree
        several = f"{len(pairs)} pair{'s' if len(pairs) > 1 else ''} of answers"
        expectation, violation = ("agree", "differs") if agree else ("differ", "agrees")
        decision = worst_decides(
            similarities, judge, f"{several} should {expectation}", f"but the worst {violation}", agree=agree
        )
        if not decision.worst:
            return decision
        violating = set[int]()
        for pair, similarity in zip(pairs, similarities, strict=True):
            if not similarity.open and not _is_as_expected(similarity, judge, agree=agree):
                violating.update(pair)
        return replace(decision, worst=pairs[decision.worst[0]], violating=tuple(sorted(violating)))


class InnerConsistency(Pairs):
    """Output relation `inner-consistency`: all answers to a question in equivalent contexts agree (MORTAR, MR3)."""

    expects = "same"
    for_readers = "All answers to the question must be the same."
    name = "inner-consistency"

    def pairs(self, group: Group) -> Sequence[tuple[int, int]]:
        """Return every pair of answers whose members have the role "equivalent"."""
        return list(combinations(group.with_role("equivalent"), 2))


class InterDivergence(Pairs):
    """Output relation `inter-divergence`: answers in equivalent and altered contexts differ (MORTAR, MR4)."""

    finds = "same"
    expects_change = True
    expects = "different"
    agree = False
    for_readers = "The answers in an altered context must differ from those in an equivalent one."
    name = "inter-divergence"

    def pairs(self, group: Group) -> Sequence[tuple[int, int]]:
        """Return every answer in the role "equivalent" with every answer in the role "altered"."""
        return list(product(group.with_role("equivalent"), group.with_role("altered")))


class KnownAnswer(Becomes):
    """Output relation `known-answer`: the edit determines the answer, whatever the answer to the source."""

    unknown = "the edit does not determine an answer"
    expectation = "the answer must be {right!r}"
    in_words = "the answer is the one that the edit determines"
    for_readers = "The right answer is now: '{settled}'."
    name = "known-answer"

    def correct_answers(self, group: Group, member: int) -> Sequence[Any]:
        """Return the correct answers that the edit recorded."""
        recorded: Sequence[Any] = group.members[member].asked.annotations.get(EXPECTS, ())
        return recorded

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each answer with the answers that the edit recorded, like annotated ones."""
        return [replace(comparison, directed=True) for comparison in Becomes.comparisons(self, group)]


def _says_nothing(member: Observation) -> bool:
    """Return True if an answer refuses, admits ignorance, or is the task's word for it ("unknown", "no relation")."""
    response = member.response
    if response is None:
        return False
    for language in {*ENGLISH, member.case.language or ENGLISH[0]}:  # the prompt may ask for "unknown" in English
        if is_refusal(response.text, language=language) or is_abstention(response.text, language):
            return True
    task = member.case.task
    return response.value is not None and task in TASKS and TASKS[task].uninformative(response.value)


class Abstains(ReadsByFolder):
    """Output relation `abstains`: the answer contains no information ("unknown", "no relation" or a refusal)."""

    in_words = "the answer says that it is unknown"
    for_readers = "The text no longer contains the answer: the right answer is 'unknown' (or 'no relation')."
    name = "abstains"

    def read(self, group: Group) -> Decision:
        """Decide that the relation holds if the answer contains no information.

        The verdict is INVALID if the question can still be answered after the edit.
        """
        if group.recorded(EXPECTS) is None:
            return invalid_decision("the edit left something to answer", "abstention")
        held = _says_nothing(group.members[0])
        reason = "the answer is unknown, and the reply must say so"
        reason += "" if held else f": it was {group.reply[:60]!r}"
        return plain_decision(held, reason, "abstention")


class Contains(Compared):
    """Output relation `contains`: the answer contains the source's answer, and may contain more."""

    in_words = "the answer contains the earlier one"
    for_readers = "The answer must contain the source answer, and may contain more."
    name = "contains"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer has every word of the reference, or both count as the same."""
        if not similarities or not group.reference:
            return without_answers(judge)
        answered = _words(group.members[0].answer)
        contained = any(words and words <= answered for words in map(_words, group.reference))
        if similarities[0].open and not contained:
            return judge_unsure(similarities, judge)
        held = contained or similarities[0].score >= judge.equal
        return judged(held, similarities[0], judge, (0,), "the answer should contain the source answer", "but does not")


def _words(text: object) -> set[str]:
    return set(normalise(str(text)).split())


class AsLabelled(InWords):
    """Output relation `as-labelled`: the answer is the annotated one.

    If the label is 0 or 1, a score must be on the same side of 0.5.
    """

    in_words = "the answer is the annotated one"
    for_readers = "The answer must be the annotated one: '{labelled}'. (A score must lie on that side of 0.5.)"
    name = "as-labelled"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each answer with the annotated answers. Scores need no comparison."""
        return () if _sides(group) else with_reference(group)

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer counts as the annotated one.

        A score of 0.5 is on neither side and is therefore wrong.
        """
        sides = _sides(group)
        if sides is None:
            return Equal().decide(group, similarities, judge)
        label, score = sides
        held = (score - 0.5) * (label - 0.5) > 0
        reason = f"the score should be {'above' if label else 'below'} 0.5, as labelled: {score:.3g}"
        return plain_decision(held, reason, "label")


def _sides(group: Group) -> tuple[int, float] | None:
    """Return the label (0 or 1) and the score, or None if the label or the answer has a different form."""
    answer = group.members[0].answer if group.members else None
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        return None
    label = {"0": 0, "1": 1}.get(str(group.reference[0]).strip()) if len(group.reference) == 1 else None
    return None if label is None else (label, float(answer))


_SHIPPED: tuple[OutputRelation, ...] = (
    Equal(),
    Different(),
    STRONGER,
    EqualOrStronger(),
    replace(STRONGER, name="at-least-as-strong", tolerance=0.0),
    NotInverse(),
    Image(),
    Inverse(),
    InnerConsistency(),
    InterDivergence(),
    KnownAnswer(),
    Abstains(),
    Contains(),
    AsLabelled(),
    Directed("not-lower", "down", "the score does not fall", "The feeling must not be less positive than before."),
    Directed("not-higher", "up", "the score does not rise", "The feeling must not be less negative than before."),
    Directed("not-stronger", "out", "the sentiment gets no stronger", "The feeling must not be stronger than before."),
)
OUTPUT_RELATIONS: dict[str, OutputRelation] = {relation.name: relation for relation in _SHIPPED}
"""Output relations, by the names that users write. Each row of the table adds its own."""


def _without_unfinished_calls(group: Group, similarities: Sequence[Similarity], judge: Judge) -> Sequence[Similarity]:
    """Return the similarities, marked as undecided if two series of tool calls differ only because one ended early.

    In this case, the calls that would have followed are unknown.
    """
    marked = []
    for member, similarity in enumerate(similarities):
        differs = not similarity.open and similarity.score < judge.equal
        tool = _unanswered_tool(group, member) if differs else None
        unknown = f"it is unknown what {tool} returned, and which calls would have followed"
        marked.append(similarity if tool is None else cannot_tell(unknown))
    return marked


def _unanswered_tool(group: Group, member: int) -> str | None:
    """Return the tool that ended the shorter of two series of calls because it returned no result, or None.

    For example, the source calls `find_room` and, with its result, `book_room`. If `find_room` returned nothing to the
    follow-up, its series ends there. The longer series must contain all calls of the shorter one.
    """
    source, follow_up = group.source.response, group.members[member].response
    if source is None or follow_up is None or group.directed or not group.reference:
        return None
    before, after = call_list(group.reference[0]), call_list(group.members[member].answer)
    if before is None or after is None:
        return None
    both = ((before, source.calls), (after, follow_up.calls))  # as they are compared, and as the system made them
    (shorter, made), (longer, made_there) = sorted(both, key=lambda calls: _results(calls[1]))
    call = next((call for call in made if call.result is None and not call.malformed), None)
    if call is None or _results(made) == _results(made_there):
        return None
    return call.name if _are_among(shorter, longer, tools_in(group.members[member].case.material)) else None


def _results(calls: Sequence[ToolCall]) -> int:
    """Return the number of calls that returned a result."""
    return sum(call.result is not None for call in calls)


def _are_among(calls: Sequence[CallData], others: Sequence[CallData], tools: Sequence[Tool]) -> bool:
    """Return True if each call may match a different one of the other calls."""
    unused = list(others)
    for call in calls:
        matches = [compare_calls([call], [other], tools) for other in unused]
        possible = [place for place, match in enumerate(matches) if match.open or match.score >= 0.5]
        if not possible:
            return False
        # A certain match is used first, so that the uncertain ones remain for the other calls.
        del unused[max(possible, key=lambda place: not matches[place].open)]
    return True
