"""The forms in which people write one and the same value; which one it is follows from a seed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .replying import number, pick

EURO = ("€", "EUR", "euros")
DOLLAR = ("$", "USD", "dollars")
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def money(value: object, seed: str, currency: tuple[str, str, str] = EURO) -> str:
    """Return an amount: "1,200 euros", "EUR 1,200", "1200 euros", "€1,200"."""
    sign, code, word = currency
    amount = f"{value:,.2f}".removesuffix(".00")
    return pick((f"{amount} {word}", f"{code} {amount}", f"{amount.replace(',', '')} {word}", f"{sign}{amount}"), seed)


def clock(value: object, seed: str) -> str:
    """Return a time of day: "15:30", "3:30 pm"."""
    hour, minute = map(int, str(value).split(":"))
    short = f"{(hour - 1) % 12 + 1}" + (f":{minute:02}" if minute else "")
    return pick((f"{hour}:{minute:02}", f"{short} {'pm' if hour > 11 else 'am'}"), seed)


def date(value: object, seed: str) -> str:
    """Return a date: "3 May", "May 3rd", "the 3rd of May"."""
    day, month = str(value).split()
    return pick((str(value), f"{month} {ordinal(day)}", f"the {ordinal(day)} of {month}"), seed)


def ordinal(day: object) -> str:
    """Return the number of a day: "3rd"."""
    ending = "th" if str(day) in {"11", "12", "13"} else {"1": "st", "2": "nd", "3": "rd"}.get(str(day)[-1], "th")
    return f"{day}{ending}"


def count(value: object, unit: str, seed: str) -> str:
    """Return a number of things, in digits or in letters: "6 weeks", "six weeks"."""
    amount = int(str(value))
    noun = unit.removesuffix("s") if amount == 1 else unit
    return pick((f"{amount} {noun}", f"{WORDS[amount]} {noun}" if amount < len(WORDS) else f"{amount} {noun}"), seed)


def months(value: object, seed: str) -> str:
    """Return a number of months: "24 months", "two years"."""
    years, rest = divmod(int(str(value)), 12)
    return count(value, "months", seed) if rest or number(seed, "years") % 2 else count(years, "years", seed)


def listed(items: Sequence[str], seed: str) -> str:
    """Return a list of things, in any order."""
    return enumerated(sorted(items, key=lambda item: number("list", seed, item)))


def enumerated(items: Sequence[str]) -> str:
    """Return a list of things, in their order: "black, white and red"."""
    return ", ".join(items[:-1]) + f" and {items[-1]}" if len(items) > 1 else items[0]


def capital(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def percent(value: object, seed: str) -> str:
    """Return a share: "5%", "5 percent", "5 %"."""
    return pick((f"{value}%", f"{value} percent", f"{value} %"), seed)


def span(value: object, seed: str) -> str:
    """Return a number with its unit: "90 minutes", "seven days"."""
    amount, _, unit = str(value).partition(" ")
    return count(amount, unit, seed)


def figure(value: object, seed: str) -> str:
    """Return a number, in letters if it is small."""
    amount = int(str(value))
    return pick((str(amount), WORDS[amount]), seed) if amount < len(WORDS) else str(amount)


def choice(items: Sequence[str], seed: str) -> str:
    """Return a list to choose from, in any order: "by card or in cash"."""
    return listed(items, seed).replace(" and ", " or ")


def _by_slot(form: Callable[[Any, str], str]) -> Callable[[Any, str, str], str]:
    return lambda value, seed, slot: form(value, f"{seed}|{slot}")


FORMS: Mapping[str, Callable[[Any, str, str], str]] = {
    "in order": lambda value, _seed, _slot: enumerated(value),
    "count": lambda value, seed, slot: count(value, slot, f"{seed}|{slot}"),
    **{form.__name__: _by_slot(form) for form in (money, clock, date, months, percent, span, figure, choice)},
}
"""Forms by name: of a value, given the seed of the reply and the slot."""
