"""Which sources are judged together: 64 in their order, and no last block of few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.repertoires import Blocks
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.search import Proposal, Source


def answered(sources: int, of_each: int = 3) -> list[FollowUp]:
    """Return the follow-ups of so many sources, one source after the other."""
    made = []
    for number in range(sources):
        case = Case(id=f"c/{number}", task="chat", turns=(Turn(fields={"message": "Hello?"}),))
        source = Source(case=case, relations=())
        for draw in range(of_each):
            derivation = Derivation(source=case.id, steps=(), draw=draw)
            proposal = Proposal(source=source, derivation=derivation, closes=draw == of_each - 1)
            made.append(FollowUp(proposal=proposal, relations=()))
    return made


def sizes(follow_ups: Sequence[FollowUp], batch: int, sources: int = 64) -> list[int]:
    """Return how many sources each block has where follow-ups come in batches of this size."""
    blocks = Blocks(sources)

    def told() -> Iterator[list[FollowUp]]:
        for start in range(0, len(follow_ups), batch):
            yield from blocks.add(follow_ups[start : start + batch])
        yield blocks.rest()

    judged = list(told())
    assert [follow_up for block in judged for follow_up in block] == list(follow_ups), "each once, in order"
    return [len({follow_up.source.id for follow_up in block}) for block in judged]


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (3, [3]),
        (64, [64]),
        (65, [65]),
        (68, [68]),
        (69, [64, 5]),
        (128, [64, 64]),
        (130, [64, 66]),
        (200, [64, 64, 64, 8]),
    ],
)
def test_a_short_rest_joins_the_block_before_it_whatever_the_batches(sources, expected):
    follow_ups = answered(sources)
    assert [sizes(follow_ups, batch) for batch in (1, 7, 256, 10_000)] == [expected] * 4


def test_a_block_is_held_back_only_until_the_next_has_five_sources():
    blocks, follow_ups = Blocks(64), answered(69)
    assert blocks.add(follow_ups[: 68 * 3]) == []
    [block] = blocks.add(follow_ups[68 * 3 : 68 * 3 + 1])
    assert block == follow_ups[: 64 * 3]


def test_where_a_source_never_closes_a_block_ends_before_one_source_too_many():
    follow_ups = [f for f in answered(70) if not f.proposal.closes]
    assert sizes(follow_ups, 16) == [64, 6]


def test_a_search_that_learns_has_its_batches_judged_as_they_come():
    blocks, follow_ups = Blocks(0), answered(2)
    assert blocks.add(follow_ups[:4]) == [follow_ups[:4]]
    assert blocks.add(follow_ups[4:]) == [follow_ups[4:]]
    assert blocks.rest() == []
