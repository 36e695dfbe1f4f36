"""Messages of users who give a wrong value first and correct it at once.

The request is the same as in the source, so the answer must be the same, too. Based on the corrections of LAUG.
"""

from __future__ import annotations

from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing
from mutatis.text.sentences import END_MARKS
from mutatis.transformations.given import BY_FOLDER, swaps_by_folder
from mutatis.transformations.pieces import replaced_at
from mutatis.transformations.values import ASKED_KINDS, MEASURED_KINDS, Swap, exchanged

GIVEN_KINDS = (*ASKED_KINDS, *MEASURED_KINDS)
"""Kinds of values that a user can both state and correct within one message."""


@transformation(
    "correct-value",
    capability="corrections",
    says="another value given first and corrected at once",
    languages=needing(
        *BY_FOLDER, "speech.corrections", "speech.corrections_behind", "speech.patterns.done_at_once", also=ENGLISH
    ),
)
@as_a_whole
def correct_value(text: str, rng: Random, written_in: str = "en") -> str:
    """Give a wrong value first and correct it in the same message: "for six, no, four people".

    Texts without a suitable value are left unchanged.

    >>> correct_value("A table for four people, please.", Random(1))
    'A table for five people, please. No wait, four, not five.'
    >>> correct_value("How much does a 3 kg parcel cost", Random(1))
    'How much does a 5 kg, no, sorry, 3 kg parcel cost'
    >>> correct_value("Was kostet ein Tisch für 4 Personen", Random(2), "de")
    'Was kostet ein Tisch für 6, Moment, nein, 4 Personen'
    """
    swap_share, way_share, folder = rng.random(), rng.random(), Language(written_in)
    swaps = _correctable(text, rng, written_in)
    if not swaps:
        return text
    swap = swaps[int(swap_share * len(swaps))]
    at_once, afterwards = folder.ways("corrections"), folder.ways("corrections_behind")
    # Only a finished sentence can be followed by a correction in a sentence of its own.
    ways = (*at_once, *afterwards) if text.rstrip().endswith(END_MARKS) else at_once
    way = ways[int(way_share * len(ways))]
    right, wrong = swap.old, swap.new
    # In "le lundi, pardon, le mardi" the lead is "le"; in Chinese, the counter is the measure word after a number.
    lead, counter = _repeated(text, swap, folder), _measure_word(text, swap, folder)
    if way in afterwards:
        correction = way.format(old=f"{lead}{right}{counter}", new=f"{lead}{wrong}{counter}")
        return f"{swap.text.rstrip()}{folder.gap}{correction}"
    # The text already has the lead before the wrong value and the counter after the right one.
    correction = way.format(old=f"{lead}{right}", new=f"{wrong}{counter}")
    return replaced_at(text, swap.start, swap.end, correction, written_in)


def _correctable(text: str, rng: Random, language: str) -> list[Swap]:
    """Return copies of a text, each with a value replaced that the user may give wrongly at first."""
    if not is_english(language):
        done = Language(language).pattern("done_at_once").search(text)
        return [] if done else swaps_by_folder(text, language)
    return [swap for kind in GIVEN_KINDS if (swap := exchanged(text, kind, rng)) is not None]


def _measure_word(text: str, swap: Swap, folder: Language) -> str:
    """Return the measure word that must follow a number in a language without spaces, or "" in other languages."""
    if folder.spaces or swap.value is None or swap.value.measure != "count":
        return ""
    counted = folder.pattern("counted_thing").match(text, swap.end)
    return counted.group() if counted else ""


def _repeated(text: str, swap: Swap, folder: Language) -> str:
    """Return the words before a value that a correction must repeat: "le lundi, pardon, le mardi"."""
    if not folder.has("speech.patterns.repeated"):
        return ""
    lead = folder.pattern("repeated").search(text, 0, swap.start)
    return lead.group().lower() if lead else ""
