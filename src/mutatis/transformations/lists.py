"""Asks about several items of the same kind in one message: three in a question, or two compared.

The other items come from the run's dictionary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.text.values import values
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds, asks_one_thing
from mutatis.transformations.known import at_least_one
from mutatis.transformations.reaching import things_of_a_kind
from mutatis.transformations.several import judged_after
from mutatis.transformations.together import (
    AND_ASKS,
    ASKED_ALONE,
    IN_ONE,
    SEVERAL,
    TURNED_ROUND,
    Swap,
    asks_value,
    exchanges_in,
    phrase_of,
)

# Three things

Part: TypeAlias = Literal["second", "third", "in one", "turned round"]
"""The question to ask: about one of the other two things, or about all three in either order."""

PARTS: tuple[Part, ...] = ("second", "third", "in one", "turned round")


def _pairs_of_others(question: str, dictionary: Dictionary) -> Iterator[tuple[Swap, Swap]]:
    """Yield pairs of edits that ask the same question about two other items of the same kind."""
    names = {name.text for kind in dictionary.names for name in kind.names}
    pairs = [
        (second, replace(third, old=second.old))
        for second in exchanges_in(question, dictionary)
        for third in exchanges_in(second.text, dictionary)
        if third.old == second.new and not _alike(third.new, second.old)
    ]
    known = [pair for pair in pairs if {pair[0].new, pair[1].new} <= names]
    yield from known or pairs


def _alike(first: str, other: str) -> bool:
    both = [values(text) for text in (first, other)]
    same = any(first.same(second) for first in both[0] for second in both[1])
    return same or first.casefold() == other.casefold()


def _one_question_for_a_value(question: str) -> None:
    if not asks_one_thing(question) or not asks_value(question) or AND_ASKS.search(question):
        raise UnusableFollowUp("the message is not a single question about a value")


def _of_three(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the same question about each of two other values or names."""
    _one_question_for_a_value(question)
    pairs = [{"second": second.text, "third": third.text} for second, third in _pairs_of_others(question, dictionary)]
    return at_least_one(pairs, "the question has no value or name for which two others of the same kind are known")


def _joined(*questions: str) -> str:
    """Join several questions into one message.

    >>> _joined("How much is Basic?", "How much is Duo?", "How much is Night Saver?")
    'How much is Basic? And how much is Duo? And how much is Night Saver?'
    """
    first, *others = questions
    return " And ".join([first, *(f"{other[0].lower()}{other[1:]}" for other in others)])


@conversation(
    "ask-of-three",
    capability="several questions",
    says="one question about three things in one message",
    reads=_of_three,
)
def ask_of_three(
    rounds: Rounds, turns: tuple[Turn, ...], *, asked: Part = "in one", second: str = "", third: str = ""
) -> Moved:
    """Ask the same question about three values or names in one message, or about just one of the two added ones.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> others = {"second": "How much is Duo?", "third": "How much is Night Saver?"}
    >>> [(_, turn)] = ask_of_three((0,), turns, asked="turned round", **others)
    >>> turn.fields["message"]
    'How much is Night Saver? And how much is Basic? And how much is Duo?'
    """
    if not (second and third and len(turns) == 1):
        return rounds
    texts = {
        "second": second,
        "third": third,
        IN_ONE: _joined(turns[0].question, second, third),
        TURNED_ROUND: _joined(third, turns[0].question, second),
    }
    noted = {"asked": _role(asked), "second": second, "third": third}
    return judged_after(rounds, turns, 0, [], texts[asked], **{SEVERAL: noted})


def _role(asked: Part) -> str:
    return ASKED_ALONE if asked in ("second", "third") else asked


_TAKES_LIST = re.compile(r"\b(?:is|are|does|do|of|about|on|for|with|has|have)\s+\Z", re.IGNORECASE)
_BEHIND_LIST = re.compile(r"\s*(?:\?|(?:cost|have|include|take|come|offer|last|weigh|need)\b)", re.IGNORECASE)
_IN_ALL = re.compile(
    r"\b(?:how (?:much|many|expensive)|price|costs?|fees?|fares?|pay|charge|total|from|trip|tour|journey|flight|way)\b",
    re.IGNORECASE,
)
"""Words that suggest one answer for a whole list, such as a total price or one trip to all places."""

_EACH_ALONE = frozenset({"weekday", "date", "country", "city"})


def _list_of_three(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the question about each of two other items, and questions that list all three in two orders."""
    _one_question_for_a_value(question)
    choices: list[Parameters] = []
    for second, third in _pairs_of_others(question, dictionary):
        names = (second.old, second.new, third.new)
        listed = _listed(question, second, names)
        if listed is not None:
            turned = _listed(question, second, (names[2], names[0], names[1])) or ""
            choices.append({"second": second.text, "third": third.text, "listed": listed, "turned": turned})
    return at_least_one(
        choices, "the question names nothing that could become a list, or no two others of the same kind are known"
    )


def _listed(question: str, swap: Swap, names: Sequence[str]) -> str | None:
    """Return a question that lists several names, or None if one answer may cover them all."""
    before, behind = question[: swap.start], question[swap.end :]
    kinds = {value.unit or value.kind for value in values(swap.old)} | {value.kind for value in values(swap.old)}
    if all(name[0].isupper() for name in names) and not kinds & _EACH_ALONE:
        head, last = ", ".join(names[:-1]), names[-1]
        fits = _TAKES_LIST.search(before) and _BEHIND_LIST.match(behind)
        return f"{before}each of {head} and {last}{behind}" if fits else None
    things = any(old == swap.old for old, _ in things_of_a_kind(question))
    if _IN_ALL.search(question) or not (kinds & _EACH_ALONE or things):
        return None
    _, phrase = phrase_of(question, swap)
    start = swap.start - phrase.index(swap.old)
    *phrases, last = (_with_article(phrase.replace(swap.old, name, 1)) for name in names)
    return f"{question[:start]}{', '.join(phrases)} and {last}{question[start + len(phrase) :]}"


def _with_article(phrase: str) -> str:
    article, _, rest = phrase.partition(" ")
    return phrase if article not in ("a", "an") else f"{'an' if rest[0] in 'aeio' else 'a'} {rest}"


@conversation(
    "list-three",
    capability="several questions",
    says="a list of three things in place of one",
    reads=_list_of_three,
)
def list_three(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    *,
    asked: Part = "in one",
    second: str = "",
    third: str = "",
    listed: str = "",
    turned: str = "",
) -> Moved:
    """Ask about three items as a list in one question, or about just one of the two added ones.

    >>> turns = (Turn(fields={"message": "When are you open on Monday?"}),)
    >>> said = {"second": "When are you open on Friday?", "third": "When are you open on Sunday?"}
    >>> [(_, turn)] = list_three((0,), turns, **said, listed="When are you open on Monday, Friday and Sunday?")
    >>> turn.fields["message"]
    'When are you open on Monday, Friday and Sunday?'
    """
    if not (second and third and len(turns) == 1):
        return rounds
    texts = {"second": second, "third": third, IN_ONE: listed, TURNED_ROUND: turned}
    noted = {"asked": _role(asked), "second": second, "third": third}
    return judged_after(rounds, turns, 0, [], texts[asked], **{SEVERAL: noted})


# Two things compared

COMPARED = "compared"
"""Annotation of a turn: the type of comparison, and the words that distinguish the two things compared."""

Comparing: TypeAlias = Literal["which", "which round", "cheaper", "dearer", "cheaper round"]

COMPARINGS: tuple[Comparing, ...] = ("which", "which round", "cheaper", "dearer", "cheaper round")

_PRICED = re.compile(
    r"\s*(?:how (?:much|expensive) (?:is|are)|what (?:is|are) the (?:price|cost|fee)s? (?:of|for)|what (?:does|do)"
    r"|how much (?:does|do))\s+(?P<thing>.+?)(?P<cost>\s+cost)?\s*\?\s*\Z",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:,? (?:one way|(?:an?|per|each|every) (?:hour|day|night|week|month|year)))+\Z", re.IGNORECASE)
"""The unit of a price at the end of a question, such as "per night", which comparisons leave out."""

_MOST_WORDS = 7
_NOT_COMPARED = re.compile(r"\b(?:my|your|it|this|that|these|each|per|and|or|I|we|you|there|extra|more)\b|\A\d")


def _compared(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return pairs of items whose prices can be compared: the question's item and another of the same kind."""
    priced = _PRICED.match(question) if asks_one_thing(question) else None
    if priced is None or (priced[0].lower().startswith(("what do", "how much do")) and not priced["cost"]):
        raise UnusableFollowUp("the message does not ask only for the price of something")
    item = _TAIL.sub("", priced["thing"])
    if len(item.split()) > _MOST_WORDS or _NOT_COMPARED.search(item):
        raise UnusableFollowUp("the message does not clearly name the thing whose price is asked")
    choices: list[Parameters] = []
    for swap in exchanges_in(question, dictionary):
        other = _PRICED.match(swap.text)
        if swap.old in item and other is not None and _may_be_compared(question, swap, item):
            choices.append(
                {"item": item, "other": _TAIL.sub("", other["thing"]), "mark": swap.old, "other_mark": swap.new}
            )
    return at_least_one(choices, "the question has no name, age or size that could be swapped")


def _may_be_compared(question: str, swap: Swap, item: str) -> bool:
    """Return True if the words to replace are a name, an age or a measure, not a count such as "3 lamps".

    The name of an item in lower case needs at least three words, because people rarely compare the prices of items such
    as "a coat" and "a scarf".
    """
    there = [value for value in values(question) if value.start == swap.start]
    listed_thing = len(item.split()) > 2 and any(old == swap.old for old, _ in things_of_a_kind(question))
    if not there:
        return swap.old[0].isupper() or listed_thing
    return any(
        value.kind in ("age", "quantity") or (value.kind == "name" and value.unit != "weekday") for value in there
    )


@conversation(
    "compare-prices", capability="several constraints", says="the prices of two things compared", reads=_compared
)
def compare_prices(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    *,
    way: Comparing = "which",
    item: str = "",
    other: str = "",
    mark: str = "",
    other_mark: str = "",
) -> Moved:
    """Ask which of two items is cheaper, or whether one is cheaper or dearer, naming them in either order.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"item": "Basic", "other": "Duo", "mark": "Basic", "other_mark": "Duo"}
    >>> for way in COMPARINGS: print(compare_prices((0,), turns, way=way, **said)[0][1].fields["message"])
    Which is cheaper, Basic or Duo?
    Which is cheaper, Duo or Basic?
    Is Basic cheaper than Duo?
    Is Duo more expensive than Basic?
    Is Duo cheaper than Basic?
    """
    if not (item and other and len(turns) == 1):
        return rounds
    texts = {
        "which": f"Which is cheaper, {item} or {other}?",
        "which round": f"Which is cheaper, {other} or {item}?",
        "cheaper": f"Is {item} cheaper than {other}?",
        "dearer": f"Is {other} more expensive than {item}?",
        "cheaper round": f"Is {other} cheaper than {item}?",
    }
    noted = {"way": way, "thing": mark, "other": other_mark}
    return judged_after(rounds, turns, 0, [], texts[way], **{COMPARED: noted})
