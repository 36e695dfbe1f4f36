"""Reads the numbers in a text, in digits or words: counts, percentages, fractions, years, days, quantities.

Other values, such as dates and times, are read elsewhere.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from mutatis.text.normalisation import fold
from mutatis.text.values.han import han_value
from mutatis.text.values.vocabulary import Unit, Vocabulary, as_read, vocabulary
from mutatis.text.values.written import points_for_commas

LONGEST = 200_000
"""Maximum number of characters read from a text."""

NEAR = 40
"""Number of characters examined before a value, so that texts with many values are not scanned repeatedly."""

_ITEM = re.compile(
    r"(?:(?P<sign>(?:(?<=\s)|(?<=\()|(?<![\s\S]))[-+])?(?P<currency>[$€£¥]\s?)?(?<![^\W_])"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?|(?<!\d)\.\d+)(?P<suffix>(?:st|nd|rd|th|s)\b)?"
    r"(?![^\W\d_]*\d))|(?P<part>[\u00bc-\u00be])|(?P<word>[^\W\d_]+)|(?P<percent>%)|(?P<stop>[^\s\w])"
)
_JOINER = "\u02d1"
"""A character that replaces hyphens and spaces inside number words of several parts, to make them one word."""

_ITEM_BETWEEN_LETTERS = re.compile(_ITEM.pattern, re.ASCII)
"""Like `_ITEM`, but for languages without spaces, in which any character may follow a digit."""

_PARTS = {"\u00bc": 0.25, "\u00bd": 0.5, "\u00be": 0.75}
# A blank that a tokeniser or a citation left in a number. Behind a full stop a sentence may begin, so there a scale
# or a percent sign must follow.
_BLANK = re.compile(
    r"(?<![\d.,])(\d{1,3})(?: +(?P<point>\.) *(?=\d)| +(?P<comma>,) ?(?=\d{3}(?!\d))"
    r"|(?P<stop>\.) +(?=\d{1,2} ?(?:%|percent\b|per cent\b|million\b|billion\b|trillion\b)))"
)
_SEASON = re.compile(r"(?<![\d/.,-])(1[5-9]|20)(\d\d) ?(?:[-\u2010-\u2015]{1,2}|/) ?(\d\d)(?![\d/-]|\.\d|,\d|%)")


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
class _NumberWord:
    """A word, number or sign of a text, with its kind and position."""

    kind: str
    text: str
    start: int
    end: int
    value: float = 0.0
    plain: bool = False
    currency: Unit | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """A number read so far: its value, kind and unit, and the index of the item after it."""

    value: float
    kind: str
    after: int
    unit: Unit | None = None


def _in_one_piece(text: str, known: Vocabulary) -> str:
    """Join number words of several parts ("quatre-vingt-dix", "vingt et un") into one word each."""
    if known.long_number_words is None:
        return text
    return known.long_number_words.sub(lambda match: re.sub(r"[-\s]", _JOINER, match.group()), text)


def _items(text: str, known: Vocabulary) -> list[_NumberWord]:
    listed = list(known.number_item.finditer(text)) if known.number_item else []
    items = [_NumberWord(match.lastgroup or "", match[match.lastgroup or 0], *match.span()) for match in listed]
    for match in (_ITEM if known.spaces else _ITEM_BETWEEN_LETTERS).finditer(text):
        if any(match.start() < item.end and match.end() > item.start for item in items[: len(listed)]):
            continue
        kind = match.lastgroup or ""
        item = _NumberWord(kind, match.group().replace(_JOINER, "-"), match.start(), match.end())
        digits = match.group("digits")
        if digits:
            bare = digits.replace(",", "")
            value = float(bare) if len(bare) < 300 else math.inf
            item.kind = "number"
            item.value = -value if match.group("sign") == "-" else value
            item.plain = digits.isdigit() and len(digits) == 4 and not match.group("sign")
            item.currency = known.signs.get((match.group("currency") or "").strip())
            if match.group("suffix") == "s" and _bounds_an_age(items, known):
                item.end = match.end("digits")
            elif match.group("suffix"):
                item.kind = "decade" if match.group("suffix") == "s" else "ordinal"
        items.append(item)
    return sorted(items, key=lambda item: item.start) if listed else items


def _bounds_an_age(before: list[_NumberWord], known: Vocabulary) -> bool:
    """Return True if the next number is an age limit for people: "under-16s", "the over 65s"."""
    words = [item.text for item in before[-2:] if item.text != "-"]
    return bool(words) and words[-1] in known.tables["numbers"].get("bounding_ages", ())


class _Numerals:
    """A reader that finds the numbers in a text, item by item."""

    def __init__(self, text: str, known: Vocabulary) -> None:
        self.text, self.known = with_points(text, known), known
        self.items = _items(_in_one_piece(self.text, known), known)
        numbers = known.tables["numbers"]
        self.percent = tuple(numbers["percent"])
        self.and_word, self.half, self.dozen = numbers["and"], numbers["half"], numbers["dozen"]
        self.not_a_count = frozenset(numbers["not_a_count"].split())
        self.pointing = frozenset(numbers["pointing"].split())
        self.articles = frozenset(numbers.get("articles", "").split())
        self.single, self.article = known.ones[1], numbers["article"]
        self.between = numbers.get("between", "-")

    def word(self, at: int) -> str:
        """Return the text of the item at an index, or "" if the index is out of range."""
        return self.items[at].text if 0 <= at < len(self.items) else ""

    def read(self) -> tuple[Number, ...]:
        """Return the numbers in the order in which they occur in the text."""
        placed: list[Number] = []
        at = 0
        while at < len(self.items):
            bare = self._numeral(at)
            if bare is None:
                at += 1
                continue
            whole = self._qualified(at, bare)
            start, end = self.items[at].start, self._end(at, whole)
            if math.isfinite(whole.value):
                placed.append(
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
        return tuple(placed)

    def _end(self, at: int, whole: _Reading) -> int:
        return self.items[max(at, whole.after - 1)].end

    def _in_words(self, at: int) -> tuple[float, int] | None:
        """Read a number in words ("three hundred and five", "twenty-one").

        Return its value and the index of the next item, or None if there is no number.
        """
        words, scales = self.known.number_words, self.known.scales
        total = current = 0.0
        used = index = at
        last = ""
        if self.items[at].text == self.article and len(self.word(at + 1)) > 2 and self.word(at + 1) in scales:
            current, index = 1.0, at + 1  # "a hundred and two"
        while index < len(self.items):
            text = self.items[index].text
            if text in words and words.get(last, 20) >= 20 and not (text in scales and index > at):
                current += words[text]
                last = text
            elif text in scales and len(text) > 2 and index > at:
                if scales[text] < 1000:
                    counted = current % 1000  # in "mille deux cents" only the two are hundreds
                    current += max(1.0, counted) * scales[text] - counted
                else:
                    total, current = total + current * scales[text], 0.0
                last = ""
            elif index > at and (text == "-" or (text == self.and_word and last == "") or self._joins(index, last)):
                index += 1
                continue
            else:
                break
            index += 1
            used = index
        return (total + current, used) if used > at else None

    def _joins(self, at: int, last: str) -> bool:
        """Return True if an item is the word between tens and ones, such as "y" in "treinta y dos"."""
        words, behind = self.known.number_words, self.known.number_words.get(self.word(at + 1), 0.0)
        return self.items[at].text == self.between and 20 <= words.get(last, 0.0) < 100 and 0 < behind < 10

    def _is_scale(self, at: int, after: int) -> bool:
        """Return True if an item multiplies the number before it: "m" only for money, "k" only without a space."""
        text = self.items[after].text
        if self.items[at].kind != "number" or _scale(text, self.known) is None:
            return False
        if not self.known.spaces and self.known.unit_behind.match(self.text, self.items[after].start):
            return False  # 千 is a thousand, 千克 a kilogram
        if text == "m":
            return self.items[at].currency is not None
        return text != "k" or self.items[after].start == self.items[after - 1].end

    def _numeral(self, at: int) -> _Reading | None:
        """Read one number, ignoring its context."""
        item = self.items[at]
        if item.kind in ("number", "decade", "ordinal"):
            return self._in_digits(at)
        if item.kind == "part":
            return _Reading(_PARTS[item.text], "count", at + 1)
        if item.kind in ("hundredths", "han"):
            return self._in_han(at)
        if item.kind != "word":
            return None
        if item.text in self.known.ordinals:
            return _Reading(self.known.ordinals[item.text], "ordinal", at + 1)
        if item.text in self.known.roman:
            return _Reading(self.known.roman[item.text], "ordinal", at + 1)
        if item.text == self.half and (self.word(at + 1), self.word(at + 2)) == (self.article, self.dozen):
            return _Reading(self.known.scales[self.dozen] / 2, "count", at + 3)
        if item.text == self.half:
            return _Reading(0.5, "count", at + 1)
        if item.text == self.dozen:
            return _Reading(self.known.scales[item.text], "count", at + 1)
        return self._counted_in_words(at)

    def _in_han(self, at: int) -> _Reading | None:
        """Read a number in Chinese characters. Unless it is a percentage, a unit or measure word must follow."""
        item = self.items[at]
        counts = item.kind == "hundredths" or any(
            pattern.match(self.text, item.end) for pattern in (self.known.unit_behind, self.known.counter)
        )
        value = float(item.text) if item.text[0].isdigit() else han_value(item.text)
        return _Reading(value, "count", at + 1) if counts else None

    def _in_digits(self, at: int) -> _Reading:
        item = self.items[at]
        value, after = item.value, at + 1
        if after < len(self.items) and self.items[after].kind == "part" and self.items[after].start <= item.end + 1:
            value, after = value + _PARTS[self.items[after].text], after + 1
        while after < len(self.items) and self._is_scale(at, after):
            value = round(value * (_scale(self.items[after].text, self.known) or 1.0), 6)
            after += 1
        year = item.plain and after == at + 1 and 1000 <= value <= 2100 and item.currency is None
        kind = "year" if year else item.currency.measure if item.currency else "count"
        return _Reading(value, kind if item.kind == "number" else item.kind, after, item.currency)

    def _counted_in_words(self, at: int) -> _Reading | None:
        read = self._in_words(at)
        if read is None:
            return None
        value, after = read
        before = self.word(at - 1)
        if self.items[at].text == self.single and after == at + 1 and self._points(before):
            return None
        if value == 1 and self.word(after) in self.not_a_count:
            return None
        if self.items[at].text in self.articles and after == at + 1 and self._counts_nothing(at):
            return None
        last = after + 1 if self.word(after) == "-" else after
        if self.word(last) in self.known.ordinals and value >= 20 and value % 10 == 0:
            return _Reading(value + self.known.ordinals[self.word(last)], "ordinal", last + 1)
        return _Reading(value, "count", after)

    def _counts_nothing(self, at: int) -> bool:
        """Return True if no unit follows an article. "une table" contains no unit, "une heure" does."""
        return self.known.unit_behind.match(self.text, self.items[at].end) is None

    def _points(self, word: str) -> bool:
        """Return True if "one" after this word stands for a noun, as in "the first one" or "which one"."""
        return word in self.pointing or word in self.known.ordinals

    def _qualified(self, at: int, bare: _Reading) -> _Reading:
        """Adjust the reading of a number for the words around it: percent, fraction, month, unit or currency."""
        value, kind, after = bare.value, bare.kind, bare.after
        counted = kind in ("count", "year")
        end = self.items[after - 1].end
        if self.items[at].kind == "hundredths":
            return _Reading(value / 100, "percent", after)
        if kind == "year" and (mark := self.known.tables["numbers"].get("year_mark")):
            counted = not self.text.startswith(mark, _behind_blanks(self.text, end))
        if counted and (written := self._percent_behind(end)):
            return _Reading(value / 100, "percent", self._next(after, written))
        following = self.word(after)
        fractions = self.known.fractions
        if kind == "count" and following in fractions and value < 100 and self.items[at].kind == "word":
            return _Reading(value * fractions[following], "count", after + 1)
        if kind in ("count", "ordinal") and 1 <= value <= 31 and self._is_day(at, after, kind, value):
            return _Reading(value, "day", after)
        if counted and (match := self.known.unit_behind.match(self.text, end)):
            unit = self.known.spellings[match["unit"]]
            return _Reading(round(value * unit.factor, 9), unit.measure, self._next(after, match.end()), unit)
        if counted and (sign := self.known.signs.get(following)) and self.items[after].start - end <= 1:
            return _Reading(value, sign.measure, after + 1, sign)
        start = self.items[at].start
        if counted and (code := self.known.code_before.search(self.text, max(0, start - NEAR), start)):
            unit = self.known.spellings[code["code"]]
            return _Reading(value, unit.measure, after, unit)
        return bare

    def _percent_behind(self, end: int) -> int | None:
        """Return the offset after the percent sign or word that follows a number, or None if neither follows."""
        start = _behind_blanks(self.text, end)
        for word in self.percent:
            behind = start + len(word)
            if self.text.startswith(word, start) and not (
                word[-1].isalpha() and self.text[behind : behind + 1].isalpha()
            ):
                return behind
        return None

    def _next(self, at: int, end: int) -> int:
        """Return the index of the first item, at `at` or later, that begins at or after the offset `end`."""
        while at < len(self.items) and self.items[at].start < end:
            at += 1
        return at

    def _is_day(self, at: int, after: int, kind: str, value: float) -> bool:
        """Return True if the name of a month is next to a number."""
        months = self.known.month_numbers
        near = self.word(after + 1) if self.word(after) == "of" else self.word(after)
        before = self.word(at - 1)
        return near in months or (before in months and (before != "may" or kind == "ordinal" or value > 3))


def _behind_blanks(text: str, at: int) -> int:
    """Skip up to three white-space characters, and return the position after them."""
    for place in range(at, min(at + 3, len(text))):
        if not text[place].isspace():
            return place
    return min(at + 3, len(text))


@lru_cache(maxsize=4096)
def _near_scale(text: str, language_scales: tuple[str, ...]) -> str | None:
    near = [name for name in language_scales if name[0] == text[0] and OSA.distance(name, text) == 1]
    return near[0] if near else None


def _scale(text: str, known: Vocabulary) -> float | None:
    """Return the factor of a scale word such as "million". One typo is allowed ("milion", "bilion", "thousnd")."""
    if text in known.scales or len(text) < 5:
        return known.scales.get(text)
    near = _near_scale(text, known.words("numbers", "long_scales"))
    return known.scales[near] if near else None


_GROUPED = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,9},\d{1,2})(?![\d,]|\.\d)")
_TURNED = str.maketrans(",.", ".,")


def with_points(text: str, known: Vocabulary) -> str:
    """Replace decimal commas with points if a number shows that the text uses them. Offsets stay the same.

    In such a text, points that separate thousands become commas.

    >>> with_points("2,5 kg of 3.500 kg", vocabulary()), with_points("3.500 kg, 1,200 kg", vocabulary())
    ('2.5 kg of 3,500 kg', '3.500 kg, 1,200 kg')
    >>> with_points("between 2,5 and 3,5 kg", vocabulary()), with_points("rooms 2,5 and 7", vocabulary())
    ('between 2.5 and 3.5 kg', 'rooms 2,5 and 7')
    >>> with_points("1.250,50 am 5.3.2027", vocabulary("de"))
    '1,250.50 am 5.3.2027'
    """
    if known.writes_comma:
        return points_for_commas(text, known.thousands)
    if not known.spaces or "," not in text or known.decimal_comma.search(text) is None:
        return text
    return _GROUPED.sub(lambda match: match.group().translate(_TURNED), text)


def in_full(text: str) -> str:
    """Join numbers that are split by spaces, and write both years of a season in full.

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


def numbers(text: str, language: str = "en") -> tuple[Number, ...]:
    """Return the numbers of a text in order. Words such as "second" and "one" count only if they are used as numbers.

    >>> [(n.value, n.kind) for n in numbers("On June 12, 1996 about 3.5 million (50 %) won twenty-one games")]
    [(12.0, 'day'), (1996.0, 'year'), (3500000.0, 'count'), (0.5, 'percent'), (21.0, 'count')]
    """
    known = vocabulary(language)
    return _Numerals(as_read(text[:LONGEST], known), known).read()


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
    value = float(match.group("value").replace(",", "."))
    if match.group("percent"):
        value /= 100
    elif match.group("of"):
        if float(match.group("of")) == 0:
            return None
        value /= float(match.group("of"))
    return round(value, 9) if math.isfinite(value) else None
