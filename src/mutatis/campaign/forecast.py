"""How many questions a search takes in all, as far as it can be told while it goes on: what a progress bar goes by.

A plan says how many follow-ups there are; those that came to an end say how many questions such a follow-up takes, for
refused ones take none and steps with tools take more, of sources as well. Must not know who is told.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from mutatis.campaign.allowance import Allowance
from mutatis.campaign.follow_up import FollowUp
from mutatis.core.cases import Case
from mutatis.core.relation import Observation
from mutatis.core.repertoire import QUESTIONS, REPLIES
from mutatis.core.search import Proposal, Search, Source
from mutatis.core.transformation import asks_again
from mutatis.search.even import Even
from mutatis.search.once import Once, derivations, judged_turns

SAMPLE = 50
"""Sources whose follow-ups are counted beforehand."""

PRIOR = 8
"""Questions of the plan that count beside what is known: one refused follow-up does not make the forecast jump."""


@runtime_checkable
class Numbered(Protocol):
    """A search that knows how many follow-ups it will still propose."""

    @property
    def proposals_to_come(self) -> int:
        """Follow-ups that were not proposed yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Questions of a phase, as far as nothing is refused: for sources, for follow-ups, for sources asked again."""

    sources: float = 0
    follow_ups: float = 0
    again: float = 0


def plan_of(
    sources: Sequence[Source],
    systems: Mapping[str, bool],
    times: int,
    *,
    asks_sources: bool,
    again: Collection[str],
) -> Planned:
    """Return what a plain run plans, from a sample of its sources.

    Args:
        sources: of the phase.
        systems: labels of those that are asked, and whether they keep the dialogue, so that it is asked whole.
        times: how often an input is asked.
        asks_sources: whether the answers to the sources are not known yet.
        again: the tasks whose sources are asked once more where too few replies to them are known.
    """
    sample = sources[:: max(1, len(sources) // SAMPLE)]
    if not sample:
        return Planned()
    asked = follow_ups = repeated = 0
    for source in sample:
        concerned = [whole for label, whole in systems.items() if source.concerns(label)]
        wordings = [derivation for derivation in derivations(source) if source.judges(derivation.steps)]
        asked += len(source.case.asked) * len(concerned) * times
        for wording in wordings:
            often = 1 if asks_again(wording) else times
            turns = judged_turns(wording)
            follow_ups += sum(_questions(source.case, turns, whole) for whole in concerned) * often
        # As in `SourceRepeats`: few questions make every reply look like everybody's.
        few = len(wordings) < REPLIES or len(sources) < QUESTIONS
        repeated += len(source.case.asked) * len(concerned) * (few and source.task in again)
    scale = len(sources) / len(sample)
    return Planned(sources=asked * scale * asks_sources, follow_ups=follow_ups * scale, again=repeated * scale)


@dataclass(slots=True, kw_only=True)
class Forecast:
    """Counts what a search proposed and what came of it, and tells how many questions that makes in the end.

    Attributes:
        search: proposes.
        sources: how many there are.
        systems: labels of those that are asked, and whether they keep the dialogue, so that it is asked whole.
        times: how often an input is asked.
        allowance: the budget, where there is one; nothing is asked beyond it.
        plan: of a plain run; None of another search.
    """

    search: Search
    sources: int
    systems: Mapping[str, bool]
    times: int
    allowance: Allowance
    plan: Planned | None = None
    _begun: int = field(init=False)
    _proposed: int = 0
    _weight: int = 0
    _closing: int = 0
    _asking: int = 0
    _settled: int = 0
    _took: int = 0
    _of_sources: int = 0
    _source_turns: int = 0
    _judged: int = 0
    _again: int = 0

    def __post_init__(self) -> None:
        self._begun = self.allowance.asked

    def propose(self, batch: Sequence[Proposal]) -> None:
        """Take note of what was proposed."""
        if self.plan is None:
            for proposal in batch:
                self._weight += self._questions(proposal)
                self._closing += proposal.closes
            self._proposed += sum(not proposal.looks for proposal in batch)

    def note_source(self, observations: Collection[Observation]) -> None:
        """Take note of the answers to a source."""
        self._of_sources += sum(observation.questions for observation in observations)
        self._source_turns += len(observations)

    def begin(self, follow_up: FollowUp) -> None:
        """Take note that a follow-up is made and, if nothing is against it, asked."""
        self._asking += self._planned(follow_up)

    def settle(self, follow_up: FollowUp) -> None:
        """Take note that nothing more is asked for a follow-up that was begun."""
        planned = self._planned(follow_up)
        self._asking -= planned
        self._settled += planned
        for answers in (*follow_up.answers, *follow_up.draws):
            for observation in answers.follow_up.values():
                self._took += observation.questions

    def judge(self, sources: int) -> None:
        """Take note that so many sources are judged: from now on it is known whether they are asked again."""
        self._judged += sources

    def ask_again(self, questions: int) -> None:
        """Take note of questions beside sources and follow-ups: sources asked again; below 0, that some are not."""
        self._again += questions

    def total(self) -> int | None:
        """Return how many questions the phase takes in all; None where nobody can tell."""
        bound = None if self.allowance.limit is None else self.allowance.limit - self._begun
        known = [number for number in (self._expected(), bound) if number is not None]
        return round(min(known)) if known else None

    def _expected(self) -> float | None:
        asked = self._took + self._of_sources + self._again
        if self.plan is None:
            to_come = self._to_come()
            return None if to_come is None or not self._settled else asked * (1 + to_come / self._settled)
        plan, to_come = self.plan, max(0.0, self.plan.follow_ups - self._settled)
        left = to_come / plan.follow_ups if plan.follow_ups else 0.0
        sources = max(0.0, min(plan.sources - self._source_turns, plan.sources * left))
        # Of a source nothing is refused: a turn takes one question, and more with steps.
        sources *= max(1.0, self._of_sources / self._source_turns) if self._source_turns else 1.0
        again = plan.again * max(0.0, 1 - self._judged / max(1, self.sources))
        # A refused one is settled at once, an answered one later: those that are begun count as if all were asked.
        begun = min(self._asking, to_come)
        share = (self._took + begun + PRIOR) / (self._settled + begun + PRIOR)
        return asked + sources + begun + (to_come - begun) * share + again

    def _to_come(self) -> float | None:
        """Return the questions of the follow-ups that a search will still propose, and of those under way."""
        under_way = self._weight - self._settled
        if isinstance(self.search, Numbered):
            return under_way + self.search.proposals_to_come * self._weight / max(1, self._proposed)
        if self.search.learns or not self._closing:
            return None
        return under_way + (self.sources - self._closing) * self._weight / self._closing

    def _planned(self, follow_up: FollowUp) -> int:
        """Return the questions that a plan counts for a follow-up: none where no relation knows the language."""
        steps, language = follow_up.proposal.derivation.steps, follow_up.source.language
        knows = any(relation.knows(language, steps) for relation in follow_up.relations)
        return self._questions(follow_up.proposal) if knows else 0

    def _questions(self, proposal: Proposal) -> int:
        """Return how many questions a follow-up takes where nothing is refused; a look at a source is none."""
        source = proposal.source
        if proposal.looks:
            return 0
        times = 1 if asks_again(proposal.derivation) else self.times
        concerned = (whole for label, whole in self.systems.items() if source.concerns(label))
        return sum(_questions(source.case, proposal.turns, whole) for whole in concerned) * times


def _questions(case: Case, turns: Collection[int] | None, whole: bool) -> int:
    """Return how many turns are asked so that these are answered.

    Those before them are asked where no reply is given, and by a system that keeps the dialogue in any case (`whole`).
    """
    if turns is None:
        return len(case.asked)
    last = max(turns, default=-1)
    return sum(turn in turns or (turn < last and (whole or case.turns[turn].reply is None)) for turn in case.asked)


def forecast(
    search: Search,
    sources: Sequence[Source],
    systems: Mapping[str, bool],
    times: int,
    allowance: Allowance,
    *,
    asks_sources: bool,
    again: Collection[str],
) -> Forecast:
    """Return what foretells the questions of a search on these sources; arguments as for `plan_of`."""
    plan = None
    if isinstance(search, Once | Even):
        plan = plan_of(sources, systems, times, asks_sources=asks_sources, again=again)
    return Forecast(search=search, sources=len(sources), systems=systems, times=times, allowance=allowance, plan=plan)
