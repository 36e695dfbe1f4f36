"""Turns groups of answers into decisions.

Groups that lack an answer are decided first. Then measures compare the answers of many groups at once, and output
relations decide on the results. A failure may be caused by an edit of an earlier turn: then the turn fails unedited,
too, if it is sent in the same edited context.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Protocol

from mutatis.analysis.real import Trust
from mutatis.campaign.follow_up import FollowUp, Maker, error, missing
from mutatis.campaign.observe import Observer
from mutatis.core.cases import Derivation
from mutatis.core.constraint import Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import BudgetExceeded, ExtensionFailure, OfflineMiss, SystemFailure, UsageError
from mutatis.core.gathering import gathered
from mutatis.core.measure import Comparison, Judge, Repertoire, Says, Similarity
from mutatis.core.relation import Group, Grouping, MetamorphicRelation, Observation
from mutatis.core.task import TASKS
from mutatis.core.verdict import Verdict
from mutatis.guarding import Guarded, carried
from mutatis.loops import give_way


class RepertoireSource(Protocol):
    """Provides the replies of a system that serve as evidence for verdicts."""

    @property
    def number(self) -> int:
        """The number of the current block of sources."""

    def of(self, verdict: Verdict) -> Repertoire | None:
        """Return the replies in the block of sources that a verdict belongs to, or None if it has none.

        A verdict without a block belongs to the current one.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """The judges of a run: one for each kind of answer, and others that individual tasks and relations require.

    `repertoires` provides the replies for a judge that uses all replies of a system. It is None outside a run. If
    questions were asked again, `asked_again` has the recorded reply that each new one takes the place of.
    """

    by_kind: Mapping[str, Judge]
    by_measure: Mapping[str, Judge]
    by_task: Mapping[str, Judge] = field(default_factory=dict)
    repertoires: RepertoireSource | None = None
    asked_again: Mapping[str, str] = field(default_factory=dict)

    @property
    def go_by_repertoires(self) -> bool:
        """True if any judge needs the pairs of many sources at the same time."""
        judges = (*self.by_kind.values(), *self.by_measure.values(), *self.by_task.values())
        return any(judge.together for judge in judges)

    def of(self, relation: MetamorphicRelation, task: str) -> Judge:
        """Return the judge for a relation and a task.

        Raises:
            UsageError: the relation names a measure that is not in this run.
        """
        if relation.measure is None:
            return self.by_task[task] if task in self.by_task else self.by_kind[TASKS[task].kind]
        if relation.measure not in self.by_measure:
            raise UsageError(
                f"relation {relation.name!r} is judged by the measure {relation.measure!r}, which this run does not "
                "have; add the relation to the run"
            )
        return self.by_measure[relation.measure]

    def is_together(self, task: str) -> bool:
        """Return True if free text of a task is judged in blocks, together with the replies to other sources."""
        judge = self.by_task.get(task) or self.by_kind.get(TASKS[task].kind)
        return judge is not None and judge.together

    def goes_by_replies(self, judge: Judge, task: str) -> bool:
        """Return True if a judge uses all replies of a system to the questions of a task.

        This is the case if the judge works in blocks, or if it reads replies verbatim and the task is judged in blocks.
        The replies to other questions show whether a reply is an answer at all.
        """
        return judge.together or (judge.verbatim and self.is_together(task))

    def trust(self, relation: MetamorphicRelation, task: str) -> Trust | None:
        """Return how reliable a violation of a relation is, according to people's reviews, or None if not measured."""
        if not hasattr(relation.output_relation, "finds"):
            return None
        finds: Says | None = relation.output_relation.finds
        if finds is None:
            return Trust(precision=1.0)
        judge = self.of(relation, task)
        if finds not in judge.precision:
            return None
        alarm = judge.false_alarm if finds == "different" else None
        return Trust(precision=judge.precision[finds], false_alarm=alarm, unsound=judge.unsound)


def grouped(verdict: Verdict, source: Observation, members: Sequence[Observation]) -> Verdict:
    """Return the verdict with its group of answers, ready to be judged. It is ERROR if a system failed to answer."""
    group, decision = group_of(verdict.relation, source, members)
    return replace(verdict, group=group, decision=decision)


def group_of(
    relation: MetamorphicRelation, source: Observation, members: Sequence[Observation]
) -> tuple[Group, Decision | None]:
    """Return the group of a source and its follow-ups, and a decision if the group cannot be judged (else None).

    The decision is ERROR if the system failed to answer, and INVALID if an answer was merely not recorded. The members
    are compared with the annotated answers if the relation requests it and the data contain them, else with the
    system's answer to the source.
    """
    expected = source.asked.expected
    directed = relation.reference == "annotated" and bool(expected)
    source_answer = () if source.response is None else (source.answer,)
    group = Group(
        source=source, members=tuple(members), reference=expected if directed else source_answer, directed=directed
    )
    return group, _failed(relation, group)


def as_given(group: Group) -> Group:
    """Return the group with the original replies in place of the values that the task parsed from them."""
    source, *members = (_unparsed(observation) for observation in (group.source, *group.members))
    reference = group.reference if group.directed or source.response is None else (source.answer,)
    return replace(group, source=source, members=tuple(members), reference=reference)


def _unparsed(observation: Observation) -> Observation:
    if observation.response is None:
        return observation
    return replace(observation, response=replace(observation.response, value=None))


def _failed(relation: MetamorphicRelation, group: Group) -> Decision | None:
    """Return the decision for a group that cannot be judged because an answer is missing, or None.

    Question relations only compare the versions of a question with each other, so they do not need the answer to the
    source.
    """
    asked = [(member, Stage.FOLLOW_UP_INPUT, "follow-up") for member in group.members]
    if relation.matching.grouping is Grouping.PAIR and not group.directed:
        asked.append((group.source, Stage.SOURCE_INPUT, "source"))
    unanswered = [entry for entry in asked if entry[0].error is not None]
    failed = [entry for entry in unanswered if entry[0].failed]
    if not unanswered:
        return None
    return missing(*(failed or unanswered)[0])  # a failure goes before an answer that was not recorded


async def judge_again(verdict: Verdict, source: Observation, members: Sequence[Observation], judges: Judges) -> Verdict:
    """Judge new answers in the same way as the verdict. Used by confirm, shrink and replay.

    A judge that compares all replies leaves out the earlier answer to a question that was asked again. Otherwise a
    wrong answer that recurs would be among the answers that it is compared with.
    """
    if judges.repertoires is not None and verdict.group is not None:
        judges = replace(judges, asked_again=_asked_again(verdict.group, (source, *members)))
    [judged] = await judge_all([grouped(verdict, source, members)], judges)
    return judged


def _asked_again(earlier: Group, observations: Iterable[Observation]) -> dict[str, str]:
    """Return the earlier text of each answer to a question of the group that got a different text this time."""
    texts = {_question_of(seen): seen.response.text for seen in (earlier.source, *earlier.members) if seen.response}
    again = [(seen.response.text, texts.get(_question_of(seen))) for seen in observations if seen.response]
    return {text: before for text, before in again if before not in (None, text)}


def _question_of(observation: Observation) -> tuple[str, int]:
    return observation.case.id, observation.turn


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """A verdict to be decided: its position, its judge, and its group of answers with the pairs to compare."""

    position: int
    verdict: Verdict
    judge: Judge
    group: Group
    comparisons: Sequence[Comparison]


async def judge_all(verdicts: Sequence[Verdict], judges: Judges) -> list[Verdict]:
    """Return the verdicts with their decisions, in order. Each judge is called once, for all of its groups.

    Verdicts that already have a decision, or no group of answers, stay as they are. A failure of the user's output
    relation is the decision on its verdict.
    """
    judged, work = list(verdicts), list[_Work]()
    for position, verdict in enumerate(verdicts):
        await give_way(position)
        if verdict.decision is None and verdict.group is not None:
            try:
                work.append(_prepared(position, verdict, verdict.group, judges))
            except ExtensionFailure as failure:
                judged[position] = replace(verdict, decision=error(failure))
    # Judges are told apart by their ids, because measures need not be hashable.
    for work_of_judge in gathered(work, lambda part: id(part.judge)).values():
        decisions = await _decisions(work_of_judge)
        for part, decision in zip(work_of_judge, decisions, strict=True):
            judged[part.position] = replace(part.verdict, decision=decision)
    return judged


def _prepared(position: int, verdict: Verdict, group: Group, judges: Judges) -> _Work:
    """Choose the judge of a verdict, and the pairs of answers that it has to compare.

    Raises:
        ExtensionFailure: the user's output relation failed.
    """
    relation, task, repertoires = verdict.relation, verdict.source.task, judges.repertoires
    judge = judges.of(relation, task)
    group = as_given(group) if judge.verbatim else group
    with Guarded("output relation", relation.output_relation.name):
        comparisons = relation.output_relation.comparisons(group)
    # Other replies do not show what the answer should be if it is neither the same nor different.
    if repertoires is not None and judges.goes_by_replies(judge, task) and relation.expects != "other":
        repertoire = repertoires.of(verdict)
        if repertoire is not None:
            repertoire = replace(repertoire, asked_again=judges.asked_again)
        comparisons = [replace(comparison, repertoire=repertoire) for comparison in comparisons]
        verdict = replace(verdict, block=repertoires.number if verdict.block is None else verdict.block)
    return _Work(position=position, verdict=verdict, judge=judge, group=group, comparisons=comparisons)


async def _decisions(work: Sequence[_Work]) -> list[Decision]:
    """Return the decisions on groups that have the same judge, in order. All their pairs are compared at once."""
    judge = work[0].judge
    try:
        scores = iter(await compare_pairs(judge, [pair for part in work for pair in part.comparisons]))
    except (SystemFailure, OfflineMiss, BudgetExceeded) as failure:
        return [error(f"{judge.measure.name}: {failure}")] * len(work)
    decisions = []
    for number, part in enumerate(work):
        await give_way(number)
        decisions.append(_decided(part, list(islice(scores, len(part.comparisons)))))
    return decisions


def _decided(work: _Work, similarities: Sequence[Similarity]) -> Decision:
    """Return the decision of an output relation.

    It is ERROR if a pair could not be compared, or if the output relation fails or returns anything but a decision.
    """
    judge, output_relation = work.judge, work.verdict.relation.output_relation
    for similarity in similarities:
        if similarity.error is not None:
            return error(f"{judge.measure.name}: {similarity.error}")
    try:
        with Guarded("output relation", output_relation.name):
            decision: Any = output_relation.decide(work.group, similarities, judge)
    except ExtensionFailure as failure:
        return error(failure)
    if not isinstance(decision, Decision):
        return error(f"output relation {output_relation.name!r} decided {type(decision).__name__}; expected a Decision")
    return decision


def _computed(judge: Judge, comparisons: Sequence[Comparison]) -> Sequence[Similarity]:
    """Return the scores of pairs. An exception that may not leave a thread is replaced (`carried`)."""
    try:
        compare: Any = judge.measure.compare
        scores: Sequence[Similarity] = compare(comparisons)
        return scores
    except BaseException as failure:
        if (other := carried(failure)) is failure:
            raise
        raise other from failure


async def compare_pairs(judge: Judge, comparisons: Sequence[Comparison]) -> Sequence[Similarity]:
    """Compare pairs by a measure, in a thread unless it is a coroutine.

    Embedding thousands of answers must not block the event loop.
    """
    with Guarded("measure", judge.measure.name, awaited=True):
        if inspect.iscoroutinefunction(judge.measure.compare):
            scores = await judge.measure.compare(comparisons)
        else:
            scores = await asyncio.to_thread(_computed, judge, comparisons)
    if len(scores) != len(comparisons):
        raise ExtensionFailure(
            f"measure {judge.measure.name!r} returned {len(scores)} scores for {len(comparisons)} pairs"
        )
    return scores  # type: ignore[no-any-return]


def context_of(derivation: Derivation, turn: int) -> Derivation | None:
    """Return the derivation that edits the turns before `turn` and leaves `turn` itself unedited.

    Return None unless every step edits a single turn and both `turn` and some earlier turn are edited. In all other
    cases, the effects of earlier edits and of the edit of `turn` need not be told apart.

    >>> from mutatis.core.cases import Step
    >>> steps = tuple(Step(transformation="word-drop", turns=(turn,)) for turn in (0, 2))
    >>> context_of(Derivation(source="d", steps=steps), 2).steps == steps[:1]
    True
    >>> context_of(Derivation(source="d", steps=steps[1:]), 2) is None
    True
    """
    if any(step.turns is None or len(step.turns) != 1 for step in derivation.steps):
        return None
    before = tuple(step for step in derivation.steps if step.turns is not None and step.turns[0] < turn)
    steps_here = [step for step in derivation.steps if step.turns == (turn,)]
    return replace(derivation, steps=before) if before and steps_here else None


async def tell_apart(follow_up: FollowUp, observer: Observer, maker: Maker, judges: Judges) -> None:
    """For each violation of one system, mark whether it is inherited from the edited context.

    This costs one question per violation in an edited context.

    Raises:
        BudgetExceeded: the budget is too small; the remaining verdicts stay unmarked.
    """
    for place, verdict in enumerate(follow_up.verdicts):
        if verdict.system == observer.target.label and verdict.outcome is Outcome.VIOLATED:
            follow_up.verdicts[place] = await _marked(verdict, follow_up, observer, maker, judges)


async def _marked(verdict: Verdict, follow_up: FollowUp, observer: Observer, maker: Maker, judges: Judges) -> Verdict:
    wanted = None if verdict.derivation is None else context_of(verdict.derivation, verdict.turn)
    if wanted is None or verdict.group is None:
        return verdict
    case = await maker.derived(follow_up.source, wanted)
    observations = await observer.observe(case, verdict.repeat, wanted=[verdict.turn])
    follow_up.asked_beside += 1
    judged = await judge_again(verdict, verdict.group.source, [observations[verdict.turn]], judges)
    if judged.outcome not in (Outcome.SATISFIED, Outcome.VIOLATED):
        return verdict
    return replace(verdict, inherited=judged.outcome is Outcome.VIOLATED)
