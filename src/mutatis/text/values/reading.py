"""Reads the values in a text, in steps: dates, times and codes, then numbers, and finally names.

Text read in one step is hidden from later steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import dropwhile

from mutatis.languages import listed, word_set
from mutatis.text.kept_within import kept_within
from mutatis.text.normalisation import in_one_case
from mutatis.text.products import form_of
from mutatis.text.segments import segmented_words
from mutatis.text.values.numerals import LONGEST, NEAR, Number, numbers, with_points
from mutatis.text.values.value import Value
from mutatis.text.values.vocabulary import Format, Unit, Vocabulary, as_read, vocabulary
from mutatis.text.values.written import Key, ValueKind

MASK = "\u00a6"
"""A character that replaces text that has already been read."""

_NAME = re.compile(
    r"(?<!\w)[A-Z\u00c0-\u00de][\w'\u2019-]*(?:\s{1,3}(?:of\s+the\s+|of\s+|de\s+|von\s+|van\s+)?[A-Z][\w'\u2019-]*)*"
)
_NOUN = re.compile(r"[\s-]{1,3}(?P<noun>[^\W\d_]{1,40})")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_ENDS = re.compile(r"(?:\A|[!?]\s{1,3}|\w{4}[.]\s{1,3})[\"'\u201c\u2018(]?\Z")
_NOT_A_PLACE = re.compile(r"['\u2019-]\w")
_DURATIONS = frozenset({"time", "months", "working days"})


@kept_within(16_000_000, per_character=60)
def values(text: str, language: str = "en") -> tuple[Value, ...]:
    """Return the values in a text, in order.

    >>> [(v.kind, v.text, v.unit) for v in values("A room for 3 adults from 5 March 2027 at 2 pm, 0.5 km from Oslo?")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('number', '3', 'adults'), ('date', '5 March 2027', 'day'), ('time', '2 pm', ''), ('quantity', '0.5 km', 'km'),
     ('name', 'Oslo', 'city')]
    >>> [value.key for value in values("2 km or 2,000 m; 18 months or 1.5 years")]
    [('length', 2000.0), ('length', 2000.0), ('months', 18.0), ('months', 18.0)]
    """
    return _Reader(text[:LONGEST], language).read()


class _Reader:
    """A reader that finds the values in one text, one kind after the other."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language = text, language
        self.known: Vocabulary = vocabulary(language)
        self.rest = as_read(text, self.known)
        self.taken: list[Value] = []

    def read(self) -> tuple[Value, ...]:
        """Return the values in the order in which they occur in the text."""
        figures = any(map(str.isdigit, self.text))
        for way in self.known.dates:
            if figures or not way.figures:
                self._take(way.pattern, lambda match, way=way: self._date(match, way))  # type: ignore[misc]
        for way in self.known.times:
            if figures or not way.figures:
                self._take(way.pattern, self._time)
        for pattern in self.known.codes if figures else ():
            self._take(pattern, self._code)
        for pattern in self.known.houses if figures else ():
            self._take(pattern, self._house)
        for way in self.known.shares:
            self._take(way.pattern, lambda match, way=way: self._share(match, way))  # type: ignore[misc]
        self._numbers()
        self._take(self.known.days, self._day)
        self._take(self.known.sizes, self._size)
        self._names()
        return tuple(self._joined(sorted(self.taken, key=lambda value: value.start)))

    def _joined(self, taken: Sequence[Value]) -> Iterator[Value]:
        """Yield the values, with each duration in two units ("2 h 30 min") as a single value."""
        before: Value | None = None
        for value in taken:
            if before is not None and self._goes_on(before, value):
                text = self.text[before.start : value.end]
                before = replace(before, text=text, key=("time", before.size + value.size), raw=None)
                continue
            if before is not None:
                yield before
            before = value
        if before is not None:
            yield before

    def _goes_on(self, first: Value, second: Value) -> bool:
        """Return True if a duration continues the one before it: in a smaller unit, with at most "and" in between."""
        if {first.kind, second.kind} != {"duration"} or {first.measure, second.measure} != {"time"}:
            return False
        unit = self.known.units[first.unit]
        smaller = self.known.units[second.unit].factor < unit.factor and second.size < unit.factor
        between = self.text[first.end : second.start].lower().split()
        return smaller and (not between or " ".join(between) in self.known.tables["joins"]["words"])

    def _take(self, pattern: re.Pattern[str], value_of: Callable[[re.Match[str]], Value | None]) -> None:
        """Collect the values that match a pattern, and mask them in the remaining text."""

        def taken(match: re.Match[str]) -> str:
            value = value_of(match)
            if value is None:
                return match.group()
            self.taken.append(value)
            before, behind = value.start - match.start(), match.end() - value.end
            return match.group()[:before] + MASK * len(value.text) + (match.group()[-behind:] if behind else "")

        self.rest = pattern.sub(taken, self.rest)

    def _value(
        self,
        kind: ValueKind,
        span: tuple[int, int],
        key: Key,
        *,
        unit: str = "",
        raw: float | None = None,
        is_open: bool = False,
    ) -> Value:
        return Value(
            kind=kind,
            text=self.text[slice(*span)],
            start=span[0],
            key=key,
            unit=unit,
            raw=raw,
            open=is_open,
            language=self.language,
        )

    def _date(self, match: re.Match[str], way: Format) -> Value | None:
        part = match.groupdict()
        if way.capital and not self.text[match.start()].isupper():
            return None
        written = part["month"]
        if (
            match.start("month") == match.start()
            and not part.get("year")
            and self._noun(match.end()) in self.known.counted
        ):
            return None  # "May 8 people come?"
        verb = self.known.tables["calendar"].get("no_month")
        if verb and re.compile(verb).match(self.text, match.start("month")):
            return None  # "people of 11 may come", in lower case
        month = int(written) if written.isdigit() else self.known.month_numbers[written]
        day, year = self._number_word(part.get("day") or "0"), int(part.get("year") or 0)
        is_open = way.turns and month <= 12 and day <= 12 and month != day
        if way.turns and month > 12:
            month, day = day, month
        if not (1 <= month <= 12 and day <= 31):
            return None
        key: Key = ("date" if day else "month", float(year), float(month), float(day))
        stop = not way.dot and match.group().endswith(".")  # the full stop of a sentence
        span = match.start(), match.end() - stop
        return self._value("date", span, key, unit="day" if day else "month", is_open=is_open)

    def _share(self, match: re.Match[str], way: Format) -> Value:
        part = match.groupdict()
        unit = self.known.signs.get(part["unit"]) or self.known.spellings[part["unit"]]
        raw = way.share + self._number_word(part.get("whole") or "zero")
        raw += int(part.get("minutes") or 0) / 60 + self._number_word(part.get("cents") or "0") / 100
        raw += self._number_word(part.get("tenth") or "0") / 10
        key: Key = (unit.measure, round(raw * unit.factor, 9))
        in_two = part.get("minutes") or part.get("cents")  # it has no number of its own
        return self._value(_kind_of(unit), match.span(), key, unit=unit.unit, raw=None if in_two else raw)

    def _time(self, match: re.Match[str]) -> Value | None:
        part = match.groupdict()
        if word := part.get("word"):
            minutes = float(self.known.tables["clock"]["words"][" ".join(word.split()).replace("12noon", "12 noon")])
            return self._value("time", match.span(), ("time of day", minutes))
        written = part["hour"]
        hour = self._number_word(written)
        minute = self._number_word(part.get("minute") or "0")
        if part.get("half_hour"):
            minute, hour = 30, hour - self.known.tables["clock"].get("half_before", 0)
        elif side := part.get("side"):
            away = 15 if part.get("quarter") else self._number_word(part["away"])
            hour, minute = (hour, away) if side == self.known.tables["clock"]["past"] else (hour - 1, 60 - away)
        whole_day = hour == 12 or self.known.tables["clock"].get("whole_day", False)
        exact = written.isdigit() and (written[0] == "0" or (whole_day and part.get("minute") is not None))
        decided = hour > 12 or hour == 0 or exact or part.get("exact") is not None
        if half := part.get("half"):
            hour, decided = hour % 12 + self.known.tables["clock"]["halves"][half], True
        elif of_day := part.get("part"):
            shift = self.known.tables["clock"]["parts"][" ".join(of_day.split())]
            hour, decided = (hour + shift if hour < 12 and shift else hour), True
        if hour > 24:
            return None
        key: Key = ("time of day", hour * 60.0 + minute + int(part.get("second") or 0) / 60)
        return self._value("time", match.span("value" if "value" in part else 0), key, is_open=not decided)

    def _number_word(self, written: str) -> int:
        if written.isdigit():
            return int(written)
        return int(self.known.number_words.get(written) or self.known.ordinals.get(written, 0.0))

    def _code(self, match: re.Match[str]) -> Value | None:
        start, end = match.span("code")
        written = self.text[start:end]
        if self.known.no_code.fullmatch(written.lower()):
            return None
        letters = "".join(filter(str.isalnum, written))
        if written.lower() in self.known.spellings:
            return None  # "m2"
        cued = start > match.start()
        if cued and (sum(map(str.isdigit, letters)) < 6 or re.search(r"[a-z]", written)):
            return None
        if _is_long_code(letters) and not _iban_holds(letters):
            return None
        named = "iban" if _is_long_code(letters) else match.group()[: start - match.start()].split()[0] if cued else ""
        return self._value("code", (start, end), ("code", letters.upper()), unit=named)

    def _house(self, match: re.Match[str]) -> Value | None:
        """Return a house number, as in "4 Lake Promenade", or None. Such a number does not count anything."""
        start, end = match.span("code")
        words = self.text[slice(*match.span("street"))].split()
        street = list(dropwhile(str.islower, words))
        named = not self.known.spaces or all(word[0].isupper() for word in street)
        if len(street) < self.known.tables["houses"]["words"] or not named:
            return None
        return self._value("code", (start, end), ("code", self.text[start:end].upper()), unit="house")

    def _numbers(self) -> None:
        spans = []
        for number in numbers(self.rest, self.language):
            value = self._number(number)
            self.taken.append(value)
            spans.append((value.start, value.end))
        self.rest = _masked(self.rest, spans)

    def _number(self, number: Number) -> Value:
        start, end = number.start, number.end
        age = self._age(number)
        if age is not None:
            return age
        noun = self._noun(end)
        if number.kind in ("count", "ordinal", "day") or (number.kind == "year" and noun in self.known.counted):
            measure = "ordinal" if number.kind == "ordinal" else "count"
            return self._value("number", (start, end), (measure, number.value), unit=noun, raw=number.raw)
        if number.kind in ("year", "decade"):
            return self._value("date", (start, end), (number.kind, number.value), unit=number.kind, raw=number.raw)
        if number.unit is None:
            return self._value("quantity", (start, end), (number.kind, number.value), unit="%", raw=number.raw)
        if number.unit.also and self._is_weighed(number):
            unit = self.known.units[number.unit.also]
            key: Key = (unit.measure, round(number.raw * unit.factor, 9))
            return self._value("quantity", (start, end), key, unit=unit.unit, raw=number.raw)
        kind = _kind_of(number.unit)
        if kind == "amount" and (code := self.known.code_before.search(self.rest, max(0, start - NEAR), start)):
            start = code.start()
        return self._value(kind, (start, end), (number.kind, number.value), unit=number.unit.unit, raw=number.raw)

    def _is_weighed(self, number: Number) -> bool:
        """Return True if the name of a currency means a weight in its context: "it weighs 12 pounds"."""
        if not self.rest[number.end - 1].isalpha() or self.rest[number.start] in self.known.signs:
            return False
        start = number.start
        weighed = self.known.weighed_before.search(self.rest, max(0, start - NEAR), start)
        return weighed is not None or self.known.weighed_behind.match(self.rest, number.end) is not None

    def _age(self, number: Number) -> Value | None:
        """Return the age that a number expresses in its context, or None."""
        start = number.start
        behind = self.known.age_behind.match(self.rest, number.raw_end)
        before = self.known.age_before.search(self.rest, max(0, start - NEAR), start)
        if behind is None and (before is None or number.kind not in ("count", "months")):
            return None
        if behind is None and not self.known.age_alone.match(self.rest, number.raw_end):
            return None
        if behind is not None and number.unit is None:
            return None
        unit = number.unit or self.known.units["year"]
        end = behind.end() if behind else number.end if number.unit else number.raw_end
        months = number.raw * unit.factor if unit.measure == "months" else number.value / _MONTH
        return self._value("age", (start, end), ("age", months), unit=unit.unit, raw=number.raw)

    def _noun(self, end: int) -> str:
        if not self.known.spaces:
            counter = self.known.counter.match(self.rest, end)
            return self.known.tables["things"]["nouns"].get(counter["noun"], counter["noun"]) if counter else ""
        match = _NOUN.match(self.rest, end)
        return "" if match is None or match["noun"] in _small_words(self.language) else match["noun"]

    def _day(self, match: re.Match[str]) -> Value | None:
        day = match["day"]
        for names in self.known.rows_of_weekdays:
            if day in names:
                key: Key = ("weekday", float(names.index(day)))
                return self._value("date", match.span(), key, unit="weekday")
        return self._value("date", match.span(), ("day", day), unit="other day")

    def _size(self, match: re.Match[str]) -> Value | None:
        group = match.lastgroup or "size"
        return self._value("name", match.span(group), ("size", match[group]), unit="size")

    def _names(self) -> None:
        """Read the names in a text: runs of capitalised words, and places listed for the language."""
        if not self.known.names_by_capitals:
            self._listed()
            return
        known = _listed_names(self.language)
        masked = _masked(self.text, [(value.start, value.end) for value in self.taken])
        spans = []
        small = word_set("function_words", self.language)
        for match in _NAME.finditer(masked):
            begun = list(_WORD.finditer(masked, *match.span()))
            kept = list(dropwhile(lambda word: word.group().lower().replace("\u2019", "'") in small, begun))
            words = [word.group().lower() for word in kept]
            if not words or (len(words) == 1 and len(words[0]) == 1):
                continue
            unit = known.get(words[0], "") if len(words) == 1 or known.get(words[0]) == "person" else ""
            start = kept[0].start()
            if not unit and len(words) == 1 and _ENDS.search(masked, max(0, start - 8), start):
                continue
            self.taken.append(self._value("name", (start, match.end()), ("name", " ".join(words)), unit=unit))
            spans.append((start, match.end()))
        for match in _WORD.finditer(_masked(self.rest, spans)):
            unit = known.get(match.group(), "")
            if unit in ("city", "country") and not _NOT_A_PLACE.match(self.rest, match.end()):
                self.taken.append(self._value("name", match.span(), ("name", match.group()), unit=unit))

    def _listed(self) -> None:
        """Read only listed names. This is for languages that capitalise all nouns, or have no capitals."""
        known, small = _listed_names(self.language), not self.known.spaces
        for match in segmented_words(
            _masked(self.text, [(value.start, value.end) for value in self.taken]), self.language
        ):
            unit = known.get(match.group().lower(), "") if small or match.group()[0].isupper() else ""
            if unit and not _NOT_A_PLACE.match(self.text, match.end()):
                self.taken.append(self._value("name", match.span(), ("name", match.group().lower()), unit=unit))


_MONTH = 2629746.0
"""Seconds per month, for ages given in weeks."""


@cache
def _small_words(language: str) -> frozenset[str]:
    return frozenset(map(in_one_case, word_set("function_words", language)))


def _masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text with every character in these spans masked."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start < at:
            continue
        pieces += [text[at:start], MASK * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def _kind_of(unit: Unit) -> ValueKind:
    return "amount" if unit.money else "duration" if unit.measure in _DURATIONS else "quantity"


@cache
def _listed_names(language: str) -> dict[str, str]:
    """Return the kind (person, country or city) of each listed name."""
    table = {
        name.lower(): "person" for row in listed("given_names", language) for name in row.split() if name.isalpha()
    }
    table |= {row.split()[0].lower(): "country" for row in listed("nations", language)}
    return table | {name.lower(): "city" for row in listed("places", language) for name in row.split()}


def _is_long_code(letters: str) -> bool:
    return len(letters) >= 12 and letters[:2].isalpha() and letters[2:4].isdigit()


def _iban_holds(joined: str) -> bool:
    """Return True if an IBAN's check digits are correct (ISO 13616), so that no other code is mistaken for an IBAN."""
    turned = joined[4:] + joined[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def named_values(text: str, names: Sequence[str]) -> tuple[Value, ...]:
    """Return the values in a text that match names from the data. If several overlap, the longest is used.

    >>> [value.key for value in named_values("The Orbit costs 30 euros.", ["Nova phone", "Orbit tablet"])]
    [('name', 'orbit tablet')]
    """
    return tuple(_named(text, names))


def _named(text: str, names: Sequence[str]) -> Iterator[Value]:
    places: dict[int, Value] = {}
    for name in sorted(names, key=len, reverse=True):
        for match in form_of(name, tuple(names)).finditer(text):
            if all(match.end() <= value.start or match.start() >= value.end for value in places.values()):
                key: Key = ("name", " ".join(re.findall(r"\w+", name.lower())))
                places[match.start()] = Value(kind="name", text=match[0], start=match.start(), key=key, unit="product")
    yield from (places[start] for start in sorted(places))


def whole_value(text: str, language: str = "en") -> Value | None:
    """Return the value that a text consists of, or None. Its unit may be shorter than is allowed within a sentence.

    >>> whole_value("5 kilometers").key, whole_value("10 in").key[0], whole_value("5 km away")
    (('length', 5000.0), 'length', None)
    """
    bare = text.strip()
    mark = "." if vocabulary(language).writes_comma else ","
    if _SPACED.fullmatch(bare) and (joined := whole_value(re.sub(r"(?<=\d) (?=\d)", mark, bare), language)) is not None:
        return replace(joined, text=bare)
    placed = values(bare, language)
    if len(placed) == 1 and (placed[0].start, placed[0].end) == (0, len(bare)):
        return placed[0]
    low = with_points(in_one_case(bare), vocabulary(language))
    if (single := vocabulary(language).one_of_unit.fullmatch(low)) is not None:
        unit = vocabulary(language).spellings[single["unit"]]
        key: Key = (unit.measure, unit.factor)
        return Value(kind=_kind_of(unit), text=bare, start=0, key=key, unit=unit.unit, raw=1.0, language=language)
    return _in_data(bare, low, language)


def _in_data(bare: str, low: str, language: str) -> Value | None:
    """Return the quantity that a text consists of, or None.

    Its unit may be one that is not recognised within a sentence.
    """
    match = _IN_DATA.fullmatch(low)
    unit = vocabulary(language).data_spellings.get(match["unit"]) if match else None
    if match is None or unit is None:
        return None
    raw = float(match["number"].replace(",", ""))
    key: Key = (unit.measure, round(raw * unit.factor, 9))
    return Value(kind=_kind_of(unit), text=bare, start=0, key=key, unit=unit.unit, raw=raw, language=language)


_SPACED = re.compile(
    r"(?:[€£$¥] ?|[A-Z]{3} )?[1-9]\d{0,2}(?: \d{3}){1,4}(?:\.\d{1,2})?"
    r"(?: ?[^\W\d_]{1,20}(?:-[^\W\d_]{1,20})?| ?[€£$¥%])?"
)
"""Matches a number with spaces between thousands. Within a sentence this could also be two numbers or a code."""

_IN_DATA = re.compile(r"(?P<number>[-+]?\d[\d,]{0,30}(?:\.\d{1,30})?)\s{0,3}(?P<unit>[a-z°%/$€£]{1,20})\.?")
