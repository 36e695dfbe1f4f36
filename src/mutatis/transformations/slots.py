"""Reorders the parts of a request: "on Monday from Ely to Leeds" for "from Ely to Leeds on Monday".

A part is a preposition followed by a day, a time, a place, or a number of people or nights. Based on the checks of slot
order in task-oriented dialogue (LAUG, CheckList).
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing


def _runs(text: str, folder: Language) -> list[list[re.Match[str]]]:
    """Return the runs of adjacent parts of a request, or none if two parts of the text are of one kind.

    Then only their order shows which parts belong together: "from A to B and from B to A on Friday".
    """
    runs: list[list[re.Match[str]]] = []
    parts = list(folder.pattern("slot").finditer(text))
    if len({_kind(part, folder) for part in parts}) < len(parts):
        return []
    for part in parts:
        if runs and text[runs[-1][-1].end() : part.start()] == folder.gap:
            runs[-1].append(part)
        else:
            runs.append([part])
    return [run for run in runs if len(run) > 1]


def _kind(part: re.Match[str], folder: Language) -> str | None:
    """Return what tells two parts of a request apart: the first word, or the group of the pattern without spaces."""
    return part.group().split()[0].lower() if folder.spaces else part.lastgroup


@transformation(
    "reorder-slots",
    capability="wording",
    says="the parts of the request in another order",
    languages=needing("speech.patterns.slot"),
)
@as_a_whole
def reorder_slots(text: str, rng: Random, written_in: str = "en") -> str:
    """Reorder the day, time, places and numbers of a request, if they are next to each other.

    Some parts move from the end to the front. A text with two parts of one kind is left unchanged, because only their
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
    folder, drawn = Language(written_in), rng.random()
    runs = _runs(text, folder)
    if not runs:
        return text
    slots = [part.group() for part in runs[0]]
    moved = 1 + int(drawn * (len(slots) - 1))  # the number of parts that move to the front
    reordered = folder.gap.join(slots[-moved:] + slots[:-moved])
    return text[: runs[0][0].start()] + reordered + text[runs[0][-1].end() :]
