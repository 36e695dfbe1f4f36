"""Reads the numbers in a text, in digits or words: counts, percentages, fractions, years, days, quantities.

Other values, such as dates and times, are read elsewhere.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from mutatis.text.normalisation import fold
from mutatis.text.values.han import han_value
from mutatis.text.values.vocabulary import Unit, Vocabulary, any_of, as_read, vocabulary
from mutatis.text.values.written import points_for_commas

LONGEST = 200_000
"""Maximum number of characters read from a text."""

NEAR = 40
"""Number of characters examined before a value, so that texts with many values are not scanned repeatedly."""

_SLASHED = {f"{part}/{whole}": part / whole for whole in (2, 3, 4, 8) for part in range(1, whole + 1)}
"""Fractions with a slash, such as "3/4". Other numbers with a slash may be dates or alternatives."""

_FRACTIONS = {"\u00bc": 0.25, "\u00bd": 0.5, "\u00be": 0.75} | _SLASHED

# A minus is a sign only at the beginning of the text, after a space or in brackets. No letter or digit may touch the
# digits, except for the endings of ordinals and decades.
_ITEM = re.compile(
    rf"(?P<fraction>[\u00bc-\u00be]|(?<![\w.,:/-])(?:{'|'.join(_SLASHED)})(?![\w:/]|[-.,]\d))"
    r"|(?:(?P<sign>(?:(?<=\s)|(?<=\()|(?<![\s\S]))[-+])?(?P<currency>[$€£¥]\s?)?(?<![^\W_])"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?|(?<!\d)\.\d+)(?P<suffix>(?:st|nd|rd|th|s|er|re|e|[eè]me)\b)?"
    r"(?![^\W\d_]*\d))|(?P<word>[^\W\d_]+)|(?P<percent>%)|(?P<stop>[^\s\w])"
)
_JOINER = "\u02d1"
"""A character that replaces hyphens and spaces inside number words of several parts, to make them one word."""

_ITEM_BETWEEN_LETTERS = re.compile(_ITEM.pattern, re.ASCII)
"""Like `_ITEM`, but for languages without spaces, where any character may follow a digit."""

# A blank that a tokeniser or a citation left in a number. Behind a full stop a sentence may begin, so there a scale
# or a percent sign must follow.
_BLANK = re.compile(
    r"(?<![\d.,])(\d{1,3})(?: +(?P<point>\.) *(?=\d)| +(?P<comma>,) ?(?=\d{3}(?!\d))"
    r"|(?P<stop>\.) +(?=\d{1,2} ?(?:%|percent\b|per cent\b|million\b|billion\b|trillion\b)))"
)
_SEASON = re.compile(r"(?<![\d/.,-])(1[5-9]|20)(\d\d) ?(?:[-\u2010-\u2015]{1,2}|/) ?(\d\d)(?![\d/-]|\.\d|,\d|%)")
"""Matches two years, the second without its century: "1979-80", "1999/00"."""

_HOURS = re.compile(
    r"(?<![\w.,:/€£$-])(?P<first>1[0-2]|[1-9])"
    r"(?P<rest>\s?(?:to|until|till|and|[-\u2010-\u2015])\s?(?P<second>1[0-2]|0?[1-9])(?:[:.][0-5]\d)?\s?(?P<half>[ap]\.?m)\b)",
    re.IGNORECASE,
)
"""Matches two hours, the first without its half of the day: "6 to 8 pm", but not "6:00 to 8 pm"."""

_OTHER_HALF = str.maketrans("apAP", "paPA")


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number found in a text.

    Attributes:
        value: the value in base units (percent divided by 100; 3 km is 3000).
        kind: "count", "percent", "year", "decade", "day" (of a month), "ordinal", or the quantity that its unit
            measures.
        start: offset of the number in the text.
        end: offset just after the number.
        text: the number as written, for explanations shown to people.
        raw: the value as written, before percent and units are converted (50 % is 50, 3 km is 3).
        raw_end: offset just after the bare number, before its unit or percent sign.
        unit: the unit of the number, if any.
    """

    value: float
    kind: str
    start: int
    end: int
    text: str
    raw: float
    raw_end: int
    unit: Unit | None = None


@dataclass(slots=True)
class _Item:
    """A number, word or sign of a text, with its kind and position.

    `may_be_year` is True for four digits without a sign.
    """

    kind: str
    text: str
    start: int
    end: int
    value: float = 0.0
    may_be_year: bool = False
    currency: Unit | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """A number read so far: its value, kind and unit, and the index of the item after it."""

    value: float
    kind: str
    after: int
    unit: Unit | None = None


def _in_one_piece(text: str, words: Vocabulary) -> str:
    """Join number words of several parts ("quatre-vingt-dix", "vingt et un") into one word each."""
    if words.long_number_words is None:
        return text
    return words.long_number_words.sub(lambda match: re.sub(r"[-\s]", _JOINER, match.group()), text)


def _items(text: str, words: Vocabulary) -> list[_Item]:
    """Return the items of a text in order. Numbers in Chinese characters are not split further."""
    matches = list(words.number_item.finditer(text)) if words.number_item else []
    in_han = [_Item(match.lastgroup or "", match[match.lastgroup or 0], *match.span()) for match in matches]
    items = list(in_han)
    for match in (_ITEM if words.spaces else _ITEM_BETWEEN_LETTERS).finditer(text):
        if not any(match.start() < item.end and match.end() > item.start for item in in_han):
            items.append(_item(match, items, words))
    return sorted(items, key=lambda item: item.start)


def _item(match: re.Match[str], before: list[_Item], words: Vocabulary) -> _Item:
    """Return the item that a match represents, given the items before it."""
    item = _Item(match.lastgroup or "", match.group().replace(_JOINER, "-"), *match.span())
    if digits := match["digits"]:
        bare = digits.replace(",", "")
        value = float(bare) if len(bare) < 300 else math.inf
        item.kind = "number"
        item.value = -value if match["sign"] == "-" else value
        item.may_be_year = digits.isdigit() and len(digits) == 4 and not match["sign"]
        item.currency = words.signs.get((match["currency"] or "").strip())
        if match["suffix"] == "s" and _bounds_an_age(before, words):
            item.end = match.end("digits")
        elif match["suffix"]:
            item.kind = "decade" if match["suffix"] == "s" else "ordinal"
    return item


def _bounds_an_age(before: list[_Item], words: Vocabulary) -> bool:
    """Return True if the next number is an age limit for people: "under-16s", "the over 65s"."""
    last = next((item.text for item in reversed(before[-2:]) if item.text != "-"), "")
    return last in words.tables["numbers"].get("bounding_ages", ())


class _Numerals:
    """A reader that finds the numbers in a text, item by item."""

    def __init__(self, text: str, words: Vocabulary) -> None:
        self.text, self.words = with_points(text, words), words
        self.items = _items(_in_one_piece(self.text, words), words)
        numbers = words.tables["numbers"]
        self.and_word, self.half, self.dozen = numbers["and"], numbers["half"], numbers["dozen"]
        self.not_a_count = frozenset(numbers["not_a_count"].split())
        self.pointing = frozenset(numbers["pointing"].split())
        self.articles = frozenset(numbers.get("articles", "").split())
        self.word_for_one, self.article = words.ones[1], numbers["article"]
        self.between_tens_and_ones = numbers.get("between", "-")

    def word(self, at: int) -> str:
        """Return the text of the item at an index, or "" if the index is out of range."""
        return self.items[at].text if 0 <= at < len(self.items) else ""

    def read(self) -> tuple[Number, ...]:
        """Return the numbers in the order of the text.

        In "3 km", the bare number is 3, and the whole one is 3,000 metres.
        """
        result: list[Number] = []
        at = 0
        while at < len(self.items):
            bare = self._numeral(at)
            if bare is None:
                at += 1
                continue
            whole = self._in_context(at, bare)
            start, end = self.items[at].start, self.items[whole.after - 1].end
            if math.isfinite(whole.value):
                result.append(
                    Number(
                        value=whole.value,
                        kind=whole.kind,
                        start=start,
                        end=end,
                        text=self.text[start:end],
                        raw=bare.value,
                        raw_end=self.items[bare.after - 1].end,
                        unit=whole.unit,
                    )
                )
            at = whole.after
        return tuple(result)

    def _in_words(self, at: int) -> tuple[float, int] | None:
        """Read a number in words ("three hundred and five", "twenty-one").

        Return its value and the index of the next item, or None if there is no number. While it is read, `total` is the
        value up to the last "thousand" or "million", `current` the value after it, and `last` the last number word, or
        "" after a scale.
        """
        number_words, scales = self.words.number_words, self.words.scales
        total = current = 0.0
        after = index = at
        last = ""
        if self.items[at].text == self.article and len(self.word(at + 1)) > 2 and self.word(at + 1) in scales:
            current, index = 1.0, at + 1  # "a hundred and two"
        while index < len(self.items):
            text = self.items[index].text
            is_scale = text in scales and index > at
            if text in number_words and number_words.get(last, 20) >= 20 and not is_scale:
                current += number_words[text]  # nothing can be added to a number below 20, such as "five"
                last = text
            elif is_scale and len(text) > 2:  # not "m" or "k"
                if scales[text] < 1000:
                    counted = current % 1000  # in "mille deux cents" only the two are hundreds
                    current += max(1.0, counted) * scales[text] - counted
                else:
                    total, current = total + current * scales[text], 0.0
                last = ""
            elif index > at and (text == "-" or (text == self.and_word and last == "") or self._joins(index, last)):
                index += 1  # "and" only follows a scale, as in "hundred and five"
                continue
            else:
                break
            index += 1
            after = index
        return (total + current, after) if after > at else None

    def _joins(self, at: int, last: str) -> bool:
        """Return True if an item is the word between tens and ones, such as "y" in "treinta y dos".

        `last` is the number word before it.
        """
        tens, ones = (self.words.number_words.get(word, 0.0) for word in (last, self.word(at + 1)))
        return self.items[at].text == self.between_tens_and_ones and 20 <= tens < 100 and 0 < ones < 10

    def _factor(self, at: int, after: int) -> float | None:
        """Return the item at `after` as a factor of the number at `at`, or None if it does not multiply it.

        "m" means a million only for money, and "k" a thousand only without a space.
        """
        if after >= len(self.items) or self.items[at].kind != "number":
            return None
        item = self.items[after]
        if not self.words.spaces and self.words.unit_behind.match(self.text, item.start):
            return None  # 千 is a thousand, 千克 a kilogram
        if item.text == "m" and self.items[at].currency is None:
            return None
        if item.text == "k" and item.start > self.items[after - 1].end:
            return None
        return _scale(item.text, self.words)

    def _numeral(self, at: int) -> _Reading | None:
        """Read the number that begins at an item, ignoring the words around it, or return None if none begins there."""
        item = self.items[at]
        if item.kind in ("number", "decade", "ordinal"):
            return self._in_digits(at)
        if item.kind == "fraction":
            return _Reading(_FRACTIONS[item.text], "count", at + 1)
        if item.kind in ("hundredths", "han"):  # "百分之五", "五"
            return self._in_han(at)
        if item.kind != "word":
            return None
        if item.text in self.words.ordinals:
            return _Reading(self.words.ordinals[item.text], "ordinal", at + 1)
        if item.text in self.words.roman:
            return _Reading(self.words.roman[item.text], "ordinal", at + 1)
        if item.text == self.half and (self.word(at + 1), self.word(at + 2)) == (self.article, self.dozen):
            return _Reading(self.words.scales[self.dozen] / 2, "count", at + 3)  # "half a dozen"
        if item.text == self.half:
            return _Reading(0.5, "count", at + 1)
        if item.text == self.dozen:
            return _Reading(self.words.scales[item.text], "count", at + 1)
        return self._counted_in_words(at)

    def _in_han(self, at: int) -> _Reading | None:
        """Read a number in Chinese characters. Unless it is a percentage, a unit or measure word must follow."""
        item = self.items[at]
        counts = item.kind == "hundredths" or any(
            pattern.match(self.text, item.end) for pattern in (self.words.unit_behind, self.words.counter)
        )
        value = float(item.text) if item.text[0].isdigit() else han_value(item.text)
        return _Reading(value, "count", at + 1) if counts else None

    def _in_digits(self, at: int) -> _Reading:
        """Read a number in digits, with a fraction ("2½", "2 ½") and scales ("3 million") after it."""
        item = self.items[at]
        value, after = item.value, at + 1
        if after < len(self.items) and self.items[after].kind == "fraction" and self.items[after].start <= item.end + 1:
            value, after = value + _FRACTIONS[self.items[after].text], after + 1
        while (factor := self._factor(at, after)) is not None:
            value, after = round(value * factor, 6), after + 1
        if item.kind != "number":
            return _Reading(value, item.kind, after, item.currency)
        if item.currency:
            return _Reading(value, item.currency.measure, after, item.currency)
        is_year = item.may_be_year and after == at + 1 and 1000 <= value <= 2100
        return _Reading(value, "year" if is_year else "count", after)

    def _counted_in_words(self, at: int) -> _Reading | None:
        """Read a number in words, or return None if there is none, or if its word counts nothing, as in "this one"."""
        read = self._in_words(at)
        if read is None:
            return None
        value, after = read
        first, is_one_word, before = self.items[at].text, after == at + 1, self.word(at - 1)
        if first == self.word_for_one and is_one_word and (before in self.pointing or before in self.words.ordinals):
            return None  # "the first one", "which one"
        if value == 1 and self.word(after) in self.not_a_count:
            return None
        if first in self.articles and is_one_word and not self.words.unit_behind.match(self.text, self.items[at].end):
            return None  # "une table" contains no quantity, "une heure" does
        last = after + 1 if self.word(after) == "-" else after
        if self.word(last) in self.words.ordinals and value >= 20 and value % 10 == 0:  # "twenty-first"
            return _Reading(value + self.words.ordinals[self.word(last)], "ordinal", last + 1)
        return _Reading(value, "count", after)

    def _in_context(self, at: int, bare: _Reading) -> _Reading:
        """Adjust the reading of a number for the words around it: percent, fraction, month, unit or currency."""
        value, kind, after = bare.value, bare.kind, bare.after
        may_be_measured = kind in ("count", "year")
        start, end = self.items[at].start, self.items[after - 1].end
        if self.items[at].kind == "hundredths":
            return _Reading(value / 100, "percent", after)  # "百分之五"
        if kind == "year" and (mark := self.words.tables["numbers"].get("year_mark")):
            may_be_measured = not self.text[end : end + 4].lstrip().startswith(mark)  # "2024年" is no 2,024 years
        if may_be_measured and (percent := self.words.percent_behind.match(self.text, end)):
            return _Reading(value / 100, "percent", self._index_from(percent.end(), after))
        following = self.word(after)
        fractions = self.words.fractions
        if kind == "count" and following in fractions and value < 100 and self.items[at].kind == "word":
            return _Reading(value * fractions[following], "count", after + 1)  # "two thirds"
        if kind in ("count", "ordinal") and 1 <= value <= 31 and self._is_day(at, after, kind, value):
            return _Reading(value, "day", after)  # "5th of May"
        if not may_be_measured:
            return bare
        if match := self.words.unit_behind.match(self.text, end):  # "5 km"
            unit = self.words.spellings[match["unit"]]
            return _Reading(unit.size_of(value), unit.measure, self._index_from(match.end(), after), unit)
        if (unit_of_sign := self.words.signs.get(following)) and self.items[after].start - end <= 1:  # "5 €"
            return _Reading(value, unit_of_sign.measure, after + 1, unit_of_sign)
        if code := self.words.currency_code_before.search(self.text, max(0, start - NEAR), start):  # "EUR 5"
            unit = self.words.spellings[code["code"]]
            return _Reading(value, unit.measure, after, unit)
        return bare

    def _index_from(self, offset: int, first: int) -> int:
        """Return the index of the first item, at `first` or later, that begins at or after an offset of the text."""
        while first < len(self.items) and self.items[first].start < offset:
            first += 1
        return first

    def _is_day(self, at: int, after: int, kind: str, value: float) -> bool:
        """Return True if the name of a month is next to a number: "5 May", "5th of May", "May 5"."""
        months = self.words.month_numbers
        behind = self.word(after + 1) if self.word(after) == "of" else self.word(after)
        before = self.word(at - 1)
        may_be_verb = before == "may" and kind != "ordinal" and value <= 3  # "may 2 people come?"
        return behind in months or (before in months and not may_be_verb)


@lru_cache(maxsize=4096)
def _scale_with_typo(text: str, scale_words: tuple[str, ...]) -> str | None:
    return next((word for word in scale_words if word[0] == text[0] and OSA.distance(word, text) == 1), None)


def _scale(text: str, words: Vocabulary) -> float | None:
    """Return the factor of a scale word such as "million", or None for any other word.

    One typo is allowed ("milion", "bilion", "thousnd").
    """
    if text in words.scales or len(text) < 5:
        return words.scales.get(text)
    meant = _scale_with_typo(text, words.words("numbers", "long_scales"))
    return words.scales[meant] if meant else None


_WITH_DECIMAL_COMMA = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,9},\d{1,2})(?![\d,]|\.\d)")
_EXCHANGED = str.maketrans(",.", ".,")


def with_points(text: str, words: Vocabulary) -> str:
    """Replace decimal commas with points if a number shows that the text uses them. Offsets stay the same.

    In such a text, points that separate thousands become commas.

    >>> with_points("2,5 kg of 3.500 kg", vocabulary()), with_points("3.500 kg, 1,200 kg", vocabulary())
    ('2.5 kg of 3,500 kg', '3.500 kg, 1,200 kg')
    >>> with_points("between 2,5 and 3,5 kg", vocabulary()), with_points("rooms 2,5 and 7", vocabulary())
    ('between 2.5 and 3.5 kg', 'rooms 2,5 and 7')
    >>> with_points("1.250,50 am 5.3.2027", vocabulary("de"))
    '1,250.50 am 5.3.2027'
    """
    if words.writes_comma:
        return points_for_commas(text, words.thousands)
    if not words.spaces or "," not in text or words.decimal_comma.search(text) is None:
        return text
    return _WITH_DECIMAL_COMMA.sub(lambda match: match.group().translate(_EXCHANGED), text)


def in_full(text: str) -> str:
    """Join numbers that are split by spaces, and write both years of a season, hours and working days in full.

    >>> in_full("11. 5 million in 10 , 000 places, 1979-80 and 1999/00; chapter 3. 5 men, on 2009-10-05")
    '11.5 million in 10,000 places, 1979-1980 and 1999-2000; chapter 3. 5 men, on 2009-10-05'
    >>> in_full("It takes five days, not counting weekends. We are open from 9 to 5 pm, on Friday 6-8 pm.")
    'It takes five working days. We are open from 9 am to 5 pm, on Friday 6 pm-8 pm.'
    """
    text = _working_days().sub(r"\g<number> working days", text)
    if not any(character.isdigit() for character in text):
        return text
    text = _HOURS.sub(_both_hours, text)
    joined = _BLANK.sub(lambda match: match.group(1) + (match["comma"] or "."), text)
    return _SEASON.sub(_both_years, joined)


def _both_hours(match: re.Match[str]) -> str:
    """Return two hours with "am" or "pm" behind each. The first is before noon if the second is the smaller one."""
    half = match["half"]
    if int(match["first"]) % 12 > int(match["second"]) % 12:
        half = half.translate(_OTHER_HALF)
    return f"{match['first']} {half}{match['rest']}"


@cache
def _working_days() -> re.Pattern[str]:
    """Return a pattern for a number of days without weekends in English."""
    without_weekends = vocabulary().tables["calendar"]["without_weekends"]
    return re.compile(rf"\b(?P<number>\d{{1,3}}|{any_of(vocabulary().ones)}) {without_weekends}", re.IGNORECASE)


def _both_years(match: re.Match[str]) -> str:
    """Return the two years of a season in full, or the text of the match if the second year is not later."""
    century, first, second = (int(part) for part in match.groups())
    if first == 99 and second == 0:
        return f"{century}{first:02}-{century + 1}00"
    return f"{century}{first:02}-{century}{second:02}" if second > first else match.group()


def numbers(text: str, language: str = "en") -> tuple[Number, ...]:
    """Return the numbers of a text in order. Words such as "second" and "one" count only if they are used as numbers.

    >>> [(n.value, n.kind) for n in numbers("On June 12, 1996 about 3.5 million (50 %) won twenty-one games")]
    [(12.0, 'day'), (1996.0, 'year'), (3500000.0, 'count'), (0.5, 'percent'), (21.0, 'count')]
    """
    words = vocabulary(language)
    return _Numerals(as_read(text[:LONGEST], words), words).read()


_SCORE = re.compile(
    r"(?P<value>[-+]?(?:\d+(?:[.,]\d+)?|\.\d+))\s*(?:(?P<percent>%|percent\b|per cent\b)"
    r"|(?:/|out of)\s*(?P<of>\d+(?:\.\d+)?))?"
)


def parse_score(text: str) -> float | None:
    """Return the first number of a text as a score, or None. "80%" and "8/10" become 0.8.

    The sign is kept and the score is not clipped, so that the caller can reject a score outside its range.

    >>> [parse_score(t) for t in ("0.7", "-0.8", "Score: .8", "80%", "8/10", "8 out of 10", "good")]
    [0.7, -0.8, 0.8, 0.8, 0.8, 0.8, None]
    """
    match = _SCORE.search(fold(text[:LONGEST]))
    if match is None:
        return None
    value = float(match["value"].replace(",", "."))
    if match["percent"]:
        value /= 100
    elif match["of"]:
        if float(match["of"]) == 0:
            return None
        value /= float(match["of"])
    return round(value, 9) if math.isfinite(value) else None
