"""Asks about two items in one question, each with its own number, in either order: "2 suits and 5 shirts".

The second item comes from the question itself or from the run's dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.text.abstention import is_abstention, is_lost
from mutatis.text.refusals import is_refusal
from mutatis.text.values import values
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds, asks_one_thing
from mutatis.transformations.known import at_least_one
from mutatis.transformations.later_turns import price_of_several
from mutatis.transformations.several import AND_COUNTED
from mutatis.transformations.together import exchanges_in, only_turn
from mutatis.transformations.two_ways import Way, in_two_ways

_LONG = re.compile(r"\b\d+\b|\b(?:for|of|to|in|with|on|at|from)\b.*\b(?:for|of|to|in|with|on|at|from)\b", re.IGNORECASE)
"""Words after a thing that would be clumsy to repeat: "3 rooms for 2 nights with breakfast and 2 rooms ..."."""

_ONE_EACH = re.compile(r"\b(?:permit|passport|visa|certificate|licen[cs]e|card|pass)\Z", re.IGNORECASE)
"""Things that people order several of, but hardly ever in two kinds at once."""

_IN_FIGURES = (("2", "3"), ("3", "2"), ("4", "2"))
_IN_WORDS = (("two", "three"), ("three", "two"), ("four", "two"))


def _in_question(question: str) -> Iterator[tuple[str, str]]:
    """Yield a question about two items in both orders, first with its own numbers and then with others."""
    match = AND_COUNTED.search(question)
    if match is None:
        return
    parts = [match["first"], match["second"]]
    several = all(part.endswith(("s", "children", "people", "men")) for part in parts)
    nouns = [part.partition(" ")[2] for part in parts]
    pairs = _IN_FIGURES if parts[0][0].isdigit() else _IN_WORDS
    others = [[f"{n} {noun}" for n, noun in zip(pair, nouns, strict=True)] for pair in pairs]
    for first, second in [parts, *(other for other in others if several and other != parts)]:
        both = (f"{first} and {second}", f"{second} and {first}")
        plain, otherwise = (f"{question[: match.start()]}{part}{question[match.end() :]}" for part in both)
        yield plain, otherwise


def _with_another(question: str, dictionary: Dictionary) -> Iterator[tuple[str, str]]:
    """Yield a question about the price of several of one item plus another item, in both orders."""
    asked = price_of_several(question)
    for swap in exchanges_in(question, dictionary) if asked else ():
        other = price_of_several(swap.text)
        if asked is None or other is None or asked.form != other.form or values(swap.old):
            continue
        if any(_LONG.search(each.behind) or _ONE_EACH.search(each.things) for each in (asked, other)):
            continue
        for first, second in permutations(("2", "3")):
            items = (asked.item(first), other.item(second))
            plain, otherwise = (asked.form.format(things=f"{a} and {b}") for a, b in (items, items[::-1]))
            yield plain, otherwise


def _two_items(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    if is_lost(reply) or is_abstention(reply) or is_refusal(reply):
        raise UnusableFollowUp("the question is not answered")
    made = [*_in_question(question)]
    if not made and asks_one_thing(question):
        made = [*_with_another(question, dictionary)]
    return at_least_one(
        [{"plain": plain, "otherwise": otherwise} for plain, otherwise in made],
        "the question names neither things with numbers nor a priced thing that could be replaced",
    )


@conversation(
    "two-items",
    capability="several constraints",
    says="two things with their own numbers in one question",
    reads=_two_items,
)
def two_items(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    *,
    way: Way = "plain",
    plain: str = "",
    otherwise: str = "",
) -> Moved:
    """Ask about two items, each with its own number, in either order.

    >>> turns = (Turn(fields={"message": "How much is a mug?"}),)
    >>> said = {"plain": "How much are 2 mugs and 3 cups?", "otherwise": "How much are 3 cups and 2 mugs?"}
    >>> two_items((0,), turns, way="otherwise", **said)[0][1].fields["message"]
    'How much are 3 cups and 2 mugs?'
    """
    only_turn(turns)
    return in_two_ways(rounds, turns, way, plain, otherwise)
