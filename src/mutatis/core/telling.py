"""Describes an edit in words, such as `letters mistyped on the keyboard` or `one turn moved`.

An edit of a text is described by its transformation (`says`). Changes to the turns of a dialogue are found by comparing
the order of the turns. The caller, which has both texts, counts the changed letters or words
(`mutatis.campaign.records`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import Formatter
from typing import Any, NamedTuple

from mutatis.core.cases import NEW, Step
from mutatis.core.transformation import TRANSFORMATIONS

_BY_CHARACTER = ("letters", "characters", "blanks", "signs")
_BY_WORD = ("words", "names", "numbers")


def in_general(step: Step) -> str:
    """Describe the effect of a step in plain words, without reference to a particular text.

    >>> import mutatis.transformations
    >>> in_general(Step(transformation="keyboard-typos")), in_general(Step(transformation="duplicate"))
    ('letters mistyped on the keyboard', 'the text written 2 times')
    >>> in_general(Step(transformation="filled-pauses"))
    'filled pauses added'
    """
    return edit(step, lambda by_word: None)


def edit(step: Step, count: Callable[[bool], int | None]) -> str:
    """Describe one edit of a text in English.

    `count(by_word)` returns the number of changed words or characters. If it returns None, the description contains no
    number.
    """
    chosen = TRANSFORMATIONS[step.transformation]
    nouns = [name for _, name, _, _ in Formatter().parse(chosen.says) if name in (*_BY_CHARACTER, *_BY_WORD)]
    words: dict[str, Any] = {**chosen.parameters_in(step)}
    for noun in nouns:
        number = count(noun in _BY_WORD)
        words[noun] = noun if number is None else with_number(number, noun)
    description = chosen.says.format_map(words)
    for noun in nouns:  # "filled pauses added: 2 words", but without a number "filled pauses added"
        description = description.removesuffix(f": {noun}")
    return description


def with_number(number: int, noun: str) -> str:
    """Return a number with its noun in words. For 0, return only the noun.

    >>> with_number(1, "letters"), with_number(2, "letters"), with_number(0, "letters")
    ('one letter', '2 letters', 'letters')
    """
    return f"one {noun[:-1]}" if number == 1 else f"{number} {noun}" if number else noun


class Order(NamedTuple):
    """Changes to the turns before the judged turn.

    Missing turns are given as indices in the source, all others as positions in the follow-up.
    """

    missing: tuple[int, ...]
    moved: tuple[int, ...]
    again: tuple[int, ...]
    new: tuple[int, ...] = ()


def order(origin: Sequence[int], turn: int) -> Order:
    """Return which source turns are missing before position `turn`, and which turns were moved, repeated or added.

    >>> order([2, 0, 0, 3], 3)
    Order(missing=(1,), moved=(0,), again=(2,), new=())
    >>> order([0, NEW, 1], 2)
    Order(missing=(), moved=(), again=(), new=(1,))
    """
    before, judged = list(origin[:turn]), origin[turn]
    new, again = [], []
    first_places: dict[int, int] = {}  # of each source turn
    for place, source_turn in enumerate(before):
        if source_turn == NEW:
            new.append(place)
        elif source_turn in first_places:
            again.append(place)
        else:
            first_places[source_turn] = place
    # A turn that comes after the judged turn in the source was moved in any case.
    in_order = _longest_rising([source_turn for source_turn in first_places if source_turn <= judged])
    return Order(
        missing=tuple(source_turn for source_turn in range(judged) if source_turn not in first_places),
        moved=tuple(place for source_turn, place in first_places.items() if source_turn not in in_order),
        again=tuple(again),
        new=tuple(new),
    )


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the longest increasing subsequence of distinct numbers: the turns that were not moved.

    If two turns were swapped, the one that moved forward counts as moved.
    """
    chains: list[list[int]] = []  # the longest that ends with each number
    for number in numbers:
        longest_before = max((chain for chain in chains if chain[-1] < number), key=len, default=[])
        chains.append([*longest_before, number])
    return max(reversed(chains), key=len, default=[])  # of several, the one that ends last
