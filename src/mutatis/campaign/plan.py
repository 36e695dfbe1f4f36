"""What a run would ask, before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mutatis.campaign.observe import Target
from mutatis.campaign.session import Campaign
from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp, UsageError
from mutatis.core.search import Proposal
from mutatis.core.transformation import asks_again, derive, made_by
from mutatis.query import Store
from mutatis.query.key import answer_key

CHARACTERS_PER_TOKEN = 4
"""The usual rule of thumb for English; good enough for an order of magnitude."""


@dataclass(slots=True)
class Estimate:
    """Queries and prompt tokens of a run: an upper bound where a precondition depends on an answer."""

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

    def lines(self) -> list[str]:
        """Return the estimate as text, one line per figure."""
        bound = "" if self.exact else "at most "
        judge = [f"judge's questions     {self.judge}, on top"] if self.judge else []
        first = ", of the first batch" if self.learns else ""
        learns = ["this is the first batch: the search decides the rest by what it learns"] if self.learns else []
        return [
            *learns,
            f"source questions      {self.sources}",
            f"follow-up questions   {bound}{self.follow_ups}",
            f"helper questions      {bound}{self.helper}",
            f"already stored        {self.stored}",
            f"to be paid            {bound}{self.sources + self.follow_ups + self.helper - self.stored}{first}",
            f"prompt tokens         {bound}about {self.tokens}{first}",
            *judge,
            self._phases(),
        ]

    def _phases(self) -> str:
        """Return what the other phases ask: on top, or of the budget, which is dealt to all of them."""
        if self.dealt is None:
            return "the noise floor, confirm and shrink come on top (noise_floor, confirm and shrink set how much)"
        shares = ", ".join(f"{phase} {number}" for phase, number in self.dealt.items())
        return f"max_queries           {sum(self.dealt.values())}, stored answers included: {shares} ([reserve])"


async def estimate(campaign: Campaign, store: Store) -> Estimate:
    """Count what a campaign would ask; follow-ups made by functions are really made and compared.

    Of a search that learns only its first batch is known.
    """
    counting, search = _Counting(store=store), campaign.search
    result = counting.result
    result.dealt = campaign.dealt
    if (judge := campaign.judges.by_kind.get("text")) is not None:
        result.judge = getattr(judge.measure, "asks", "")
    for source in campaign.sources:
        if not source.knows_language:
            continue
        for target in (t for t in campaign.targets if source.concerns(t.label)):
            result.sources += counting.ask(target, source.case, range(campaign.repeats))
    while batch := search.ask():
        for proposal in batch:
            await _propose(counting, campaign, proposal)
        if search.learns:
            result.learns = True
            break
    return result


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
            if not proposal.source.judges(proposal.derivation.steps):
                continue
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
    result.proposals += 1
    if derivation.steps and not proposal.source.judges(derivation.steps):
        return
    concerned = [target for target in campaign.targets if proposal.source.concerns(target.label)]
    if any(relation.preconditions or relation.constraints for relation in proposal.source.relations):
        result.exact = False
    if made_by(derivation.steps) == "language-model":
        result.helper += 1
        result.exact = False
        result.follow_ups += len(proposal.source.case.asked) * len(concerned) * repeats
        return
    try:
        case = await derive(proposal.source.case, derivation, seed=campaign.seed)
    except UnusableFollowUp:
        return
    again = asks_again(derivation)
    for target in concerned:
        wanted = range(repeats, repeats + 1) if again else range(repeats)
        result.follow_ups += counting.ask(target, case, wanted)


@dataclass(slots=True, kw_only=True)
class _Counting:
    """Counts every question once."""

    store: Store
    result: Estimate = field(default_factory=Estimate)
    _seen: set[str] = field(default_factory=set)

    def ask(self, target: Target, case: Case, repeats: Iterable[int]) -> int:
        """Return how many questions of a case were not counted before.

        The answers in a dialogue's history are not known yet: its later turns count as new ones.
        """
        conversations = [target.tasks[case.task].converse(case, turn, [""] * turn) for turn in case.asked]
        if len(conversations) > 1:
            self.result.exact = False
        whole = [conversations] if target.layer.stateful else [[conversation] for conversation in conversations]
        identity = dict(target.layer.system.identity)
        new = 0
        for repeat in repeats:
            for number, asked in enumerate(whole):
                key = answer_key(identity, asked, repeat)
                name = f"{target.label}/{key}" if number == 0 else f"{target.label}/{case.id}/{number}/{key}"
                if name in self._seen:
                    continue
                self._seen.add(name)
                new += len(asked)
                self.result.tokens += sum(len(m.content) for c in asked for m in c.messages) // CHARACTERS_PER_TOKEN
                self.result.stored += len(asked) * (number == 0 and self.store.get(key) is not None)
        return new
