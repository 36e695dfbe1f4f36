"""What the chatbot of a city's public transport works out: sums, timetables by the day, and the lines of a stop."""

from ..engine import Asked
from ..replying import Meaning, meant


def price_several(asked: Asked) -> Meaning:
    """Return the price of several tickets."""
    number = int(asked.reading.numbers[0]) if asked.reading.numbers else 1
    if number < 2:
        return asked.again("price")
    euros = round(number * asked.fact("TICKET.price"), 2)
    return meant("price_several", ticket=asked.known["TICKET"], number=number, euros=euros)


def frequency(asked: Asked) -> Meaning:
    """Return how often a line runs, perhaps on a certain day."""
    line, day = asked.known["LINE"], _day(asked)
    if day is None:
        return meant("frequency", line=line, minutes=asked.fact("LINE.minutes"))
    weekend = day in {"Saturday", "Sunday"}
    return meant("frequency_on", line=line, day=day, minutes=asked.fact(f"LINE.{'weekend_' if weekend else ''}minutes"))


def last(asked: Asked) -> Meaning:
    """Return the last departure of a line, perhaps on a certain day."""
    line, day = asked.known["LINE"], _day(asked)
    if day is None:
        return meant("last", line=line, last=asked.fact("LINE.last"))
    late = day in {"Friday", "Saturday"}
    return meant("last_on", line=line, day=day, last=asked.fact(f"LINE.{'late_' if late else ''}last"))


def route(asked: Asked) -> Meaning:
    """Return both ends of a line."""
    stops = asked.fact("LINE.stops")
    return meant("route", line=asked.known["LINE"], start=stops[0], end=stops[-1])


def stop_lines(asked: Asked) -> Meaning:
    """Return the lines that stop at a stop."""
    stop, lines = asked.known["STOP"], asked.world.things["LINE"]
    return meant("stop_lines", stop=stop, lines=tuple(f"the {line}" for line in lines if stop in lines[line]["stops"]))


def _day(asked: Asked) -> str | None:
    return next((day for day in asked.reading.days if day not in {"today", "tomorrow"}), None)


def also_shown(_told: dict[str, object], values: dict[str, str]) -> dict[str, str]:
    """Return the plural of a ticket that there are several of."""
    if "number" not in values:
        return {}
    return {"tickets": values["ticket"] + ("es" if values["ticket"].endswith("s") else "s")}
