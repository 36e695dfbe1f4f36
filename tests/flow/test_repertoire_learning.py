"""A search that learns: each batch is judged by what was told before it, and by itself, in asking order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.core.cases import Case, Turn
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.verdict import Verdict
from mutatis.query import Store
from mutatis.search.once import derivations, proposed
from mutatis.testing import ScriptedSystem
from support import stock

SIZE = 4


class Learner:
    """Proposes every follow-up of every source, the sources in turn, in batches; keeps what it was told when."""

    learns = True

    def __init__(self, sources: Sequence[Source], batches: int) -> None:
        by_source = [[proposed(source, derivation) for derivation in derivations(source)] for source in sources]
        proposals = [proposal for turn in zip(*by_source, strict=True) for proposal in turn]
        self._batches = [proposals[first : first + SIZE] for first in range(0, len(proposals), SIZE)][:batches]
        self.asked: list[list[Proposal]] = []
        self.told: list[Proposal] = []

    def ask(self) -> Sequence[Proposal]:
        """Return the next batch: all of those before it were told, in the order asked."""
        assert self.told == [proposal for batch in self.asked for proposal in batch]
        batch = self._batches.pop(0) if self._batches else []
        self.asked += [batch] if batch else []
        return batch

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Take note of a proposal that was judged."""
        self.told.append(proposal)


def run(folder: Path, batches: int, concurrency: int) -> tuple[Learner, list[dict[str, Any]], list[dict[str, Any]]]:
    made: list[Learner] = []

    def search(sources: Sequence[Source]) -> Learner:
        made.append(Learner(sources, batches))
        return made[0]

    async def answer(conversation: Any) -> str:
        message = conversation.messages[-1].content
        await asyncio.sleep(0.001 * (len(message) + sum(map(ord, message)) % 5))  # the last asked may answer first
        return f"You asked {message.lower()}"

    cases = [
        Case(id=f"shop/{name}", task="chat", turns=(Turn(fields={"message": f"Do you have the {name}?"}),))
        for name in stock.PRODUCTS
    ]
    settings = {"noise_floor": 0, "confirm": 0, "concurrency": concurrency, "judge": {"repertoire": 0}}
    folder.mkdir()
    with Store(None) as store:
        system = ScriptedSystem(answer, "shop")
        objects = HandedOver(systems=[system], cases=cases, relations=list(stock.RELATIONS), search=search)
        asyncio.run(conduct(assemble(check(settings, objects=("systems", "data")), store, objects), folder=folder))
    return made[0], stock.lines(folder), stock.lines(folder, "repertoire.jsonl")


@pytest.mark.parametrize("concurrency", [1, 16])
def test_the_repertoire_of_a_batch_is_what_was_told_before_it_and_the_batch_in_asking_order(tmp_path, concurrency):
    learner, verdicts, repertoire = run(tmp_path / "out", 6, concurrency)
    assert len(learner.asked) == 6
    messages = iter([verdict["followups"][0]["input"]["message"] for verdict in verdicts])
    said = [[(proposal.source.case.id, next(messages)) for proposal in batch] for batch in learner.asked]
    assert next(messages, None) is None, "one verdict each"
    for number in range(6):
        until = [pair for batch in said[: number + 1] for pair in batch]
        block = {line["source"]: line for line in repertoire if line["block"] == number}
        assert block.keys() == {source for source, _ in until}
        for source, line in block.items():
            known = [message for asked, message in until if asked == source]
            assert [message for message, _ in (*line["siblings"], *line["others"])] == known


def test_nothing_that_is_asked_later_changes_a_verdict(tmp_path):
    _, few, _ = run(tmp_path / "few", 3, 16)
    _, many, _ = run(tmp_path / "many", 9, 16)
    assert few == many[: len(few)]
    assert len(many) == 3 * len(few)
