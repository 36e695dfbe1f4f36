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


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of a language for reading and writing values, and the patterns that are made from them.

    Words are in lower case, except those that are written: `ones`, `months` and `weekdays`.

    Attributes:
        tables: the tables of the language's file.
        ones: the numbers that are one word, from zero on.
        number_words, ordinals, fractions, roman: the values of number words.
        scales: factors by which words such as "million" multiply the number before them.
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
    """

    tables: Mapping[str, Any]
    ones: tuple[str, ...]
    number_words: Mapping[str, float]
    ordinals: Mapping[str, float]
    scales: Mapping[str, float]
    fractions: Mapping[str, float]
    roman: Mapping[str, float]
    months: tuple[str, ...]
    month_numbers: Mapping[str, int]
    weekdays: tuple[str, ...]
    units: Mapping[str, Unit]
    spellings: Mapping[str, Unit]
    data_spellings: Mapping[str, Unit]
    signs: Mapping[str, Unit]
    unit_behind: re.Pattern[str]
    currency_code_before: re.Pattern[str]
    decimal_comma: re.Pattern[str]
    weighed_before: re.Pattern[str]
    weighed_behind: re.Pattern[str]
    dates: tuple[Format, ...]
    times: tuple[Format, ...]
    shares: tuple[Format, ...]
    one_of_unit: re.Pattern[str]
    codes: tuple[re.Pattern[str], ...]
    no_code: re.Pattern[str]
    houses: tuple[re.Pattern[str], ...]
    age_behind: re.Pattern[str]
    age_before: re.Pattern[str]
    age_alone: re.Pattern[str]
    sizes: re.Pattern[str]
    days: re.Pattern[str]
    counted: frozenset[str]
    names_by_capitals: bool
    writes_comma: bool
    thousands: str
    long_number_words: re.Pattern[str] | None
    number_item: re.Pattern[str] | None
    counter: re.Pattern[str]
    spaces: bool = True

    @property
    def gap(self) -> str:
        """The space between a number and a word; empty in a language without spaces."""
        return " " if self.spaces else ""

    def ordinal(self, number: int) -> str:
        """Return a whole number as an ordinal in digits.

        >>> [vocabulary().ordinal(number) for number in (1, 12, 22)]
        ['1st', '12th', '22nd']
        """
        endings = self.tables["numbers"]["ordinal_endings"]
        ending = endings.get(str(number % 100)) or endings.get(str(number % 10), endings["other"])
        return f"{number}{ending}"

    @property
    def rows_of_weekdays(self) -> tuple[tuple[str, ...], ...]:
        """The names of the weekdays in lower case, in one row for each set of names (such as abbreviations)."""
        others = self.tables["calendar"].get("other_weekdays", ())
        return tuple(tuple(map(in_one_case, row)) for row in (self.weekdays, *(row.split() for row in others)))

    def words(self, *path: str) -> tuple[str, ...]:
        """Return the words of an entry in the vocabulary file.

        >>> vocabulary().words("calendar", "months")[4]
        'May'
        """
        entry: Any = self.tables
        for name in path:
            entry = entry[name]
        return tuple(entry.split())


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


def _spellings(rows: Sequence[Mapping[str, Any]], units: Mapping[str, Unit]) -> tuple[dict[str, Unit], dict[str, Unit]]:
    """Return two mappings from spellings to units: common spellings, and those understood only in data fields."""
    common: dict[str, Unit] = {}
    in_data: dict[str, Unit] = {}
    for row in rows:
        unit = units[row["unit"]]
        written = [*unit.symbols, *unit.names, *unit.plurals.values(), *row.get("phrases", ())]
        if unit.money:
            written += row["names"].split()  # a currency is written only by its first name, but read by all
        for spelling in written:
            common.setdefault(in_one_case(spelling), unit)
        for spelling in row.get("in_data", "").split():
            in_data.setdefault(spelling, unit)
    return common, in_data


def _formats(rows: Sequence[Mapping[str, Any]], parts: Mapping[str, str], flags: int) -> tuple[Format, ...]:
    return tuple(Format(**{**row, "pattern": re.compile(_filled(row["pattern"], parts), flags)}) for row in rows)


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
    tables = language_tables("values", language)
    rows = [*tables["units"], *tables["currencies"]]
    spaces = tables.get("writing", {}).get("spaces", True)
    units = {row["unit"]: _unit(row, spaces) if "measure" in row else _currency(row) for row in rows}
    spellings, data_spellings = _spellings(rows, units)
    words = {**_number_words(tables["numbers"]), **_calendar_words(tables["calendar"])}
    currencies = [unit for unit in units.values() if unit.money]
    patterns = _patterns(tables, _parts(tables, words, spellings, currencies), spellings, currencies)
    return Vocabulary(
        tables=tables,
        units=units,
        spellings=spellings,
        data_spellings=spellings | data_spellings,
        signs={unit.sign: unit for unit in currencies if unit.sign},
        counted=frozenset(in_one_case(f"{tables['things']['counted']} {tables['things']['words']}").split()),
        writes_comma=tables["numbers"].get("writes_comma", False),
        thousands=tables["numbers"].get("thousands", "."),
        long_number_words=_long_number_words(words["number_words"]),
        names_by_capitals=tables.get("names", {}).get("by_capitals", True),
        spaces=spaces,
        **words,
        **patterns,
    )


def _number_words(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a vocabulary that hold number words."""
    ones, tens = tuple(numbers["ones"].split()), numbers["tens"].split()
    number_words = {word: float(value) for value, word in enumerate(ones)}
    number_words |= {word: 20.0 + 10 * step for step, word in enumerate(tens)}
    number_words |= {word: float(value) for word, value in numbers.get("more", {}).items()}
    if joined := numbers.get("joined"):
        number_words |= {joined_number(number, ones, tens, joined): float(number) for number in _JOINED}
    if "item" in numbers:  # the language writes numbers in Chinese characters
        number_words |= {han_number(number): float(number) for number in range(100)}
    ordinals = enumerate(numbers["ordinals"].split(), 1)
    return {
        "ones": ones,
        "number_words": {in_one_case(word): value for word, value in number_words.items()},
        "ordinals": {in_one_case(word): float(value) for value, word in ordinals},
        "scales": numbers["scales"],
        "fractions": {in_one_case(word): above / below for word, (above, below) in numbers["fractions"].items()},
        # A single letter, such as "i" or "v", is rarely a numeral.
        "roman": {word: float(value) for value, word in enumerate(numbers["roman"].split(), 1) if len(word) > 1},
    }


def _long_number_words(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern for hyphenated number words, which may also be written with spaces, or None."""
    hyphenated = sorted((word for word in words if "-" in word), key=len, reverse=True)
    patterns = "|".join(r"[-\s]".join(map(re.escape, word.split("-"))) for word in hyphenated)
    return re.compile(rf"(?<!\w)(?:{patterns})(?!\w)") if hyphenated else None


_JOINED = (*range(21, 1_000), *range(1_000, 13_000, 100))
"""The numbers that are read in one word, in a language that joins them."""


def joined_number(number: int, ones: Sequence[str], tens: Sequence[str], joined: Mapping[str, str]) -> str:
    """Return a number as one word, in a language that joins its ones, tens, hundreds and thousands.

    >>> known = vocabulary("de")
    >>> tens, joined = known.words("numbers", "tens"), known.tables["numbers"]["joined"]
    >>> [joined_number(number, known.ones, tens, joined) for number in (21, 305)]
    ['einundzwanzig', 'dreihundertfünf']
    """
    for size, name in ((1_000, joined["thousand"]), (100, joined["hundred"])):
        if number >= size:
            count, rest = divmod(number, size)
            lead = joined["one"] if count == 1 else joined_number(count, ones, tens, joined)
            return f"{lead}{name}{joined_number(rest, ones, tens, joined) if rest else ''}"
    if number < len(ones):
        return ones[number]
    ten, rest = divmod(number, 10)
    lead = joined["one"] if rest == 1 else ones[rest]
    return f"{lead}{joined['and']}{tens[ten - 2]}" if rest else tens[ten - 2]


def _calendar_words(calendar: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a vocabulary that hold names of months and weekdays."""
    months, short = calendar["months"].split(), calendar["short_months"].split()
    numbers = {in_one_case(name): place for names in (months, short) for place, name in enumerate(names, 1)}
    numbers |= {in_one_case(name): numbers[in_one_case(month)] for name, month in calendar["other_months"].items()}
    return {"months": tuple(months), "month_numbers": numbers, "weekdays": tuple(calendar["weekdays"].split())}


def _parts(
    tables: Mapping[str, Any], words: Mapping[str, Any], spellings: Iterable[str], currencies: Sequence[Unit]
) -> dict[str, str]:
    """Return the pattern for each placeholder in braces that a format may contain."""
    ones, twenty = words["ones"], tables["numbers"]["tens"].split()[0]
    currency_names = (name for unit in currencies for name in (unit.code, *unit.plurals.values()) if name)
    return {
        "day": r"3[01]|[12]\d|0?[1-9]",
        "year": r"(?:1[5-9]|20)\d\d",
        "month": any_of(words["month_numbers"]),
        "month_in_full": any_of(words["months"]),
        "hour": any_of(ones[1 : 25 if tables["clock"].get("whole_day") else 13]),
        "number": any_of(words["number_words"]),
        "ordinal": any_of(words["ordinals"]),
        "part": any_of(tables["clock"]["parts"]),
        "away": f"2?5|[12]0|{any_of([ones[5], ones[10], twenty])}",  # minutes: "twenty past", "10 to"
        "unit": any_of(spellings),
        "cue": any_of(tables["codes"]["cues"].split()),
        "street": any_of(tables["houses"]["streets"].split()),
        "currency_name": any_of(currency_names),
        "age_unit": any_of(tables["ages"]["units"].split()),
    }


def _decimal_comma(tables: Mapping[str, Any], spellings: Iterable[str], currencies: Sequence[Unit]) -> re.Pattern[str]:
    """Return a pattern for numbers whose comma can only be a decimal comma: "2,5 kg", "3.500,50 EUR", "€ 2,50"."""
    signs = [unit.sign for unit in currencies if unit.sign]
    after = any_of([*spellings, *signs, *tables["numbers"]["percent"]])
    before = "|".join(rf"(?<={sign}{gap})" for sign in map(re.escape, signs) for gap in ("", " "))
    number = r"(?:\d{1,3}(?:\.\d{3})+|\d{1,9}),\d{1,2}(?![\d,]|\.\d)"
    return re.compile(rf"(?:{before}){number}|(?<![\w.,]){number}(?=\s{{0,2}}-?(?:{after})(?!\w))")


_NEVER = "(?!)"
"""A pattern that never matches."""


def _patterns(
    tables: Mapping[str, Any], parts: Mapping[str, str], spellings: Iterable[str], currencies: Sequence[Unit]
) -> dict[str, Any]:
    """Return the fields of a vocabulary that are patterns. Tables that a language lacks give patterns without matches.

    `parts` holds the pattern for each placeholder in the tables.
    """
    codes, ages = tables["codes"], tables["ages"]
    calendar, weighed = tables["calendar"], tables.get("weighed", {"before": _NEVER, "behind": _NEVER})
    days = any_of(" ".join([calendar["weekdays"], *calendar.get("other_weekdays", ()), calendar["other_days"]]).split())
    no_day = calendar.get("no_day", _NEVER)
    currency_codes = any_of(unit.code for unit in currencies if unit.code)
    spaces = tables.get("writing", {}).get("spaces", True)
    flags = 0 if spaces else re.ASCII  # without spaces, a character beside a number begins or ends no word
    gap, letter = ("{1,3}", r"\w") if spaces else ("{0,3}", "[a-z]")
    return {
        **{name: _formats(tables[name], parts, flags) for name in ("dates", "times", "shares")},
        "codes": tuple(re.compile(_filled(pattern, parts), flags) for pattern in codes["patterns"]),
        "houses": tuple(re.compile(_filled(pattern, parts), flags) for pattern in tables["houses"]["patterns"]),
        "no_code": re.compile(codes["no_codes"]),  # "2024-05-12"
        "number_item": re.compile(item) if (item := tables["numbers"].get("item")) else None,
        "counter": re.compile(_filled(tables["things"].get("counter", _NEVER), parts)),
        "one_of_unit": re.compile(_filled(tables["one"]["pattern"], parts)),  # "a kilometre"
        "unit_behind": re.compile(rf"\s{{0,3}}-?\s{{0,3}}(?P<unit>{any_of(spellings)})(?!{letter})", flags),
        "currency_code_before": re.compile(rf"(?<!\w)(?P<code>{currency_codes})\s{gap}\Z", flags),
        "weighed_before": re.compile(rf"(?:{weighed['before']})\Z"),  # "it weighs" before "12 pounds"
        "weighed_behind": re.compile(weighed["behind"]),  # "heavy"
        "decimal_comma": _decimal_comma(tables, spellings, currencies),
        "age_behind": re.compile(_filled(ages["behind"], parts)),  # "8 years old"
        "age_before": re.compile(rf"(?<!\w){ages['before']}\s{gap}\Z", flags),  # "my son is" before 8 and the end
        "age_alone": re.compile(ages["bare"]),  # of a clause
        "sizes": re.compile(tables["sizes"]["pattern"]),
        "days": re.compile(rf"(?<!\w)(?P<day>{days})(?P<plural>s?)(?!\w)(?!{no_day})", flags),
    }
