"""Words and formats of one language for the reader of values, from `languages/<code>/values.toml`.

Must not know the texts that are read with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from mutatis.languages import language_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of measure, of time or of money.

    Attributes:
        unit: its one spelling in values.
        measure: what it measures; values of one measure are compared after conversion.
        factor: how many base units it is.
        symbols: its symbols, the usual one first.
        names: its names in the singular, the usual one first.
        plurals: the plural of each name.
        unclear: whether its symbols may stand for something else, so that nobody is given one.
        sign: the sign of a currency.
        code: the international code of a currency.
        also: the unit that its name may stand for as well.
        money: whether it is a currency.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to write dates, times or shares of a unit: its pattern, and what it leaves open.

    Attributes:
        pattern: has groups for the parts of the value.
        turns: day and month may change places.
        capital: it is one only with a capital letter.
        share: the part of a unit that it names.
    """

    pattern: re.Pattern[str]
    turns: bool = False
    capital: bool = False
    share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of a language with which values are read and written; its tables are those of the file."""

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
    code_before: re.Pattern[str]
    dates: tuple[Format, ...]
    times: tuple[Format, ...]
    shares: tuple[Format, ...]
    one_of_unit: re.Pattern[str]
    codes: tuple[re.Pattern[str], ...]
    no_code: re.Pattern[str]
    age_behind: re.Pattern[str]
    age_before: re.Pattern[str]
    age_alone: re.Pattern[str]
    sizes: re.Pattern[str]
    days: re.Pattern[str]
    counted: frozenset[str]

    def ordinal(self, number: int) -> str:
        """Return a whole number as an ordinal in figures.

        >>> [vocabulary().ordinal(number) for number in (1, 12, 22)]
        ['1st', '12th', '22nd']
        """
        endings = self.tables["numbers"]["ordinal_endings"]
        ending = endings.get(str(number % 100)) or endings.get(str(number % 10), endings["other"])
        return f"{number}{ending}"

    def words(self, *path: str) -> tuple[str, ...]:
        """Return the words of an entry of the file.

        >>> vocabulary().words("calendar", "months")[4]
        'May'
        """
        entry: Any = self.tables
        for name in path:
            entry = entry[name]
        return tuple(entry.split())


def one_of(words: Iterable[str]) -> str:
    """Return a pattern of any of these words, in lower case, the longest first.

    >>> one_of(["km", "km/h"])
    'km/h|km'
    """
    return "|".join(sorted((re.escape(word.lower()) for word in words), key=len, reverse=True))


def _unit(row: Mapping[str, Any]) -> Unit:
    names = tuple(row.get("names", "").split())
    plurals = {name: row.get("plurals", {}).get(name, f"{name}s") for name in names}
    symbols = tuple(row.get("symbols", "").split())
    return Unit(
        unit=row["unit"],
        measure=row["measure"],
        factor=row["factor"],
        symbols=symbols,
        names=names,
        plurals=plurals,
        unclear=row.get("unclear", False),
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
    """Return what people write for each unit, and what stands for it in data alone."""
    common: dict[str, Unit] = {}
    alone: dict[str, Unit] = {}
    for row in rows:
        unit = units[row["unit"]]
        written = [*unit.symbols, *unit.names, *unit.plurals.values(), *row.get("phrases", ())]
        if "code" in row or "sign" in row or "measure" not in row:
            written += row["names"].split()
        for spelling in written:
            common.setdefault(spelling.lower(), unit)
        for spelling in row.get("in_data", "").split():
            alone.setdefault(spelling, unit)
    return common, alone


def _formats(rows: Sequence[Mapping[str, Any]], parts: Mapping[str, str]) -> tuple[Format, ...]:
    return tuple(
        Format(
            pattern=re.compile(_filled(row["pattern"], parts)),
            turns=row.get("turns", False),
            capital=row.get("capital", False),
            share=row.get("share", 0.0),
        )
        for row in rows
    )


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    return re.sub(r"\{([a-z_]+)\}", lambda match: f"(?:{parts[match[1]]})", pattern)


@cache
def vocabulary(language: str = "en") -> Vocabulary:
    """Return the vocabulary of a language.

    >>> vocabulary().units["km"].names, vocabulary().months[2]
    (('kilometre', 'kilometer'), 'March')
    """
    tables = language_tables("values", language)
    numbers, calendar, clock = tables["numbers"], tables["calendar"], tables["clock"]
    ones, tens = tuple(numbers["ones"].split()), numbers["tens"].split()
    months = tuple(calendar["months"].split())
    month_numbers = {name.lower(): place for place, name in enumerate(months, 1)}
    month_numbers |= {name.lower(): place for place, name in enumerate(calendar["short_months"].split(), 1)}
    month_numbers |= {name: month_numbers[month.lower()] for name, month in calendar["other_months"].items()}
    weekdays = tuple(calendar["weekdays"].split())
    rows = [*tables["units"], *tables["currencies"]]
    units = {row["unit"]: _unit(row) if "measure" in row else _currency(row) for row in rows}
    spellings, data_spellings = _spellings(rows, units)
    currencies = [units[row["unit"]] for row in tables["currencies"]]
    parts = {
        "day": r"3[01]|[12]\d|0?[1-9]",
        "year": r"(?:1[5-9]|20)\d\d",
        "month": one_of(month_numbers),
        "month_in_full": one_of(months),
        "hour": one_of(ones[1:13]),
        "ordinal": one_of(numbers["ordinals"].split()),
        "part": one_of(clock["parts"]),
        "away": "|".join(("2?5|[12]0", one_of([ones[5], ones[10], tens[0]]))),
        "unit": one_of(spellings),
        "cue": one_of(tables["codes"]["cues"].split()),
        "currency_name": one_of(name for unit in currencies for name in (unit.code, *unit.plurals.values()) if name),
        "age_unit": one_of(tables["ages"]["units"].split()),
    }
    roman = numbers["roman"].split()
    days = one_of([*weekdays, *calendar["other_days"].split()])
    return Vocabulary(
        tables=tables,
        ones=ones,
        number_words={word: float(value) for value, word in enumerate(ones)}
        | {word: 20.0 + 10 * step for step, word in enumerate(tens)},
        ordinals={word: float(value) for value, word in enumerate(numbers["ordinals"].split(), 1)},
        scales=numbers["scales"],
        fractions={word: above / below for word, (above, below) in numbers["fractions"].items()},
        roman={word: float(value) for value, word in enumerate(roman, 1) if len(word) > 1},
        months=months,
        month_numbers=month_numbers,
        weekdays=weekdays,
        units=units,
        spellings=spellings,
        data_spellings=spellings | data_spellings,
        signs={unit.sign: unit for unit in currencies if unit.sign},
        unit_behind=re.compile(rf"\s{{0,3}}-?\s{{0,3}}(?P<unit>{one_of(spellings)})(?!\w)"),
        code_before=re.compile(rf"(?<!\w)(?P<code>{one_of(unit.code for unit in currencies if unit.code)})\s{{1,3}}\Z"),
        dates=_formats(tables["dates"], parts),
        times=_formats(tables["times"], parts),
        shares=_formats(tables["shares"], parts),
        one_of_unit=re.compile(_filled(tables["one"]["pattern"], parts)),
        codes=tuple(re.compile(_filled(pattern, parts)) for pattern in tables["codes"]["patterns"]),
        no_code=re.compile(tables["codes"]["no_codes"]),
        age_behind=re.compile(_filled(tables["ages"]["behind"], parts)),
        age_before=re.compile(rf"(?<!\w){tables['ages']['before']}\s{{1,3}}\Z"),
        age_alone=re.compile(tables["ages"]["bare"]),
        sizes=re.compile(tables["sizes"]["pattern"]),
        counted=frozenset(f"{tables['things']['counted']} {tables['things']['words']}".split()),
        days=re.compile(rf"(?<!\w)(?P<day>{days})(?P<plural>s?)(?!\w)"),
    )
