"""What is kept of texts is bounded by bytes: counted here object by object, whatever was estimated."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest
from cachetools import LRUCache

from mutatis.measures import agreed_words, answer, facts, features, polar, small_talk, statements
from mutatis.text import normalisation, refusals
from mutatis.text.memory import ENTRY, kept_within

REPLIES = [
    "Yes.",
    "No, sorry.",
    "We close at 6 pm.",
    "Yes, Mr. Brown has 3 rooms at 80 euros from 4 May.",
    "I'm sorry, I didn't quite understand you. Could you say it in other words?",
    "The nova phone costs 129.99 euros, or 12 euros a month for 12 months, and comes with a case and a charger.",
    "Good question! Our pool is open daily from 7 am to 9 pm. Children under 12 are welcome until 6 pm, and towels "
    "cost 4 euros each. Please bring your own slippers; the sauna on the second floor closes at 10 pm on Fridays.",
    "\n".join(
        f"- {name}: {price} euros, {price * 3} km, from {price % 12 + 1} June"
        for name, price in zip(
            ("Linden", "Birch", "Willow", "Cedar", "Maple", "Hazel"), range(37, 223, 31), strict=True
        )
    ),
]
KEEPING: list[tuple[Callable[..., Any], int]] = [
    (answer._read, 1), (statements.statements, 1), (facts.facts, 1), (facts._sizes, 1), (agreed_words.words_of, 1),
    (small_talk.reply_parts, 1), (polar.denies, 2), (features.focus, 2),
    (refusals._stance, 2), (normalisation.tokens, 1),
]  # fmt: skip
"""Every function of the judges that keeps what it read, and how many texts it takes."""


def kept_by(function: Callable[..., Any]) -> LRUCache[Any, Any]:
    """Return the cache behind a function."""
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    return next(cell.cache for cell in cells if hasattr(cell, "cache"))  # type: ignore[no-any-return]


def bytes_of(value: object) -> int:
    """Count all objects that a value holds, each once; classes are no part of it."""
    seen: dict[int, int] = {}
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if id(held) not in seen and not isinstance(held, type):
            seen[id(held)] = sys.getsizeof(held)
            waiting.extend(gc.get_referents(held))
    return sum(seen.values())


@pytest.mark.parametrize(("function", "texts"), KEEPING, ids=[function.__qualname__ for function, _ in KEEPING])
def test_what_is_kept_takes_no_more_bytes_than_were_counted_for_it(function: Callable[..., Any], texts: int) -> None:
    kept = kept_by(function)
    kept.clear()
    replies = [f"{reply} Ask for number {number}." for number in range(20) for reply in REPLIES]
    for reply in replies:
        function(reply, *["Is there a pool, and until when is it open?"] * (texts - 1))
    assert len(kept) == len(replies)
    assert bytes_of(list(kept.items())) <= 1.05 * kept.currsize


def test_long_texts_push_out_more_than_short_ones() -> None:
    worked_out: list[str] = []

    @kept_within(10 * ENTRY, per_character=1)
    def read(text: str) -> str:
        worked_out.append(text[:2])
        return text

    for name in "abcdefgh":
        read(name)
    read("a")  # used again, so that b is the oldest
    read("long " * ENTRY)  # takes six of ten places, and three texts beside it have room
    worked_out.clear()
    for name in "ahgb":
        read(name)
    assert worked_out == ["b"]


def test_what_is_longer_than_all_that_may_be_kept_pushes_out_nothing() -> None:
    worked_out: list[int] = []

    @kept_within(2 * ENTRY, per_character=1)
    def length(text: str) -> int:
        worked_out.append(len(text))
        return len(text)

    assert [length("short"), length("x" * 3 * ENTRY), length("short")] == [5, 3 * ENTRY, 5]
    assert worked_out == [5, 3 * ENTRY]


def test_what_is_named_counts_as_another_question() -> None:
    @kept_within(10 * ENTRY, per_character=1)
    def joined(first: str, second: str = "") -> str:
        return first + second

    assert [joined("a", "b"), joined("a", second="c"), joined("a")] == ["ab", "ac", "a"]
