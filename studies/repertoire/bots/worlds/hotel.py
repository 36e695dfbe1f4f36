"""What the chatbot of a hotel works out: rates, hours by the day, and what becomes of them under its faults."""

from ..engine import Asked
from ..faults import Turn
from ..forms import count
from ..replying import Meaning, Memory, meant, number, values_of


def rate(asked: Asked) -> Meaning:
    """Return the price of a room for a night or several, with breakfast or without."""
    nights = _nights(asked) if "nights" in asked.reading.concepts else None
    return _rate(asked, _breakfast(asked), nights)


def booked(asked: Asked) -> Meaning:
    """Return a booking and its price."""
    nights = _nights(asked) or 1
    euros = asked.fact("ROOM.euros") * nights
    return meant("booked", room=asked.known["ROOM"], date=asked.reading.dates[0], nights=nights, euros=euros)


def available(asked: Asked) -> Meaning:
    """Return whether a room is free on a day."""
    day = asked.reading.dates[0]
    return meant("available", room=asked.known["ROOM"], date=day, answer=day != asked.fact("ROOM.taken"))


def hours(asked: Asked) -> Meaning:
    """Return the hours of a place, perhaps on a certain day."""
    return _hours(asked, asked.known["PLACE"], next(iter(asked.reading.days), None))


def breakfast(asked: Asked) -> Meaning:
    """Return the hours of breakfast, perhaps on a certain day."""
    return _hours(asked, "breakfast", next(iter(asked.reading.days), None))


def also_remembered(asked: Asked, _meaning: Meaning) -> Memory:
    """Return whether breakfast was asked for."""
    return {"breakfast": _breakfast(asked)} if asked.intent == "rate" else {}


def _rate(asked: Asked, breakfast: str, nights: int | None) -> Meaning:
    each = values_of(asked.world.rule("breakfast_price"))["euros"]
    meals = each * asked.fact("ROOM.people") if breakfast == "with" else 0
    euros = (asked.fact("ROOM.euros") + meals) * (nights or 1)
    name = ("total" if nights else "price") + (f"_{breakfast}" if breakfast else "")
    return meant(name, room=asked.known["ROOM"], euros=euros, **({"nights": nights} if nights else {}))


def _nights(asked: Asked) -> int | None:
    return next((int(value) for value in asked.reading.numbers), None)


def _breakfast(asked: Asked) -> str:
    """Return "with", "without" or "", as this message has it or an earlier one."""
    concepts = asked.reading.concepts
    if "breakfast" in concepts:
        return "without" if "without" in concepts else "with"
    return "" if "cost" in concepts else asked.known.get("breakfast", "")


def _hours(asked: Asked, place: str, day: str | None) -> Meaning:
    facts = asked.world.things["PLACE"][place]
    other = "other_" if day in facts["other_days"] else ""
    named = {} if place == "breakfast" else {"place": place}
    on_day = {"day": day} if day else {}
    name = ("breakfast" if place == "breakfast" else "hours") + ("_day" if day else "")
    return meant(name, opens=facts[f"{other}opens"], closes=facts[f"{other}closes"], **named, **on_day)


def forgetting_condition(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a reply that passes over breakfast or the day, if the answer depends on it."""
    told = values_of(meaning)
    if turn.asked and meaning[0] in {"price_with", "total_with"}:
        return _rate(turn.asked, "", told.get("nights"))
    if turn.asked and meaning[0] in {"hours_day", "breakfast_day"}:
        usual = _hours(turn.asked, told.get("place", "breakfast"), None)
        return usual if values_of(usual)["closes"] != told["closes"] else meaning
    return meaning


def opposite(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a price without breakfast for one with it, and the other way round."""
    condition = meaning[0].partition("_")[2]
    if turn.asked is None or condition not in {"with", "without"}:
        return meaning
    return _rate(turn.asked, "without" if condition == "with" else "with", values_of(meaning).get("nights"))


def with_article(value: str, seed: str, slot: str) -> str:
    """Return a room with its article."""
    return f"{'the' if value == 'suite' or number('the', f'{seed}|{slot}') % 2 else 'a'} {value}"


def people(value: int, seed: str, slot: str) -> str:
    """Return a number of people."""
    return "one person" if value == 1 else count(value, "people", f"{seed}|{slot}")
