"""Finds the smallest perturbation that still violates a relation: fewer steps, words or turns, lower parameters.

A smaller follow-up is made, checked, annotated, sent and judged by the same code as any other, and keeps the judged
question and its role. Its reply must also differ from the source's in the same plain ways as the original's. Candidates
are tried in a fixed order. The first smaller follow-up that still violates the relation replaces the current one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from mutatis.campaign.confirm import CONFIRMED_PER_RELATION, first_per_relation
from mutatis.campaign.events import SHRINK, PhaseStarted
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.judging import judge_again
from mutatis.campaign.run import Loop
from mutatis.campaign.tally import Finding
from mutatis.core.cases import Case, Derivation, Step
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source
from mutatis.core.transformation import KEEP_ROUNDS, RESTORE, made_by, transformations_of
from mutatis.text.plain_differences import plain_differences
from mutatis.text.spans import changes

CANDIDATES = 16
"""Default for the maximum number of smaller follow-ups tried per finding."""


async def shrink(
    loop: Loop,
    findings: Iterable[Finding],
    *,
    candidates: int = CANDIDATES,
    most: int = CONFIRMED_PER_RELATION,
) -> None:
    """Shrink findings whose follow-ups were made by functions.

    Follow-ups that a language model made are left out, because the model would have to be paid for again.

    Args:
        loop: the loop of the run.
        findings: the findings of the run.
        candidates: maximum number of smaller follow-ups tried per finding.
        most: maximum number of findings per system and relation that are shrunk.
    """
    chosen = [finding for finding in first_per_relation(findings, most) if shrinkable(finding)]
    shrinkers = [_Shrinker(loop, finding, candidates) for finding in chosen]
    loop.emit(PhaseStarted(name=SHRINK, questions=lambda: _expected(shrinkers)))

    async def shrink_finding(shrinker: _Shrinker) -> None:
        if loop.stopped is None:
            source = shrinker.finding.verdict.source
            target = loop.observers[shrinker.finding.verdict.system].target
            turns = len(source.asked)
            with loop.until_spent():
                if target.layer.free:
                    await shrinker.run(candidates * turns)
                else:
                    most_questions = candidates * turns * (1 + target.most_steps(source))
                    async with loop.allowance.room(lambda: most_questions, least=turns) as granted:
                        await shrinker.run(granted)
                    if shrinker.ended_early and granted < most_questions:
                        loop.allowance.ended = True  # as if the next smaller follow-up had been refused
        shrinker.ahead = 0  # even if the budget was used up before its turn came, it asks nothing more

    await asyncio.gather(*map(shrink_finding, shrinkers))


def _expected(shrinkers: Sequence[_Shrinker]) -> int | None:
    """Return the expected number of questions for all shrinkers, assuming the average for those not yet started."""
    known = [shrinker.expected for shrinker in shrinkers if shrinker.ahead is not None]
    return round(sum(known) * len(shrinkers) / len(known)) if known else None


def shrinkable(finding: Finding) -> bool:
    """Return True if a finding has smaller follow-ups that can be made without a language model."""
    derivations = [member.case.derivation for member in finding.group.members if member.case.derivation is not None]
    steps = [step for derivation in derivations for step in derivation.steps]
    if finding.confirmed is False or made_by(steps) != "function":
        return False
    return (
        next(smaller(finding.verdict.evidence[-1], finding.verdict.relation, finding.verdict.source), None) is not None
    )


@dataclass(slots=True)
class _Shrinker:
    """Shrinks the follow-up of one finding or, in a question group, the last member of the worst pair.

    Attributes:
        left: number of smaller follow-ups that may still be tried.
        ahead: number of untried candidates that are smaller than the best one; None before the search begins.
        questions_left: number of questions that may still be asked. With tool steps, the last try may exceed it.
        asked: number of questions asked so far.
        ended_early: True if a smaller follow-up was not sent because too few questions were left.
    """

    loop: Loop
    finding: Finding
    left: int
    questions_left: int = 0
    ahead: int | None = None
    asked: int = 0
    ended_early: bool = False
    _source: Source = field(init=False)
    _tried: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        verdict = self.finding.verdict
        strict = verdict.relation.but(unchanged="invalid")  # an empty perturbation explains nothing
        self._source = Source(case=verdict.source, relations=(strict,))

    @property
    def expected(self) -> int:
        """The approximate total number of questions, assuming that none of the next tries finds a violation."""
        return self.asked + min(self.left, self.ahead or 0) * len(self.finding.verdict.source.asked)

    async def run(self, questions: int) -> None:
        """Shrink the finding, asking at most this number of questions.

        Raises:
            BudgetExceeded: the budget is spent. The finding keeps the smallest follow-up that was reached before.
        """
        self.questions_left = questions
        *others, best = self.finding.verdict.evidence
        while (smaller_one := await self._next_smaller(best, others)) is not None:
            best, decision = smaller_one
            # Kept at once, because the next try may raise BudgetExceeded.
            self.finding.shrunk, self.finding.shrunk_decision = best, decision

    async def _next_smaller(
        self, best: Observation, others: Sequence[Observation]
    ) -> tuple[Observation, Decision] | None:
        """Return the first smaller follow-up that still violates the relation, with its decision, or None."""
        candidates = smaller(best, self.finding.verdict.relation, self.finding.verdict.source)
        first = list(islice(candidates, self.left))  # a long text has hundreds of candidates, of which few are tried
        self.ahead = len(first)
        for derivation in chain(first, candidates):
            if self.left <= 0 or self.ended_early:
                break
            self.ahead = max(1, self.ahead)  # candidates that could not be sent were counted as well
            violating = await self._try(derivation, best, others)
            self.ahead -= 1
            if violating is not None:
                return violating
        return None

    async def _try(
        self, derivation: Derivation, best: Observation, others: Sequence[Observation]
    ) -> tuple[Observation, Decision] | None:
        """Return the follow-up of a derivation with its decision, or None if it does not violate the relation.

        It must violate the relation in the role of `best`. Nothing is sent if too few questions are left, if the same
        follow-up was tried before, or if it cannot be made.
        """
        name = replace(derivation, origin=()).digest()  # the same one, whichever follow-up it was reached from
        if name in self._tried:
            return None
        self._tried.add(name)
        proposal = Proposal(source=self._source, derivation=derivation)
        follow_up = FollowUp(proposal=proposal, relations=self._source.relations)
        await self.loop.maker.make(follow_up)
        case = follow_up.case
        if case is None or not follow_up.alive:
            return None
        turns = [turn for turn in case.asked if self._in_role(case, turn, best.role)]
        if not turns:
            return None
        self.ended_early = self.questions_left < len(self.finding.verdict.source.asked)
        return None if self.ended_early else await self._send(case, turns, best, others)

    async def _send(
        self, case: Case, turns: Sequence[int], best: Observation, others: Sequence[Observation]
    ) -> tuple[Observation, Decision] | None:
        """Send a smaller follow-up, and return its first violating turn with the decision, or None."""
        verdict = self.finding.verdict
        observations = await self.loop.observers[verdict.system].observe(case, best.repeat, turns)
        self.left -= 1  # only now: until it is answered, it counts as untried
        asked = sum(observation.questions for observation in observations.values())
        self.asked += asked
        # At least as much is deducted as was reserved for each candidate, even if fewer turns were sent.
        self.questions_left -= len(verdict.source.asked) + asked - len(observations)
        for turn in turns:
            member = observations[turn].playing(best.role)
            judged = await judge_again(verdict, self.finding.group.source, [*others, member], self.loop.judges)
            if judged.outcome is Outcome.VIOLATED and self._keeps_difference(member, others):
                return member, judged.decided
        return None

    def _keeps_difference(self, member: Observation, others: Sequence[Observation]) -> bool:
        """Return True if the reply to a smaller follow-up plainly differs in every way that the original's does.

        A verdict does not prove that, because the judge may find another fault with a reply that is right.
        """
        language = self.finding.verdict.source.language
        *_, original = self.finding.verdict.evidence
        compared = [reply for seen in (self.finding.group.source, *others) if (reply := _reply(seen)) is not None]
        before, after = _reply(original) or "", _reply(member) or ""
        return all(
            plain_differences(reply, before, language) <= plain_differences(reply, after, language)
            for reply in compared
        )

    def _in_role(self, case: Case, turn: int, role: str) -> bool:
        """Return True if a turn of a smaller follow-up is the judged question, in the same role as in the violation."""
        verdict = self.finding.verdict
        return case.origin(turn) == verdict.turn and verdict.relation.role_of(case, turn, verdict.source) == role


def smaller(member: Observation, relation: MetamorphicRelation, source: Case) -> Iterator[Derivation]:
    """Yield derivations that change less than a follow-up's own derivation, beginning with the largest reduction.

    If a relation perturbs one turn at a time, the earlier rounds are kept. Otherwise an effect of the missing context
    could be mistaken for an effect of the perturbation.
    """
    derivation = member.case.derivation
    assert derivation is not None
    # The rounds to keep are numbered as the earlier steps leave them, so those steps must not change any more.
    if derivation.steps[-1].transformation != KEEP_ROUNDS:
        yield from _fewer_steps(derivation)
        yield from _fewer_turns(derivation, member)
        yield from _lower_parameters(derivation)
    if relation.edits.turns == "all":
        yield from _fewer_rounds(derivation, member)
    elif member.turn < len(member.case.turns) - 1:
        yield _keeping(derivation, list(range(member.turn + 1)))
    yield from _fewer_spans(derivation, member, source)


def rounds_kept(derivation: Derivation, case: Case) -> float:
    """Return the share of the rounds of a follow-up that a smaller derivation keeps."""
    if not derivation.steps or derivation.steps[-1].transformation != KEEP_ROUNDS:
        return 1
    return len(derivation.steps[-1].parameters["rounds"]) / len(case.turns)


def _fewer_steps(derivation: Derivation) -> Iterator[Derivation]:
    """Yield derivations without one of the steps, if several of them edit the input."""
    if len(transformations_of(derivation.steps)) > 1:
        for position in range(len(derivation.steps)):
            yield replace(derivation, steps=derivation.steps[:position] + derivation.steps[position + 1 :])


def _fewer_turns(derivation: Derivation, member: Observation) -> Iterator[Derivation]:
    """Yield derivations with one step limited to the judged question. Steps on other turns are not moved to it."""
    if len(member.case.turns) == 1:
        return
    for position, step in enumerate(derivation.steps):
        edits_turns = any(known.level in ("text", "turn") for known in transformations_of([step]))
        reaches = step.turns is None or (member.turn in step.turns and len(step.turns) > 1)
        if edits_turns and reaches:
            yield _with_step(derivation, position, replace(step, turns=(member.turn,)))


def _lower_parameters(derivation: Derivation) -> Iterator[Derivation]:
    """Yield derivations with a lower value of one numeric parameter that has a lower bound."""
    for position, step in enumerate(derivation.steps):
        for parameter in chain.from_iterable(known.parameters for known in transformations_of([step])):
            value = step.parameters.get(parameter.name)
            if parameter.low is None or isinstance(value, bool) or not isinstance(value, int | float):
                continue
            for lower in _lower(value, parameter.low):
                changed = replace(step, parameters={**step.parameters, parameter.name: lower})
                yield _with_step(derivation, position, changed)


def _with_step(derivation: Derivation, position: int, step: Step) -> Derivation:
    return replace(derivation, steps=(*derivation.steps[:position], step, *derivation.steps[position + 1 :]))


def _lower(value: float, low: float) -> list[float]:
    """Return lower values in ascending order: the lower bound, then a quarter and half of the way up to `value`."""
    if isinstance(value, int):
        return sorted({int(low) + (value - int(low)) * part // 4 for part in (0, 1, 2)} - {value})
    return sorted({low, low + (value - low) / 4, low + (value - low) / 2} - {value}) if value - low > 1e-3 else []


def _fewer_rounds(derivation: Derivation, member: Observation) -> Iterator[Derivation]:
    """Yield derivations with fewer rounds: first only the judged one, then without parts of the earlier rounds.

    The parts are halves, quarters and so on down to single rounds, so a dialogue of n rounds is reduced to the few that
    matter in about log n steps. Repeated derivations are not sent again.
    """
    turn = member.turn
    if len(member.case.turns) == 1:
        return
    yield _keeping(derivation, [turn])
    size = turn // 2
    while size:
        for start in range(0, turn, size):
            yield _keeping(derivation, [*range(start), *range(start + size, turn), turn])
        size //= 2
    if turn < len(member.case.turns) - 1:
        yield _keeping(derivation, list(range(turn + 1)))


def _keeping(derivation: Derivation, rounds: list[int]) -> Derivation:
    """Return the derivation with a last step that keeps only these rounds of its follow-up."""
    steps = derivation.steps
    if steps and steps[-1].transformation == KEEP_ROUNDS:
        before = steps[-1].parameters["rounds"]
        rounds, steps = [before[i] for i in rounds], steps[:-1]
    return replace(derivation, steps=(*steps, Step(transformation=KEEP_ROUNDS, parameters={"rounds": rounds})))


def _fewer_spans(derivation: Derivation, member: Observation, source: Case) -> Iterator[Derivation]:
    """Yield derivations that undo edits in the judged turn: the first half, the second half, then one by one.

    Nothing is yielded for follow-ups whose edits cannot be undone separately, or that only move words.
    """
    if any(step.transformation == KEEP_ROUNDS for step in derivation.steps):
        return
    # Some edits only make sense together, such as a correction and the value that it corrects.
    if any(known.whole for known in transformations_of(derivation.steps)):
        return
    case, turn = member.case, member.turn
    fields = source.turns[case.origin(turn)].fields
    if _words(fields) == _words(case.turns[turn].fields):  # moved, not edited: half of a move doubles or loses words
        return
    undone: Mapping[str, list[int]] = {}  # the edited spans of each field, numbered as they were before any was undone
    for step in derivation.steps:
        if step.transformation == RESTORE:
            undone = step.parameters["spans"]
    edits = tuple(step for step in derivation.steps if step.transformation != RESTORE)
    for name in derivation.variant or tuple(fields):
        undone_here = undone.get(name, [])
        number_left = len(changes(fields[name], case.turns[turn].fields[name]))
        left = [span for span in range(number_left + len(undone_here)) if span not in undone_here]
        if len(left) < 2:
            continue
        middle = len(left) // 2
        for spans in (left[:middle], left[middle:], *([span] for span in left)):
            parameters = {"spans": {**undone, name: sorted({*undone_here, *spans})}}
            restore = Step(transformation=RESTORE, parameters=parameters, turns=(turn,))
            yield replace(derivation, steps=(*edits, restore))


def _reply(observation: Observation) -> str | None:
    """Return the text of a reply, or None if the question was not asked or failed."""
    return None if observation.response is None else observation.response.said


def _words(fields: Mapping[str, str]) -> list[str]:
    return sorted(" ".join(fields.values()).split())
