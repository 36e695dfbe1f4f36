"""Forecasts the total number of questions of a search while it runs, for the progress bar.

The number of follow-ups comes from a plan. How many questions a follow-up takes is estimated from those already done:
none if it is refused, and more with tool steps. The same is done for sources.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from mutatis.campaign.allowance import Allowance
from mutatis.campaign.cost import FOLLOW_UPS, REPEATED, SOURCES, Cost, Pricing
from mutatis.campaign.follow_up import FollowUp, concerned
from mutatis.campaign.source_repeats import is_little
from mutatis.core.relation import Observation
from mutatis.core.search import Search, Source
from mutatis.search.new_first import NewFirst
from mutatis.search.once import Once, derivations, proposed

SAMPLE = 50
"""Number of sources in the sample that is used to estimate the number of follow-ups."""

PRIOR = 8
"""Weight of the plan, in questions, against observed numbers, so that one refusal hardly changes the forecast."""


def plan_of(
    search: Search, sources: Sequence[Source], pricing: Pricing, *, asks_sources: bool, again: Collection[str]
) -> Cost | None:
    """Estimate the cost of a plain run from a sample of its sources, assuming that nothing is refused.

    Args:
        search: the search. Unless it is a plain one, the result is None.
        sources: the sources of the phase.
        pricing: calculates their cost.
        asks_sources: True if the sources still have to be sent.
        again: the tasks whose sources are sent once more if they have too few replies.
    """
    if not isinstance(search, Once | NewFirst):
        return None
    cost, sample = Cost(), sources[:: max(1, len(sources) // SAMPLE)]
    for source in sample:
        replies = 0
        cost.include(pricing.source(source), asks_sources)
        for proposal in (proposed(source, derivation) for derivation in derivations(source)):
            cost.include(pricing.follow_up(proposal, concerned(proposal)))
            replies += source.judges(proposal.derivation.steps)
        if source.task in again and is_little(replies, len(sources)):
            cost.include(pricing.source(source, REPEATED, times=1))
    return cost.likely(len(sources) / max(1, len(sample)))


@dataclass(slots=True, kw_only=True)
class Forecast:
    """Counts the proposals of a search and their results, and forecasts its final number of questions.

    Attributes:
        search: the search.
        sources: the number of sources.
        pricing: calculates the cost of proposals.
        allowance: the budget of the run, which limits the forecast.
        plan: the plan of a plain run; None for any other search.
    """

    search: Search
    sources: int
    pricing: Pricing
    allowance: Allowance
    plan: Cost | None = None
    _begun: int = field(init=False)
    _proposed: int = 0
    _weight: float = 0
    _closing: int = 0
    _asking: float = 0
    _settled: float = 0
    _took: int = 0
    _of_sources: int = 0
    _source_turns: int = 0
    _judged: int = 0
    _again: int = 0

    def __post_init__(self) -> None:
        self._begun = self.allowance.asked

    def propose(self, batch: Sequence[FollowUp]) -> None:
        """Record newly proposed follow-ups."""
        if self.plan is None:
            for follow_up in batch:
                self._weight += self._planned(follow_up)
                self._closing += follow_up.proposal.closes
            self._proposed += sum(not follow_up.proposal.looks for follow_up in batch)

    def note_source(self, observations: Collection[Observation]) -> None:
        """Record how many questions were needed to answer the sources."""
        self._of_sources += sum(observation.questions for observation in observations)
        self._source_turns += len(observations)

    def begin(self, follow_up: FollowUp) -> None:
        """Record that work on a follow-up has begun. Its questions are expected, unless the follow-up is refused."""
        self._asking += self._planned(follow_up)

    def settle(self, follow_up: FollowUp) -> None:
        """Record that a follow-up is finished and will cause no more questions."""
        planned = self._planned(follow_up)
        self._asking -= planned
        self._settled += planned
        for answers in (*follow_up.answers, *follow_up.draws):
            for observation in answers.follow_up.values():
                self._took += observation.questions

    def judge(self, sources: int) -> None:
        """Record that this many more sources have been judged. It is then certain whether they will be repeated."""
        self._judged += sources

    def ask_again(self, questions: int) -> None:
        """Record how many more questions will repeat sources.

        A negative number withdraws questions that are not needed.
        """
        self._again += questions

    def total(self) -> int | None:
        """Return the forecast of the total number of questions in the phase, or None if there is no basis for one."""
        bound = None if self.allowance.limit is None else self.allowance.limit - self._begun
        known = [number for number in (self._expected(), bound) if number is not None]
        return round(min(known)) if known else None

    def _expected(self) -> float | None:
        asked = self._took + self._of_sources + self._again
        if self.plan is None:
            to_come = self._to_come()
            return None if to_come is None or not self._settled else asked * (1 + to_come / self._settled)
        plan = self.plan.expected
        to_come = max(0.0, plan[FOLLOW_UPS] - self._settled)
        left = to_come / plan[FOLLOW_UPS] if plan[FOLLOW_UPS] else 0.0
        sources = max(0.0, min(plan[SOURCES] - self._source_turns, plan[SOURCES] * left))
        # Sources are never refused, so a turn takes one question, and more with steps.
        sources *= max(1.0, self._of_sources / self._source_turns) if self._source_turns else 1.0
        again = plan[REPEATED] * max(0.0, 1 - self._judged / max(1, self.sources))
        # A refused follow-up is settled at once, so the share of refused ones among the settled is too high for now.
        # To make up for that, all those that have begun count as if they were asked.
        begun = min(self._asking, to_come)
        share = (self._took + begun + PRIOR) / (self._settled + begun + PRIOR)
        return asked + sources + begun + (to_come - begun) * share + again

    def _to_come(self) -> float | None:
        """Return the number of questions for follow-ups still pending or not yet proposed, or None if unknown."""
        under_way = self._weight - self._settled
        if (to_come := getattr(self.search, "proposals_to_come", None)) is not None:
            return float(under_way + to_come * self._weight / max(1, self._proposed))
        if self.search.learns or not self._closing:
            return None
        return under_way + (self.sources - self._closing) * self._weight / self._closing

    def _planned(self, follow_up: FollowUp) -> float:
        """Return the expected number of questions for a follow-up, as a plan would calculate it."""
        return self.pricing.follow_up(follow_up.proposal, follow_up.relations).expected[FOLLOW_UPS]
