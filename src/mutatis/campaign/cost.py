"""Calculates how many questions a source or a follow-up costs, and forecasts the number of questions of a search.

The plan adds up these costs, the progress bar shows the forecast, and a budget admits work only if its maximum still
fits. Retries of failed questions are not included, nor are questions from annotators or judges that cannot give a
maximum (`most_asked`).

For a forecast, the number of follow-ups comes from a plan. How many questions a follow-up takes is estimated from those
already done: none if it is refused, and more with tool steps. The same is done for sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mutatis.campaign.allowance import Allowance
from mutatis.campaign.follow_up import FollowUp, annotators_of, concerned
from mutatis.campaign.observe import Target, indices, source_indices, turns_asked
from mutatis.campaign.source_repeats import is_little
from mutatis.campaign.trajectory import MOST_STEPS
from mutatis.core.cases import Case, Step
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Search, Source
from mutatis.core.transformation import asks_again, made_by, transformations_of
from mutatis.search.new_first import NewFirst
from mutatis.search.once import Once, derivations, proposed

SOURCES, FOLLOW_UPS, HELPER = "source questions", "follow-up questions", "helper questions"
REPEATED = "sources asked again"
"""Kind of question: a source repeated during the search, because a judge that uses all replies has too few."""

BESIDE = "contexts told apart"
"""Kind of question: a violating turn is sent again in its edited context, without its own edits."""

STEPS = "steps with tools"
"""Kind of question: continues an answer with the results of tools.

One step per question is expected, with one call to the function of `[tools]` if there is one.
"""

REWRITTEN = 2
"""Maximum number of questions to the helper per text. A translation takes two, one in each direction."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Number of questions of each kind: the number expected if no follow-up is refused, and the maximum."""

    expected: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    most: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, kind: str, expected: float, most: float | None = None) -> None:
        """Add questions of a kind. By default, the maximum equals the expected number."""
        self.expected[kind] += expected
        self.most[kind] += expected if most is None else most

    def include(self, other: Cost, number: float = 1) -> None:
        """Add the numbers of another cost, multiplied by `number`."""
        for kind, most in other.most.items():
            self.add(kind, number * other.expected[kind], number * most)

    def drop(self, *kinds: str) -> None:
        """Remove these kinds of question from the cost."""
        for kind in kinds:
            self.most.pop(kind, None)
            self.expected.pop(kind, None)

    def with_scaled_expectation(self, factor: float) -> Cost:
        """Return the cost with its expected numbers multiplied by a factor. The maximum stays the same."""
        return Cost(defaultdict(float, {kind: factor * number for kind, number in self.expected.items()}), self.most)

    def all(self, *, steps: bool = True) -> int:
        """Return the maximum number of questions of all kinds. `steps=False` excludes tool steps."""
        return round(sum(most for kind, most in self.most.items() if steps or kind != STEPS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """Calculates the cost of the work in one run.

    Attributes:
        targets: the systems whose questions count.
        repeats: number of times that each input is sent in order to obtain verdicts.
        draws: number of times that an input is sent to determine the distribution of its answers.
    """

    targets: Sequence[Target]
    repeats: int = 1
    draws: int = 1

    @property
    def paid(self) -> Pricing:
        """The pricing of the other systems, without those whose answers are read from a file."""
        return replace(self, targets=[target for target in self.targets if not target.layer.free])

    def asked(self, source: Source) -> list[Target]:
        """Return the systems that a source is sent to."""
        return [target for target in self.targets if source.concerns(target.label)]

    def source(self, source: Source, kind: str = SOURCES, *, times: int | None = None) -> Cost:
        """Return the cost of sending a source unchanged.

        `times` is the number of times that it is sent. By default, this depends on the relations that judge its
        follow-ups.
        """
        cost = Cost()
        if times is None:
            times = len(source_indices(source.relations, repeats=self.repeats, draws=self.draws))
        for target in self.asked(source):
            cost.include(unchanged(target, source.case, times, kind))
        return cost

    def repeated(self, source: Source, *, times: int, questions: int) -> Cost:
        """Return the cost of repeating a source because a judge that uses all replies has too few.

        One repeat is expected if the source has few follow-ups with the same meaning or the run has few questions, else
        none. `times` is the maximum.
        """
        asked = len(source.case.asked)
        proposals = (proposed(source, derivation) for derivation in derivations(source))
        replies = sum(
            asked if proposal.turns is None else 1
            for proposal in proposals
            if any(relation.expects == "same" for relation in judging(proposal))
        )
        expected = replies > 0 and is_little(replies / asked, questions)
        return self.source(source, REPEATED, times=times).with_scaled_expectation(expected / times)

    def follow_up(self, proposal: Proposal, relations: Iterable[MetamorphicRelation]) -> Cost:
        """Return the cost of a follow-up without its source. It is zero if no relation supports the language."""
        cost, case, derivation = Cost(), proposal.source.case, proposal.derivation
        relations = [relation for relation in relations if relation.knows(case.language, derivation.steps)]
        if proposal.looks or not relations:
            return cost
        systems = self.asked(proposal.source)
        times = len(indices(derivation, relations, repeats=self.repeats, draws=self.draws))
        repeats = 1 if asks_again(derivation) else self.repeats
        for target in systems:
            _add_sending(cost, proposal, target, times=times, repeats=repeats)
        if made_by(derivation.steps) == "language-model":
            texts = len(_edited(case, derivation.steps)) * max(1, len(derivation.variant))
            cost.add(HELPER, texts, texts * REWRITTEN)
        conditions = sum(p.needs_helper for relation in relations for p in relation.preconditions)
        if conditions:
            # At most, each turn of the source and of the follow-up is checked each time that they are sent.
            turns = len(case.asked)
            most = (2 * turns + more_turns(case, derivation.steps)) * repeats * max(1, len(systems))
            cost.add(HELPER, conditions * turns, conditions * most)
        return cost


def judging(proposal: Proposal) -> list[MetamorphicRelation]:
    """Return the relations that judge a proposal and support the language of its source."""
    language, steps = proposal.source.case.language, proposal.derivation.steps
    return [relation for relation in concerned(proposal) if relation.knows(language, steps)]


def _add_sending(cost: Cost, proposal: Proposal, target: Target, *, times: int, repeats: int) -> None:
    """Add the cost of sending a follow-up to one system `times` times. `repeats` of these lead to verdicts."""
    case, steps = proposal.source.case, proposal.derivation.steps
    turns = len(turns_asked(case, proposal.turns, whole=target.layer.stateful))
    most = turns + more_turns(case, steps)
    cost.add(FOLLOW_UPS, times * turns, times * most)
    add_steps(cost, target.most_steps(case), times * turns, times * most)
    if _edits_context(steps):  # sent once more for each turn that violates
        judged = len(case.asked if proposal.turns is None else proposal.turns)
        per_violation = len(case.asked) if target.layer.stateful else 1
        cost.add(BESIDE, 0, repeats * judged * per_violation * (1 + target.most_steps(case)))


def unchanged(target: Target, case: Case, times: int, kind: str = SOURCES) -> Cost:
    """Return the cost of sending all turns of a case to one system, `times` times."""
    cost = Cost()
    cost.add(kind, times * len(case.asked))
    add_steps(cost, target.most_steps(case), times * len(case.asked))
    return cost


def annotated(relations: Iterable[MetamorphicRelation]) -> Cost:
    """Return the cost of determining the facts about a source that annotators need. This is done only once."""
    cost = Cost()
    for annotator in annotators_of(relations):
        if isinstance(annotator, AsksHelper):
            cost.add(HELPER, 0, annotator.most_asked(1))
    return cost


def add_steps(cost: Cost, steps: int, expected: float, most: float | None = None) -> None:
    """Add the tool steps that questions cause, at most `steps` per question."""
    if steps:
        cost.add(STEPS, expected * steps / MOST_STEPS, (expected if most is None else most) * steps)


def more_turns(case: Case, steps: Iterable[Step]) -> int:
    """Return the maximum number of turns that a follow-up adds.

    A step that takes the order of the turns alone may also send each turn twice.
    """
    transformations = transformations_of(steps)
    may_repeat = any(known.level == "dialogue" and "turns" not in known.wants for known in transformations)
    return sum(known.adds for known in transformations) + may_repeat * len(case.asked)


def _edits_context(steps: Sequence[Step]) -> bool:
    """Return True if the steps edit different turns, so that a failure may be due to the edit of an earlier turn.

    The judged turn is then sent again without its own edits.
    """
    return len({step.turns for step in steps}) > 1 and all(step.turns is not None for step in steps)


def _edited(case: Case, steps: Iterable[Step]) -> set[int]:
    """Return the turns that a language model rewrites in these steps."""
    rewriting = [step for step in steps if made_by([step]) == "language-model"]
    return {turn for step in rewriting for turn in (case.asked if step.turns is None else step.turns)}


SAMPLE = 50
"""Number of sources in the sample that is used to estimate the number of follow-ups."""

PRIOR = 8
"""Weight of the plan, in questions, against observed numbers, so that one refusal hardly changes the forecast."""


def plan_of(
    search: Search, sources: Sequence[Source], pricing: Pricing, *, asks_sources: bool, repeats: Callable[[str], bool]
) -> Cost | None:
    """Estimate the cost of a plain run from a sample of its sources, assuming that nothing is refused.

    Args:
        search: the search. Unless it is a plain one, the result is None.
        sources: the sources of the phase.
        pricing: calculates their cost.
        asks_sources: True if the sources still have to be sent.
        repeats: returns True for a task whose sources are sent once more if they have too few replies.
    """
    if not isinstance(search, Once | NewFirst):
        return None
    cost, sample = Cost(), sources[:: max(1, len(sources) // SAMPLE)]
    for source in sample:
        cost.include(pricing.source(source), asks_sources)
        for proposal in (proposed(source, derivation) for derivation in derivations(source)):
            cost.include(pricing.follow_up(proposal, concerned(proposal)))
        if repeats(source.task):
            cost.include(pricing.repeated(source, times=1, questions=len(sources)))
    return cost.with_scaled_expectation(len(sources) / max(1, len(sample)))


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

        For a plain run, the questions to come are the rest of the plan, adjusted to what the finished part really
        needed. For any other search, the questions so far are extrapolated.
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
        share_to_come = to_come / plan[FOLLOW_UPS] if plan[FOLLOW_UPS] else 0.0
        share_to_judge = max(0.0, 1 - self._judged / max(1, self.sources))
        sources = self._sources_left(plan[SOURCES], share_to_come)
        return sources + self._follow_ups_left(to_come) + plan[REPEATED] * share_to_judge

    def _sources_left(self, planned: float, share_to_come: float) -> float:
        """Return the number of questions to come for sources: none if no follow-ups are to come.

        `planned` is the number in the plan, and `share_to_come` the share of planned follow-ups that are to come.
        """
        turns = max(0.0, min(planned - self._source_turns, planned * share_to_come))
        if not self._source_turns:
            return turns
        return turns * max(1.0, self._asked_for_sources / self._source_turns)  # a call of a tool is a question, too

    def _follow_ups_left(self, planned: float) -> float:
        """Return the number of questions to come for follow-ups. `planned` is the number planned but not settled.

        Those under way count in full. Some of the rest will be refused, in the same proportion as before.
        """
        under_way = min(self._under_way, planned)
        # Refused follow-ups are settled at once, others only when answered. So those under way count as asked here.
        asked = self._asked_for_follow_ups + under_way + PRIOR
        asked_or_refused = self._settled + under_way + PRIOR
        return under_way + (planned - under_way) * asked / asked_or_refused

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
