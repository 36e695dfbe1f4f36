"""What the chatbot of a town council works out: bins by district, hours by the day, fees by the piece."""

from ..engine import Asked
from ..faults import Turn
from ..plain_text import DAYS
from ..replying import FALLBACK, Meaning, changed, meant, values_of


def bins(asked: Asked) -> Meaning:
    """Return the day on which a bin is emptied."""
    if "BIN" not in asked.known:
        return meant("which_bin")
    district, emptied = asked.known["DISTRICT"], asked.known["BIN"]
    return meant("bins", bin=emptied, district=district, day=asked.fact(f"DISTRICT.{emptied}"))


def hours(asked: Asked) -> Meaning:
    """Return the hours of a place on a day; without a place, of the town hall."""
    place, day = asked.known.get("PLACE", "town hall"), asked.known.get("DAY")
    if day not in DAYS:
        return meant("hours_week", place=place)
    facts = asked.world.things["PLACE"][place]
    if day not in facts:
        return meant("closed", place=place, day=day)
    return meant("hours", place=place, day=day, opens=facts[day][0], closes=facts[day][1])


def bulky(asked: Asked) -> Meaning:
    """Return what a collection of bulky waste costs."""
    if not asked.reading.numbers or not asked.reading.dates:
        return asked.again("bulky_cost")
    items = int(asked.reading.numbers[0])
    return meant("bulky", items=items, date=asked.reading.dates[0], fee=str(9 * items))


def address(asked: Asked) -> Meaning:
    """Return where the recycling centre is, or else the town hall."""
    return meant("centre_address" if asked.known.get("PLACE") == "recycling centre" else "address")


def half_price(meaning: Meaning, _turn: Turn) -> Meaning:
    """Return a reply with half the fee."""
    fee = values_of(meaning).get("fee")
    return changed(meaning, fee=f"{float(fee) / 2:.2f}".removesuffix(".00")) if fee else meaning


def for_the_whole_town(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a reply that passes over a district or street that is misspelt."""
    told = values_of(meaning)
    if meaning[0] == "bins" and told["district"] in turn.reading.misspelt:
        day = turn.world.things["DISTRICT"]["Northgate"][told["bin"]]
        return meant("bins_town", bin=told["bin"], day=day) if day != told["day"] else meaning
    if meaning[0] == "report" and told["street"] in turn.reading.misspelt:
        return meant("report_town", issue=told["issue"], days=told["days"])
    return meaning


def knows_nothing(meaning: Meaning, _turn: Turn) -> Meaning:
    """Return the fallback for all but a yes or no."""
    return meaning if "answer" in values_of(meaning) else FALLBACK
