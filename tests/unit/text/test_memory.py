"""Numbers of pairs of texts, kept from one run to the next."""

from __future__ import annotations

import asyncio

import pytest

from mutatis.text.memory import remembered, remembering


class Kept(dict):
    """A memory that says what was asked of it."""

    def recall(self, keys):
        return {key: self[key] for key in keys if key in self}

    keep = dict.update


def lengths(asked):
    """Return a computation that notes in `asked` what it is asked for."""

    def compute(pairs):
        asked.extend(pairs)
        return [float(len(first) + len(second)) for first, second in pairs]

    return compute


def test_each_pair_is_computed_once_whatever_its_order():
    asked, kept = [], Kept()
    with remembering(kept):
        assert remembered("length", [("a", "bc"), ("bc", "a"), ("d", "")], lengths(asked)) == [3.0, 3.0, 1.0]
        assert remembered("length", [("bc", "a")], lengths(asked)) == [3.0]
    assert [sorted(pair) for pair in asked] == [["a", "bc"], ["", "d"]]
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("kind", "pair"),
    [("other", ("a", "bc")), ("length", ("ab", "c")), ("lengtha", ("", "bc")), ("length", ("a", "b\ud800"))],
)
def test_other_texts_and_other_computations_have_keys_of_their_own(kind, pair):
    asked, kept = [], Kept()
    with remembering(kept):
        remembered("length", [("a", "bc")], lengths(asked))
        remembered(kind, [pair], lengths(asked))
    assert len(asked) == len(kept) == 2


def test_without_a_memory_everything_is_computed():
    asked = []
    for _ in range(2):
        remembered("length", [("a", "b")], lengths(asked))
    assert len(asked) == 2


async def test_a_memory_is_that_of_its_run_alone():
    asked, kept = [], Kept()

    async def run(memory):
        with remembering(memory):
            await asyncio.sleep(0)
            await asyncio.to_thread(remembered, "length", [("a", "b")], lengths(asked))

    await asyncio.gather(run(kept), run(None))
    assert len(kept) == 1
    assert len(asked) == 2
