"""Reads the numbers of a text: digits and words, thousands, millions, percent, halves, years, days, ordinals, units.

Must not know what the numbers are compared with.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from mutatis.text.normalisation import fold


def _words(text: str) -> list[str]:
    return text.split()


ONES = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
"""The numbers below twenty, each at its place."""
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = _words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
WORDS: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(ONES)},
    **{word: 20.0 + 10 * step for step, word in enumerate(_TENS)},
}
ORDINALS: dict[str, float] = {word: float(value) for value, word in enumerate(_ORDINALS, start=1)}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mln": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
}
_LONG_SCALES = ("hundred", "thousand", "million", "billion", "trillion")
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "thirds": 1 / 3, "third": 1 / 3, "fifths": 0.2}
_ROMAN = {
    numeral: float(value)
    for value, numeral in enumerate(
        _words("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"), 1
    )
    if len(numeral) > 1
}
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
# unit -> (what it measures, how many of the base unit); units of one kind are compared after conversion.
_UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("mm", "millimetre", "millimetres", "millimeter", "millimeters"), ("length", 0.001)),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), ("length", 0.01)),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), ("length", 1.0)),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), ("length", 1000.0)),
    **dict.fromkeys(("mile", "miles"), ("length", 1609.344)),
    **dict.fromkeys(("foot", "feet", "ft"), ("length", 0.3048)),
    **dict.fromkeys(("inch", "inches"), ("length", 0.0254)),
    **dict.fromkeys(("yard", "yards"), ("length", 0.9144)),
    **dict.fromkeys(("gram", "grams", "g"), ("mass", 0.001)),
    **dict.fromkeys(("kg", "kilogram", "kilograms", "kilo", "kilos"), ("mass", 1.0)),
    **dict.fromkeys(("lb", "lbs"), ("mass", 0.45359237)),
    **dict.fromkeys(("ounce", "ounces", "oz"), ("mass", 0.028349523)),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), ("time", 1.0)),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), ("time", 60.0)),
    **dict.fromkeys(("hour", "hours", "hr", "hrs"), ("time", 3600.0)),
    **dict.fromkeys(("day", "days"), ("time", 86400.0)),
    **dict.fromkeys(("week", "weeks"), ("time", 604800.0)),
    **dict.fromkeys(("month", "months"), ("months", 1.0)),
    **dict.fromkeys(("year", "years", "yrs"), ("months", 12.0)),
    **dict.fromkeys(("dollar", "dollars", "usd"), ("dollar", 1.0)),
    **dict.fromkeys(("euro", "euros", "eur"), ("euro", 1.0)),
    **dict.fromkeys(("pound", "pounds", "gbp"), ("pound", 1.0)),
    **dict.fromkeys(("cent", "cents", "pence"), ("cent", 0.01)),
    **dict.fromkeys(("celsius", "c"), ("celsius", 1.0)),
    **dict.fromkeys(("fahrenheit", "f"), ("fahrenheit", 1.0)),
}
_CODES = {"eur": "euro", "usd": "dollar", "gbp": "pound", "chf": "franc", "jpy": "yen"}
"""Currencies by the code that stands before the amount, too: "EUR 20"."""

_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen"}
_ITEM = re.compile(
    r"(?:(?P<sign>(?:(?<=\s)|(?<=\()|(?<![\s\S]))[-+])?(?P<currency>[$€£¥]\s?)?(?<![^\W_])"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?|(?<!\d)\.\d+)(?P<suffix>(?:st|nd|rd|th|s)\b)?"
    r"(?![^\W\d_]*\d))|(?P<word>[^\W\d_]+)|(?P<percent>%)|(?P<stop>[^\s\w])"
)
# A blank that a tokeniser or a citation left in a number. Behind a full stop a sentence may begin, so there a scale
# or a percent sign must follow.
_BLANK = re.compile(
    r"(?<![\d.,])(\d{1,3})(?: +(?P<point>\.) *(?=\d)| +(?P<comma>,) ?(?=\d{3}(?!\d))"
    r"|(?P<stop>\.) +(?=\d{1,2} ?(?:%|percent\b|per cent\b|million\b|billion\b|trillion\b)))"
)
_SEASON = re.compile(r"(?<![\d/.,-])(1[5-9]|20)(\d\d) ?(?:[-\u2010-\u2015]{1,2}|/) ?(\d\d)(?![\d/-]|\.\d|,\d|%)")
_MONTH = re.compile(rf"(?:{_MONTHS})$")
_NOT_A_COUNT = frozenset({"of", "who", "that", "another", "day", "which"})  # after "one"
_POINTING = frozenset({"the", "this", "that", "which", "each", "every", "any", "another", "other", "last", "next"})
_LONGEST = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number found in a text.

    Attributes:
        value: the value in base units (percent divided by 100; 3 km is 3000).
        kind: "count", "percent", "year", "decade", "day" (of a month), "ordinal", or what its unit measures.
        start: offset in the folded text.
        end: offset behind it.
        text: the number as written, for reasons shown to people.
        raw: the value as written, before percent and units are converted (50 % is 50, 3 km is 3).
        raw_end: offset behind the bare number, before its unit or percent sign.
    """

    value: float
    kind: str
    start: int
    end: int
    text: str
    raw: float
    raw_end: int


@dataclass(slots=True)
class _NumberWord:
    """One lexical item: what it is, its text and place."""

    kind: str
    text: str
    start: int
    end: int
    value: float = 0.0
    plain: bool = False
    currency: str = ""


def _items(text: str) -> list[_NumberWord]:
    items = []
    for match in _ITEM.finditer(text):
        kind = match.lastgroup or ""
        item = _NumberWord(kind, match.group(), match.start(), match.end())
        digits = match.group("digits")
        if digits:
            bare = digits.replace(",", "")
            value = float(bare) if len(bare) < 300 else math.inf
            item.kind = "number"
            item.value = -value if match.group("sign") == "-" else value
            item.plain = digits.isdigit() and len(digits) == 4 and not match.group("sign")
            item.currency = _CURRENCY.get((match.group("currency") or "").strip(), "")
            if match.group("suffix"):
                item.kind = "decade" if match.group("suffix") == "s" else "ordinal"
        items.append(item)
    return items


def _word_number(items: list[_NumberWord], at: int) -> tuple[float, int] | None:
    """Read a number in words ("three hundred and five", "twenty-one") from an item on; return value and next index."""
    total = current = 0.0
    used = at
    index = at
    last = ""
    while index < len(items):
        text = items[index].text
        if text in WORDS and not (last == "one" or (last in WORDS and WORDS[last] < 20)):
            current += WORDS[text]
            last = text
        elif text in _SCALES and len(text) > 2 and index > at:
            if _SCALES[text] < 1000:
                current *= _SCALES[text]
            else:
                total, current = total + current * _SCALES[text], 0.0
            last = ""
        elif index > at and (text == "-" or (text == "and" and last == "")):
            index += 1
            continue
        else:
            break
        index += 1
        used = index
    return (total + current, used) if used > at else None


def _scale(text: str) -> float | None:
    """Return what a scale word multiplies by; one slip of spelling is forgiven ("milion", "bilion", "thousnd")."""
    if text in _SCALES or len(text) < 5:
        return _SCALES.get(text)
    near = [name for name in _LONG_SCALES if name[0] == text[0] and OSA.distance(name, text) == 1]
    return _SCALES[near[0]] if near else None


def _is_scale(items: list[_NumberWord], at: int, after: int) -> bool:
    """Whether an item multiplies the number before it; "m" only money (else metres), "k" only where attached."""
    text = items[after].text
    if items[at].kind != "number" or _scale(text) is None:
        return False
    if text == "m":
        return bool(items[at].currency)
    return text != "k" or items[after].start == items[after - 1].end


def _points(word: str) -> bool:
    """Whether a "one" behind a word stands for a thing ("the first one", "which one")."""
    return word in _POINTING or word in ORDINALS


def _numeral(items: list[_NumberWord], at: int) -> tuple[float, str, int] | None:
    """Read one number from an item on: value, kind, next index."""
    item = items[at]
    if item.kind in ("number", "decade", "ordinal"):
        value, after = item.value, at + 1
        while after < len(items) and _is_scale(items, at, after):
            value *= _scale(items[after].text) or 1.0
            after += 1
        year = item.plain and after == at + 1 and 1000 <= value <= 2100 and not item.currency
        kind = item.kind if item.kind != "number" else ("year" if year else item.currency or "count")
        return value, kind, after
    if item.kind != "word":
        return None
    if item.text in ORDINALS:
        return ORDINALS[item.text], "ordinal", at + 1
    if item.text in _ROMAN:
        return _ROMAN[item.text], "ordinal", at + 1
    if item.text == "half":
        return 0.5, "count", at + 1
    if item.text == "dozen":
        return 12.0, "count", at + 1
    read = _word_number(items, at)
    if read is None:
        return None
    value, after = read
    if item.text == "one" and after == at + 1 and at and _points(items[at - 1].text):
        return None
    if value == 1 and after < len(items) and items[after].text in _NOT_A_COUNT:
        return None
    last = after + 1 if after < len(items) and items[after].text == "-" else after
    if last < len(items) and items[last].text in ORDINALS and value >= 20 and value % 10 == 0:
        return value + ORDINALS[items[last].text], "ordinal", last + 1
    return value, "count", after


def _qualify(items: list[_NumberWord], at: int, after: int, value: float, kind: str) -> tuple[float, str, int]:
    """Apply what follows or precedes a number: percent, fraction, unit, month."""
    following = items[after].text if after < len(items) else ""
    preceding = items[at - 1].text if at else ""
    if kind in ("count", "year") and following in ("%", "percent", "pct"):
        return value / 100, "percent", after + 1
    if kind in ("count", "year") and following == "per" and after + 1 < len(items) and items[after + 1].text == "cent":
        return value / 100, "percent", after + 2
    if kind == "count" and following in _FRACTIONS and value < 100 and not items[at].text[0].isdigit():
        return value * _FRACTIONS[following], "count", after + 1
    if kind in ("count", "ordinal") and 1 <= value <= 31:
        skip = after + 1 if following == "of" and after + 1 < len(items) else after
        near = items[skip].text if skip < len(items) else ""
        if _MONTH.match(near) or (_MONTH.match(preceding) and (preceding != "may" or kind == "ordinal" or value > 3)):
            return value, "day", after
    if kind in ("count", "year") and following == "-" and after + 1 < len(items):
        following = items[after + 1].text
    if kind in ("count", "year") and following in _UNITS:
        name, factor = _UNITS[following]
        return round(value * factor, 9), name, after + 1
    if kind in ("count", "year") and preceding in _CODES:
        return value, _CODES[preceding], after
    return value, kind, after


def in_full(text: str) -> str:
    """Return a text with numbers joined that a blank cut in two, and with both years of a season.

    >>> in_full("11. 5 million in 10 , 000 places, 1979-80 and 1999/00; chapter 3. 5 men, on 2009-10-05")
    '11.5 million in 10,000 places, 1979-1980 and 1999-2000; chapter 3. 5 men, on 2009-10-05'
    """
    if not any(character.isdigit() for character in text):
        return text
    joined = _BLANK.sub(lambda match: match.group(1) + (match["comma"] or "."), text)
    return _SEASON.sub(_both_years, joined)


def _both_years(match: re.Match[str]) -> str:
    century, first, second = (int(part) for part in match.groups())
    if first == 99 and second == 0:
        return f"{century}{first:02}-{century + 1}00"
    return f"{century}{first:02}-{century}{second:02}" if second > first else match.group()


def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order; "second" and "one" count only where they stand as numbers would.

    >>> [(n.value, n.kind) for n in numbers("On June 12, 1996 about 3.5 million (50 %) won twenty-one games")]
    [(12.0, 'day'), (1996.0, 'year'), (3500000.0, 'count'), (0.5, 'percent'), (21.0, 'count')]
    """
    folded = fold(text[:_LONGEST])
    items = _items(folded)
    mentions: list[Number] = []
    at = 0
    while at < len(items):
        read = _numeral(items, at)
        if read is None:
            at += 1
            continue
        raw, kind, bare = read
        value, kind, after = _qualify(items, at, bare, raw, kind)
        start, end, bare_end = items[at].start, items[after - 1].end, items[bare - 1].end
        if math.isfinite(value):
            text_found = folded[start:end]
            mentions.append(
                Number(value=value, kind=kind, start=start, end=end, text=text_found, raw=raw, raw_end=bare_end)
            )
        at = after
    return tuple(mentions)


_SCORE = re.compile(
    r"(?P<value>[-+]?(?:\d+(?:[.,]\d+)?|\.\d+))\s*(?:(?P<percent>%|percent\b|per cent\b)"
    r"|(?:/|out of)\s*(?P<of>\d+(?:\.\d+)?))?"
)


def parse_score(text: str) -> float | None:
    """Return the first number of a text as a score: "80%" and "8/10" become 0.8; None where there is no number.

    The sign is kept and nothing is clipped, so that the caller can reject a score outside its range.

    >>> [parse_score(t) for t in ("0.7", "-0.8", "Score: .8", "80%", "8/10", "8 out of 10", "good")]
    [0.7, -0.8, 0.8, 0.8, 0.8, 0.8, None]
    """
    match = _SCORE.search(fold(text[:_LONGEST]))
    if match is None:
        return None
    value = float(match.group("value").replace(",", "."))
    if match.group("percent"):
        value /= 100
    elif match.group("of"):
        if float(match.group("of")) == 0:
            return None
        value /= float(match.group("of"))
    return round(value, 9) if math.isfinite(value) else None
