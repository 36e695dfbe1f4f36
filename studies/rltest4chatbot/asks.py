"""How well repeated asks tell how unsure a tracker is that does not say so: beside the probabilities that it hides."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from subjects import TASK, Sampled, Subject, steep

from mutatis.campaign.measuring import disagreement, gini
from mutatis.core.cases import Case
from mutatis.rltest4chatbot.states import read_state
from mutatis.tasks import TASKS

NUMBERS = (2, 3, 5, 10)


def how_well(of: Subject, cases: Sequence[Case], turns: int = 300) -> dict[str, tuple[float, str]]:
    """Return by number of asks: rank correlation with the impurity, and how many turns were answered all the same."""
    system = of.target.layer.system
    assert isinstance(system, Sampled), "a tracker that wavers"
    return asyncio.run(_compared(system, [(case, turn) for case in cases for turn in case.asked][:turns]))


async def _compared(system: Sampled, places: Sequence[tuple[Case, int]]) -> dict[str, tuple[float, str]]:
    from scipy.stats import spearmanr

    hidden, states = [], []
    for case, turn in places:
        asked = TASKS[TASK].converse(case, turn, [response.reply or "" for response in case.turns[:turn]])
        chances = steep(await system.inner.ask(asked))
        hidden.append(sum(gini(shares.values()) for shares in chances.values()) / max(1, len(chances)))
        states.append([read_state((await system.ask(asked)).text) or {} for _ in range(max(NUMBERS))])
    by_number = {}
    for number in NUMBERS:
        told = [disagreement(asked_states[:number]) for asked_states in states]
        same = sum(value == 0 for value in told) / len(told)
        by_number[str(number)] = (round(float(spearmanr(hidden, told).statistic), 3), f"{same:.1%}")
    return by_number
