"""Estimates the number of questions of a run before it causes any costs.

These are the questions of its sources and follow-ups, of its judges, and those for confirming and shrinking findings.
The maximum is stated for questions that do not depend on findings. The others are only limited by a budget.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
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
    judging,
    more_turns,
)
from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SHRINK
from mutatis.campaign.follow_up import FollowUp, Maker, is_helped
from mutatis.campaign.observe import Target, indices, is_drawn, source_indices, turns_asked
from mutatis.campaign.session import Campaign
from mutatis.campaign.shrink import rounds_kept, smaller
from mutatis.core.cases import Case
from mutatis.core.constraint import Stage
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import OTHER_CHANGE, Grouping, MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source, kinds
from mutatis.core.system import Conversation
from mutatis.core.transformation import asks_again, made_by, reads_answer
from mutatis.core.verdict import Row
from mutatis.query import Store
from mutatis.query.key import answer_key, canonical
from mutatis.search.once import Once, derivations

VIOLATED = 0.05
"""Share of verdicts that are expected to be violations."""

HOLDS, SMALLER = 0.5, 2
"""Expected share of smaller follow-ups that still violate, and expected number of times a finding is made smaller."""

JUDGED = "judge's questions"

CHARACTERS_PER_TOKEN = 4
"""Average number of characters per token in English, a rule of thumb that gives the order of magnitude."""

MADE = 5000
"""Maximum number of follow-ups that are made to count them. If there are more, an even sample is used."""

ANSWERED, LONGEST = 100, 1000
"""Expected and maximum number of tokens in an answer, for systems that do not set `max_tokens`."""

ASKED_OF_HELPER = 1000
"""Number of tokens assumed for a prompt to the helper: instruction, examples and material."""

READ = 0.12
"""Share of answers expected to contain the facts that a follow-up made from the answer needs.

For nine chatbots, plans with this share expect 0.7 to 1.7 times the questions that are paid for later, on average 1.1
times. With a quarter it would be 1.6 times (`benchmarks/README.md`).
"""

MET = 0.75
"""Share of follow-ups expected to be asked, if this depends on the answer to the source or on a helper."""

SEARCHED = (SOURCES, FOLLOW_UPS, HELPER)
LATER = (REPEATED, JUDGED, NOISE_FLOOR, CONFIRM, SHRINK, BESIDE, STEPS)


@dataclass(slots=True, kw_only=True)
class Prompts:
    """The number of questions counted for one system, and the number of tokens in their prompts.

    `longest` is the number of tokens in the longest prompt.
    """

    questions: float = 0
    tokens: float = 0
    longest: int = 0


class Range(NamedTuple):
    """A number of questions: the expected one, and the maximum if it is known."""

    expected: int
    most: int | None

    def __str__(self) -> str:
        if self.most is None:
            return f"about {self.expected}"
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
        most: the maximum number of questions that the run may pay for; None if it depends on answers and no budget
            limits it.
        counted: how many sources the figures are based on, and how many there are; None if these are all.
        money: the expected payment in each currency, and the maximum if the questions have a known maximum.
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
    money: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)

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
        bound = "at most " if not self.exact and kind != SOURCES and 0 < number.expected == number.most else ""
        is_shown = kind == FOLLOW_UPS and self.unforeseen and number.most is not None
        return f"{bound}{number}" + (f"; {self.unforeseen} of them cannot be foreseen" if is_shown else "")

    def _later(self, kind: str) -> str:
        return str(self.of(kind)) + (f" ({self.judge})" if self.judge and kind == JUDGED else "")

    def _by_change(self) -> list[str]:
        """Return a line with the cost of the follow-ups for each kind of change, most expensive kind first."""
        if len(self.changes) < 2:
            return []
        dearest = sorted(self.changes.items(), key=lambda change: -change[1].expected)
        return ["of these, by change   " + ", ".join(f"{change} {_span(number)}" for change, number in dearest)]

    def _to_be_paid(self) -> str:
        if self.most == self.expected and not self.learns:
            return str(self.most)
        first = ", of the first batch" if self.learns else ""
        most = "; the maximum is unknown without max_queries" if self.most is None else f", at most {self.most}"
        return f"about {self.expected}{first}{most}"

    def _prices(self) -> list[str]:
        if self.most == 0:
            return []
        if not self.money:
            return ["money                 unknown; set prices = {prompt = ..., completion = ...} in [system]"]
        answers = f", answers of {ANSWERED} tokens"
        if self.most is not None:
            answers += f" and at most {LONGEST} without max_tokens"
        sums = (
            f"about {about:.2f} {name}{'' if most is None else f', at most about {most:.2f}'}"
            for name, (about, most) in self.money.items()
        )
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
    search, sources = campaign.search, campaign.sources
    if type(search) is Once:
        sources = _sample(sources)
        search = Once(sources)
    counting = _Counting(campaign, store, len(campaign.sources) / max(1, len(sources)))
    for source in (source for source in sources if source.knows_language):
        counting.add_source(source)
    while batch := search.ask():
        for proposal in batch:
            await counting.add_follow_up(proposal)
        if search.learns:
            break
    counting.add_noise_floor()
    counting.add_later()
    return _finish(campaign, counting, len(sources))


def _sample(sources: Sequence[Source]) -> Sequence[Source]:
    """Return the sources of a plain run, or an evenly spaced sample if they have too many follow-ups to make."""
    proposals = sum(kind.number * len(derivations(kind.example)) for kind in kinds(sources))
    return sources if proposals <= MADE else sources[:: -(-proposals // MADE)]


def _finish(campaign: Campaign, counting: _Counting, counted: int) -> Estimate:
    """Return the estimate for a run, based on this number of its sources."""
    learns, judge, cost = campaign.search.learns, campaign.judges.by_kind.get("text"), counting.cost
    is_sample = counted < len(campaign.sources)
    result = Estimate(
        kinds={
            kind: Range(
                round(cost.expected[kind]), None if most == inf or (is_sample and kind != NOISE_FLOOR) else round(most)
            )
            for kind, most in cost.most.items()
        },
        unforeseen=counting.unforeseen,
        changes={
            change: Range(round(cost.expected[FOLLOW_UPS]), round(cost.most[FOLLOW_UPS]))
            for change, cost in counting.changes.items()
            if cost.most[FOLLOW_UPS]
        },
        stored=round(counting.stored),
        tokens=round(sum(prompts.tokens for prompts in counting.prompts.values())),
        exact=counting.exact,
        learns=learns,
        dealt=campaign.dealt,
        judge="" if judge is None else getattr(judge.measure, "asks", ""),
        counted=(counted, len(campaign.sources)) if is_sample else None,
    )
    budget = campaign.targets[0].layer.spending.max_queries
    limits = [] if budget is None else [budget]
    maxima = [number.most for number in result.kinds.values() if number.most is not None]
    if len(maxima) == len(result.kinds) and not learns:
        limits.append(sum(maxima) - result.stored)
    result.most = min(limits, default=None)
    result.money = _money(campaign, counting.prompts, result)
    return result


def _money(
    campaign: Campaign, prompts: Mapping[str, Prompts], result: Estimate
) -> dict[str, tuple[float, float | None]]:
    """Return the expected and the maximum payment in each currency for systems whose prices are known.

    `prompts` counts the questions of the search and the noise floor, stored ones included. Each system is assumed to
    have the same share of all questions that the run pays for: `result.expected` and at most `result.most`.
    """
    sums: dict[str, tuple[float, float | None]] = defaultdict(lambda: (0.0, 0.0))
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
        about_before, most_before = sums[layer.prices.currency]
        about = about_before + result.expected / counted * counted_price
        most = None
        if result.most is not None and most_before is not None:
            most = max(about, most_before + result.most / counted * highest_price)
        sums[layer.prices.currency] = about, most
    return dict(sums)


def _max_tokens(identity: Mapping[str, Any]) -> int:
    """Return the maximum number of tokens in an answer of a system."""
    parameters = identity.get("parameters")
    limit = parameters.get("max_tokens") if isinstance(parameters, Mapping) else None
    return limit if isinstance(limit, int) else LONGEST


@dataclass(slots=True, kw_only=True)
class _Row:
    """Figures for the expected cost of handling the findings of one system, task and relation.

    Attributes:
        verdicts: the expected number of verdicts.
        usual: the usual number of questions needed to repeat a finding.
        steps: maximum number of tool steps per question.
        shrinking: expected number of questions for making the first follow-up of the row smaller.
    """

    target: Target
    relation: MetamorphicRelation
    task: str
    verdicts: float = 0
    usual: int = 0
    steps: int = 0
    shrinking: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
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


class _Counting:
    """Makes follow-ups, counts each distinct question once, and adds up the cost.

    `scale` is the number of sources of the run for each source that is counted. `changes` has the cost of the
    follow-ups for each kind of change that they make to the input.
    """

    def __init__(self, campaign: Campaign, store: Store, scale: float) -> None:
        self.cost, self.changes = Cost(), defaultdict[str, Cost](Cost)
        self.prompts = defaultdict[str, Prompts](Prompts)
        self.stored, self.unforeseen, self.exact = 0.0, 0, True
        self._campaign, self._store, self._scale = campaign, store, scale
        self._paid: Pricing = campaign.pricing.paid
        self._maker = Maker(seed=campaign.seed, helper=None, plans=True)
        self._counted: set[tuple[str, str]] = set()
        self._identities = {target.label: canonical(target.layer.system.identity) for target in self._paid.targets}
        self._rows: dict[Row, _Row] = {}
        self._pairs: dict[int, float] = defaultdict(float)  # by the id of the judge, because measures need no hash
        self._measures: dict[int, AsksHelper] = {}

    def add_source(self, source: Source) -> None:
        """Add the cost of a source, and of repeating it if there will be too few replies to it."""
        campaign, case, cost = self._campaign, source.case, annotated(source.relations)
        repeats = source_indices(source.relations, repeats=campaign.repeats, draws=campaign.draws)
        for target in self._paid.asked(source):
            cost.include(self._ask(SOURCES, target, case, case.asked, repeats))
        if campaign.source_repeats and campaign.judges.is_together(source.task):
            questions = len(campaign.sources)
            cost.include(self._paid.repeated(source, times=campaign.source_repeats, questions=questions))
        self.cost.include(cost, self._scale)

    def add_noise_floor(self) -> None:
        """Add the cost of measuring the noise floor, unless no relation supports the language of any source.

        Its sources are all the sources that the run repeats, not a sample.
        """
        campaign, self._scale = self._campaign, 1
        if not any(kind.example.knows_language for kind in kinds(campaign.sources)):
            return
        for source in campaign.asked_again():
            case = source.case
            for target in self._paid.asked(source):
                self.cost.include(self._ask(NOISE_FLOOR, target, case, case.asked, [campaign.repeats]))
            self._compare(campaign.no_change, source.task, len(case.asked) * len(source.systems))

    async def add_follow_up(self, proposal: Proposal) -> None:
        """Add the cost of a follow-up and of its verdicts, unless it would be refused before it is sent."""
        made = await self._made(proposal)
        if made is None:
            return
        cost, campaign, source = made.cost.with_scaled_expectation(made.share_sent), self._campaign, proposal.source
        self.cost.include(cost, self._scale)
        self.changes[made.relations[0].change or OTHER_CHANGE].include(cost, self._scale)
        for target in campaign.pricing.asked(source):
            for relation in made.relations:
                self._add_verdicts(target, relation, made)
            if campaign.draws > 1 and any(map(is_drawn, made.relations)):
                self._compare(campaign.no_change, source.task, self._scale * campaign.draws)

    async def _made(self, proposal: Proposal) -> _Made | None:
        """Return a follow-up and its cost, or None if it would be refused before it is sent.

        It is made as in the run, unless this needs a helper or an answer.
        """
        follow_up = FollowUp(proposal=proposal, relations=tuple(judging(proposal)))
        await self._maker.check_source(follow_up)
        if proposal.looks or not follow_up.alive:
            return None
        derivation = proposal.derivation
        if reads_answer(derivation) or made_by(derivation.steps) == "language-model":
            return self._unmade(proposal, follow_up.alive)
        await self._maker.make(follow_up)
        if follow_up.case is None or not follow_up.alive:
            return None
        relations = follow_up.alive
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
        return _Made(proposal=proposal, relations=relations, cost=cost, case=case, share_sent=share_sent)

    def _unmade(self, proposal: Proposal, relations: Sequence[MetamorphicRelation]) -> _Made:
        """Return a placeholder for a follow-up that can only be made from an answer or by a helper."""
        self.exact = False
        cost, share_sent = self._paid.follow_up(proposal, relations), 1.0
        if reads_answer(proposal.derivation):
            self.unforeseen += round(cost.most[FOLLOW_UPS])
            share_sent = READ
        return _Made(proposal=proposal, relations=relations, cost=cost, share_sent=share_sent)

    def _ask(self, kind: str, target: Target, case: Case, turns: Sequence[int], repeats: Iterable[int]) -> Cost:
        """Return the cost of a case's turns that have not been counted yet."""
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
        stored = self._store.get(key)
        if (target.label, key) not in self._counted:
            self._counted.add((target.label, key))
            self._add_prompts(self.prompts[target.label], asked)
            cost.add(kind, len(asked))
            if stored is None:
                add_steps(cost, target.most_steps(case), len(asked))
            else:
                self.stored += self._scale * len(asked)
        return f"[{key}]" if stored is None else stored[-1].said

    def _add_prompts(self, prompts: Prompts, asked: Sequence[Conversation]) -> None:
        lengths = [sum(len(m.content) for m in c.messages) // CHARACTERS_PER_TOKEN for c in asked]
        prompts.questions += self._scale * len(asked)
        prompts.tokens += self._scale * sum(lengths)
        prompts.longest = max(prompts.longest, *lengths)

    def _add_verdicts(self, target: Target, relation: MetamorphicRelation, made: _Made) -> None:
        """Add the expected verdicts on a follow-up to its row, and the pairs that a helper has to compare."""
        proposal, source = made.proposal, made.proposal.source
        key = target.label, source.task, relation.name
        row = self._rows.setdefault(key, _Row(target=target, relation=relation, task=source.task))
        repeats = 1 if asks_again(proposal.derivation) else self._campaign.repeats
        verdicts = self._scale * made.share_sent * made.judged * repeats
        row.verdicts += verdicts
        self._compare(relation, source.task, verdicts)
        # A system that keeps its own dialogues is sent them as a whole.
        of_member, of_source = (made.turns, len(source.case.asked)) if target.layer.stateful else (1, 1)
        # Of several follow-ups, the worst pair is repeated, or one with its control.
        members = 2 if relation.matching.grouping is Grouping.QUESTION else 1
        row.usual = max(row.usual, members * of_member + of_source)
        row.steps = max(row.steps, target.most_steps(source.case))
        if made.case is not None and row.shrinking is None:
            row.shrinking = self._shrinking(proposal, made.case, relation, target.layer.stateful)

    def _shrinking(self, proposal: Proposal, case: Case, relation: MetamorphicRelation, stateful: bool) -> float:
        """Return the expected number of questions for making a follow-up smaller.

        A candidate is only tried if those before it did not violate the relation.
        """
        wanted = proposal.wanted(case)
        judged = case.asked if wanted is None else wanted
        if not self._campaign.shrink or not judged:
            return 0
        asked = len(turns_asked(case, wanted, whole=stateful))
        candidates = smaller(Observation(case=case, turn=judged[-1]), relation, proposal.source.case)
        return SMALLER * sum(
            HOLDS**tried_before * max(1, asked * rounds_kept(derivation, case))
            for tried_before, derivation in enumerate(islice(candidates, self._campaign.shrink))
        )

    def _compare(self, relation: MetamorphicRelation, task: str, pairs: float) -> None:
        """Add pairs of answers to be compared, if the measure asks a helper about them."""
        judge = self._campaign.judges.of(relation, task)
        if isinstance(judge.measure, AsksHelper) and pairs:
            self._measures[id(judge)] = judge.measure
            self._pairs[id(judge)] += pairs

    def add_later(self) -> None:
        """Add the cost of the questions that depend on the findings, and of the judges. They have no known maximum."""
        for row in self._rows.values():
            expected = min(self._campaign.confirm, VIOLATED * row.verdicts)
            shrinking = expected * (row.shrinking or 0)
            self._compare(row.relation, row.task, expected + shrinking)
            if expected and not row.target.layer.free:  # recorded answers cost nothing
                self.cost.add(CONFIRM, expected * row.usual, inf)
                self.cost.add(SHRINK, shrinking, inf if shrinking else 0)
                add_steps(self.cost, row.steps, expected * row.usual + shrinking, inf)
        for name, pairs in self._pairs.items():
            self.cost.add(JUDGED, min(pairs, self._measures[name].most_asked(round(pairs))), inf)


def _needs_answer_or_helper(relation: MetamorphicRelation) -> bool:
    """Return True if a relation needs a helper or the source's answer to decide whether it judges a follow-up."""
    unforeseen = (p.needs_helper or p.stage is Stage.SOURCE_OUTPUT for p in relation.preconditions)
    return is_helped(relation.matching.annotator) or any(unforeseen)
