"""Compares two texts given for the same argument of a tool call.

Clear cases are decided by the kind of text: dates, times, quantities, places, names and their abbreviations. All other
cases are left to the caller.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from rapidfuzz import fuzz

from mutatis.core.parsing import toml_of
from mutatis.measures.words import may_abbreviate
from mutatis.text.normalisation import fold
from mutatis.text.segments import stem
from mutatis.text.values import Value, vocabulary, whole_value

ANYTHING = frozenset({"", "any", "all", "anything", "none", "null", "dontcare", "don't care", "no preference", "n/a"})
"""Argument values meaning that anything will do, as if the argument were omitted."""

NOT_GIVEN = ANYTHING - {"any", "all", "anything"}
"""Argument values meaning that an argument is not given. "all" is excluded, as it may differ from the default."""

_PART = 75
"""Similarity of strings in percent below which two texts are unrelated."""

_MONTH = rf"(?:{'|'.join(vocabulary().month_numbers)})\\.?"
_WEEKDAY = "|".join(day.lower() for day in (*vocabulary().weekdays, *vocabulary().words("calendar", "short_weekdays")))
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|now|currently?|(?:next|this|last|past|coming) "
    rf"(?:day|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|{_WEEKDAY}))\b"
)
_DATED = re.compile(rf"\b(?:19|20)\d\d\b|\b\d{{1,2}}[-/.]\d{{1,2}}\b|\b{_MONTH}\s+\d{{1,2}}\b|\b\d{{1,2}}\s+{_MONTH}\b")
_LONGEST_VALUE = 80
"""Maximum length of a text that consists of a single value."""

_DAY_BEFORE = re.compile(rf"\A(?:{_WEEKDAY}),?\s{{1,3}}")
_MEASURED = frozenset({"quantity", "amount", "duration", "age", "number"})
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?|[+#%&@$€£<>=*/^]+")
_KEPT = re.compile(r"[-+]?\d+(?:\.\d+)?")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_ADDRESS = re.compile(r"^[^\s]*[^\s.,][@./\\][^\s.,]+$")


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Mapping[str, str]]:
    """Return tables of alternative spellings of states and countries, and of words that add nothing to a name."""
    return toml_of(files("mutatis.measures").joinpath("argument_words.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def _names() -> Mapping[str, frozenset[str]]:
    """Return the possible meanings of each spelling. A meaning is given by the first spelling in its group."""
    meanings: dict[str, set[str]] = defaultdict(set)
    numbers = vocabulary().month_numbers
    months = [[name for name, at in numbers.items() if at == number] for number in range(1, 13)]
    for groups in (months, *(groups for table in _tables()["names"] for groups in table.values())):  # type: ignore[attr-defined]
        for group in groups:
            for spelling in group:
                meanings[spelling].add(group[0])
    return {spelling: frozenset(first) for spelling, first in meanings.items()}


def bare_words(text: str) -> str:
    """Return text without differences that do not matter in an argument: case, punctuation, articles and spaces.

    >>> bare_words("The  St. Regis, Rome!"), bare_words("x**3"), bare_words("snake_case")
    ('st regis rome', 'x ^ 3', 'snake case')
    """
    decoded = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    bare = fold(decoded).replace("**", "^").replace("&", " and ").replace("_", " ")
    words = [word.replace("'", "") for word in _WORD.findall(bare)]
    return " ".join(word for word in words if word not in ("a", "an", "the")) or bare.strip()


def _only_value(text: str) -> Value | None:
    """Return the value if a text consists only of a value, or None. A weekday may precede a date."""
    bare = fold(text).strip()
    return whole_value(_DAY_BEFORE.sub("", bare).rstrip(".")) if len(bare) <= _LONGEST_VALUE else None


def may_be_one_day(first: str, second: str) -> bool:
    """Return True if one of two dates is ambiguous and equals the other after swapping its day and month.

    Return False if both or neither are ambiguous.

    >>> may_be_one_day("May 12, 2022", "12/05/2022"), may_be_one_day("05/12/2022", "12/05/2022")
    (True, False)
    """
    ours, theirs = _only_value(first), _only_value(second)
    if ours is None or theirs is None or ours.measure != "date" or theirs.measure != "date":
        return False
    swapped = theirs.date._replace(month=theirs.date.day, day=theirs.date.month)
    return ours.open is not theirs.open and ours.date == swapped


def is_told_from_today(first: str, second: str) -> bool:
    """Return True if one of two texts contains a date and the other a relative time, such as "next month".

    >>> is_told_from_today("next month", "June 2023"), is_told_from_today("tomorrow", "Oslo")
    (True, False)
    """
    relative = [_RELATIVE.search(fold(text)) is not None for text in (first, second)]
    dated = [_DATED.search(fold(text)) is not None for text in (first, second)]
    return sorted(zip(relative, dated, strict=True)) == [(False, True), (True, False)]


def unit_of(text: str) -> str | None:
    """Return the standard spelling of a unit or a day of the week, or None for any other text.

    >>> unit_of("Kilometers"), unit_of("°F"), unit_of("Wed"), unit_of("thing")
    ('km', 'fahrenheit', 'Wednesday', None)
    """
    known, bare = vocabulary(), fold(text).strip().rstrip(".")
    for names in (known.weekdays, known.words("calendar", "short_weekdays")):
        if bare in (low := [name.lower() for name in names]):
            return known.weekdays[low.index(bare)]
    unit = known.data_spellings.get(bare) or known.signs.get(bare)
    return unit.unit if unit else "%" if bare in known.tables["numbers"]["percent"] else None


def _same_value(first: str, second: str) -> bool | None:
    """Return whether two values are equal, or None if either text contains anything besides a value.

    >>> _same_value("Mar.10,2022", "2022-03-10"), _same_value("3 PM", "15:00:00"), _same_value("3", "3 PM")
    (True, True, None)
    >>> _same_value("$1,200", "1200 dollars"), _same_value("0.5 kg", "500 g"), _same_value("5", "5 km")
    (True, True, False)
    """
    ours, theirs = _only_value(first), _only_value(second)
    if ours is None or theirs is None:
        return None
    if ours.measure == theirs.measure == "date":
        if ours.date.year and theirs.date.year:
            return ours.date == theirs.date
        return ours.date._replace(year=0) == theirs.date._replace(year=0)
    if ours.measure == theirs.measure == "time of day":
        return ours.size == theirs.size
    measured = [value.kind in _MEASURED or value.measure == "year" for value in (ours, theirs)]
    if not all(measured) or "ordinal" in (ours.measure, theirs.measure):
        return None
    have_no_unit = [value.measure in ("count", "year") for value in (ours, theirs)]
    return (all(have_no_unit) or not any(have_no_unit)) and ours.same(theirs)  # "5" is not "5 km"


def decided(first: str, second: str) -> bool | None:
    """Return whether two texts are the same argument, judged by the kind of text. Return None if no rule applies.

    >>> decided("New York, NY", "New York"), decided("15:00", "3 pm"), decided("5 km", "6 km")
    (True, True, False)
    >>> decided("tea room", "tea")
    """
    left, right = bare_words(first), bare_words(second)
    if left == right or left.replace(" ", "") == right.replace(" ", ""):
        return _signed(first) == _signed(second)  # "-5" and "5" have the same bare words
    if _names().get(left, frozenset()) & _names().get(right, frozenset()):
        return True
    if (same := _same_value(first, second)) is not None:
        return same
    ours, theirs = unit_of(first), unit_of(second)
    if ours is not None and theirs is not None:
        return ours == theirs
    if _ADDRESS.search(first) and _ADDRESS.search(second):  # a host or a file is another one by one letter
        return False
    if _is_formula(left) and _is_formula(right):
        return _formula(left) == _formula(right)
    if _KEPT.findall(left) != _KEPT.findall(right):  # names with different numbers
        return False
    return _named_alike(first, second)


def _signed(text: str) -> bool:
    return text.strip().startswith("-") and text.strip()[1:2].isdigit()


def _is_formula(text: str) -> bool:
    return bool(re.search(r"[\^*=+/]|\blambda\b", text)) and bool(re.search(r"\d|\bx\b", text))


def _formula(text: str) -> str:
    return re.sub(r"^lambda [a-z] |[\s*]+", "", text)


def _named_alike(first: str, second: str) -> bool | None:
    """Return whether two names or places are the same, or None if this is unclear. Abbreviations are accepted."""
    ours, theirs = _place(first), _place(second)
    if len(ours) > 1 or len(theirs) > 1:
        return _same_place(ours, theirs)
    left, right = bare_words(first), bare_words(second)
    if _words(left) == _words(right) or _short_for(left, right):
        return True
    return False if _are_unrelated(left, right) else None


def _same_place(ours: Sequence[str], theirs: Sequence[str]) -> bool | None:
    """Return whether two places, given by their parts ("denver", "colorado"), are the same, or None if this is unclear.

    >>> _same_place(["denver", "colorado"], ["denver"]), _same_place(["denver", "colorado"], ["fresno"])
    (True, False)
    """
    town, other_town = ours[0], theirs[0]
    if town == other_town or _short_for(town, other_town):
        fitting = all(_short_for(mine, yours) for mine, yours in zip(ours[1:], theirs[1:], strict=False))
        return True if fitting else None  # a district, a part of a country, or another town of that name
    return False if _are_unrelated(town, other_town) else None


def _are_unrelated(left: str, right: str) -> bool:
    """Return True if two texts share no word, and neither can be an abbreviation or translation of the other.

    >>> _are_unrelated("philadelphia", "fresno"), _are_unrelated("goog", "google"), _are_unrelated("tea room", "tea")
    (True, False, False)
    """
    if _words(left) & _words(right) or may_abbreviate(left, right) or left.isascii() != right.isascii():
        return False
    return fuzz.partial_ratio(left, right) < _PART


def is_wider(first: str, second: str) -> bool:
    """Return True if one text is a place that is the last part of the other text ("France" of "Paris, France").

    >>> is_wider("Paris, France", "France"), is_wider("New York, New York", "New York"), is_wider("Rome", "Paris")
    (True, False, False)
    """
    short, long = sorted((_place(first), _place(second)), key=len)
    names_the_same_town = long[0] == short[0]
    return len(long) > len(short) and long[-len(short) :] == short and not names_the_same_town


def _place(text: str) -> list[str]:
    """Split a place such as "Denver, Colorado" into its parts, using one spelling for each state and country."""
    regions = _tables()["regions"]
    parts = [bare_words(part) for part in text.split(",") if bare_words(part)]
    return [regions.get(part, part) for part in parts] or [""]


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split() if word not in ("of", "in", "and", "or", "for", "s"))


def _short_for(first: str, second: str) -> bool:
    """Return True if one name consists of the initials of the other or is its standard abbreviation.

    >>> _short_for("nyc", "new york city"), _short_for("usa", "united states"), _short_for("ny", "new jersey")
    (True, True, False)
    """
    regions = _tables()["regions"]
    if regions.get(first, first) == regions.get(second, second):
        return True
    short, long = sorted((first, second), key=len)
    words = long.split()
    return 1 < len(short) == len(words) and short == "".join(word[0] for word in words)
