"""Reads the values in a text, in steps: dates, times and codes, then numbers, and finally names.

Text read in one step is hidden from later steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import dropwhile
from typing import Any

from mutatis.languages import given_names, listed, word_list, word_set
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import in_one_case
from mutatis.text.products import form_of
from mutatis.text.segments import segmented_words
from mutatis.text.values.numerals import LONGEST, NEAR, Number, numbers, with_points
from mutatis.text.values.value import Value
from mutatis.text.values.vocabulary import Format, Unit, as_read, vocabulary
from mutatis.text.values.written import DateParts, Key, ValueKind

_MASK = "\u00a6"
"""A character that replaces text that has already been read."""

_NAME = re.compile(
    r"(?<!\w)[A-Z\u00c0-\u00de][\w'\u2019-]*(?:\s{1,3}(?:of\s+the\s+|of\s+|de\s+|von\s+|van\s+)?[A-Z][\w'\u2019-]*)*"
)
"""Matches capitalised words in a row, which may be joined by "of the", "of", "de", "von" or "van"."""

_NOUN = re.compile(r"[\s-]{1,3}(?P<noun>[^\W\d_]{1,40})")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")

_SENTENCE_BEGINS = re.compile(r"(?:\A|[!?]\s{1,3}|\w{4}[.]\s{1,3})[\"'\u201c\u2018(]?\Z")
"""Matches the text before the first word of a sentence. A full stop after a shorter word may be an abbreviation's."""

_NOT_A_PLACE = re.compile(r"['\u2019-]\w")
"""Matches the text after a listed place that is a part of a longer word, such as "Paris-Brest" or "Rome's"."""

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
    """A reader that finds the values in one text, one kind after the other.

    Attributes:
        text: the text as written.
        unread: the text in lower case, with everything masked that has been read: after the date "3 May 2020", no
            number is left in it.
        values: the values that have been read.
    """

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language, self.words = text, language, vocabulary(language)
        self.unread = as_read(text, self.words)
        self.values: list[Value] = []

    def read(self) -> tuple[Value, ...]:
        """Return the values in the order of the text."""
        has_digits = any(map(str.isdigit, self.text))
        for date_format in self.words.dates:
            if has_digits or not date_format.figures:
                self._take(date_format.pattern, partial(self._date, date_format))
        for time_format in self.words.times:
            if has_digits or not time_format.figures:
                self._take(time_format.pattern, self._time)
        for pattern in self.words.codes if has_digits else ():
            self._take(pattern, self._code)
        for pattern in self.words.houses if has_digits else ():
            self._take(pattern, self._house)
        for share_format in self.words.shares:
            self._take(share_format.pattern, partial(self._share, share_format))
        self._numbers()
        self._take(self.words.days, self._day)
        self._take(self.words.sizes, self._size)
        self._names()
        return self._join_durations(sorted(self.values, key=lambda value: value.start))

    def _join_durations(self, in_order: Sequence[Value]) -> tuple[Value, ...]:
        """Return the values, with each duration in two units ("2 h 30 min") as a single value."""
        joined: list[Value] = []
        for value in in_order:
            if joined and self._continues(joined[-1], value):
                first = joined[-1]
                text = self.text[first.start : value.end]
                joined[-1] = replace(first, text=text, key=("time", first.size + value.size), raw=None)
            else:
                joined.append(value)
        return tuple(joined)

    def _continues(self, first: Value, second: Value) -> bool:
        """Return True if a duration continues the one before it: in a smaller unit, with at most "and" in between."""
        if {first.kind, second.kind} != {"duration"} or {first.measure, second.measure} != {"time"}:
            return False
        unit = self.words.units[first.unit]
        is_smaller = self.words.units[second.unit].factor < unit.factor and second.size < unit.factor
        between = self.text[first.end : second.start].lower().split()
        return is_smaller and (not between or " ".join(between) in self.words.tables["joins"]["words"])

    def _take(self, pattern: re.Pattern[str], value_of: Callable[[re.Match[str]], Value | None]) -> None:
        """Collect the values that match a pattern, and mask them in the unread text.

        `value_of` returns the value of a match, which may be shorter than the match, or None if it is not a value.
        """

        def hidden(match: re.Match[str]) -> str:
            value = value_of(match)
            if value is None:
                return match.group()
            self.values.append(value)
            before, behind = value.start - match.start(), match.end() - value.end
            return match.group()[:before] + _MASK * len(value.text) + (match.group()[-behind:] if behind else "")

        self.unread = pattern.sub(hidden, self.unread)

    def _value(self, kind: ValueKind, span: tuple[int, int], key: Key, **more: Any) -> Value:
        """Return the value at a span of the text. `more` holds other attributes, such as its unit."""
        text = self.text[slice(*span)]
        return Value(kind=kind, text=text, start=span[0], key=key, language=self.language, **more)

    def _date(self, date_format: Format, match: re.Match[str]) -> Value | None:
        """Return the date or month that a match represents, or None if it is not a date.

        It is open if day and month might be swapped. If the first number is above 12, it is the day.
        """
        if (date_format.capital and not self.text[match.start()].isupper()) or self._is_no_month(match):
            return None  # the verb "may"
        part = match.groupdict()
        month = int(part["month"]) if part["month"].isdigit() else self.words.month_numbers[part["month"]]
        day, year = self._whole_number(part.get("day") or "0"), int(part.get("year") or 0)
        is_open = date_format.either_order and month <= 12 and day <= 12 and month != day
        if date_format.either_order and month > 12:
            month, day = day, month
        if not (1 <= month <= 12 and day <= 31):
            return None
        ends_sentence = match.group().endswith(".") and not date_format.dot
        span = match.start(), match.end() - ends_sentence
        key = DateParts(year=year, month=month, day=day).key
        return self._value("date", span, key, unit="day" if day else "month", open=is_open)

    def _is_no_month(self, match: re.Match[str]) -> bool:
        """Return True if the name of a month in a match is another word, such as the verb "may"."""
        comes_first = match.start("month") == match.start()
        if comes_first and not match.groupdict().get("year") and self._noun(match.end()) in self.words.counted:
            return True  # "May 8 people come?"
        verb = self.words.tables["calendar"].get("no_month")  # "people of 11 may come", in lower case
        return bool(verb) and re.compile(verb).match(self.text, match.start("month")) is not None

    def _share(self, share_format: Format, match: re.Match[str]) -> Value:
        """Return an amount or quantity with a part of a unit: "half an hour", "2 kg and a half", "2 h 30", "5 € 20"."""
        part = match.groupdict()
        unit = self.words.signs.get(part["unit"]) or self.words.spellings[part["unit"]]
        raw = share_format.share + self._whole_number(part.get("whole") or "0")
        raw += int(part.get("minutes") or 0) / 60 + self._whole_number(part.get("cents") or "0") / 100
        raw += self._whole_number(part.get("tenth") or "0") / 10
        key: Key = (unit.measure, unit.size_of(raw))
        has_two_numbers = part.get("minutes") or part.get("cents")  # so neither is the number of the whole
        return self._value(_kind_of(unit), match.span(), key, unit=unit.unit, raw=None if has_two_numbers else raw)

    def _time(self, match: re.Match[str]) -> Value | None:
        """Return the time of day that a match represents, or None if its hour is above 24.

        It is open if it might be in the other half of the day.
        """
        written, clock = match.groupdict(), self.words.tables["clock"]
        if word := written.get("word"):
            minutes = float(clock["words"][" ".join(word.split()).replace("12noon", "12 noon")])
            return self._value("time", match.span(), ("time of day", minutes))
        hour, minute = self._hour_and_minute(written)
        counts_to_24 = hour == 12 or clock.get("whole_day", False)  # in any language, "12:30" is half past noon
        in_digits = written["hour"].isdigit() and written.get("minute") is not None
        is_exact = written["hour"].startswith("0") or (in_digits and counts_to_24)  # "09:30", in German also "9:30"
        is_open = 0 < hour <= 12 and not is_exact and written.get("exact") is None
        if half := written.get("half"):  # "am", "pm"
            hour, is_open = hour % 12 + clock["halves"][half], False
        elif part_of_day := written.get("part"):  # "in the evening"
            hour += clock["parts"][" ".join(part_of_day.split())] if hour < 12 else 0
            is_open = False
        if hour > 24:
            return None
        key: Key = ("time of day", hour * 60.0 + minute + int(written.get("second") or 0) / 60)
        return self._value("time", match.span("value" if "value" in written else 0), key, open=is_open)

    def _hour_and_minute(self, written: Mapping[str, Any]) -> tuple[int, int]:
        """Return hour and minute of a time as written: "9:30", "half past nine", "a quarter to ten"."""
        hour, clock = self._whole_number(written["hour"]), self.words.tables["clock"]
        if written.get("half_hour"):
            return hour - clock.get("half_before", 0), 30  # in German, "half ten" is half past nine
        if side := written.get("side"):
            away = 15 if written.get("quarter") else self._whole_number(written["away"])
            return (hour, away) if side == clock["past"] else (hour - 1, 60 - away)
        return hour, self._whole_number(written.get("minute") or "0")

    def _whole_number(self, written: str) -> int:
        """Return the value of a whole number or an ordinal, in digits or as one word. Any other word counts as 0."""
        if written.isdigit():
            return int(written)
        return int(self.words.number_words.get(written) or self.words.ordinals.get(written, 0.0))

    def _code(self, match: re.Match[str]) -> Value | None:
        """Return a reference number, or None if the match is something else, such as a unit ("m2").

        A number after a cue such as "order" needs six digits. A number like an IBAN needs correct check digits.
        """
        start, end = match.span("code")
        written = self.text[start:end]
        if self.words.no_code.fullmatch(written.lower()) or written.lower() in self.words.spellings:
            return None
        characters = "".join(filter(str.isalnum, written))
        cue, *_ = match.group()[: start - match.start()].split() or [""]
        if cue and (sum(map(str.isdigit, characters)) < 6 or re.search(r"[a-z]", written)):
            return None
        is_like_iban = len(characters) >= 12 and characters[:2].isalpha() and characters[2:4].isdigit()
        if is_like_iban and not _iban_holds(characters):
            return None
        return self._value("code", (start, end), ("code", characters.upper()), unit="iban" if is_like_iban else cue)

    def _house(self, match: re.Match[str]) -> Value | None:
        """Return a house number, as in "4 Lake Promenade", or None. Such a number does not count anything."""
        start, end = match.span("code")
        words = self.text[slice(*match.span("street"))].split()
        street = list(dropwhile(str.islower, words))
        is_capitalised = not self.words.spaces or all(word[0].isupper() for word in street)
        if len(street) < self.words.tables["houses"]["words"] or not is_capitalised:
            return None
        return self._value("code", (start, end), ("code", self.text[start:end].upper()), unit="house")

    def _numbers(self) -> None:
        read = [self._age(number) or self._number(number) for number in numbers(self.unread, self.language)]
        self.values += read
        self.unread = mask_spans(self.unread, [(value.start, value.end) for value in read])

    def _number(self, number: Number) -> Value:
        """Return the value that a number represents in its context: a number, a date, a quantity or an amount."""
        span, noun, raw = (number.start, number.end), self._noun(number.end), number.raw
        if number.kind in ("count", "ordinal", "day") or (number.kind == "year" and noun in self.words.counted):
            measure = "ordinal" if number.kind == "ordinal" else "count"
            return self._value("number", span, (measure, number.value), unit=noun, raw=raw)
        if number.kind in ("year", "decade"):
            return self._value("date", span, (number.kind, number.value), unit=number.kind, raw=raw)
        unit = number.unit
        if unit is None:  # "percent" is the only kind left
            return self._value("quantity", span, (number.kind, number.value), unit="%", raw=raw)
        if unit.also and self._is_weighed(number):
            weight = self.words.units[unit.also]
            return self._value("quantity", span, (weight.measure, weight.size_of(raw)), unit=weight.unit, raw=raw)
        kind = _kind_of(unit)
        before = self.words.currency_code_before.search(self.unread, max(0, number.start - NEAR), number.start)
        if kind == "amount" and before is not None:
            span = before.start(), number.end
        return self._value(kind, span, (number.kind, number.value), unit=unit.unit, raw=raw)

    def _is_weighed(self, number: Number) -> bool:
        """Return True if the name of a currency means a weight in its context: "it weighs 12 pounds"."""
        if not self.unread[number.end - 1].isalpha() or self.unread[number.start] in self.words.signs:
            return False  # "£12"
        start = number.start
        weighed = self.words.weighed_before.search(self.unread, max(0, start - NEAR), start)
        return weighed is not None or self.words.weighed_behind.match(self.unread, number.end) is not None

    def _age(self, number: Number) -> Value | None:
        """Return the age that a number expresses in its context, or None: "8 years old", "my son is 8"."""
        start, unit = number.start, number.unit
        behind = self.words.age_behind.match(self.unread, number.raw_end)
        if behind is not None:
            if unit is None:
                return None
            end = behind.end()
        else:
            before = self.words.age_before.search(self.unread, max(0, start - NEAR), start)
            ends_clause = self.words.age_alone.match(self.unread, number.raw_end)
            if before is None or ends_clause is None or number.kind not in ("count", "months"):
                return None
            end = number.end if unit else number.raw_end
        unit = unit or self.words.units["year"]
        months = number.raw * unit.factor if unit.measure == "months" else number.value / _MONTH
        return self._value("age", (start, end), ("age", months), unit=unit.unit, raw=number.raw)

    def _noun(self, end: int) -> str:
        """Return the noun after a number that ends at this offset, or "". Any word but a function word counts."""
        if not self.words.spaces:
            counter = self.words.counter.match(self.unread, end)
            return self.words.tables["things"]["nouns"].get(counter["noun"], counter["noun"]) if counter else ""
        match = _NOUN.match(self.unread, end)
        return "" if match is None or match["noun"] in _function_words(self.language) else match["noun"]

    def _day(self, match: re.Match[str]) -> Value | None:
        day = match["day"]
        for names in self.words.rows_of_weekdays:
            if day in names:
                return self._value("date", match.span(), ("weekday", float(names.index(day))), unit="weekday")
        return self._value("date", match.span(), ("day", day), unit="other day")

    def _size(self, match: re.Match[str]) -> Value | None:
        group = match.lastgroup or "size"
        return self._value("name", match.span(group), ("size", match[group]), unit="size")

    def _names(self) -> None:
        """Read the names in a text: runs of capitalised words, and listed places in lower case."""
        text = mask_spans(self.text, [(value.start, value.end) for value in self.values])
        if not self.words.names_by_capitals:
            self._listed_names(text)
            return
        spans = self._capitalised_names(text)
        kinds = _kinds_of_names(self.language)
        for match in _WORD.finditer(mask_spans(self.unread, spans)):
            kind = kinds.get(match.group(), "")
            if kind in ("city", "country") and not _NOT_A_PLACE.match(self.unread, match.end()):
                self.values.append(self._value("name", match.span(), ("name", match.group()), unit=kind))

    def _capitalised_names(self, text: str) -> list[tuple[int, int]]:
        """Read the runs of capitalised words of a text without other values, and return their spans.

        They do not begin with function words. A single word that begins a sentence counts only if it is a listed name.
        """
        kinds, function_words = _kinds_of_names(self.language), word_set("function_words", self.language)
        spans = []
        for match in _NAME.finditer(text):
            capitalised = _WORD.finditer(text, *match.span())
            name = list(
                dropwhile(lambda word: word.group().lower().replace("\u2019", "'") in function_words, capitalised)
            )
            words = [word.group().lower() for word in name]
            if not words or (len(words) == 1 and len(words[0]) == 1):
                continue
            listed_kind = kinds.get(words[0], "")
            kind = listed_kind if len(words) == 1 or listed_kind == "person" else ""  # "Paris Hotel" is no city
            start = name[0].start()
            if not kind and len(words) == 1 and _SENTENCE_BEGINS.search(text, max(0, start - 8), start):
                continue
            self.values.append(self._value("name", (start, match.end()), ("name", " ".join(words)), unit=kind))
            spans.append((start, match.end()))
        return spans

    def _listed_names(self, text: str) -> None:
        """Read only listed names. This is for languages that capitalise all nouns, or have no capitals."""
        for match in segmented_words(text, self.language):
            may_be_name = not self.words.spaces or match.group()[0].isupper()
            kind = _kinds_of_names(self.language).get(match.group().lower(), "") if may_be_name else ""
            if kind and not _NOT_A_PLACE.match(self.text, match.end()):
                self.values.append(self._value("name", match.span(), ("name", match.group().lower()), unit=kind))


_MONTH = 2629746.0
"""Seconds per month, for ages given in weeks."""


@cache
def _function_words(language: str) -> frozenset[str]:
    return frozenset(map(in_one_case, word_set("function_words", language)))


def mask_spans(text: str, spans: Iterable[tuple[int, int]], mark: str = _MASK) -> str:
    """Return a text with every character in these spans masked. A span that overlaps the one before it is ignored."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start < at:
            continue
        pieces += [text[at:start], mark * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def _kind_of(unit: Unit) -> ValueKind:
    return "amount" if unit.money else "duration" if unit.measure in _DURATIONS else "quantity"


@cache
def _kinds_of_names(language: str) -> dict[str, str]:
    """Return the kind (person, country or city) of each listed name."""
    kinds = {name.lower(): "person" for names in given_names(language) for name in names}
    kinds |= {row.split()[0].lower(): "country" for row in listed("nations", language)}
    return kinds | {name.lower(): "city" for name in word_list("places", language)}


def _iban_holds(iban: str) -> bool:
    """Return True if an IBAN's check digits are correct (ISO 13616), so that no other code is mistaken for an IBAN."""
    rearranged = iban[4:] + iban[:4]
    return int("".join(str(int(character, 36)) for character in rearranged)) % 97 == 1


def named_values(text: str, names: Sequence[str]) -> tuple[Value, ...]:
    """Return the values in a text that match names from the data. If several overlap, the longest is used.

    >>> [value.key for value in named_values("The Orbit costs 30 euros.", ["Nova phone", "Orbit tablet"])]
    [('name', 'orbit tablet')]
    """
    mentions: list[Value] = []
    for name in sorted(names, key=len, reverse=True):
        key: Key = ("name", " ".join(re.findall(r"\w+", name.lower())))
        for match in form_of(name, tuple(names)).finditer(text):
            if all(match.end() <= value.start or match.start() >= value.end for value in mentions):
                mentions.append(Value(kind="name", text=match[0], start=match.start(), key=key, unit="product"))
    return tuple(sorted(mentions, key=lambda value: value.start))


def whole_value(text: str, language: str = "en") -> Value | None:
    """Return the value that a text consists of, or None. Its unit may be shorter than is allowed within a sentence.

    >>> whole_value("5 kilometers").key, whole_value("10 in").key[0], whole_value("5 km away")
    (('length', 5000.0), 'length', None)
    """
    bare, words = text.strip(), vocabulary(language)
    if _SPACED.fullmatch(bare):  # "10 000 EUR" is read as "10,000 EUR", and "10 000 Euro" as "10.000 Euro"
        thousands_mark = "." if words.writes_comma else ","
        joined = whole_value(re.sub(r"(?<=\d) (?=\d)", thousands_mark, bare), language)
        if joined is not None:
            return replace(joined, text=bare)
    within = values(bare, language)
    if len(within) == 1 and within[0].text == bare:
        return within[0]
    low = with_points(in_one_case(bare), words)
    if (single := words.one_of_unit.fullmatch(low)) is not None:  # "a kilometre"
        unit, raw = words.spellings[single["unit"]], 1.0
    elif (quantity := _IN_DATA.fullmatch(low)) is not None and quantity["unit"] in words.data_spellings:
        unit, raw = words.data_spellings[quantity["unit"]], float(quantity["number"].replace(",", ""))
    else:
        return None
    key: Key = (unit.measure, unit.size_of(raw))
    return Value(kind=_kind_of(unit), text=bare, start=0, key=key, unit=unit.unit, raw=raw, language=language)


_SPACED = re.compile(
    r"(?:[€£$¥] ?|[A-Z]{3} )?[1-9]\d{0,2}(?: \d{3}){1,4}(?:\.\d{1,2})?"
    r"(?: ?[^\W\d_]{1,20}(?:-[^\W\d_]{1,20})?| ?[€£$¥%])?"
)
"""Matches a number with spaces between thousands. Within a sentence this could also be two numbers or a code."""

_IN_DATA = re.compile(r"(?P<number>[-+]?\d[\d,]{0,30}(?:\.\d{1,30})?)\s{0,3}(?P<unit>[a-z°%/$€£]{1,20})\.?")
