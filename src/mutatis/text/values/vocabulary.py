"""Provides the words and formats of one language for reading values, from `languages/<code>/values.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from mutatis.languages import language_tables
from mutatis.text.normalisation import in_one_case
from mutatis.text.values.han import han_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of measurement, of time or of money.

    Attributes:
        unit: the unit's identifier, always spelt the same way.
        measure: the quantity measured. Values of the same measure are compared after conversion.
        factor: the size of the unit in base units.
        symbols: the unit's symbols, the usual one first.
        names: the unit's names in the singular, the usual one first.
        plurals: the plural of each name.
        unclear: whether the symbols may stand for something else, and so are never written.
        sign: the sign of a currency.
        code: the international code of a currency.
        also: a different unit that the name may stand for.
        money: whether the unit is a currency.
        short: the abbreviations in singular and plural, if the symbols are unclear.
    """

    unit: str
    measure: str
    factor: float
    symbols: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    plurals: Mapping[str, str] = field(default_factory=dict)
    unclear: bool = False
    sign: str = ""
    code: str = ""
    also: str = ""
    money: bool = False
    short: tuple[str, ...] = ()

    def size_of(self, number: float) -> float:
        """Return a number of this unit in base units, without the error of a floating-point product."""
        return round(number * self.factor, 9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of dates, times or fractions of a unit, with its pattern and its ambiguities.

    Attributes:
        pattern: a pattern with groups for the parts of the value.
        either_order: whether day or month may come first.
        capital: whether the format requires a capital letter.
        figures: whether the format contains digits. If so, it is not searched for in a text without digits.
        share: the fraction of a unit that the format stands for.
        dot: whether a full stop at the end belongs to the format, and does not end a sentence.
    """

    pattern: re.Pattern[str]
    either_order: bool = False
    capital: bool = False
    figures: bool = False
    share: float = 0.0
    dot: bool = False


class Vocabulary:
    """The words of a language for reading and writing values, and the patterns that are made from them.

    Words are in lower case, except the words to write: `ones`, `tens`, `months` and `weekdays`. What a language lacks
    is an empty table, or a pattern without matches.

    Attributes:
        tables: the tables of the language's file.
        ones, tens: the numbers that are one word, from zero on; the words for 20, 30, ..., 90.
        number_words, ordinals, fractions, roman: the values of number words.
        scales: factors of words such as "million", which multiply the number before them.
        month_numbers: the number of each month by any of its names.
        units: the units by their identifiers.
        spellings: the units by any way of writing them within a text.
        data_spellings: the units by any way of writing them in a data field, which may be shorter.
        signs: the currencies by their signs.
        unit_behind: a unit behind its number.
        currency_code_before: a code before its amount, "EUR 20".
        decimal_comma: a number whose comma can only be a decimal comma.
        weighed_before, weighed_behind: words about weight, which tell pounds from money: "it weighs", "heavy".
        dates, times, shares: the formats of dates, of times, and of fractions of a unit ("half a litre").
        one_of_unit: one unit without a number, "a kilometre".
        codes, no_code: codes such as "AB-1234", and figures that only look like one ("2024-05-12").
        houses: numbers of houses with their streets.
        age_before, age_behind, age_alone: words that make a number an age: "my son is" 8, 8 "years old".
        sizes: sizes of clothes.
        days: names of days.
        counted: nouns that a number before them counts.
        counter: the measure word between a number and the things it counts.
        names_by_capitals: whether capital letters mark names.
        writes_comma: whether decimals are written after a comma.
        thousands: the mark between thousands.
        long_number_words: number words with hyphens, which may also be written with spaces; None without any.
        number_item: a number in characters, for languages that write numbers so.
        spaces: whether there are spaces between words.
        gap: the space between a number and a word; empty in a language without spaces.
        rows_of_weekdays: the names of the weekdays in lower case, in one row for each set of names (abbreviations).
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        numbers, calendar, things = tables["numbers"], tables["calendar"], tables["things"]
        self.tables = tables
        self.spaces: bool = tables.get("writing", {}).get("spaces", True)
        self.gap = " " if self.spaces else ""
        self._flags = re.NOFLAG if self.spaces else re.ASCII  # without spaces, any character may touch a number
        self.writes_comma: bool = numbers.get("writes_comma", False)
        self.thousands: str = numbers.get("thousands", ".")
        self.names_by_capitals: bool = tables.get("names", {}).get("by_capitals", True)
        self.counted = frozenset(in_one_case(f"{things['counted']} {things['words']}").split())
        self.months, self.weekdays = self.words("calendar", "months"), self.words("calendar", "weekdays")
        other_rows = (row.split() for row in calendar.get("other_weekdays", ()))
        self.rows_of_weekdays = [tuple(map(in_one_case, row)) for row in (self.weekdays, *other_rows)]
        named = (self.months, self.words("calendar", "short_months"))
        self.month_numbers = {in_one_case(name): place for names in named for place, name in enumerate(names, 1)}
        self.month_numbers |= {
            in_one_case(name): self.month_numbers[in_one_case(month)]
            for name, month in calendar["other_months"].items()
        }
        self._read_numbers(numbers)
        self._read_units([*tables["units"], *tables["currencies"]])
        self._compile_formats()
        self._compile_signs()

    def _read_numbers(self, numbers: Mapping[str, Any]) -> None:
        self.ones, self.tens = self.words("numbers", "ones"), self.words("numbers", "tens")
        self.scales: Mapping[str, float] = numbers["scales"]
        self.number_item = re.compile(item) if (item := numbers.get("item")) else None
        values = {word: value for value, word in enumerate(self.ones)}
        values |= {word: 20 + 10 * step for step, word in enumerate(self.tens)}
        values |= numbers.get("more", {})
        if self.number_item:
            values |= {han_number(number): number for number in range(100)}
        elif "joined" in numbers:
            values |= {self.in_words(number): number for number in (*range(21, 1_000), *range(1_000, 13_000, 100))}
        self.number_words = {in_one_case(word): float(value) for word, value in values.items()}
        self.ordinals = {in_one_case(word): float(value) for value, word in enumerate(numbers["ordinals"].split(), 1)}
        self.fractions = {in_one_case(word): above / below for word, (above, below) in numbers["fractions"].items()}
        # A single letter, such as "i" or "v", is rarely a numeral.
        self.roman = {word: float(value) for value, word in enumerate(numbers["roman"].split(), 1) if len(word) > 1}
        self.long_number_words = _long_number_words(self.number_words)

    def _read_units(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Read the units and currencies. If a spelling stands for several, the first one is meant."""
        self.units = {row["unit"]: _unit(row, self.spaces) if "measure" in row else _currency(row) for row in rows}
        self.signs = {unit.sign: unit for unit in self.units.values() if unit.sign}
        self.spellings: dict[str, Unit] = {}
        in_data: dict[str, Unit] = {}
        for row in rows:
            unit = self.units[row["unit"]]
            written = [*unit.symbols, *unit.names, *unit.plurals.values(), *row.get("phrases", ())]
            if unit.money:
                written += row["names"].split()  # a currency is written only by its first name, but read by all
            for spelling in written:
                self.spellings.setdefault(in_one_case(spelling), unit)
            for spelling in row.get("in_data", "").split():
                in_data.setdefault(spelling, unit)
        self.data_spellings = self.spellings | in_data

    def _compile_formats(self) -> None:
        """Compile the patterns of the language's file, with their placeholders filled."""
        tables, parts, flags = self.tables, self._parts(), self._flags

        def formats(name: str) -> tuple[Format, ...]:
            return tuple(
                Format(**{**row, "pattern": re.compile(_filled(row["pattern"], parts), flags)}) for row in tables[name]
            )

        self.dates, self.times, self.shares = formats("dates"), formats("times"), formats("shares")
        self.codes, self.houses = (
            tuple(re.compile(_filled(pattern, parts), flags) for pattern in tables[name]["patterns"])
            for name in ("codes", "houses")
        )
        self.no_code = re.compile(tables["codes"]["no_codes"])  # "2024-05-12"
        self.counter = re.compile(_filled(tables["things"].get("counter", _NEVER), parts))
        self.one_of_unit = re.compile(_filled(tables["one"]["pattern"], parts))  # "a kilometre"
        self.age_behind = re.compile(_filled(tables["ages"]["behind"], parts))  # "8 years old"
        self.age_alone = re.compile(tables["ages"]["bare"])  # the end of a clause behind 8 in "my son is 8"
        self.sizes = re.compile(tables["sizes"]["pattern"])

    def _compile_signs(self) -> None:
        """Compile the patterns of the surroundings of a number: units, codes of currencies, and other words."""
        tables, calendar = self.tables, self.tables["calendar"]
        weighed = tables.get("weighed", {"before": _NEVER, "behind": _NEVER})
        rows_of_days = [calendar["weekdays"], *calendar.get("other_weekdays", ()), calendar["other_days"]]
        days, no_day = any_of(" ".join(rows_of_days).split()), calendar.get("no_day", _NEVER)
        codes = any_of(unit.code for unit in self.units.values() if unit.code)
        gap, letter = ("{1,3}", r"\w") if self.spaces else ("{0,3}", "[a-z]")
        unit, flags = any_of(self.spellings), self._flags
        self.unit_behind = re.compile(rf"\s{{0,3}}-?\s{{0,3}}(?P<unit>{unit})(?!{letter})", flags)
        percent = any_of(tables["numbers"]["percent"])
        self.percent_behind = re.compile(rf"\s{{0,3}}(?:{percent})(?:(?<=%)|(?![^\W\d_]))")
        self.currency_code_before = re.compile(rf"(?<!\w)(?P<code>{codes})\s{gap}\Z", flags)
        self.weighed_before = re.compile(rf"(?:{weighed['before']})\Z")  # "it weighs" before "12 pounds"
        self.weighed_behind = re.compile(weighed["behind"])  # "heavy"
        self.age_before = re.compile(rf"(?<!\w){tables['ages']['before']}\s{gap}\Z", flags)  # "my son is" before 8
        self.days = re.compile(rf"(?<!\w)(?P<day>{days})(?P<plural>s?)(?!\w)(?!{no_day})", flags)
        # Numbers whose comma can only be a decimal comma: "2,5 kg", "3.500,50 EUR", "€ 2,50".
        after = any_of([*self.spellings, *self.signs, *tables["numbers"]["percent"]])
        before = "|".join(rf"(?<={sign}{gap})" for sign in map(re.escape, self.signs) for gap in ("", " "))
        number = r"(?:\d{1,3}(?:\.\d{3})+|\d{1,9}),\d{1,2}(?![\d,]|\.\d)"
        self.decimal_comma = re.compile(rf"(?:{before}){number}|(?<![\w.,]){number}(?=\s{{0,2}}-?(?:{after})(?!\w))")

    def _parts(self) -> dict[str, str]:
        """Return the pattern for each placeholder in braces that a format may contain."""
        tables, ones = self.tables, self.ones
        money = (unit for unit in self.units.values() if unit.money)
        currency_names = (name for unit in money for name in (unit.code, *unit.plurals.values()) if name)
        return {
            "day": r"3[01]|[12]\d|0?[1-9]",
            "year": r"(?:1[5-9]|20)\d\d",
            "month": any_of(self.month_numbers),
            "month_in_full": any_of(self.months),
            "hour": any_of(ones[1 : 25 if tables["clock"].get("whole_day") else 13]),
            "number": any_of(self.number_words),
            "ordinal": any_of(self.ordinals),
            "part": any_of(tables["clock"]["parts"]),
            "away": f"2?5|[12]0|{any_of([ones[5], ones[10], self.tens[0]])}",  # minutes: "twenty past", "10 to"
            "unit": any_of(self.spellings),
            "cue": any_of(tables["codes"]["cues"].split()),
            "street": any_of(tables["houses"]["streets"].split()),
            "currency_name": any_of(currency_names),
            "age_unit": any_of(tables["ages"]["units"].split()),
        }

    def in_words(self, number: int) -> str:
        """Return a whole number below a thousand in words, or below a million in a language that joins its words.

        >>> [vocabulary().in_words(number) for number in (7, 42, 305)]
        ['seven', 'forty-two', 'three hundred and five']
        >>> [vocabulary(language).in_words(42) for language in ("de", "es", "zh")]
        ['zweiundvierzig', 'cuarenta y dos', '四十二']
        >>> vocabulary("de").in_words(1305)
        'eintausenddreihundertfünf'
        """
        if number < len(self.ones):
            return self.ones[number]
        if self.number_item is not None:
            return han_number(number)
        numbers: Mapping[str, Any] = self.tables["numbers"]
        if joined := numbers.get("joined"):
            return self._joined(number, joined)
        if number < 100:
            tens, ones = divmod(number, 10)
            joint = f" {numbers['between']} " if "between" in numbers else "-"
            return f"{self.tens[tens - 2]}{joint}{self.ones[ones]}" if ones else self.tens[tens - 2]
        hundreds, rest = divmod(number, 100)
        behind = f" {numbers['and']} {self.in_words(rest)}" if rest else ""
        return f"{self.ones[hundreds]} {self.words('numbers', 'long_scales')[0]}{behind}"

    def _joined(self, number: int, joined: Mapping[str, str]) -> str:
        """Return a number above `ones` in one word, such as "dreihundertfünf"."""
        for size, name in ((1_000, joined["thousand"]), (100, joined["hundred"])):
            if number >= size:
                count, rest = divmod(number, size)
                lead = joined["one"] if count == 1 else self.in_words(count)
                return f"{lead}{name}{self.in_words(rest) if rest else ''}"
        tens, ones = divmod(number, 10)
        lead = joined["one"] if ones == 1 else self.ones[ones]
        return f"{lead}{joined['and']}{self.tens[tens - 2]}" if ones else self.tens[tens - 2]

    def ordinal(self, number: int) -> str:
        """Return a whole number as an ordinal in digits.

        >>> [vocabulary().ordinal(number) for number in (1, 12, 22)]
        ['1st', '12th', '22nd']
        """
        endings = self.tables["numbers"]["ordinal_endings"]
        ending = endings.get(str(number % 100)) or endings.get(str(number % 10), endings["other"])
        return f"{number}{ending}"

    def words(self, table: str, name: str) -> tuple[str, ...]:
        """Return the words of an entry in a table of the vocabulary file.

        >>> vocabulary().words("calendar", "months")[4]
        'May'
        """
        return tuple(self.tables[table][name].split())


_NEVER = "(?!)"
"""A pattern that never matches."""

_CLAUSE_MARK = re.compile("\uff0c|(?<!\\d)\uff1a|\uff1a(?!\\d)")


def as_read(text: str, known: Vocabulary) -> str:
    """Return a text in lower case. In a language without spaces, full-width commas become semicolons.

    Full-width colons become semicolons, too, unless they are between digits. Otherwise, these marks would be read as
    part of a number.

    >>> as_read("€149，12", vocabulary("zh")), as_read("９：３０", vocabulary("zh"))
    ('€149;12', '9:30')
    """
    return in_one_case(text if known.spaces else _CLAUSE_MARK.sub(";", text))


def any_of(words: Iterable[str]) -> str:
    """Return a pattern that matches any of these lower-case words, trying longer words first.

    >>> any_of(["km", "km/h"])
    'km/h|km'
    """
    return "|".join(sorted((re.escape(in_one_case(word)) for word in words), key=len, reverse=True))


def _unit(row: Mapping[str, Any], spaces: bool) -> Unit:
    names = tuple(row.get("names", "").split())
    plurals = {name: row.get("plurals", {}).get(name, f"{name}s" if spaces else name) for name in names}
    symbols = tuple(row.get("symbols", "").split())
    return Unit(
        unit=row["unit"],
        measure=row["measure"],
        factor=row["factor"],
        symbols=symbols,
        names=names,
        plurals=plurals,
        unclear=row.get("unclear", False),
        short=tuple(row.get("short", ())),
    )


def _currency(row: Mapping[str, Any]) -> Unit:
    code = row.get("code", "")
    names = tuple(row["names"].split())
    symbols = (code,) if code else ()
    return Unit(
        unit=row["unit"],
        measure=row["unit"],
        factor=row.get("factor", 1.0),
        symbols=symbols,
        names=names[:1],
        plurals={names[0]: names[1] if len(names) > 1 else names[0]},
        sign=row.get("sign", ""),
        code=code,
        also=row.get("also", ""),
        money=True,
    )


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    r"""Return a pattern with its placeholders in braces filled, and its letters without accents.

    ASCII characters stay as they are, because \w and \W differ.
    """
    folded = "".join(character if character.isascii() else in_one_case(character) for character in pattern)
    return re.sub(r"\{(?P<name>[a-z_]+)\}", lambda match: f"(?:{parts[match['name']]})", folded)


@cache
def vocabulary(language: str = "en") -> Vocabulary:
    """Return the vocabulary of a language.

    >>> vocabulary().units["km"].names, vocabulary().months[2]
    (('kilometre', 'kilometer'), 'March')
    """
    return Vocabulary(language_tables("values", language))


def _long_number_words(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern for hyphenated number words, which may also be written with spaces, or None."""
    hyphenated = sorted((word for word in words if "-" in word), key=len, reverse=True)
    patterns = "|".join(r"[-\s]".join(map(re.escape, word.split("-"))) for word in hyphenated)
    return re.compile(rf"(?<!\w)(?:{patterns})(?!\w)") if hyphenated else None
