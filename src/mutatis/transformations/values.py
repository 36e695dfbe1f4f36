"""The values that a user gives a service: a day, a number of people, an amount, a place, a product. One is exchanged.

A value is taken from a question only where it is what the user asks for ("a table for four", "to Oslo"), not what
may be a fact of the matter ("within 30 days", "a fee of 5 euros"). In an answer every value of the kind is found.
After the slot exchanges of CheckList and LAUG. Must not know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Literal, TypeAlias

from mutatis.core.cases import PRODUCTS, Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import listed
from mutatis.text.letter_case import like
from mutatis.text.products import form_of
from mutatis.text.values import vocabulary
from mutatis.transformations.exchange import moved
from mutatis.transformations.pieces import edited, with_articles

ValueKind: TypeAlias = Literal[
    "weekday", "count", "amount", "date", "time", "size", "city", "country", "duration", "quantity", "age", "product"
]

ASKED_KINDS: tuple[ValueKind, ...] = (
    *("weekday", "count", "amount", "date", "time", "size", "city", "country", "product"),
)
"""Kinds of which a user gives a value; a duration is told by the answer alone. A product is known by the names of the
data: that of the question, and those that may stand in its place (`products_of`)."""

MEASURED_KINDS: tuple[ValueKind, ...] = ("quantity", "age")
"""Kinds that a user gives, too, but that answers seldom repeat: a weight, length or volume, and how old somebody is."""

EXCHANGED = "exchanged"
"""Annotation of a turn: the kind of the value that was exchanged, the old one and the new one, as they are written."""

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SIZES = (("XS", "S", "M", "L", "XL", "XXL"), ("small", "medium", "large"))
_NUMBER = rf"\d{{1,3}}|{'|'.join(vocabulary().ones[2:13])}"
_CURRENCY = r"euros?|EUR|dollars?|USD|pounds?|GBP|francs?|CHF|[€$£]"
_SUM = r"\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?"
_DAY = rf"(?:{'|'.join(_DAYS)})"
_MONTH = rf"(?:{'|'.join(_MONTHS)})"
_THINGS = (
    "people persons guests adults children kids travellers travelers passengers visitors friends students nights "
    "tickets rooms seats beds tables copies pieces packs boxes bottles cups plates bags lamps chairs books cards "
    "shirts pairs"
)
THINGS = "|".join(_THINGS.split())
"""What people count when they ask a service for something, as a pattern."""

_THING = rf"(?:[a-z]+\s)?(?:{THINGS})\b"
_MEASURE = (
    "kg|kilos?|kilograms?|grams?|g|km|kilomet(?:re|er)s?|miles?|met(?:re|er)s?|cm|lit(?:re|er)s?|ml|gb|inch(?:es)?"
)
_OLD = r"[ -]years?[ -]old"
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?:\s?[ap]m\b)?|(?:1[0-2]|[1-9])\s?[ap]m\b"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue:
    """A value in a text: as it is written, where it stands, and `key`, which is the same however it is written."""

    text: str
    start: int
    key: str

    @property
    def end(self) -> int:
        """The offset just behind it."""
        return self.start + len(self.text)


@cache
def _named(kind: str) -> tuple[str, ...]:
    rows = listed("places") if kind == "city" else listed("nations")
    return tuple(row.split()[0] for row in rows) if kind == "country" else tuple(n for row in rows for n in row.split())


@cache
def _patterns(kind: ValueKind) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return where a user gives a value of a kind, and where any text has one; the group `value` is the value."""
    if kind in ("city", "country"):
        names = "|".join(map(re.escape, _named(kind)))
        return _place(rf"(?:to|from|in|for|via|near)\s+(?P<value>{names})\b"), _place(rf"\b(?P<value>{names})\b")
    return _PATTERNS[kind]


def _place(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern + r"(?!['\u2019-]\w)(?!\s+(?-i:[A-Z]))", re.IGNORECASE)


def _both(asked: str, said: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE)


_WANTED = (
    r"(?:for|of us|need|needs|want|wants|like|book|booking|reserve|reservation|order|buy|get|have|send|bring|are)\s+"
)
_PATTERNS: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "weekday": _both(
        rf"(?<!every )(?<!each )(?<!until )(?<!since )(?<!by )\b(?P<value>{_DAY})\b"
        rf"(?!\s*(?:to|-|until|through|and|or)\s+{_DAY})",
        rf"\b(?P<value>{_DAY})s?\b",
    ),
    "count": _both(
        rf"\b{_WANTED}(?P<value>{_NUMBER})(?=\s+{_THING})|\bfor\s+(?P<bare>{_NUMBER})(?=\s*(?:[?.!,]|\Z|on\b|at\b))"
        rf"|\b(?P<us>{_NUMBER})(?=\s+of\s+us\b)",
        rf"(?<![\w.,:€$£-])(?<!size )(?P<value>{_NUMBER})(?![\w:%€$£]|[.,]\d"
        rf"|[\s-]*(?:{_CURRENCY}|{_MONTH}|%|[ap]m\b|percent|o'clock|stars?\b|minutes?|hours?|days?|weeks?|months?|years?|km\b|miles?))",
    ),
    "amount": _both(
        rf"\b(?:transfer|send|withdraw|deposit|exchange|convert|borrow|invest|donate|top up|pay in|loan of|transfer of"
        rf"|deposit of|withdrawal of|mortgage of|credit of)\s+(?:\w+\s+)?(?P<value>[€$£]\s?(?:{_SUM})|(?:{_SUM})\s?"
        rf"(?:{_CURRENCY}))(?!\w)",
        rf"(?<![\w.,])(?P<value>[€$£]\s?(?:{_SUM})|(?:{_SUM})\s?(?:{_CURRENCY}))(?!\w)",
    ),
    "date": _both(
        rf"\b(?:on|for|from)\s+(?:the\s+)?(?P<value>\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+\d{{1,2}}"
        rf"(?:st|nd|rd|th)?)\b(?!,?\s+\d{{4}})",
        rf"\b(?P<value>\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?)\b",
    ),
    "time": _both(
        rf"\b(?:at|for)\s+(?P<value>{_CLOCK})",
        rf"(?<![\d:.])(?P<value>{_CLOCK})",
    ),
    "duration": _both(
        r"(?!)(?P<value>)",
        rf"(?<![\w.,])(?P<value>(?:{_NUMBER})\s+(?:working\s+|business\s+|calendar\s+)?(?:minute|hour|day|week|month|year)s?)\b",
    ),
    "quantity": _both(*[rf"(?<![\w.,€$£-])(?P<value>\d+(?:\.\d+)?[ -]?(?:{_MEASURE}))(?![\w/]|-\d| per\b| an? )"] * 2),
    "age": _both(
        *[
            rf"(?<![\w.,€$£-])(?P<value>\d{{1,2}}{_OLD})\b|\b(?:I\s+am|I['\u2019]m|(?:who|he|she|son|daughter|child)\s+is|aged)"
            r"\s+(?P<bare>\d{1,2})(?=\s*(?:[.,;!?]|\Z|and\b|now\b|years?\s*(?:[.,;!?]|\Z)))"
        ]
        * 2
    ),
    "size": _both(
        r"\bsize\s+(?P<value>XXL|XL|XS|S|M|L|\d{2})\b|\bin\s+(?:a\s+|size\s+)?(?P<bare>XXL|XL|XS|small|medium|large)\b",
        r"\b(?P<value>XXL|XL|XS|small|medium|large|(?<=size )(?:[SML]|\d{2}))\b",
    ),
}


def _find(pattern: re.Pattern[str], kind: ValueKind, text: str) -> list[StatedValue]:
    matches = [(m, next(name for name, value in m.groupdict().items() if value)) for m in pattern.finditer(text)]
    return [StatedValue(text=m[name], start=m.start(name), key=key_of(kind, m[name])) for m, name in matches]


def _find_products(names: Sequence[str], text: str) -> list[StatedValue]:
    places: dict[int, StatedValue] = {}
    for name in sorted(names, key=len, reverse=True):
        for match in form_of(name, tuple(names)).finditer(text):
            if all(match.end() <= value.start or match.start() >= value.end for value in places.values()):
                places[match.start()] = StatedValue(text=match[0], start=match.start(), key=key_of("product", name))
    return [places[start] for start in sorted(places)]


def products_of(turn: Turn) -> tuple[str, ...]:
    """Return the product that a turn names, and those that may stand in its place; nothing where it names several."""
    products = turn.annotations.get(PRODUCTS, ())
    return tuple(products[0]) if len(products) == 1 else ()


def values_asked(text: str, kind: ValueKind, names: Sequence[str] = ()) -> list[StatedValue]:
    """Return the values of a kind that a user asks for; of products, which are known by their `names`, all.

    >>> [value.text for value in values_asked("A table for four people on Friday within 30 minutes?", "count")]
    ['four']
    >>> values_asked("Why was I charged 5 euros?", "amount"), values_asked("Are you open every Monday?", "weekday")
    ([], [])
    """
    return _find_products(names, text) if kind == "product" else _find(_patterns(kind)[0], kind, text)


def values_said(text: str, kind: ValueKind, names: Sequence[str] = ()) -> list[StatedValue]:
    """Return all values of a kind in a text.

    >>> [value.key for value in values_said("Yes, a table for 4, at 6 pm, on Fridays; it costs 5 euros.", "count")]
    ['4']
    >>> [value.key for value in values_said("The Orbit costs 30 euros.", "product", ["Nova phone", "Orbit tablet"])]
    ['orbit tablet']
    """
    return _find_products(names, text) if kind == "product" else _find(_patterns(kind)[1], kind, text)


def key_of(kind: ValueKind, written: str) -> str:
    """Return one spelling for all in which a value of a kind is written.

    >>> key_of("count", "Four"), key_of("amount", "$1,200"), key_of("amount", "1200.00 dollars"), key_of("time", "6 pm")
    ('4', '1200 $', '1200 $', '18:00')
    >>> key_of("date", "the 3rd of May"), key_of("date", "May 3")
    ('3 may', '3 may')
    """
    low = written.lower().strip()
    if kind == "product":
        return " ".join(re.findall(r"\w+", low))
    if kind in MEASURED_KINDS:
        number, unit = re.fullmatch(r"([\d.]+)[ -]?(.*)", low, re.DOTALL).groups()  # type: ignore[union-attr]
        return f"{float(number):g} {'' if kind == 'age' else unit.removesuffix('s')}".strip()
    if kind == "count":
        return str(vocabulary().ones.index(low)) if low in vocabulary().ones else str(int(low))
    if kind == "amount":
        number = re.sub(r"\.00\Z", "", re.sub(r"[^\d.]", "", low))
        signs = {"eur": "€", "€": "€", "dol": "$", "usd": "$", "$": "$", "pou": "£", "gbp": "£", "£": "£"}
        unit = re.sub(r"[\d.,\s]", "", low)
        return f"{number} {signs.get(unit[:3], 'chf')}"
    if kind == "duration":
        number, _, unit = low.partition(" ")
        return f"{key_of('count', number)} {unit.split()[-1].removesuffix('s')}"
    if kind == "date":
        [day] = re.findall(r"\d+", low)
        return f"{int(day)} {next(month.lower() for month in _MONTHS if month.lower() in low)}"
    if kind == "time":
        hour, minute = [*re.findall(r"\d+", low), "0"][:2]
        half = low[-2:] if low.endswith("m") else ""
        return f"{int(hour) % 12 + 12 * (half == 'pm') if half else int(hour)}:{int(minute):02}"
    return low


def _next(options: Sequence[str], written: str, by: int) -> str:
    low = [option.lower() for option in options]
    return options[(low.index(written.lower()) + by) % len(options)]


def next_weekday(written: str, by: int) -> str:
    """Return the day of the week so many days later.

    >>> next_weekday("saturday", 2)
    'Monday'
    """
    return _next(_DAYS, written.lower().removesuffix("s"), by)


def _other_count(written: str, rng: Random, said: str) -> str:
    """Return a larger number: what is large enough for more is so for fewer, and may be said again."""
    taken = {value.key for value in values_said(said, "count")}
    old = int(key_of("count", written))
    new = rng.choice([number for number in range(old + 1, old + 6) if str(number) not in taken])
    return like(written, vocabulary().ones[new]) if written[0].isalpha() and new < len(vocabulary().ones) else str(new)


def _other_date(written: str, rng: Random, said: str) -> str:
    day = re.search(r"\d+", written)
    assert day is not None
    new = (int(day.group()) + 3 + int(rng.random() * 20)) % 28 + 1
    new = new if new != int(day.group()) else new % 28 + 1
    ordinal = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(new, "th")
    return re.sub(r"\d+(st|nd|rd|th)?", lambda m: f"{new}{ordinal if m.group(1) else ''}", written, count=1)


def _other_time(written: str, rng: Random, said: str) -> str:
    hours = re.search(r"\d+", written)
    assert hours is not None
    hour, low = int(hours.group()), written.lower()
    likely = range(8, 12) if low.endswith("am") else range(1, 9) if low.endswith("pm") else range(8, 22)
    others = [other for other in likely if other != hour]
    new = others[int(rng.random() * len(others))]
    half = low.endswith("m")
    return re.sub(r"\d+", str(new).zfill(len(hours.group()) if not half else 1), written, count=1)


def _other_size(written: str, rng: Random, said: str) -> str:
    if written.isdigit():
        return str(int(written) + 2)
    row = _SIZES[0] if written.upper() in _SIZES[0] else _SIZES[1]
    return _next(row, written, 1)


def _other_amount(written: str, rng: Random, said: str) -> str:
    number = re.search(_SUM, written)
    assert number is not None
    whole, point, cents = number.group().partition(".")
    return written.replace(number.group(), moved(whole, 2 + int(rng.random() * 6)) + point + cents)


def _other_measured(written: str, rng: Random, said: str) -> str:
    number = float(re.match(r"[\d.]+", written)[0])  # type: ignore[index]
    step = max(1, round(number * (0.2 + 0.6 * rng.random())))
    return re.sub(r"\A[\d.]+", f"{number + step:g}", written)


def _other_age(written: str, rng: Random, said: str) -> str:
    return re.sub(r"\A\d+", lambda m: str(int(m.group()) + 1 + int(rng.random() * 5)), written)


def _lower_as(written: str, name: str) -> str:
    return name.lower() if written.islower() else name


def _other_place(kind: ValueKind) -> Callable[[str, Random, str], str]:
    return lambda written, rng, said: like(
        written, _lower_as(written, rng.choice([n for n in _named(kind) if n.lower() not in said.lower()]))
    )


_OTHER: Mapping[str, Callable[[str, Random, str], str]] = {
    "weekday": lambda written, rng, said: like(written, next_weekday(written, 1 + int(rng.random() * 5))),
    **{"count": _other_count, "amount": _other_amount, "date": _other_date, "time": _other_time, "size": _other_size},
    **{"city": _other_place("city"), "country": _other_place("country")},
    **{"quantity": _other_measured, "age": _other_age},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueExchange:
    """A text with one value exchanged: the kind, and the old and the new value as they are written."""

    text: str
    kind: ValueKind
    old: str
    new: str


def only_value(text: str, kind: ValueKind, names: Sequence[str] = ()) -> StatedValue | None:
    """Return the value of a kind that a user asks for, where the text has no other value of that kind."""
    asked = values_asked(text, kind, names)
    if len(asked) != 1 or any(value.key != asked[0].key for value in values_said(text, kind, names)):
        return None
    return asked[0]


def _other_product(written: str, rng: Random, names: Sequence[str]) -> str:
    new = names[1 + int(rng.random() * (len(names) - 1))]
    if written == names[0]:  # "SUV" and "hatchback" are as they are listed
        return new
    return new.lower() if written.islower() else like(written, new)


def exchanged(text: str, kind: ValueKind, rng: Random, names: Sequence[str] = ()) -> ValueExchange | None:
    """Return a text with the one value of a kind exchanged for another of its kind; None where there is not just one.

    >>> exchanged("A room for two nights, please.", "count", Random(1))
    ValueExchange(text='A room for four nights, please.', kind='count', old='two', new='four')
    """
    value = only_value(text, kind, names)
    if value is None:
        return None
    if kind == "product" and (value.text.casefold() != names[0].casefold() or len(names) == 1):
        return None  # a name in the plural, or a part of it, has no place for another one as the data write it
    new = _OTHER[kind](value.text, rng, text) if kind != "product" else _other_product(value.text, rng, names)
    edits = [(value.start, value.end, new)]
    edits = with_articles(text, edits) if kind == "product" else edits
    return ValueExchange(text=edited(text, edits), kind=kind, old=value.text, new=new)


@transformation(
    "exchange-value", level="turn", capability="numbers", says="a {kind} exchanged for another", languages=ENGLISH
)
def exchange_value(turn: Turn, rng: Random, fields: tuple[str, ...], *, kind: ValueKind = "weekday") -> Turn:
    """Exchange the one day, number, amount, time, size, place or product that the user asks for; other texts stay.

    >>> turn = Turn(fields={"message": "A table on Friday, please."})
    >>> changed = exchange_value(turn, Random(1), ("message",))
    >>> changed.fields["message"], changed.annotations["exchanged"]
    ('A table on Saturday, please.', ['weekday', 'Friday', 'Saturday'])
    """
    name = fields[0]
    exchange = exchanged(turn.fields[name], kind, rng, products_of(turn))
    if exchange is None:
        return turn
    noted = {**turn.annotations, EXCHANGED: [kind, exchange.old, exchange.new]}
    return replace(turn, fields={**turn.fields, name: exchange.text}, annotations=noted)
