"""The planted faults of the inn, such as forgetting earlier values, each with the relation that should find it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from mutatis.languages import listed
from mutatis.testing.gallery.inn import (
    Heard,
    InnFault,
    InnMeaning,
    slots_of,
    understood,
)
from mutatis.testing.gallery.words import gallery_words

Says = Callable[[InnMeaning, Heard], InnMeaning]


def _filled(**slots: str) -> Says:
    """Return a fault that makes the inn use the same values in every reply."""

    def says(meaning: InnMeaning, _: Heard) -> InnMeaning:
        known = {name: value for name, value in slots.items() if name in meaning.slots}
        return replace(meaning, slots={**meaning.slots, **known})

    return says


def _where(pattern: str, change: Callable[[InnMeaning], InnMeaning]) -> Says:
    """Return a fault that makes the inn change its reply to messages that match a pattern."""
    seen = re.compile(pattern, re.IGNORECASE)
    return lambda meaning, heard: change(meaning) if seen.search(heard.message) else meaning


def _dearer(meaning: InnMeaning) -> InnMeaning:
    """Return a reply with another price or time, or on another topic if it has neither."""
    if "price" in meaning.slots:
        return replace(meaning, slots={**meaning.slots, "price": str(int(meaning.slots["price"]) + 7)})
    if "clock" in meaning.slots:
        return replace(meaning, slots={**meaning.slots, "clock": "4:05"})
    return replace(meaning, topic="parking" if meaning.topic == "sauna" else "sauna", slots={})


def _taken_back(meaning: InnMeaning) -> InnMeaning:
    return replace(_dearer(meaning), stance="")


def _agreeing(meaning: InnMeaning) -> InnMeaning:
    return replace(meaning, stance="", topic="agreed", slots={})


def _forgets_slots(heard: Heard) -> Heard:
    """Forget the values of earlier messages after two messages about something else."""
    asides = [text for text in heard.messages if text in listed("asides")]
    return replace(heard, told=(), slots=slots_of(heard.message)) if len(asides) >= 2 else heard


def _first_part(meaning: InnMeaning, _: Heard) -> InnMeaning:
    return meaning.parts[0] if meaning.parts else meaning


def _first_value(heard: Heard) -> Heard:
    """Use the first value in the message, and ignore corrections."""
    said = slots_of(heard.message)
    return replace(heard, slots={name: said.get(name, value) for name, value in heard.slots.items()})


def _beginning(heard: Heard) -> Heard:
    """Read only the beginning of a long message, and forget what was said before."""
    words = heard.message.split()
    if len(words) <= _LONG:
        return heard
    cut = Heard(message=" ".join(words[:_READ]), messages=heard.messages, last=heard.last)
    return understood(cut)


_LONG, _READ = 40, 25


def _no_figures(heard: Heard) -> Heard:
    """Ignore numbers of people that are written in digits."""
    kept = {name: value for name, value in heard.slots.items() if name != "count" or not value.isdigit()}
    return replace(heard, slots=kept)


_HEARS: Mapping[str, Callable[[Heard], Heard]] = {
    "inn-short-memory": _forgets_slots,
    "inn-first-value": _first_value,
    "inn-reads-the-beginning": _beginning,
    "inn-no-figures": _no_figures,
}
_SAYS: Mapping[str, Says] = {
    "inn-always-friday": _filled(weekday="Friday"),
    "inn-always-two": _filled(count="two"),
    "inn-always-oslo": _filled(city="Oslo"),
    "inn-always-norway": _filled(country="Norway"),
    "inn-one-size": _filled(size="M"),
    "inn-one-amount": _filled(amount="200 euros"),
    "inn-one-date": _filled(date="12 May"),
    "inn-one-time": _filled(time="7 pm"),
    "inn-first-question": _first_part,
    "inn-agrees": _where(r"^So\b", _agreeing),
    "inn-believes-reports": _where(r"^I read that|^Your col", _agreeing),
    "inn-denies": _where(r"^So\b", lambda meaning: replace(meaning, topic="denied", slots={}, stance="")),
    "inn-gives-in": _where(r"^Are you|^Really", _taken_back),
    "inn-believes-sisters": _where(r"\bsister\b|\bof mine\b", _taken_back),
    "inn-believes-claims": _where(
        r"\bwork (?:here|for your)\b|\bcolleague of\b|\byour staff\b|\b(?:wife|husband|brother|sister)\b|\brelated\b",
        lambda meaning: replace(meaning, topic="told") if meaning.topic == "private" else meaning,
    ),
}

INN_FAULTS = tuple(
    InnFault(name=name, summary=summary, found_by=found_by, hears=_HEARS.get(name), says=_SAYS.get(name))
    for name, (summary, found_by) in gallery_words("inn-faults").items()
)
"""All planted faults of the inn."""
