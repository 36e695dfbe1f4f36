"""The planted faults of the inn, such as forgetting earlier values, each with the relation that should find it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from mutatis.languages import listed
from mutatis.testing.gallery.inn import (
    MOST_IN_THE_STEAM,
    Heard,
    InnFault,
    InnMeaning,
    one_spelling,
    slots_of,
    understood,
)
from mutatis.testing.gallery.words import LISTS, gallery_words

Says = Callable[[InnMeaning, Heard], InnMeaning]


def _without(pattern: str) -> Callable[[Heard], Heard]:
    """Return a fault that makes the inn ignore words that match a pattern."""
    return lambda heard: replace(heard, message=re.sub(pattern, "", heard.message, flags=re.IGNORECASE))


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


def _forgets_told(heard: Heard) -> Heard:
    """Forget facts about the user that are not repeated in the current message."""
    told = tuple(text for text in heard.told if text in heard.message)
    return replace(heard, told=told)


def _keeps_the_first(heard: Heard) -> Heard:
    """Use the values of the first message that has any, and ignore later ones."""
    first = next((slots for text in heard.messages if (slots := slots_of(text))), {})
    return replace(heard, slots={**heard.slots, **{name: first[name] for name in heard.slots if name in first}})


def _after_restart(heard: Heard) -> Heard:
    restarted = any(re.search(r"\bstart (?:again|over)\b", text) for text in heard.messages)
    return _keeps_the_first(heard) if restarted else heard


def _changes_once(heard: Heard) -> Heard:
    """Accept a change to a value, but not a change back to the original value."""
    if not re.search(r"\bafter all\b", heard.message):
        return heard
    changed = slots_of(next(text for text in heard.messages if text.startswith("Actually")))
    kept = {name: value for name, value in changed.items() if name in heard.slots}
    return replace(heard, slots={**heard.slots, **kept})


def _ignores_corrections(heard: Heard) -> Heard:
    return _keeps_the_first(heard) if re.search(r"\bI meant?\b|^No, sorry", heard.message) else heard


def _first_constraint(heard: Heard) -> Heard:
    return replace(heard, message=re.sub(r"(\broom with an? \w+) and [^?.!]*", r"\1", heard.message))


def _repeated(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    return _dearer(meaning) if heard.messages.count(heard.message) > 1 else meaning


def _widened(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    if meaning.topic != "list" or "but only" not in heard.message:
        return meaning
    other = next(names[-1] for names in LISTS.values() if names[-1] not in meaning.slots["items"])
    return replace(meaning, slots={"items": f"{meaning.slots['items']}|{other}"})


def _first_part(meaning: InnMeaning, _: Heard) -> InnMeaning:
    return meaning.parts[0] if meaning.parts else meaning


def _after_insult(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    insulted = any(re.search(r"\b(?:useless|stupid|idiot)\b", text) for text in heard.messages[:-1])
    return _dearer(meaning) if insulted else meaning


def _first_option(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    named = re.search(r"\bon (\w+day)\b.*\bor\b", heard.message)
    return replace(meaning, topic="open", slots={"weekday": named[1]}) if named and meaning.topic == "pool" else meaning


def _named_again(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    again = re.search(r"\b(?:bag|jacket|key)\b.*\b(?:bag|jacket|key)\b", heard.message)
    return replace(meaning, topic="sauna") if again else meaning


def _sure_refused(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    known = re.fullmatch(r"\W*(?:yes|no)\W*", heard.message, re.IGNORECASE)
    return replace(meaning, topic="parking") if meaning.topic in ("booked", "refused") and not known else meaning


def _first_value(heard: Heard) -> Heard:
    """Use the first value in the message, and ignore corrections."""
    said = slots_of(heard.message)
    return replace(heard, slots={name: said.get(name, value) for name, value in heard.slots.items()})


def _words(heard: Heard, part: slice) -> Heard:
    """Read only one part of a long message, and forget what was said before."""
    words = heard.message.split()
    if len(words) <= _LONG:
        return heard
    cut = Heard(message=" ".join(words[part]), messages=heard.messages, last=heard.last)
    return understood(cut)


_LONG, _READ = 40, 25


def _no_figures(heard: Heard) -> Heard:
    """Ignore numbers of people that are written in digits."""
    kept = {name: value for name, value in heard.slots.items() if name != "count" or not value.isdigit()}
    return replace(heard, slots=kept)


def _group_rate(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    """Charge groups of five or more people the price for two."""
    count = heard.slots.get("count", "")
    five = count and int(one_spelling("count", count)) >= _GROUP
    return replace(meaning, slots={**meaning.slots, "price": "50"}) if five and "price" in meaning.slots else meaning


_GROUP = 5


def _one_off(meaning: InnMeaning, heard: Heard) -> InnMeaning:
    """Reject the largest group that the steam bath allows, as if it were one person too many."""
    count = heard.slots.get("count", "")
    at_limit = meaning.topic == "many" and int(one_spelling("count", count)) == MOST_IN_THE_STEAM
    return replace(meaning, topic="too-many") if at_limit else meaning


_HEARS: Mapping[str, Callable[[Heard], Heard]] = {
    "inn-negation-blind": _without(r"\b(?:do )?not\b"),
    "inn-dont-is-do": _without(r"\bdon['\u2019]t\b"),
    "inn-first-constraint": _first_constraint,
    "inn-deaf-to-corrections": _ignores_corrections,
    "inn-short-memory": _forgets_slots,
    "inn-message-bound": _forgets_told,
    "inn-sticky-slots": _after_restart,
    "inn-first-value": _first_value,
    "inn-reads-the-beginning": lambda heard: _words(heard, slice(_READ)),
    "inn-reads-the-end": lambda heard: _words(heard, slice(-_READ, None)),
    "inn-no-figures": _no_figures,
    "inn-first-name": lambda heard: replace(heard, names=heard.names[:1]),
    "inn-one-change": _changes_once,
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
    "inn-widening": _widened,
    "inn-first-question": _first_part,
    "inn-first-option": _first_option,
    "inn-named-twice": _named_again,
    "inn-plain-yes": _sure_refused,
    "inn-never-again": _repeated,
    "inn-agrees": _where(r"^So\b", _agreeing),
    "inn-believes-reports": _where(r"^I read that|^Your col", _agreeing),
    "inn-denies": _where(r"^So\b", lambda meaning: replace(meaning, topic="denied", slots={}, stance="")),
    "inn-gives-in": _where(r"^Are you|^Really", _taken_back),
    "inn-believes-the-web": _where(r"\bread something\b", _taken_back),
    "inn-believes-sisters": _where(r"\bsister\b|\bof mine\b", _taken_back),
    "inn-sulks": _after_insult,
    "inn-group-rate": _group_rate,
    "inn-one-off": _one_off,
    "inn-believes-claims": _where(
        r"\brelative\b|\bpolice\b|\bwork for you\b|\bmay ask\b|\bmanager\b|\bsecrets\b",
        lambda meaning: replace(meaning, topic="told") if meaning.topic == "private" else meaning,
    ),
    "inn-hurried": _where(r"\burgent\b|\bhurry\b", _dearer),
}

INN_FAULTS = tuple(
    InnFault(name=name, summary=summary, found_by=found_by, hears=_HEARS.get(name), says=_SAYS.get(name))
    for name, (summary, found_by) in gallery_words("inn-faults").items()
)
"""All planted faults of the inn."""
