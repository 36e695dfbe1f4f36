"""Forecasts the total number of questions of a search while it runs, for the progress bar.

The number of follow-ups comes from a plan. How many questions a follow-up takes is estimated from those already done:
none if it is refused, and more with tool steps. The same is done for sources.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    _questions_proposed: float = 0
    _closed_sources: int = 0
    _under_way: float = 0
    _settled: float = 0
    _asked_for_follow_ups: int = 0
    _asked_for_sources: int = 0
    _source_turns: int = 0
    _judged: int = 0
    _again: int = 0

    def __post_init__(self) -> None:
        self._begun = self.allowance.asked

    def propose(self, batch: Sequence[FollowUp]) -> None:
        """Record newly proposed follow-ups."""
        if self.plan is None:
            for follow_up in batch:
                self._questions_proposed += self._planned(follow_up)
                self._closed_sources += follow_up.proposal.closes
            self._proposed += sum(not follow_up.proposal.looks for follow_up in batch)

    def note_source(self, observations: Collection[Observation]) -> None:
        """Record how many questions were needed to answer the sources."""
        self._asked_for_sources += sum(observation.questions for observation in observations)
        self._source_turns += len(observations)

    def begin(self, follow_up: FollowUp) -> None:
        """Record that work on a follow-up has begun. Its questions are expected, unless the follow-up is refused."""
        self._under_way += self._planned(follow_up)

    def settle(self, follow_up: FollowUp) -> None:
        """Record that a follow-up is finished and will cause no more questions."""
        planned = self._planned(follow_up)
        self._under_way -= planned
        self._settled += planned
        for answers in (*follow_up.answers, *follow_up.draws):
            for observation in answers.follow_up.values():
                self._asked_for_follow_ups += observation.questions

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
        """Return the expected total number of questions without regard to the budget, or None if it is unknown.

        For a plain run, the questions to come are those of the plan that are left, adjusted to what the finished part
        of the plan really needed. For any other search, the questions so far are extrapolated.
        """
        asked = self._asked_for_follow_ups + self._asked_for_sources + self._again
        if self.plan is not None:
            return asked + self._left_of(self.plan.expected)
        to_come = self._to_come()
        if to_come is None or not self._settled:
            return None
        return asked * (1 + to_come / self._settled)

    def _left_of(self, plan: Mapping[str, float]) -> float:
        """Return the number of questions to come in a plain run. `plan` is the planned number of each kind."""
        to_come = max(0.0, plan[FOLLOW_UPS] - self._settled)
        # The plan is only an estimate: when no follow-ups are to come, no sources are, either.
        share_to_come = to_come / plan[FOLLOW_UPS] if plan[FOLLOW_UPS] else 0.0
        sources = max(0.0, min(plan[SOURCES] - self._source_turns, plan[SOURCES] * share_to_come))
        if self._source_turns:  # sources are never refused, so a turn takes at least one question, and more with steps
            sources *= max(1.0, self._asked_for_sources / self._source_turns)
        again = plan[REPEATED] * max(0.0, 1 - self._judged / max(1, self.sources))
        # A refused follow-up is settled at once, so the share of refused ones among the settled is too high for now.
        # To make up for that, all those that have begun count as if they were asked.
        begun = min(self._under_way, to_come)
        share_asked = (self._asked_for_follow_ups + begun + PRIOR) / (self._settled + begun + PRIOR)
        return sources + begun + (to_come - begun) * share_asked + again

    def _to_come(self) -> float | None:
        """Return the number of questions for follow-ups still pending or not yet proposed, or None if unknown."""
        pending = self._questions_proposed - self._settled
        if (to_come := getattr(self.search, "proposals_to_come", None)) is not None:
            return float(pending + to_come * self._questions_proposed / max(1, self._proposed))
        if self.search.learns or not self._closed_sources:
            return None
        # The other sources are assumed to need as many questions as those whose last follow-up is already proposed.
        return pending + (self.sources - self._closed_sources) * self._questions_proposed / self._closed_sources

    def _planned(self, follow_up: FollowUp) -> float:
        """Return the expected number of questions for a follow-up, as a plan would calculate it."""
        return self.pricing.follow_up(follow_up.proposal, follow_up.relations).expected[FOLLOW_UPS]
