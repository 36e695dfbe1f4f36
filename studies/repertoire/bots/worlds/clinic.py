"""What becomes of the facts of a clinic's chatbot under its faults."""

from ..faults import Turn
from ..forms import listed
from ..replying import Meaning, changed, pick, values_of


def outdated(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a reply with one fact of an old leaflet."""
    leaflet = turn.world.things["LEAFLET"]["old"]
    names = [name for name in values_of(meaning) if name in leaflet]
    if not names:
        return meaning
    name = pick(names, turn.message.lower())
    return changed(meaning, **{name: leaflet[name]})


def fact_of_another(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a reply with one fact of the next service on the list, if a service is misspelt."""
    told, services = values_of(meaning), turn.world.things["SERVICE"]
    service = told.get("service")
    if service not in turn.reading.misspelt:
        return meaning
    names = list(services)
    other = services[names[(names.index(service) + 1) % len(names)]]
    for name in ("fee", "doctor", "minutes", "ready"):
        if told.get(name, other[name]) != other[name]:
            return changed(meaning, **{name: other[name]})
    return meaning


def other_day(meaning: Meaning, _turn: Turn) -> Meaning:
    """Return a booking on the first free day, or the hours of Wednesday."""
    told = values_of(meaning)
    if "date" in told:
        return changed(meaning, date="30 June")
    if meaning[0] != "hours":
        return meaning
    return changed(meaning, closes="13:00" if told["closes"] != "13:00" else "18:00")


def in_any_order(value: object, seed: str, _slot: str) -> str:
    """Return a list in an order that is the same for all lists of a reply."""
    return listed(value, seed) if isinstance(value, tuple) else str(value)
