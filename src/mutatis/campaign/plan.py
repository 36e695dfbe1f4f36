"""Estimates the expected and the maximum number of questions of a run before it causes any costs.

These are the questions of its sources and follow-ups, of its judges, and those for confirming and shrinking findings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from mutatis.campaign.cost import (
    BESIDE,
    FOLLOW_UPS,
    HELPER,
    REPEATED,
    SOURCES,
    STEPS,
    Cost,
    Pricing,
    add_steps,
    annotated,
    more_turns,
)
from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SHRINK
from mutatis.campaign.follow_up import FollowUp, Maker, concerned
from mutatis.campaign.observe import Target, indices, is_drawn, source_indices, turns_asked
from mutatis.campaign.session import Campaign
from mutatis.campaign.shrink import rounds_kept, smaller
from mutatis.campaign.source_repeats import is_little
from mutatis.core.cases import Case
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import OTHER_CHANGE, Grouping, MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source, kinds
from mutatis.core.system import Annotator, Conversation
from mutatis.core.transformation import asks_again, made_by, reads_answer
from mutatis.core.verdict import Row
from mutatis.query import Store
from mutatis.query.key import answer_key, canonical
from mutatis.search.once import Once, derivations, judged_turns, proposed

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
        share_sent: the expected share of such follow-ups that will actually be sent.
    """

    proposal: Proposal
    relations: Sequence[MetamorphicRelation]
    cost: Cost
    case: Case | None = None
    share_sent: float = 1

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
        self._paid = self.campaign.pricing.paid

    def add_source(self, source: Source, cost: Cost, number: float = 1) -> None:
        """Add the cost of `number` sources like this one."""
        self._asked.include(cost, number)
        self._asked.include(annotated(source.relations), number)
        if self.campaign.source_repeats and self.campaign.judges.is_together(source.task):
            self._repeated[source.task, source.case.id] = source, number

    def add_noise_floor(self, source: Source, cost: Cost) -> None:
        """Add the cost of repeating a source to measure the noise floor."""
        self._noise_floor.include(cost)
        verdicts = len(source.case.asked) * len(source.systems)
        self._compare(self.campaign.no_change, source.task, verdicts, COMPARED * verdicts)

    def add(self, made: Made, number: float = 1) -> None:
        """Add the cost of a follow-up that is sent once for each of `number` similar sources."""
        source, derivation = made.proposal.source, made.proposal.derivation
        cost = made.cost.with_scaled_expectation(made.share_sent)
        self._asked.include(cost, number)
        if made.relations:
            self.changes[made.relations[0].change or OTHER_CHANGE].include(cost, number)
        if any(relation.expects == "same" for relation in made.relations):
            one_turn = judged_turns(derivation) is not None
            self._siblings[source.task, source.case.id] += 1 if one_turn else len(source.case.asked)
        for target in self.campaign.pricing.asked(source):
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
        row.verdicts += made.share_sent * verdicts
        row.most_verdicts += verdicts
        if relation.matching.grouping is Grouping.QUESTION:
            earlier = self._versions[*row_key, source.case.id]
            versions = self._versions[*row_key, source.case.id] = earlier + made.turns
            # At most n * n pairs of n answers are compared. When the group grows from `earlier` answers to `versions`,
            # these are versions**2 - earlier**2 more, which is earlier + versions for each new answer.
            pairs = verdicts * (earlier + versions)
        else:
            versions = 1
            judged_beside = bool(made.cost.most.get(BESIDE))  # each violation is judged again in the same context
            pairs = COMPARED * verdicts * (2 if judged_beside else 1)
        self._compare(relation, source.task, made.share_sent * verdicts, pairs)
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
        result.include(self._asked.with_scaled_expectation(scale))
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
            result.include(cost.with_scaled_expectation(scale * expected / self.campaign.source_repeats), number)

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


CHARACTERS_PER_TOKEN = 4
"""Average number of characters per token in English, a rule of thumb that gives the order of magnitude."""

MADE = 5000
"""Maximum number of follow-ups that are made to count them. If there are more, an even sample is used."""

ANSWERED, LONGEST = 100, 1000
"""Expected and maximum number of tokens in an answer, for systems that do not set `max_tokens`."""

ASKED_OF_HELPER = 1000
"""Number of tokens assumed for a prompt to the helper: instruction, examples and material."""

READ = 0.25
"""Share of answers expected to contain the facts that a follow-up made from the answer needs."""

MET = 0.75
"""Share of follow-ups expected to be asked, if this depends on the answer to the source or on a helper."""

SEARCHED = (SOURCES, FOLLOW_UPS, HELPER)
LATER = (REPEATED, JUDGED, NOISE_FLOOR, CONFIRM, SHRINK, BESIDE, STEPS)


@dataclass(slots=True, kw_only=True)
class Prompts:
    """The number of questions counted for one system, and the number of tokens in their prompts.

    `longest` is the number of tokens in the longest prompt.
    """

    questions: int = 0
    tokens: int = 0
    longest: int = 0


class Range(NamedTuple):
    """A number of questions: the expected one and the maximum."""

    expected: int
    most: int

    def __str__(self) -> str:
        return str(self.most) if self.expected == self.most else f"about {self.expected}, at most {self.most}"


@dataclass(slots=True)
class Estimate:
    """The expected and the maximum number of questions of a run.

    Attributes:
        kinds: number of questions of each kind, expected and at most.
        unforeseen: maximum number of follow-ups included above that are made from answers.
        changes: number of follow-up questions for each kind of change that they make, expected and at most.
        stored: number of questions in the search and the noise floor whose answers are stored.
        tokens: number of tokens in the prompts of sources and follow-ups.
        exact: True if no answer can change the number of source and follow-up questions.
        learns: True if the search learns from results, so that only its first batch is certain.
        dealt: the share of each phase in a budget.
        judge: how often a helper is asked to judge, in words.
        most: the maximum number of questions that the run may pay for; None if a search that learns decides it.
        counted: how many sources the figures are based on, and how many there are; None if these are all.
        money: the expected and the maximum payment in each currency.
    """

    kinds: Mapping[str, Range] = field(default_factory=dict)
    unforeseen: int = 0
    changes: Mapping[str, Range] = field(default_factory=dict)
    stored: int = 0
    tokens: int = 0
    exact: bool = True
    learns: bool = False
    dealt: Mapping[str, int] | None = None
    judge: str = ""
    most: int | None = None
    counted: tuple[int, int] | None = None
    money: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def of(self, kind: str) -> Range:
        """Return the expected and the maximum number of questions of one kind."""
        return self.kinds.get(kind, Range(0, 0))

    @property
    def expected(self) -> int:
        """The number of questions that the run is expected to pay for."""
        expected = max(0, sum(number.expected for number in self.kinds.values()) - self.stored)
        return expected if self.most is None else min(expected, self.most)

    def lines(self) -> list[str]:
        """Return the estimate as lines of text, with one figure per line."""
        first = ", of the first batch" if self.learns else ""
        about = "about " if self.counted else ""
        return [
            *(["this is the first batch: the search decides the rest from the answers"] if self.learns else []),
            *([f"counted on            {self.counted[0]} of {self.counted[1]} sources"] if self.counted else []),
            *(f"{kind:<22}{self._searched(kind)}" for kind in SEARCHED),
            *self._by_change(),
            *(f"{kind:<22}{self._later(kind)}" for kind in LATER if any(self.of(kind))),
            f"already stored        {about}{self.stored}",
            f"to be paid            {self._to_be_paid()}",
            f"prompt tokens         {'at most ' * (not self.exact and not self.counted)}about {self.tokens}{first}",
            *self._prices(),
            *self._budget(),
        ]

    def _searched(self, kind: str) -> str:
        number = self.of(kind)
        if self.counted:
            return f"about {number.expected}"
        bound = "at most " if not self.exact and kind != SOURCES else ""
        cannot = f"; {self.unforeseen} of them cannot be foreseen" if kind == FOLLOW_UPS and self.unforeseen else ""
        return (f"{bound}{number}" if number.expected == number.most else str(number)) + cannot

    def _later(self, kind: str) -> str:
        return str(self.of(kind)) + (f" ({self.judge})" if self.judge and kind == JUDGED else "")

    def _by_change(self) -> list[str]:
        """Return a line with the cost of the follow-ups for each kind of change, most expensive kind first."""
        if len(self.changes) < 2:
            return []
        dearest = sorted(self.changes.items(), key=lambda change: -change[1].expected)
        return ["of these, by change   " + ", ".join(f"{change} {_span(number)}" for change, number in dearest)]

    def _to_be_paid(self) -> str:
        if not self.learns:
            return str(Range(self.expected, self.expected if self.most is None else self.most))
        most = "; the maximum is unknown without max_queries" if self.most is None else f", at most {self.most}"
        return f"about {self.expected}, of the first batch{most}"

    def _prices(self) -> list[str]:
        if self.most == 0:
            return []
        if not self.money:
            return ["money                 unknown; set prices = {prompt = ..., completion = ...} in [system]"]
        answers = f", answers of {ANSWERED} tokens and at most {LONGEST} without max_tokens"
        sums = (f"about {about:.2f} {name}, at most about {most:.2f}" for name, (about, most) in self.money.items())
        return [f"money                 {'; '.join(sums)}{answers}"]

    def _budget(self) -> list[str]:
        if self.dealt is None:
            return []
        shares = ", ".join(f"{phase} {number}" for phase, number in self.dealt.items())
        return [f"max_queries           {sum(self.dealt.values())}, stored answers included: {shares} ([reserve])"]


def _span(number: Range) -> str:
    return str(number) if number.expected == number.most else f"{number.expected} to {number.most}"


async def estimate(campaign: Campaign, store: Store) -> Estimate:
    """Plan a campaign. Follow-ups that need neither a helper nor an answer are actually made.

    For a large plain run, only the follow-ups of a sample of sources are made. For a search that learns, only the first
    batch is made.
    """
    counting, search = _Counting(campaign, store), campaign.search
    sample = _sample(campaign) if type(search) is Once else None
    await counting.add(campaign.sources if sample is None else sample, [])
    search = search if sample is None else Once(sample)
    while batch := search.ask():
        await counting.add([], batch)
        if search.learns:
            break
    if sample is not None:
        counting.extrapolate(len(campaign.sources) / len(sample))
    counting.add_noise_floor()
    return _finish(campaign, counting, None if sample is None else (len(sample), len(campaign.sources)))


def _sample(campaign: Campaign) -> Sequence[Source] | None:
    """Return an evenly spaced sample of a plain run's sources if it has too many follow-ups to make, else None."""
    proposals = sum(kind.number * len(derivations(kind.example)) for kind in kinds(campaign.sources))
    if proposals <= MADE:
        return None
    step = -(-proposals // MADE)
    return campaign.sources[::step]


def _bound(campaign: Campaign) -> Bill:
    """Return the maximum cost of a plain run, calculated from the kinds of its sources without making follow-ups."""
    bill, paid = Bill(campaign), campaign.pricing.paid
    for kind in kinds(campaign.sources):
        bill.add_source(kind.example, paid.source(kind.example), kind.number)
        for derivation in derivations(kind.example):
            proposal = proposed(kind.example, derivation)
            relations = judging(proposal)
            made = Made(proposal=proposal, relations=relations, cost=paid.follow_up(proposal, relations))
            bill.add(made, kind.number)
    return bill


def judging(proposal: Proposal) -> list[MetamorphicRelation]:
    """Return the relations that judge a proposal and support the language of its source."""
    language, steps = proposal.source.case.language, proposal.derivation.steps
    return [relation for relation in concerned(proposal) if relation.knows(language, steps)]


def _finish(campaign: Campaign, counting: _Counting, counted: tuple[int, int] | None) -> Estimate:
    """Return the estimate for a run.

    `counted` has the numbers of sources in the sample and in total; None if there is no sample.
    """
    learns, judge, scale = campaign.search.learns, campaign.judges.by_kind.get("text"), counting.scale
    total = counting.bill.total(scale)
    upper_bounds = total.most if counting.bound is None else counting.bound.total().most
    most = {kind: round(number) for kind, number in upper_bounds.items()}
    result = Estimate(
        # Numbers scaled up from a sample can exceed the maximum.
        kinds={kind: Range(min(round(total.expected[kind]), number), number) for kind, number in most.items()},
        unforeseen=counting.unforeseen,
        changes={
            change: Range(round(scale * cost.expected[FOLLOW_UPS]), round(scale * cost.most[FOLLOW_UPS]))
            for change, cost in counting.bill.changes.items()
            if cost.most[FOLLOW_UPS]
        },
        stored=counting.stored,
        tokens=sum(prompts.tokens for prompts in counting.prompts.values()),
        exact=counting.exact,
        learns=learns,
        dealt=campaign.dealt,
        judge="" if judge is None else getattr(judge.measure, "asks", ""),
        counted=counted,
    )
    everything = sum(number.most for number in result.kinds.values())
    budget = campaign.targets[0].layer.spending.max_queries
    limits = [] if budget is None else [budget]
    if not learns:  # the stored answers to a sample do not show how many of all answers are stored
        limits.append(everything if counted else everything - result.stored)
    result.most = min(limits, default=None)
    result.money = _money(campaign, counting.prompts, result, everything if result.most is None else result.most)
    return result


def _money(
    campaign: Campaign, prompts: Mapping[str, Prompts], result: Estimate, most: int
) -> dict[str, tuple[float, float]]:
    """Return the expected and the maximum payment in each currency for systems whose prices are known.

    `prompts` counts the questions of the search and the noise floor, stored ones included. Each system is assumed to
    have the same share of all questions that the run pays for: `result.expected` and at most `most`.
    """
    sums: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    helped = sum(result.of(kind).expected for kind in (HELPER, JUDGED))
    of_helper = Prompts(questions=helped, tokens=helped * ASKED_OF_HELPER, longest=ASKED_OF_HELPER)
    of_targets = {id(target.layer): prompts[target.label] for target in campaign.targets}
    counted = sum(prompt.questions for prompt in prompts.values()) + helped or 1
    for layer in campaign.layers:
        if layer.prices is None:
            continue
        usage = of_targets.get(id(layer), of_helper)
        longest = _max_tokens(layer.system.identity)
        price, completion = layer.prices.prompt / 1e6, layer.prices.completion / 1e6
        counted_price = usage.tokens * price + usage.questions * min(ANSWERED, longest) * completion
        highest_price = usage.questions * (usage.longest * price + longest * completion)
        about, at_most = result.expected / counted * counted_price, most / counted * highest_price
        about_before, most_before = sums[layer.prices.currency]
        sums[layer.prices.currency] = about_before + about, most_before + max(about, at_most)
    return dict(sums)


def _max_tokens(identity: Mapping[str, Any]) -> int:
    """Return the maximum number of tokens in an answer of a system."""
    parameters = identity.get("parameters")
    limit = parameters.get("max_tokens") if isinstance(parameters, Mapping) else None
    return limit if isinstance(limit, int) else LONGEST


class _Counting:
    """Makes follow-ups, counts each distinct question once, and adds up the cost.

    `scale` is the number of sources per source of a sample, by which `bill` is yet to be multiplied. `bound` has the
    maximum cost of all sources; None if there is no sample, because the bill then has it.
    """

    def __init__(self, campaign: Campaign, store: Store) -> None:
        self.bill, self.prompts = Bill(campaign), defaultdict[str, Prompts](Prompts)
        self.bound: Bill | None = None
        self.scale = 1.0
        self.stored = self.unforeseen = 0
        self.exact = True
        self._campaign, self._store = campaign, store
        self._paid: Pricing = campaign.pricing.paid
        self._maker = Maker(seed=campaign.seed, helper=None)
        self._unhelped: dict[int, MetamorphicRelation] = {}
        self._counted: set[tuple[str, str]] = set()
        self._identities = {target.label: canonical(target.layer.system.identity) for target in self._paid.targets}

    async def add(self, sources: Iterable[Source], proposals: Iterable[Proposal]) -> None:
        """Add sources and follow-ups to the count."""
        campaign = self._campaign
        for source in (source for source in sources if source.knows_language):
            cost, case = Cost(), source.case
            repeats = source_indices(source.relations, repeats=campaign.repeats, draws=campaign.draws)
            for target in self._paid.asked(source):
                cost.include(self._ask(SOURCES, target, case, case.asked, repeats))
            self.bill.add_source(source, cost)
        for proposal in proposals:
            made = await self._made(proposal)
            if made is not None:
                self.bill.add(made)

    def extrapolate(self, scale: float) -> None:
        """Take the sources counted so far as a sample of the campaign's, which has `scale` times as many."""
        self.scale, self.bound = scale, _bound(self._campaign)
        self.stored, self.unforeseen = round(scale * self.stored), round(scale * self.unforeseen)
        for prompts in self.prompts.values():
            prompts.questions, prompts.tokens = round(scale * prompts.questions), round(scale * prompts.tokens)

    def add_noise_floor(self) -> None:
        """Add the cost of measuring the noise floor, unless no relation supports the language of any source."""
        campaign = self._campaign
        if not any(kind.example.knows_language for kind in kinds(campaign.sources)):
            return
        for source in campaign.asked_again():
            cost, case = Cost(), source.case
            for target in self._paid.asked(source):
                cost.include(self._ask(NOISE_FLOOR, target, case, case.asked, [campaign.repeats]))
            for bill in filter(None, (self.bill, self.bound)):
                bill.add_noise_floor(source, cost)

    async def _made(self, proposal: Proposal) -> Made | None:
        """Return a follow-up and its cost, or None if it would be refused before it is sent.

        It is made as in the run, unless this needs a helper or an answer.
        """
        relations = judging(proposal)
        follow_up = FollowUp(proposal=proposal, relations=tuple(map(self._without_helper, relations)))
        await self._maker.check_source(follow_up)
        if proposal.looks or not follow_up.alive:
            return None
        derivation = proposal.derivation
        if reads_answer(derivation) or made_by(derivation.steps) == "language-model":
            return self._unmade(proposal, _remaining(relations, follow_up))
        await self._maker.make(follow_up)
        if follow_up.case is None or not follow_up.alive:
            return None
        relations = _remaining(relations, follow_up)
        may_be_refused = all(map(_needs_answer_or_helper, relations))
        self.exact = self.exact and not may_be_refused
        cost, case, campaign = self._paid.follow_up(proposal, relations), follow_up.case, self._campaign
        cost.drop(FOLLOW_UPS, STEPS)  # `_ask` counts these, without questions that were counted before
        repeats = indices(derivation, relations, repeats=campaign.repeats, draws=campaign.draws)
        if asks_again(derivation):
            repeats = [campaign.repeats]  # the index of the noise floor
        for target in self._paid.asked(proposal.source):
            turns = turns_asked(case, proposal.wanted(case), whole=target.layer.stateful)
            cost.include(self._ask(FOLLOW_UPS, target, case, turns, repeats))
        share_sent = MET if may_be_refused else 1
        return Made(proposal=proposal, relations=relations, cost=cost, case=case, share_sent=share_sent)

    def _unmade(self, proposal: Proposal, relations: Sequence[MetamorphicRelation]) -> Made:
        """Return a placeholder for a follow-up that can only be made from an answer or by a helper."""
        self.exact = False
        cost, share_sent = self._paid.follow_up(proposal, relations), 1.0
        if reads_answer(proposal.derivation):
            self.unforeseen += round(cost.most[FOLLOW_UPS])
            share_sent = READ
        return Made(proposal=proposal, relations=relations, cost=cost, share_sent=share_sent)

    def _without_helper(self, relation: MetamorphicRelation) -> MetamorphicRelation:
        """Return the relation without its conditions that need a helper."""
        if id(relation) not in self._unhelped:
            annotator = None if _is_helped(relation.matching.annotator) else relation.matching.annotator
            unhelped = tuple(p for p in relation.preconditions if not p.needs_helper)
            self._unhelped[id(relation)] = relation.but(preconditions=unhelped, annotator=annotator)
        return self._unhelped[id(relation)]

    def _ask(self, kind: str, target: Target, case: Case, turns: Sequence[int], repeats: Iterable[int]) -> Cost:
        """Return the cost of those turns of a case that have not been counted yet."""
        cost, converse = Cost(), target.tasks[case.task].converse
        for repeat in repeats:
            if target.layer.stateful:
                self._count(cost, kind, target, case, [converse(case, turn, [""] * turn) for turn in turns], repeat)
                continue
            replies: list[str] = []
            for number, turn in enumerate(case.turns):
                reply = turn.reply
                if number in turns:
                    answer = self._count(cost, kind, target, case, [converse(case, number, replies)], repeat)
                    reply = answer if reply is None else reply
                replies.append(reply or (turn.expected[0] if turn.expected else ""))
        return cost

    def _count(
        self, cost: Cost, kind: str, target: Target, case: Case, asked: Sequence[Conversation], repeat: int
    ) -> str:
        """Count the questions sent in one conversation, unless already counted, and return the last answer.

        If no answer is stored, the key of the question takes its place, so that equal questions have equal answers.
        """
        key = answer_key(self._identities[target.label], asked, repeat)
        stored = self._store.get(key, withheld=True)
        if (target.label, key) not in self._counted:
            self._counted.add((target.label, key))
            self._add_prompts(self.prompts[target.label], asked)
            cost.add(kind, len(asked))
            if stored is None:
                add_steps(cost, target.most_steps(case), len(asked))
            else:
                self.stored += len(asked)
        return f"[{key}]" if stored is None else stored[-1].said

    @staticmethod
    def _add_prompts(prompts: Prompts, asked: Sequence[Conversation]) -> None:
        lengths = [sum(len(m.content) for m in c.messages) // CHARACTERS_PER_TOKEN for c in asked]
        prompts.questions += len(asked)
        prompts.tokens += sum(lengths)
        prompts.longest = max(prompts.longest, *lengths)


def _remaining(relations: Sequence[MetamorphicRelation], follow_up: FollowUp) -> list[MetamorphicRelation]:
    """Return the relations that have not refused a follow-up, in their full form (see `_without_helper`)."""
    names = {relation.name for relation in follow_up.alive}
    return [relation for relation in relations if relation.name in names]


def _needs_answer_or_helper(relation: MetamorphicRelation) -> bool:
    """Return True if a relation needs a helper or the source's answer to decide whether it judges a follow-up."""
    return _is_helped(relation.matching.annotator) or any(map(_is_unforeseen, relation.preconditions))


def _is_helped(annotator: Annotator | None) -> bool:
    return bool(getattr(annotator, "needs_helper", False))


def _is_unforeseen(precondition: Precondition) -> bool:
    return precondition.needs_helper or precondition.stage is Stage.SOURCE_OUTPUT
