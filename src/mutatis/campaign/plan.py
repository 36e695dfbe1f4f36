"""What a run would ask, before anything is paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mutatis.campaign.observe import Target
from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.search import Search, Seed
from mutatis.core.system import Conversation
from mutatis.core.transformation import TRANSFORMATIONS, derive
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

    def lines(self) -> list[str]:
        """Return the estimate as text, one line per figure."""
        bound = "" if self.exact else "at most "
        return [
            f"source questions      {self.sources}",
            f"follow-up questions   {bound}{self.follow_ups}",
            f"helper questions      {bound}{self.helper}",
            f"already stored        {self.stored}",
            f"to be paid            {bound}{self.sources + self.follow_ups + self.helper - self.stored}",
            f"prompt tokens         {bound}about {self.tokens}",
            "the noise floor, confirm and shrink come on top (noise_floor, confirm and shrink set how much)",
        ]


async def estimate(
    targets: Sequence[Target], seeds: Sequence[Seed], search: Search, store: Store, *, seed: int
) -> Estimate:
    """Count what `search` would ask of the targets; follow-ups made by functions are really made and compared."""
    result = Estimate()
    seen: set[str] = set()
    for one in seeds:
        for target in (t for t in targets if one.concerns(t.label)):
            result.sources += _ask(result, target, one, one.case, store, seen)
    while batch := search.ask():
        for proposal in batch:
            result.proposals += 1
            relations = proposal.seed.relations
            conditional = any(relation.preconditions for relation in relations)
            result.exact = result.exact and not conditional
            if any(TRANSFORMATIONS[s.transformation].made_by != "function" for s in proposal.plan.steps):
                result.helper += 1
                result.exact = False
                result.follow_ups += len(proposal.seed.case.asked) * len(targets)
                continue
            try:
                case = await derive(proposal.seed.case, proposal.plan, seed=seed)
            except UnusableFollowUp:
                continue
            for target in (t for t in targets if proposal.seed.concerns(t.label)):
                result.follow_ups += _ask(result, target, proposal.seed, case, store, seen)
    return result


def _ask(result: Estimate, target: Target, seed: Seed, case: Case, store: Store, seen: set[str]) -> int:
    """Count the questions of a case that were not counted before.

    The answers in a dialogue's history are not known yet: its later turns count as new ones.
    """
    task = target.tasks[seed.task]
    new = 0
    for turn in case.asked:
        conversation: Conversation = task.converse(case, turn, [""] * turn)
        key = answer_key(dict(target.layer.system.identity), [conversation], 0)
        prefix = key if turn == case.asked[0] else f"{case.id}/{turn}/{key}"
        if prefix in seen:
            continue
        seen.add(prefix)
        new += 1
        result.tokens += sum(len(m.content) for m in conversation.messages) // CHARACTERS_PER_TOKEN
        result.stored += turn == case.asked[0] and store.get(key) is not None
    if len(case.asked) > 1:
        result.exact = False
    return new
