"""What a run would ask, before anything is paid: about how much, and how much at most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mutatis.campaign.bounds import Bounds, Most
from mutatis.campaign.draws import further, indices, is_drawn
from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SHRINK
from mutatis.campaign.observe import Target
from mutatis.campaign.session import Campaign
from mutatis.campaign.trajectory import MOST_STEPS
from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp, UsageError
from mutatis.core.search import Proposal, Source, kinds
from mutatis.core.system import Conversation
from mutatis.core.transformation import added_turns, asks_again, completed_by, derive, made_by, reads_answer
from mutatis.query import Store
from mutatis.query.key import answer_key, canonical
from mutatis.search.once import Once, derivations, proposed

CHARACTERS_PER_TOKEN = 4
"""The usual rule of thumb for English; good enough for an order of magnitude."""

MADE = 5000
"""Follow-ups that are made to count them; of more, those of evenly drawn sources, which takes some seconds."""

VIOLATED, SHRUNK = 0.05, 10
"""Share of verdicts that are expected to be findings, and questions that are expected to make one smaller, a turn."""

USUAL = 6
"""By what a judge's questions at most are divided: one of two pairs a verdict, asked once in place of three times."""

ANSWERED, LONGEST = 100, 1000
"""Tokens of an answer, expected and at most, where the system's `max_tokens` does not say."""

SAMPLE_ANSWER = "It takes 3 days."
"""An answer that a plan goes by where a follow-up reads its source's."""

ASKED_OF_HELPER = 1000
"""Tokens of a prompt of a helper: instruction, examples and material."""


@dataclass(slots=True, kw_only=True)
class Prompts:
    """Questions of one system that were counted, with the tokens of their prompts."""

    questions: int = 0
    tokens: int = 0
    longest: int = 0


@dataclass(slots=True)
class Estimate:
    """Queries and prompt tokens of a run: an upper bound where a precondition depends on an answer.

    Attributes:
        most: all that the run may ask, whatever is answered; None where a search decides that by what it learns.
        counted: how many sources the figures come from, where these are not all.
        money: by currency, what is expected to be paid, and at most.
    """

    sources: int = 0
    follow_ups: int = 0
    helper: int = 0
    stored: int = 0
    tokens: int = 0
    proposals: int = 0
    exact: bool = True
    learns: bool = False
    dealt: Mapping[str, int] | None = None
    judge: str = ""
    later: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    most: int | None = None
    counted: tuple[int, int] | None = None
    money: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def searched(self) -> int:
        """Questions of the search that are not stored."""
        return self.sources + self.follow_ups + self.helper - self.stored

    @property
    def expected(self) -> int:
        """Questions that the run is expected to pay for."""
        expected = self.searched + sum(expected for expected, _ in self.later.values())
        return expected if self.most is None else min(expected, self.most)

    def lines(self) -> list[str]:
        """Return the estimate as text, one line per figure."""
        bound = "about " if self.counted else "" if self.exact else "at most "
        first = ", of the first batch" if self.learns else ""
        learns = ["this is the first batch: the search decides the rest by what it learns"] if self.learns else []
        counted = [f"counted on            {self.counted[0]} of {self.counted[1]} sources"] if self.counted else []
        about = "about " if self.counted else ""
        phases = {name: both for name, both in self.later.items() if any(both)}
        judge = f" ({self.judge})" if self.judge else ""
        return [
            *learns,
            *counted,
            f"source questions      {about}{self.sources}",
            f"follow-up questions   {bound}{self.follow_ups}",
            f"helper questions      {bound}{self.helper}",
            *(f"{name:<22}{_both(*both)}{judge if name == JUDGED else ''}" for name, both in phases.items()),
            f"already stored        {about}{self.stored}",
            f"to be paid            {self._to_be_paid()}",
            f"prompt tokens         {'at most ' * (not self.exact and not self.counted)}about {self.tokens}{first}",
            *self._prices(),
            *self._budget(),
        ]

    def _to_be_paid(self) -> str:
        if not self.learns:
            return _both(self.expected, self.expected if self.most is None else self.most)
        most = "; at most: nobody knows without max_queries" if self.most is None else f", at most {self.most}"
        return f"about {self.expected}, of the first batch{most}"

    def _prices(self) -> list[str]:
        if self.most == 0:
            return []
        if not self.money:
            return ["money                 unknown; set prices = {prompt = ..., completion = ...} in [system]"]
        answers = f", answers of {ANSWERED} tokens and at most {LONGEST} where max_tokens does not say"
        told = (f"about {about:.2f} {name}, at most about {most:.2f}" for name, (about, most) in self.money.items())
        return [f"money                 {'; '.join(told)}{answers}"]

    def _budget(self) -> list[str]:
        if self.dealt is None:
            return []
        shares = ", ".join(f"{phase} {number}" for phase, number in self.dealt.items())
        return [f"max_queries           {sum(self.dealt.values())}, stored answers included: {shares} ([reserve])"]


REPEATED = "sources asked again"
"""Questions of the search, where a judge that goes by all replies knows too few of a source."""

JUDGED = "judge's questions"
STEPS = "steps with tools"
"""Questions that go on with the results of tools: one step of a question is expected, with a call of the function of
`[tools]` where there is one."""


def _both(expected: int, most: int) -> str:
    return str(most) if expected == most else f"about {expected}, at most {most}"


async def estimate(campaign: Campaign, store: Store) -> Estimate:
    """Count what a campaign would ask; follow-ups made by functions are really made and compared.

    Of a large plain run those of some sources are, and of a search that learns only its first batch is known.
    """
    counting, search, bounds = _Counting(store=store), campaign.search, Bounds(campaign=campaign)
    result = counting.result
    result.dealt, result.learns = campaign.dealt, search.learns
    drawn = _drawn(campaign) if type(search) is Once else None
    if drawn is not None:
        result.counted = len(drawn), len(campaign.sources)
        for kind in kinds(campaign.sources):
            bounds.add_source(kind.example, kind.number)
            for derivation in derivations(kind.example):
                bounds.add(kind.example, derivation, kind.number)
        await _count(counting, campaign, drawn, [proposed(s, d) for s in drawn for d in derivations(s)])
        counting.scale(len(campaign.sources) / len(drawn))
    else:
        for source in campaign.sources:
            if source.knows_language:
                bounds.add_source(source)
        await _count(counting, campaign, campaign.sources, [])
        while batch := search.ask():
            for proposal in batch:
                if proposal.source.judges(proposal.derivation.steps):
                    bounds.add(proposal.source, proposal.derivation)
            await _count(counting, campaign, [], batch)
            if search.learns:
                break
    _finish(campaign, counting, bounds)
    return result


def _of_source(campaign: Campaign, source: Source) -> list[int]:
    """Return the repeat indices under which a source is asked: those of its follow-ups."""
    drawn = campaign.draws - campaign.repeats if any(map(is_drawn, source.relations)) else 0
    return [*range(campaign.repeats), *further(campaign.repeats, drawn)]


def _drawn(campaign: Campaign) -> Sequence[Source] | None:
    """Return evenly drawn sources of a plain run that is too large to make all its follow-ups; None of another."""
    proposals = sum(kind.number * len(derivations(kind.example)) for kind in kinds(campaign.sources))
    if proposals <= MADE:
        return None
    step = -(-proposals // MADE)
    return campaign.sources[::step]


async def _count(
    counting: _Counting, campaign: Campaign, sources: Iterable[Source], proposals: Iterable[Proposal]
) -> None:
    for source in (source for source in sources if source.knows_language):
        for target in (t for t in campaign.targets if source.concerns(t.label) and not t.layer.free):
            counting.result.sources += counting.ask(target, source.case, _of_source(campaign, source))
    for proposal in proposals:
        await _propose(counting, campaign, proposal)


def _finish(campaign: Campaign, counting: _Counting, bounds: Bounds) -> None:
    """Add what the search does not ask: the phases after it, the judges, and what all of it costs."""
    result, most = counting.result, bounds.most()
    if (judge := campaign.judges.by_kind.get("text")) is not None:
        result.judge = getattr(judge.measure, "asks", "")
    confirmed, shrunk = bounds.expected(VIOLATED, SHRUNK)
    result.later = {
        REPEATED: (0 if result.learns else bounds.expected_repeats(), most.repeats),
        JUDGED: (most.judge // USUAL, most.judge),
        NOISE_FLOOR: (most.noise_floor, most.noise_floor),
        CONFIRM: (confirmed, most.confirm),
        SHRINK: (shrunk, most.shrink),
        "contexts told apart": (0, most.beside),
    }
    searched = result.sources + result.follow_ups - result.stored
    share = bounds.steps_share()
    if not result.counted:  # what is stored has its steps beside it
        most.steps += round((searched - most.sources - most.follow_ups) * share)
    usual = searched + most.noise_floor + confirmed + shrunk
    result.later[STEPS] = round(usual * share / MOST_STEPS), max(0, most.steps)
    budget = campaign.targets[0].layer.spending.max_queries
    if not result.learns:
        # Where every follow-up was made, equal questions are known, and what is stored is.
        asked = most.sources + most.follow_ups if result.counted else result.sources + result.follow_ups
        stored = 0 if result.counted else result.stored
        result.most = most.total - most.sources - most.follow_ups + asked - stored
    if budget is not None:
        result.most = budget if result.most is None else min(budget, result.most)
    result.money = _money(campaign, counting.prompts, result, most)


def _money(
    campaign: Campaign, prompts: Mapping[str, Prompts], result: Estimate, most: Most
) -> dict[str, tuple[float, float]]:
    """Return per currency what is expected to be paid and at most, for the systems whose prices are known."""
    sums: dict[str, tuple[float, float]] = {}
    helped = result.helper + result.later[JUDGED][0]
    everything = sum(prompt.questions for prompt in prompts.values()) + helped or 1
    paid = result.expected / everything
    limit = (most.total if result.most is None else result.most) / everything
    for layer in campaign.layers:
        label = next((target.label for target in campaign.targets if target.layer is layer), None)
        if layer.prices is None:
            continue
        usage = prompts[label] if label is not None else _of_helper(helped)
        longest = _max_tokens(layer.system.identity)
        price, completion = layer.prices.prompt / 1e6, layer.prices.completion / 1e6
        about = paid * (usage.tokens * price + usage.questions * min(ANSWERED, longest) * completion)
        at_most = limit * usage.questions * (usage.longest * price + longest * completion)
        before = sums.get(layer.prices.currency, (0.0, 0.0))
        sums[layer.prices.currency] = before[0] + about, before[1] + max(about, at_most)
    return sums


def _of_helper(questions: int) -> Prompts:
    return Prompts(questions=questions, tokens=questions * ASKED_OF_HELPER, longest=ASKED_OF_HELPER)


def _max_tokens(identity: Mapping[str, Any]) -> int:
    """Return how many tokens an answer of a system has at most."""
    parameters = identity.get("parameters")
    limit = parameters.get("max_tokens") if isinstance(parameters, Mapping) else None
    return limit if isinstance(limit, int) else LONGEST


async def planned(campaign: Campaign) -> tuple[list[Case], list[Case]]:
    """Return the source cases and the follow-ups that a run would ask about; nothing is asked of a system.

    Raises:
        UsageError: a search that learns chooses as it is answered.
        SystemFailure: a helper that makes follow-ups failed.
    """
    if campaign.search.learns:
        raise UsageError('a search that learns chooses by the answers; take [search] type = "once"')
    follow_ups = []
    while batch := campaign.search.ask():
        for proposal in batch:
            if not proposal.source.judges(proposal.derivation.steps) or reads_answer(proposal.derivation):
                continue  # what depends on an answer is not known before there is one
            try:
                case = await derive(
                    proposal.source.case, proposal.derivation, seed=campaign.seed, helper=campaign.helper
                )
            except UnusableFollowUp:
                continue
            follow_ups.append(case)
    return [source.case for source in campaign.sources], follow_ups


async def _propose(counting: _Counting, campaign: Campaign, proposal: Proposal) -> None:
    result, derivation, repeats = counting.result, proposal.derivation, campaign.repeats
    judging = [relation for relation in proposal.source.relations if relation.accepts(derivation.steps)]
    drawn = indices(derivation, judging, repeats=repeats, draws=campaign.draws)
    result.proposals += 1
    if derivation.steps and not proposal.source.judges(derivation.steps):
        return
    concerned = [t for t in campaign.targets if proposal.source.concerns(t.label) and not t.layer.free]
    if any(relation.preconditions or relation.limits.constraints for relation in proposal.source.relations):
        result.exact = False
    if made_by(derivation.steps) == "language-model":
        result.helper += 1
        result.exact = False
        result.follow_ups += len(proposal.source.case.asked) * len(concerned) * len(drawn)
        return
    if reads_answer(derivation):  # one that reads what it needs is as long as any
        result.exact = False
        completed = completed_by(derivation, "", SAMPLE_ANSWER)
        if completed is None:  # the sample tells it nothing, but an answer of the system may
            result.follow_ups += (1 + added_turns(derivation.steps)) * len(concerned) * len(drawn)
            return
        derivation = completed
    try:
        case = await derive(proposal.source.case, derivation, seed=campaign.seed)
    except UnusableFollowUp:
        return
    again = asks_again(derivation)
    for target in concerned:
        wanted = [repeats] if again else drawn
        result.follow_ups += counting.ask(target, case, wanted)


@dataclass(slots=True, kw_only=True)
class _Counting:
    """Counts every question once."""

    store: Store
    result: Estimate = field(default_factory=Estimate)
    prompts: dict[str, Prompts] = field(default_factory=lambda: defaultdict(Prompts))
    _seen: set[str] = field(default_factory=set)
    _identities: dict[str, str] = field(default_factory=dict)

    def ask(self, target: Target, case: Case, repeats: Iterable[int]) -> int:
        """Return how many questions of a case were not counted before.

        The answers in a dialogue's history are not known yet: its later turns count as new ones.
        """
        conversations = [target.tasks[case.task].converse(case, turn, [""] * turn) for turn in case.asked]
        if len(conversations) > 1:
            self.result.exact = False
        whole = [conversations] if target.layer.stateful else [[conversation] for conversation in conversations]
        if (identity := self._identities.get(target.label)) is None:
            identity = self._identities[target.label] = canonical(target.layer.system.identity)
        new = 0
        for repeat in repeats:
            for number, asked in enumerate(whole):
                key = answer_key(identity, asked, repeat)
                name = f"{target.label}/{key}" if number == 0 else f"{target.label}/{case.id}/{number}/{key}"
                if name in self._seen:
                    continue
                self._seen.add(name)
                new += len(asked)
                self._read(self.prompts[target.label], asked)
                self.result.stored += len(asked) * (number == 0 and self.store.get(key) is not None)
        return new

    def _read(self, prompts: Prompts, asked: Sequence[Conversation]) -> None:
        lengths = [sum(len(m.content) for m in c.messages) // CHARACTERS_PER_TOKEN for c in asked]
        prompts.questions += len(asked)
        prompts.tokens += sum(lengths)
        prompts.longest = max(prompts.longest, *lengths)
        self.result.tokens += sum(lengths)

    def scale(self, by: float) -> None:
        """Make what was counted on some sources that of all."""
        for name in ("sources", "follow_ups", "helper", "stored", "tokens", "proposals"):
            setattr(self.result, name, round(getattr(self.result, name) * by))
        for prompts in self.prompts.values():
            prompts.questions, prompts.tokens = round(prompts.questions * by), round(prompts.tokens * by)
