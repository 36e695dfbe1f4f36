"""The forms in which people write one and the same value; which one it is follows from a seed."""

from collections.abc import Sequence

from .replying import number, pick

EURO = ("€", "EUR", "euros")
DOLLAR = ("$", "USD", "dollars")
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def money(value: object, seed: str, currency: tuple[str, str, str] = EURO) -> str:
    """An amount: "1,200 euros", "EUR 1,200", "1200 euros", "€1,200"."""
    sign, code, word = currency
    amount = f"{value:,.2f}".removesuffix(".00")
    return pick((f"{amount} {word}", f"{code} {amount}", f"{amount.replace(',', '')} {word}", f"{sign}{amount}"), seed)


def clock(value: object, seed: str) -> str:
    """A time of day: "15:30", "3:30 pm"."""
    hour, minute = map(int, str(value).split(":"))
    short = f"{(hour - 1) % 12 + 1}" + (f":{minute:02}" if minute else "")
    return pick((f"{hour}:{minute:02}", f"{short} {'pm' if hour > 11 else 'am'}"), seed)


def date(value: object, seed: str) -> str:
    """A date: "3 May", "May 3rd", "the 3rd of May"."""
    day, month = str(value).split()
    return pick((str(value), f"{month} {ordinal(day)}", f"the {ordinal(day)} of {month}"), seed)


def ordinal(day: object) -> str:
    """The number of a day: "3rd"."""
    ending = "th" if str(day) in {"11", "12", "13"} else {"1": "st", "2": "nd", "3": "rd"}.get(str(day)[-1], "th")
    return f"{day}{ending}"


def count(value: object, unit: str, seed: str) -> str:
    """A number of things, in digits or in letters: "6 weeks", "six weeks"."""
    amount = int(str(value))
    noun = unit.removesuffix("s") if amount == 1 else unit
    return pick((f"{amount} {noun}", f"{WORDS[amount]} {noun}" if amount < len(WORDS) else f"{amount} {noun}"), seed)


def months(value: object, seed: str) -> str:
    """A number of months: "24 months", "two years"."""
    years, rest = divmod(int(str(value)), 12)
    return count(value, "months", seed) if rest or number(seed, "years") % 2 else count(years, "years", seed)


def listed(items: Sequence[str], seed: str) -> str:
    """A list of things, in any order."""
    return enumerated(sorted(items, key=lambda item: number("list", seed, item)))


def enumerated(items: Sequence[str]) -> str:
    """A list of things, in their order: "black, white and red"."""
    return ", ".join(items[:-1]) + f" and {items[-1]}" if len(items) > 1 else items[0]


def capital(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]
