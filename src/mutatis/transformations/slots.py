"""Reorders the parts of a request: "on Monday from Ely to Leeds" for "from Ely to Leeds on Monday".

A part is a preposition followed by a day, a time, a place, or a number of people or nights. Based on the checks of slot
order in task-oriented dialogue (LAUG, CheckList).
"""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.values import vocabulary

_WEEKDAYS, _NUMBERS = "|".join(vocabulary().weekdays), "|".join(vocabulary().ones[1:11])
_DAY = rf"(?:(?:this|next)\s+)?(?:{_WEEKDAYS})(?:\s+(?:morning|afternoon|evening|night))?"
_TIME = r"\d{1,2}(?:[:.]\d{2})?(?:\s?(?:am|pm|o'clock))?|noon|midnight"
_COUNT = (
    rf"(?:\d+|{_NUMBERS})\s+"
    r"(?:people|persons|person|guests|adults|nights?|days?)"
)
_PLACE = r"[A-Z][\w'\u2019-]*(?:\s+[A-Z][\w'\u2019-]*){0,3}"
_LOWER = r"(?!the\b|my\b|a\b|an\b|there\b|here\b|go\b|get\b|be\b)[a-z]{3,}"
_AREA = r"(?:the\s+)?(?:north|south|east|west|centre|center)(?:\s+(?:of\s+town|part\s+of\s+town|side))?"
_PARTS = (
    rf"(?:on)\s+{_DAY}",
    rf"(?:at|after|before|by|around)\s+(?:{_TIME})",
    rf"for\s+{_COUNT}",
    rf"(?:from|to)\s+(?-i:{_PLACE})",
    rf"from\s+{_LOWER}\s+to\s+{_LOWER}",
    rf"in\s+{_AREA}",
)
_PART = re.compile("|".join(rf"(?P<p{number}>{part})" for number, part in enumerate(_PARTS)), re.IGNORECASE)
_CLAUSE_END = re.compile(r"\s*(?:[.,;!?]|\Z|(?:and(?!\s+[A-Z])|please|thanks)\b)")


def _runs(text: str) -> list[list[re.Match[str]]]:
    """Return the runs of adjacent parts of a request that reach the end of a clause."""
    runs: list[list[re.Match[str]]] = []
    for part in _PART.finditer(text):
        if part.start() and text[part.start() - 1].isalnum():
            continue
        follows = text[part.end() :]
        if follows[:1].isalnum() or follows[:1] in ("'", "\u2019", "-"):
            continue
        last = runs[-1][-1] if runs else None
        if last is not None and text[last.end() : part.start()] == " ":
            runs[-1].append(part)
        else:
            runs.append([part])
    said = Counter(word for run in runs for part in run for word in _prepositions(part))
    if any(number > 1 for number in said.values()):
        return []  # "from A to B and from B to A on Friday": which belong together is told by their order alone
    return [run for run in runs if len(run) > 1 and _CLAUSE_END.match(text, run[-1].end())]


def _prepositions(part: re.Match[str]) -> list[str]:
    return [word for word in part.group().lower().split() if word in {"on", "at", "for", "from", "to", "in"}]


@transformation(
    "reorder-slots", capability="wording", says="the parts of the request in another order", languages=ENGLISH
)
@as_a_whole
def reorder_slots(text: str, rng: Random) -> str:
    """Reorder the day, time, places and numbers of a request, if they are next to each other.

    >>> reorder_slots("I need a train from Ely to Leeds on Monday.", Random(1))
    'I need a train on Monday from Ely to Leeds.'
    >>> reorder_slots("Book a table for two people.", Random(1))
    'Book a table for two people.'
    >>> reorder_slots("A train from Ely to Leeds on Monday and from Leeds to Ely on Friday.", Random(1))
    'A train from Ely to Leeds on Monday and from Leeds to Ely on Friday.'
    """
    drawn = rng.random()
    for run in _runs(text):
        slots = [part.group() for part in run]
        by = 1 + int(drawn * (len(slots) - 1))
        moved = slots[-by:] + slots[:-by]
        if moved != slots:
            text = text[: run[0].start()] + " ".join(moved) + text[run[-1].end() :]
            break
    return text
