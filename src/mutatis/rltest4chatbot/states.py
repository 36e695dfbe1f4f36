"""Dialogue states: the names of slots, the normalisation of values, and the comparison of states.

A state maps `domain-slot` to a value. A missing slot has not been mentioned. The value `a|b` stands for alternatives
that are both correct.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, TypeAlias

from mutatis.extending import fold, unknown_name, vocabulary

State: TypeAlias = Mapping[str, str]

DONT_CARE = "dontcare"
"""Value of a slot if the user has no preference."""

PUBLISHED_SLOTS: Mapping[str, tuple[str, ...]] = {
    "attraction": ("area", "name", "type"),
    "hotel": tuple("area bookday bookpeople bookstay internet name parking pricerange stars type".split()),
    "restaurant": ("area", "bookday", "bookpeople", "booktime", "food", "name", "pricerange"),
    "taxi": ("arriveby", "departure", "destination", "leaveat"),
    "train": ("arriveby", "bookpeople", "day", "departure", "destination", "leaveat"),
}
"""The 30 slots in five domains that trackers of MultiWOZ are evaluated on, by their names in version 2.2."""

SLOTS = tuple(f"{domain}-{slot}" for domain, slots in PUBLISHED_SLOTS.items() for slot in slots)

_ABSENT = frozenset({"", "none", "null", "not mentioned", "not given", "unknown", "n/a"})
_DONT_CARE = re.compile(
    r"(?:do(?: no|n')t|does(?: no|n')t) ?(?:really )?(?:care|matter|mind)|dontcare|dont care|doesnt matter"
    r"|any(?:thing)?|no preference|no particular preference|not important|whatever"
)
_CLOCK = re.compile(r"(?:(?:around|about|by|after|before|at) )?(\d{1,2})(?:[:.h ]?([0-5]\d))? ?(a\.?m\.?|p\.?m\.?)?")
_NUMBERS = {word: str(number) for number, word in enumerate(vocabulary().ones[:11])} | {"single": "1"}
_DAYS = tuple(day.lower() for day in vocabulary().weekdays)
_AREAS = {"center": "centre", "middle": "centre", "downtown": "centre"} | {
    f"{side}ern": side for side in ("north", "east", "south", "west")
}
_AREA_NOISE = re.compile(r"\b(?:the|city|town|of|in|side|part|end|area)\b")
_WORDS: Mapping[str, Mapping[str, str]] = {
    "hotel-type": {"guest house": "guesthouse", "guest houses": "guesthouse", "guesthouses": "guesthouse"}
    | {"hotels": "hotel"},
    "attraction-type": {
        **{"museums": "museum", "colleges": "college", "churches": "church", "parks": "park", "boats": "boat"},
        **{"theater": "theatre", "theaters": "theatre", "theatres": "theatre", "cinemas": "cinema"},
        **{"nightclub": "night club", "nightclubs": "night club", "night clubs": "night club"},
        **{"pool": "swimming pool", "pools": "swimming pool", "swimmingpool": "swimming pool"},
        **{"concert hall": "concerthall", "concert halls": "concerthall", "multiple sport": "multiple sports"},
        **{"mutliple sports": "multiple sports", "sports": "multiple sports", "architectural": "architecture"},
    },
    "pricerange": {"moderately": "moderate", "moderately priced": "moderate", "mid-range": "moderate"}
    | {"inexpensive": "cheap", "cheaply": "cheap", "cheaper": "cheap", "high end": "expensive"},
    "food": {"portugese": "portuguese", "asian": "asian oriental", "modern eclectic": "modern european"},
    "parking": {"free": "yes", "true": "yes", "false": "no"},
    "internet": {"free": "yes", "true": "yes", "false": "no"},
}
_COUNTED = frozenset({"bookpeople", "bookstay", "stars"})
_TIMED = frozenset({"leaveat", "arriveby", "booktime"})
_NAMED = frozenset({"name", "departure", "destination"})


def slot_name(name: str) -> str:
    """Return a slot name as written in version 2.2: lower case, `domain-slot`, without spaces and without "semi".

    >>> slot_name("hotel-book day"), slot_name("Train-leaveAt"), slot_name("hotel-semi-area")
    ('hotel-bookday', 'train-leaveat', 'hotel-area')
    """
    domain, _, slot = name.strip().lower().partition("-")
    slot = slot.removeprefix("semi-")
    return f"{domain}-{re.sub(r'[-_ ]', '', slot)}" if slot else domain


def usual_value(slot: str, value: str) -> str:
    """Return a value in the form used for comparison in evaluations of MultiWOZ, or "" if it means no value.

    Case, typography and spaces are normalised. Times become HH:MM, numbers become digits, and days, compass points,
    types and price ranges get one spelling each. For parking and internet, "free" becomes "yes". Names lose "the" and
    apostrophes.

    >>> usual_value("train-leaveat", "after 5 pm"), usual_value("hotel-stars", "Four stars"), usual_value("x-y", "None")
    ('17:00', '4', '')
    >>> usual_value("hotel-area", "the city center"), usual_value("hotel-name", "The Gonville Hotel")
    ('centre', 'gonville hotel')
    """
    text = " ".join(fold(value).replace("_", " ").split()).strip(' .,!?"')
    if text in _ABSENT:
        return ""
    if _DONT_CARE.fullmatch(text):
        return DONT_CARE
    domain, _, kind = slot.partition("-")
    if kind in _TIMED:
        return _clock(text)
    if kind in _COUNTED:
        word = text.partition(" ")[0].partition("-")[0]
        return _NUMBERS.get(word, word)
    if kind in ("day", "bookday"):  # "mon", "mondays"
        return next((day for day in _DAYS if len(text) > 2 and (day.startswith(text) or text.startswith(day))), text)
    if kind == "area":
        bare = " ".join(_AREA_NOISE.sub(" ", text).split())
        return _AREAS.get(bare, bare or text)
    if kind in _NAMED:
        bare = " ".join(text.replace("&", " and ").replace("'", "").replace("guesthouse", "guest house").split())
        return bare.removeprefix("the ")
    table = _WORDS.get(f"{domain}-{kind}", _WORDS.get(kind, {}))
    return table.get(text, text)


def _clock(text: str) -> str:
    match = _CLOCK.fullmatch(text)
    if match is None:
        return text
    hour, minute, half = int(match[1]), match[2] or "00", (match[3] or "").replace(".", "")
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return f"{hour:02d}:{minute}"


_NORMALISATIONS: Mapping[str, Callable[[str, str], str]] = {
    "usual": usual_value,
    "none": lambda slot, value: value.strip(),
}
"""Functions that normalise values, by the names that users write in the configuration."""


def accepted_values(state: State, normalisation: str = "usual") -> dict[str, frozenset[str]]:
    """Return the accepted spellings of each slot that has a value in a state.

    >>> found = accepted_values({"hotel-type": "hotel|guest house", "hotel-area": "none"})
    >>> found == {"hotel-type": {"hotel", "guesthouse"}}
    True
    """
    if normalisation not in _NORMALISATIONS:
        raise unknown_name("normalisation of state values", normalisation, _NORMALISATIONS)
    normal = _NORMALISATIONS[normalisation]
    accepted: dict[str, frozenset[str]] = {}
    for slot, value in state.items():
        name = slot_name(slot)
        values = frozenset(alternative for part in str(value).split("|") if (alternative := normal(name, part)))
        if values:
            accepted[name] = values
    return accepted


def differing_slots(reference: State, answer: State, normalisation: str = "usual") -> list[str]:
    """Return the sorted names of the slots that differ between two states.

    Alternatives agree if they have a value in common.

    >>> differing_slots({"a-day": "Mon", "a-name": "x"}, {"a-day": "monday", "b-name": "x"})
    ['a-name', 'b-name']
    """
    first, second = accepted_values(reference, normalisation), accepted_values(answer, normalisation)
    empty: frozenset[str] = frozenset()
    return sorted(s for s in {*first, *second} if not first.get(s, empty) & second.get(s, empty))


def values_text(accepted: Mapping[str, frozenset[str]], slot: str) -> str:
    """Return the accepted values of a slot as readable text.

    >>> values_text(accepted_values({"hotel-type": "hotel|guest house"}), "hotel-type"), values_text({}, "hotel-type")
    ('guesthouse|hotel', '(none)')
    """
    return "|".join(sorted(accepted.get(slot, ()))) or "(none)"


def state_text(state: State) -> str:
    """Return a state as a line of JSON with sorted slots, the form of trackers' answers.

    >>> state_text({"b-x": "1", "a-x": "2"})
    '{"a-x": "2", "b-x": "1"}'
    """
    return json.dumps(dict(sorted(state.items())), ensure_ascii=False)


_BEGINNING = re.compile(r'\{\s*["}]')

MOST_BEGINNINGS = 100
"""Maximum number of positions to search for a JSON object. Each attempt may read the whole text."""


def read_state(text: str) -> dict[str, str] | None:
    """Return the state in the first JSON object of a text, possibly nested by domain, or None if there is no object.

    >>> read_state('```json {"hotel": {"area": "east", "stars": 4}, "taxi-leaveat": null} ```')
    {'hotel-area': 'east', 'hotel-stars': '4'}
    """
    for start in islice(_BEGINNING.finditer(text), MOST_BEGINNINGS):
        try:
            data, _ = json.JSONDecoder().raw_decode(text, start.start())
        except (json.JSONDecodeError, RecursionError):
            continue
        return _flat(data)
    return None


def _flat(state: Mapping[str, Any]) -> dict[str, str] | None:
    """Return a state that may be nested by domain as slots with values, or None if it is nested more deeply."""
    pairs: list[tuple[str, Any]] = []
    for key, value in state.items():
        pairs += (
            [(f"{key}-{slot}", inner) for slot, inner in value.items()] if isinstance(value, dict) else [(key, value)]
        )
    if any(isinstance(value, dict) for _, value in pairs):
        return None
    return {slot_name(slot): text for slot, value in pairs if (text := _as_value(value))}


def _as_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "|".join(filter(None, map(_as_value, value)))
    return str(value).strip()
