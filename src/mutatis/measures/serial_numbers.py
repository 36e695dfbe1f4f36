"""Finds numbers that a system makes up for each reply: a ticket number, an id, the time of day.

They answer nothing. A number, code or time is a serial number if it follows a word whose numbers, within a question,
hardly ever repeat from reply to reply ("Ticket 60155", `"id": 60155`). An amount that answers the question is in most
replies.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from mutatis.measures.answer import LONGEST
from mutatis.measures.payload import json_data

QUESTIONS, SHARE = 3, 0.15
"""Minimum number, and share, of a block's questions whose replies contain such a number."""

TEXTS = 3
"""Minimum number of different replies to a question. Fewer may all differ by chance."""

UNIQUE = 0.9
"""Share of these numbers that must occur in only one reply."""

_WORD = re.compile(r"[^\W_](?:[\w.:/+-]*[^\W_])?")


def serial_places(replies: Sequence[Collection[str]]) -> frozenset[str]:
    """Return the words that precede serial numbers in the replies of a block.

    `replies` holds the replies to each question.

    >>> lamp = ["Ticket 81: 20 euros.", "20 euros. Ticket 82", "Ticket 83. It costs 20 euros."]
    >>> fan, desk = ["Ticket 84: yes.", "Ticket 85", "Ticket 86. Yes."], ["Ticket 87: no", "Ticket 88", "Ticket 89"]
    >>> serial_places([lamp, fan, desk])
    frozenset({'ticket'})
    """
    held: dict[str, list[list[str]]] = defaultdict(list)
    for texts in replies:
        places: dict[str, list[str]] = defaultdict(list)
        for text in set(texts):
            for before, number in set(_numbers(text)):
                places[before].append(number)
        for before, numbers in places.items():
            held[before].append(numbers)
    least = max(QUESTIONS, SHARE * len(replies))
    return frozenset(before for before, questions in held.items() if _is_serial(questions, least))


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word of a text that contains a digit, with the last word before it that does not."""
    before = ""
    for word in _WORD.findall(text[:LONGEST]):
        if any(map(str.isdigit, word)):
            yield before, word
        else:
            before = word.lower()


def _is_serial(questions: Sequence[Sequence[str]], least: float) -> bool:
    counts = Counter(number for numbers in questions for number in numbers)
    enough = [numbers for numbers in questions if len(numbers) >= TEXTS]
    told = [counts[number] == 1 for numbers in enough for number in numbers]
    return len(enough) >= least and sum(told) >= UNIQUE * len(told)


def without_serials(text: str, places: Collection[str]) -> str:
    """Remove the numbers that follow these words from a text; in JSON data, null replaces them.

    >>> without_serials("Ticket 81: it costs 20 euros.", {"ticket"}), without_serials('{"id":81,"n":2}', {"id"})
    ('Ticket : it costs 20 euros.', '{"id":null,"n":2}')
    """
    if not places:
        return text
    instead = "" if json_data(text) is None else "null"
    return _WORD.sub(_replacing(places, instead), text)


def _replacing(places: Collection[str], instead: str) -> Callable[[re.Match[str]], str]:
    before = ""

    def replaced(word: re.Match[str]) -> str:
        nonlocal before
        if not any(map(str.isdigit, word.group())):
            before = word.group().lower()
            return word.group()
        return instead if before in places else word.group()

    return replaced
