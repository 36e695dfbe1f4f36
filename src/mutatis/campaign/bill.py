"""Adds up the cost of a run: sending its sources and follow-ups, and confirming and shrinking its findings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from mutatis.campaign.cost import BESIDE, REPEATED, Cost, Pricing, add_steps, annotated, more_turns
from mutatis.campaign.events import CONFIRM, SHRINK
from mutatis.campaign.observe import Target, is_drawn, turns_asked
from mutatis.campaign.session import Campaign
from mutatis.campaign.shrink import rounds_kept, smaller
from mutatis.campaign.source_repeats import is_little
from mutatis.core.cases import Case
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import Grouping, MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source
from mutatis.core.transformation import asks_again, made_by
from mutatis.core.verdict import Row
from mutatis.search.once import judged_turns

VIOLATED = 0.05
"""Share of verdicts that are expected to be violations."""

HOLDS, SMALLER = 0.5, 2
"""Expected share of smaller follow-ups that still violate, and expected number of times a finding is made smaller."""

COMPARED = 2
"""Maximum number of text comparisons per pair of answers: the reference is compared before and after the edit."""

JUDGED = "judge's questions"


@dataclass(slots=True, kw_only=True)
class _Pairs:
    """The expected and the maximum number of pairs of answers that one measure has to compare."""

    measure: AsksHelper
    expected: float = 0
    most: float = 0


@dataclass(slots=True, kw_only=True)
class _Row:
    """Figures for the cost of handling the findings of one system, task and relation.

    Attributes:
        verdicts, most_verdicts: the expected and the maximum number of verdicts.
        usual, most: the usual and the maximum number of questions needed to repeat a finding.
        members: maximum number of follow-ups that are judged as one group.
        turns: maximum number of questions per smaller follow-up; 0 if only a language model could make it.
        steps: maximum number of tool steps per question.
        shrinking: expected number of questions for making the first follow-up of the row smaller.
    """

    target: Target
    relation: MetamorphicRelation
    task: str
    verdicts: float = 0
    most_verdicts: float = 0
    usual: int = 0
    most: int = 0
    members: int = 1
    turns: int = 0
    steps: int = 0
    shrinking: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A follow-up before it is sent: its proposal and cost, and its case if it has already been made.

    Attributes:
        likely: the expected share of such follow-ups that will actually be sent.
    """

    proposal: Proposal
    relations: Sequence[MetamorphicRelation]
    cost: Cost
    case: Case | None = None
    likely: float = 1

    @property
    def turns(self) -> int:
        """The maximum number of turns of the follow-up that are sent."""
        source = self.proposal.source.case
        if self.case is not None:
            return len(self.case.asked)
        return len(source.asked) + more_turns(source, self.proposal.derivation.steps)

    @property
    def judged(self) -> int:
        """The maximum number of turns of the follow-up that are judged."""
        wanted = self.proposal.turns if self.case is None else self.proposal.wanted(self.case)
        return self.turns if wanted is None else len(wanted)


@dataclass(slots=True)
class Bill:
    """Adds up the cost of a run; `total()` returns the sum.

    Attributes:
        changes: the cost of the follow-ups, for each kind of change that they make to the input.
    """

    campaign: Campaign
    changes: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    _asked: Cost = field(default_factory=Cost)
    _noise_floor: Cost = field(default_factory=Cost)
    _paid: Pricing = field(init=False)
    _rows: dict[Row, _Row] = field(default_factory=dict)
    _pairs: dict[int, _Pairs] = field(default_factory=dict)
    _versions: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    _drawn: Counter[str] = field(default_factory=Counter)
    _repeated: dict[tuple[str, str], tuple[Source, float]] = field(default_factory=dict)
    _siblings: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._paid = pricing_of(self.campaign).paid

    def add_source(self, source: Source, cost: Cost, number: float = 1) -> None:
        """Add the cost of `number` sources like this one."""
        self._asked.include(cost, number)
        self._asked.include(annotated(source.relations), number)
        if self.campaign.source_repeats and self.campaign.judges.is_together(source.task):
            self._repeated[source.task, source.case.id] = source, number

    def add_again(self, source: Source, cost: Cost) -> None:
        """Add the cost of repeating a source to measure the noise floor."""
        self._noise_floor.include(cost)
        verdicts = len(source.case.asked) * len(source.systems)
        self._compare(self.campaign.no_change, source.task, verdicts, COMPARED * verdicts)

    def add(self, made: Made, number: float = 1) -> None:
        """Add the cost of a follow-up that is sent once for each of `number` similar sources."""
        source, derivation = made.proposal.source, made.proposal.derivation
        cost = made.cost.likely(made.likely)
        self._asked.include(cost, number)
        if made.relations:
            self.changes[made.relations[0].change or "other"].include(cost, number)
        if any(relation.expects == "same" for relation in made.relations):
            one_turn = judged_turns(derivation) is not None
            self._siblings[source.task, source.case.id] += 1 if one_turn else len(source.case.asked)
        for target in (target for target in self.campaign.targets if source.concerns(target.label)):
            for relation in made.relations:
                self._add_verdicts(target, relation, made, number)
            if self.campaign.draws > 1 and any(map(is_drawn, made.relations)):
                self._add_clustered(source, number * self.campaign.draws)

    def _add_verdicts(self, target: Target, relation: MetamorphicRelation, made: Made, number: float) -> None:
        """Add the possible costs of the verdicts on a follow-up: comparisons by a judge, and work on findings."""
        source = made.proposal.source
        row_key = target.label, source.task, relation.name
        row = self._rows.setdefault(row_key, _Row(target=target, relation=relation, task=source.task))
        repeats = 1 if asks_again(made.proposal.derivation) else self.campaign.repeats
        verdicts = number * made.judged * repeats
        row.verdicts += made.likely * verdicts
        row.most_verdicts += verdicts
        if relation.matching.grouping is Grouping.QUESTION:
            earlier = self._versions[*row_key, source.case.id]
            versions = self._versions[*row_key, source.case.id] = earlier + made.turns
            # The group grows from `earlier` to `versions`: a new version is compared with each other one, in two ways.
            pairs = verdicts * (earlier + versions)
        else:
            versions = 1
            judged_beside = bool(made.cost.most.get(BESIDE))  # each violation is judged again in the same context
            pairs = COMPARED * verdicts * (2 if judged_beside else 1)
        self._compare(relation, source.task, made.likely * verdicts, pairs)
        self._raise_maxima(row, made, versions)

    def _raise_maxima(self, row: _Row, made: Made, versions: int) -> None:
        """Raise the figures for a finding in this row, if a finding on this follow-up would cost more."""
        source, stateful = made.proposal.source.case, row.target.layer.stateful
        # A system that keeps its own dialogues is sent them as a whole.
        of_member, of_source = (made.turns, len(source.asked)) if stateful else (1, 1)
        usual = 2 if row.relation.matching.grouping is Grouping.QUESTION else 1  # only the worst pair is repeated
        row.members = max(row.members, versions)
        row.usual = max(row.usual, usual * of_member + of_source)
        row.most = max(row.most, versions * of_member + of_source)
        row.steps = max(row.steps, row.target.most_steps(source))
        if made_by(made.proposal.derivation.steps) == "function":
            row.turns = max(row.turns, made.turns)
            if made.case is not None and row.shrinking is None:
                row.shrinking = self._shrinking(made, made.case, row.relation, stateful)

    def _shrinking(self, made: Made, case: Case, relation: MetamorphicRelation, stateful: bool) -> float:
        """Return the expected number of questions for making a follow-up smaller.

        A candidate is only tried if those before it did not violate the relation.
        """
        wanted = made.proposal.wanted(case)
        judged = case.asked if wanted is None else wanted
        if not self.campaign.shrink or not judged:
            return 0
        asked = len(turns_asked(case, wanted, whole=stateful))
        candidates = smaller(Observation(case=case, turn=judged[-1]), relation, made.proposal.source.case)
        return SMALLER * sum(
            HOLDS**tried_before * max(1, asked * rounds_kept(derivation, case))
            for tried_before, derivation in enumerate(islice(candidates, self.campaign.shrink))
        )

    def _add_clustered(self, source: Source, answers: float) -> None:
        """Add the maximum number of comparisons for clustering the answers to a source.

        Each answer may be compared with all earlier ones.
        """
        earlier = self.campaign.draws + self._drawn[source.case.id]
        self._drawn[source.case.id] += round(answers)
        self._compare(self.campaign.no_change, source.task, answers, COMPARED * answers * (earlier + answers))

    def _compare(self, relation: MetamorphicRelation, task: str, expected: float, most: float) -> None:
        """Add pairs of answers to be compared, if the measure asks a helper about them."""
        judge = self.campaign.judges.of(relation, task)
        if isinstance(judge.measure, AsksHelper):
            pairs = self._pairs.setdefault(id(judge), _Pairs(measure=judge.measure))
            pairs.expected += expected
            pairs.most += most

    def total(self, scale: float = 1) -> Cost:
        """Return the cost of all questions that the run may ask, including judges and the phases after the search.

        Expected numbers are multiplied by `scale`, as if there were that many times more sources. Nothing can be added
        afterwards.
        """
        result = Cost()
        result.include(self._asked.likely(scale))
        result.include(self._noise_floor)
        self._add_repeats(result, scale)
        for row in self._rows.values():
            self._add_findings(result, row, scale)
        for pairs in self._pairs.values():
            most = pairs.measure.most_asked(round(pairs.most * scale))
            result.add(JUDGED, min(pairs.expected * scale, most), most)
        return result

    def _add_repeats(self, result: Cost, scale: float) -> None:
        """Add the cost of repeating sources.

        One repeat is expected for each source that has few follow-ups or whose task has few questions, else none.
        """
        questions: Counter[str] = Counter()
        for source, number in self._repeated.values():
            questions[source.task] += round(scale * number * len(source.case.asked))
        for source_key, (source, number) in self._repeated.items():
            siblings = self._siblings[source_key]
            expected = int(siblings > 0 and is_little(siblings / len(source.case.asked), questions[source.task]))
            cost = self._paid.source(source, REPEATED, times=self.campaign.source_repeats)
            result.include(cost.likely(scale * expected / self.campaign.source_repeats), number)

    def _add_findings(self, result: Cost, row: _Row, scale: float) -> None:
        """Add the cost of confirming and shrinking the findings of one system, task and relation."""
        campaign = self.campaign
        most = min(campaign.confirm, row.most_verdicts * scale)
        expected = min(most, VIOLATED * row.verdicts * scale)
        shrinking = expected * (row.shrinking or 0)
        tried = most * campaign.shrink if row.turns else 0
        # To confirm a finding, all its members are compared; a smaller follow-up is compared with each of them.
        pairs = most * row.members**2 + tried * row.members
        self._compare(row.relation, row.task, expected + shrinking, COMPARED * pairs)
        if row.target.layer.free:
            return  # its answers are compared, but cost nothing
        result.add(CONFIRM, expected * row.usual, most * row.most)
        result.add(SHRINK, shrinking, tried * row.turns)
        add_steps(result, row.steps, expected * row.usual + shrinking, most * row.most + tried * row.turns)


def pricing_of(campaign: Campaign) -> Pricing:
    """Return the object that calculates the cost of each piece of work in a run."""
    return Pricing(targets=campaign.targets, repeats=campaign.repeats, draws=campaign.draws)
