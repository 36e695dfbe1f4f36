"""Reorders the parts of a request: "on Monday from Ely to Leeds" for "from Ely to Leeds on Monday".

A part is a preposition followed by a day, a time, a place, or a number of people or nights. Based on the checks of slot
order in task-oriented dialogue (LAUG, CheckList).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing
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


def _runs(text: str, language: str) -> list[list[re.Match[str]]]:
    """Return the runs of adjacent parts of a request that can change places."""
    folder = Language(language)
    runs: list[list[re.Match[str]]] = []
    for part in _english_parts(text) if is_english(language) else folder.pattern("slot").finditer(text):
        if runs and text[runs[-1][-1].end() : part.start()] == folder.gap:
            runs[-1].append(part)
        else:
            runs.append([part])
    if is_english(language):
        prepositions = Counter(word for run in runs for part in run for word in _prepositions(part))
        if any(number > 1 for number in prepositions.values()):
            return []  # only their order shows which parts belong together: "from A to B and from B to A on Friday"
        return [run for run in runs if len(run) > 1 and _CLAUSE_END.match(text, run[-1].end())]
    return [run for run in runs if len(run) > 1 and len({_kind(part, folder) for part in run}) == len(run)]


def _english_parts(text: str) -> Iterator[re.Match[str]]:
    """Yield the parts of an English request that are not pieces of longer words."""
    for part in _PART.finditer(text):
        before, behind = text[: part.start()][-1:], text[part.end() :][:1]
        if not (before.isalnum() or behind.isalnum() or behind in ("'", "\u2019", "-")):
            yield part


def _kind(part: re.Match[str], folder: Language) -> str | None:
    """Return what tells two parts of a request apart: the first word, or the group of the pattern without spaces."""
    return part.group().split()[0].lower() if folder.spaces else part.lastgroup


def _prepositions(part: re.Match[str]) -> list[str]:
    return [word for word in part.group().lower().split() if word in {"on", "at", "for", "from", "to", "in"}]


@transformation(
    "reorder-slots",
    capability="wording",
    says="the parts of the request in another order",
    languages=needing("speech.patterns.slot", also=ENGLISH),
)
@as_a_whole
def reorder_slots(text: str, rng: Random, written_in: str = "en") -> str:
    """Reorder the day, time, places and numbers of a request, if they are next to each other.

    Some of them move from the end to the front. A text with two parts of one kind is left unchanged, because only their
    order shows which parts belong together.

    >>> reorder_slots("I need a train from Ely to Leeds on Monday.", Random(1))
    'I need a train on Monday from Ely to Leeds.'
    >>> reorder_slots("Book a table for two people.", Random(1))
    'Book a table for two people.'
    >>> reorder_slots("A train from Ely to Leeds on Monday and from Leeds to Ely on Friday.", Random(1))
    'A train from Ely to Leeds on Monday and from Leeds to Ely on Friday.'
    >>> reorder_slots("Ein Tisch für 4 Personen am Montag um 19 Uhr?", Random(1), "de")
    'Ein Tisch um 19 Uhr für 4 Personen am Montag?'
    """
    drawn = rng.random()
    for run in _runs(text, written_in):
        slots = [part.group() for part in run]
        moved = 1 + int(drawn * (len(slots) - 1))  # the number of parts that move to the front
        reordered = slots[-moved:] + slots[:-moved]
        if reordered != slots:
            return text[: run[0].start()] + Language(written_in).gap.join(reordered) + text[run[-1].end() :]
    return text
