"""Extracts the facts that a reply states: amounts and rates, dates, times, names, codes, and yes or no.

A user would act on these facts, and they do not depend on wording. Each text is read on its own. In English, names are
recognised by their capital letters, and days and yes or no by listed words. For other languages, the data folder is
used.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from mutatis.core.languages import is_english
from mutatis.languages import Language, language_tables
from mutatis.measures.answer import LONGEST, read
from mutatis.measures.statements import StatedValue, statements
from mutatis.measures.words import COURTESY, FUNCTION_WORDS, TITLES, may_abbreviate
from mutatis.text.by_folder import polarity_in, reads
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import fold, in_one_case
from mutatis.text.segments import segmented_words
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, in_full, mask_spans, numbers, values, vocabulary

FactKind = Literal["amount", "day", "time", "code", "name", "rate", "stance"]

_WEEKDAYS = tuple(day.lower() for day in vocabulary().weekdays)
_DAYS = frozenset({*_WEEKDAYS, *vocabulary().words("calendar", "other_days")})
_MONTHS = frozenset(vocabulary().month_numbers)
"""The names of months in lower case, including abbreviations. They keep "14 Nov" from being read as a name."""

_NO_NAMES = FUNCTION_WORDS | TITLES | COURTESY | _DAYS | _MONTHS | {"am", "pm", "ok", "i", "eur", "usd", "gbp", "chf"}
MARK = "_"
_MARKS = re.compile(rf"[€$£¥]?{MARK}(?:[\s.,:/-]*{MARK})*")
_WORD = re.compile(r"[^\W_](?:[\w'\u2019-]*[^\W_])?")
_BEGINS = re.compile(r":\s+(?=[^\W\d_]+\s+[a-z\d])|(?:(?<=\d\s[hm]\.)|(?<=\d[hm]\.)|(?<=\d\s[kc][mg]\.))\s+(?=[A-Z])")
_ABBREVIATED = re.compile(r"\([A-Z][A-Z.]{1,7}\)")
_PERIODS = "second|minute|hour|day|night|week|month|quarter|year|person|head|item|piece|unit|use|trip"
_RATE = re.compile(
    rf"(?:\bper\s++|/\s?|(?:\d|\d\s\w{{1,20}})\s+(?:for\s+)?(?:an?|each|every)\s+)(?P<period>{_PERIODS})\b"
    r"|\b(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|per annum)\b",
    re.IGNORECASE,
)
_AND_RATE = re.compile(rf"\s{{1,4}}and\s{{1,4}}(?:per\s{{1,4}}|each\s{{1,4}})?(?P<period>{_PERIODS})\b", re.IGNORECASE)
"""Pattern for the second period in a rate such as "per person and night"."""

_HALF_PRICE = re.compile(
    r"\bhalf[\s-](?:the\s|of\sthe\s)?(?:price|fare|rate|fee)\b|\bhalf\soff\b|\bpays?\shalf\b(?!\s(?:an?|of)\b)",
    re.IGNORECASE,
)
"""Pattern for 50 percent in words. The share that is paid equals the share that is saved."""

_PERIOD_NAMES = {
    **{"daily": "day", "annually": "year", "per annum": "year"},
    **{"head": "person", "piece": "item", "unit": "item"},
}
_HOUR = 60  # in minutes, as the size of a time is
_SHORT = 4  # letters that an abbreviation of a name has at most
_STEM = 5  # letters of a name with which other words of its family begin: "Europe", "European"
_OPENINGS = {
    **dict.fromkeys(("unfortunately", "sadly", "regrettably"), False),
    **dict.fromkeys(("certainly", "absolutely", "definitely", "indeed"), True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact that a reply states.

    Attributes:
        kind: kind of fact. Only facts of the same kind can contradict each other.
        text: the fact as written, for use in reasons.
        key: text that is equal for equal facts, used if `value` is None.
        value: the number, date, time or code in the fact.
    """

    kind: FactKind
    text: str
    key: str = ""
    value: StatedValue | None = None

    @property
    def unit(self) -> str:
        """The kind of the fact's value; empty for a bare number and for a fact without a value."""
        if self.value is None:
            return ""
        is_bare = self.value.kind == "count" and not any(map(str.isalpha, self.text))
        return "" if is_bare else self.value.kind

    @property
    def open(self) -> bool:
        """True if the fact is ambiguous, like a time that could be morning or evening."""
        return self.value is not None and self.value.value.open


def is_weekday(fact: Fact) -> bool:
    """Return True if a fact is a day by its name, such as Monday, and not a date."""
    return fact.kind == "day" and fact.value is None


def _kind(value: StatedValue) -> FactKind:
    if value.kind in ("date", "month"):
        return "day"
    if value.kind == "time of day":
        return "time"
    return "code" if value.kind == "code" else "amount"


def _is_quantity(value: StatedValue) -> bool:
    """Return True if a number states a quantity, unlike "first" or "one of us"."""
    return value.kind != "ordinal" and not (
        value.kind == "count" and (value.vague or value.text.partition(" ")[0] in _no_counts(value.value.language))
    )


@cache
def _no_counts(language: str) -> frozenset[str]:
    """Return the number words that usually do not state a quantity, as in "one of us" or "half of it"."""
    return frozenset(vocabulary(language).tables["numbers"].get("no_counts", "").split())


def same_fact(first: Fact, second: Fact) -> bool:
    """Return True if two facts are the same: equal values in any unit or format, or a name and its abbreviation."""
    if first.kind != second.kind:
        return False
    if first.value is None or second.value is None:
        same = first.key == second.key and first.value is second.value
        short = first.kind == "name" and 1 < min(len(first.key), len(second.key)) <= _SHORT
        return same or (short and may_abbreviate(first.key, second.key))
    return _same_value(first.value, second.value)


def is_among(fact: Fact, others: Iterable[Fact]) -> bool:
    """Return True if a fact is the same as one of the others."""
    return any(same_fact(fact, other) for other in others)


def states_fact(stated: Fact, other: Fact) -> bool:
    """Return True if a reply with the first fact states the other, too: the same one, or its hour as a bare number.

    >>> number, time = facts("from 18 on, at 6 pm")
    >>> states_fact(time, number), states_fact(number, time)  # the number may count something else
    (True, False)
    """
    is_time_with_number = stated.kind == "time" and other.kind == "amount" and not other.unit
    if not is_time_with_number or stated.value is None or other.value is None:
        return same_fact(stated, other)
    return _same_value(stated.value, other.value)


_WARMTH = {"celsius", "fahrenheit"}
_DATED = ("date", "month", "time of day", "code")


@lru_cache(maxsize=16384)
def _same_value(first: StatedValue, second: StatedValue) -> bool:
    """Return True if two values are the same. A bare number matches any unit, and cents match any currency."""
    kinds = {first.kind, second.kind}
    if kinds & set(_DATED):
        return (first.kind == second.kind or not kinds & {"date", "month"}) and first.value.same(second.value)
    if "count" in kinds and len(kinds) == 2:
        count, other = (first, second) if first.kind == "count" else (second, first)
        is_bare = not any(map(str.isalpha, count.text))
        return is_bare and count.size in (other.size, other.value.raw)
    if "age" in (first.value.kind, second.value.kind) and len(kinds) == 2:  # "8 weeks of age", "the age of 8 weeks"
        return first.value.raw == second.value.raw and first.value.unit == second.value.unit
    if "degrees" in kinds and kinds & _WARMTH:  # without a scale, of either one
        return first.value.raw == second.value.raw
    return math.isclose(first.size, second.size) and (len(kinds) == 1 or "cent" in kinds)


def are_of_one_sort(left: Fact, right: Fact) -> bool:
    """Return True if two facts of the same kind are comparable, like amounts in the same unit or without a unit.

    A number without a unit is not comparable with a percentage: "50 % from 29 to 14 days, then 100 %".
    """
    if left.value is None or right.value is None:
        return True
    kinds = {left.value.kind, right.value.kind}
    if kinds == {"percent", "count"}:
        return False
    if any(value.kind == "count" and not fact.unit for fact, value in ((left, left.value), (right, right.value))):
        return True
    nouns = {fact.text.split()[-1].lower() for fact in (left, right)}
    return len(kinds) == 1 and (kinds != {"count"} or len(nouns) == 1)


def names_of(texts: Iterable[str], language: str = "en") -> frozenset[str]:
    """Return the words that these texts capitalise within sentences and almost never write in lower case.

    In languages other than English, only listed names count. Abbreviations alone in brackets ("the yen (JPY)") are left
    out. A sentence may also begin after a colon, or after a unit with a full stop ("Until 20.00 h. Cancelling is
    free."), so capitals at these places do not count.

    >>> sorted(names_of(["We sell the Nova phone.", "Ask Mr. Brown.", "The Nova is new, and the phone, too."]))
    ['brown', 'nova']
    >>> names_of(["It is open from 18.30 h to 20.00 h. Cancelling is free up to one day ahead."])
    frozenset()
    """
    if not is_english(language):
        named = (value for text in texts for value in values(text[:LONGEST], language))
        return frozenset(value.text.lower() for value in named if value.measure == "name" and " " not in value.text)
    capital, small = Counter[str](), Counter[str]()
    for text in texts:
        for sentence in (part for whole in sentences(text[:LONGEST]) for part in _BEGINS.split(whole)):
            words = _WORD.findall(_ABBREVIATED.sub(" ", sentence))
            is_headline = len(words) > 3 and 2 * sum(word[0].isupper() for word in words) > len(words)
            if is_headline:  # or shouting
                continue
            # The first word of a sentence is always capitalised, so it shows nothing.
            capital.update({_base(word) for before, word in pairwise(words) if _may_be_name(before, word)})
            small.update({_base(word) for word in words if word[0].islower()})
    return frozenset(
        word
        for word, times in capital.items()
        if times > 2 * small[word] and len(word) > 1 and word not in _NO_NAMES and not any(map(str.isdigit, word))
    )


def _may_be_name(before: str, word: str) -> bool:
    """Return True if a capitalised word may be a name, unlike the unit in "28 degrees Celsius" and "Mon-Fri"."""
    if not word[0].isupper() or all(part in _SHORT_DAYS or _base(part) in _DAYS for part in word.split("-")):
        return False
    units = vocabulary().spellings
    return word.lower() not in units or not (before.isdigit() or before.lower() in units)


def is_named(name: str, text: str) -> bool:
    """Return True if a text contains a name with a capital letter. `name` is given in lower case.

    >>> is_named("theatre", "Next to the theatre."), is_named("theatre", "In the Mill Theatre.")
    (False, True)
    """
    return any(_base(word) == name and word[0].isupper() for word in _WORD.findall(text))


@kept_within(8_000_000, per_character=25)
def facts(text: str, names: frozenset[str] = frozenset(), language: str = "en") -> tuple[Fact, ...]:
    """Return the distinct facts that a reply states.

    >>> [fact.text for fact in facts("Yes, Mr. Brown has 3 rooms at 80 euros from 4 May.", frozenset({"brown"}))]
    ['yes', '3 rooms', '80 euros', '4 may', 'brown']
    """
    if not is_english(language):
        return _facts_once(_facts_elsewhere(text[:LONGEST], names, language)) if reads(language) else ()
    stated: list[Fact] = []
    text = in_full(_days_in_full(text[:LONGEST]))
    if (stance := _stance(text)) is not None:
        stated.append(Fact(kind="stance", text="yes" if stance else "no", key=str(stance)))
    days: list[str] = []
    for statement in statements(text):
        days += _weekdays(statement.text)
        stated += [
            Fact(kind=_kind(value), text=value.text, value=value) for value in statement.values if _is_quantity(value)
        ]
    stated += [_half_price(match.group().lower()) for match in _HALF_PRICE.finditer(text)]
    words = dict.fromkeys(map(_base, _WORD.findall(text)))
    days += [day for word in words for day in _SEVERAL_DAYS.get(word, ())]
    stated += [Fact(kind="day", text=day, key=day) for day in days]
    stated += [Fact(kind="rate", text=f"per {period}", key=period) for period in _periods(text)]
    stated += [Fact(kind="name", text=word, key=word) for word in words if word in names]
    return _facts_once(stated)


def _half_price(said: str) -> Fact:
    """Return the fact that words such as "half price" state: 50 percent."""
    [half] = values("50 %")
    return Fact(kind="amount", text=said, value=StatedValue(value=half, text=said, near=frozenset()))


def _facts_once(stated: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the distinct facts. "9:30" is kept in addition to "9:30 pm", because it may mean the morning."""
    return tuple(distinct_facts(stated, lambda fact: fact.open))


def distinct_facts(stated: Iterable[Fact], mark: Callable[[Fact], object]) -> list[Fact]:
    """Return the facts without duplicates, which are equal to an earlier one and have the same mark."""
    distinct: list[Fact] = []
    for fact in stated:
        if not any(same_fact(fact, other) and mark(fact) == mark(other) for other in distinct):
            distinct.append(fact)
    return distinct


def _facts_elsewhere(text: str, names: frozenset[str], language: str) -> Iterator[Fact]:
    """Yield the facts in a reply in a language other than English, using the language's data folder.

    `names` are the names to look for, in lower case.
    """
    if (stance := polarity_in(text, language)) is not None:
        yield Fact(kind="stance", text="yes" if stance else "no", key=str(stance))
    for value in values(text, language):
        if (period := _named_period(value)) is not None:
            yield Fact(kind="rate", text=value.text.lower(), key=period)
            continue
        noun = f" {value.unit}" if value.measure == "count" and value.unit else ""
        shown = StatedValue(value=value, text=f"{fold(value.text).rstrip(' .')}{noun}", near=frozenset())
        if value.measure == "day":
            yield from (Fact(kind="day", text=day, key=day) for day in _days_in(value))
        elif value.measure not in ("weekday", "size", "name") and _is_quantity(shown):
            yield Fact(kind=_kind(shown), text=shown.text, value=shown)
    for day in _weekdays(text, language):
        yield Fact(kind="day", text=day, key=day)
    yield from _rates_elsewhere(text, language)
    for word in dict.fromkeys(match.group().lower() for match in segmented_words(text, language)):
        if word in names:
            yield Fact(kind="name", text=word, key=word)


def _rates_elsewhere(text: str, language: str) -> Iterator[Fact]:
    """Yield the bases of amounts in a reply, such as the German "pro Person" and "monatlich"."""
    for match in Language(language).pattern("per").finditer(text):
        said = (match["period"] or match["adverb"]).lower()
        periods = language_tables("speech", language).get("periods", {})
        period = next((period for adverb, period in periods.items() if said.startswith(adverb)), said)
        yield Fact(kind="rate", text=f"per {said}", key=period)


def _days_in(value: Value) -> list[str]:
    """Return the weekdays that a word stands for ("weekend"), or the word itself for others ("today")."""
    _, name = value.key
    first, last = value.words.tables["calendar"].get("spans", {}).get(name, (0, -1))
    return [day.lower() for day in value.words.weekdays[first : last + 1]] or [value.text.lower()]


def _named_period(value: Value) -> str | None:
    """Return the period named by an article and a unit, such as the French "un an" (a year), or None."""
    article, _, unit = fold(value.text).partition(" ")
    articles = value.words.tables["numbers"].get("articles", "").split()
    periods = language_tables("speech", value.language).get("periods", {}).values()
    return unit if article in articles and unit in periods else None


def _weekdays(text: str, language: str = "en") -> list[str]:
    """Return the weekdays that a text names, including all days within a range.

    >>> _weekdays("We open Mondays, and from Friday to Sunday.")
    ['monday', 'friday', 'sunday', 'saturday']
    """
    stated = [value for value in values(text, language) if value.measure == "weekday"]
    week = [day.lower() for day in vocabulary(language).weekdays]
    days = [week[int(value.size)] for value in stated]
    for first, last in pairwise(stated):
        between = text[first.end : last.start].strip().lower()
        if between in ("-", "\u2013", *Language(language).ways("until")):
            start, end = int(first.size), int(last.size) + 1
            days += week[start:end] or [*week[start:], *week[:end]]  # the latter over the end of the week
    return list(dict.fromkeys(days))


_SEVERAL_DAYS = {
    **{day: (day,) for day in vocabulary().words("calendar", "other_days")},
    **dict.fromkeys(("weekend", "weekends"), _WEEKDAYS[5:]),
    **dict.fromkeys(("weekday", "weekdays"), _WEEKDAYS[:5]),
}


def masked_reply(text: str, names: frozenset[str], language: str = "en") -> str:
    """Return a reply with each run of numbers, days and names replaced by a mark, so that only its wording is left.

    >>> masked_reply("Room 12 costs 80 euros from 4 May, says Mr. Brown.", frozenset({"brown"}))
    'Room _ costs _ euros from _, says Mr. _.'
    """
    shown = _days_in_full(text[:LONGEST]) if is_english(language) else text[:LONGEST]
    stated = values(shown, language)
    if not Language(language).spaces:
        spans = [(value.start, value.end) for value in stated if value.kind != "name"]
        spans += [word.span() for word in segmented_words(shown, language) if word.group() in names]
        return _MARKS.sub(MARK, mask_spans(shown, spans, MARK))
    days = {value.start for value in stated if value.measure in ("weekday", "day")}
    months = vocabulary(language).month_numbers

    def mark(word: re.Match[str]) -> str:
        said = _base(word.group())
        is_month = in_one_case(said) in months and word.group()[0].isupper()  # "May", not "may"
        is_masked = word.start() in days or is_month or said in names or any(map(str.isdigit, said))
        return MARK if is_masked else word.group()

    return _MARKS.sub(MARK, _WORD.sub(mark, shown))


_SHORT_DAYS = {day[:length].capitalize(): day.capitalize() for day in _WEEKDAYS for length in (3, 4, 5)}
"""Beginnings of the names of weekdays, such as "Mon", "Tues" and "Thurs", with the names."""

_SHORT_DAY = re.compile(rf"\b(?:{'|'.join(_SHORT_DAYS)})\b")
_SOME_DAY = rf"(?:{'|'.join((*_SHORT_DAYS, *map(str.capitalize, _WEEKDAYS)))})s?\b\.?"
_TO_NEXT = r"\s{0,3}(?:[-\u2013/,&]|to|and|or|until|till|through)\s{0,3}"
_BEFORE_DAY = re.compile(rf"(?:{_SOME_DAY}{_TO_NEXT}|\b(?i:on|every|each|closed|open|until|from)\s{{1,3}})\Z")
_BEHIND_DAY = re.compile(rf"\.?(?:{_TO_NEXT}{_SOME_DAY}|\s{{0,3}}:?\s{{0,3}}\d)")
_BESIDE = 30
"""Number of characters before a short form of a weekday that are searched for another day."""


def _days_in_full(text: str) -> str:
    """Return a text with the full names of its weekdays.

    A short form counts only beside another day, a number or a word such as "on", because "Sat" and "Sun" are words.

    >>> _days_in_full("Mon-Fri 9 to 5, Sat 10:00"), _days_in_full("Sun is bad for it.")
    ('Monday-Friday 9 to 5, Saturday 10:00', 'Sun is bad for it.')
    """

    def whole(match: re.Match[str]) -> str:
        before = text[max(0, match.start() - _BESIDE) : match.start()]
        is_day = _BEFORE_DAY.search(before) or _BEHIND_DAY.match(text, match.end())
        return _SHORT_DAYS[match.group()] if is_day else match.group()

    return _SHORT_DAY.sub(whole, text)


_ADDRESS = re.compile(
    r"\b(?i:thanks|thank you|hi|hello|hey|dear|welcome|good (?:morning|afternoon|evening|day)),?\s+"
    r"(?:(?:Mr|Mrs|Ms|Miss|Dr)\.?\s+)?[A-Z][\w'\u2019-]*(?:\s[A-Z][\w'\u2019-]*)?(?=\s*[.,!:;])"
)
"""Pattern for a greeting with the user's name."""


def without_address(text: str) -> str:
    """Return a text without greetings that address the user by name.

    >>> without_address("Thanks, Sarah. It is 5 EUR."), without_address("Welcome to Rome.")
    ('. It is 5 EUR.', 'Welcome to Rome.')
    """
    return _ADDRESS.sub("", text)


def _base(word: str) -> str:
    """Return a word in the form used for stored names and days.

    "Nova's" becomes "nova", "Tuesdays" becomes "tuesday", and "I'm" becomes "i".
    """
    base, _, ending = word.lower().replace("\u2019", "'").partition("'")
    whole = base if ending in ("s", "", "m", "ll", "ve", "re", "d") else f"{base}'{ending}"
    day = whole.removesuffix("s")
    return day if day in _DAYS else whole


@kept_within(3_000_000, per_character=6)
def _sizes(text: str, language: str = "en") -> frozenset[float]:
    """Return the numbers in a text, whatever they count, both as written and in base units ("half" is 0.5)."""
    return frozenset(size for number in numbers(fold(text), language) for size in (number.raw, number.value))


def mentions_fact(text: str, fact: Fact, language: str = "") -> bool:
    """Return True if a text mentions a fact that it does not state.

    The text may use the number with a different meaning, or express the name in other words. `language` is the text's
    language, if it differs from the fact's.

    >>> time, day = facts("On Tuesday it opens at 9 am.")
    >>> mentions_fact("On weekdays it opens at nine in the morning.", time), mentions_fact("It opens early.", time)
    (True, False)
    >>> mentions_fact("On weekdays it opens at nine in the morning.", day)
    True
    >>> mentions_fact("It's 28 euros each night.", facts("1 night costs 28 euros.")[0])
    True
    """
    shown = text[:LONGEST]
    if fact.kind == "name":
        words = [word.lower() for word in _WORD.findall(shown)]
        is_stem = len(fact.key) >= _STEM and any(word.startswith(fact.key) for word in words)  # "European", "Europe"
        return is_stem or any(fact.key in (_base(word), *word.split("-")) for word in words)  # "Non-EU" names the EU
    if fact.kind == "day":
        return fact.key in _WEEKDAYS and "weekday" in shown.lower()
    if fact.value is None:
        return False
    if fact.kind == "code":
        spaced = Language(fact.value.value.language).spaces
        return fact.text.lower() in (map(str.lower, _WORD.findall(shown)) if spaced else shown.lower())
    language = language or fact.value.value.language
    if not is_english(language) and _begins_a_word(fact.value.value, shown, language):
        return True
    if fact.value.value.raw == 1:
        period = fact.text.rpartition(" ")[2]
        if any(other.kind == "rate" and other.key == period for other in facts(shown, language=language)):
            return True
    sizes = _sizes(shown, language)
    if fact.kind == "time":  # "at nine" mentions 9 am and 9 pm
        hour = fact.value.size / _HOUR
        return hour in sizes or hour % 12 in sizes
    return fact.value.size in sizes or not sizes.isdisjoint(_sizes(fact.text, fact.value.value.language))


def _begins_a_word(value: Value, text: str, language: str) -> bool:
    """Return True if a number begins a compound word in the text, like ten ("zehn") in the German "Zehnerkarte"."""
    known = vocabulary(language)
    if value.raw is None or not 1 < value.raw < len(known.ones):
        return False
    if not known.tables["numbers"].get("joined") or value.raw != int(value.raw):
        return False
    number = in_one_case(known.ones[int(value.raw)])
    return any(word != number and word.startswith(number) for word in _WORD.findall(in_one_case(text)))


def _periods(text: str) -> list[str]:
    """Return the periods of rates in a text: "129 euros a night" and "14.99 monthly" give night and month."""
    periods: list[str] = []
    for match in _RATE.finditer(text):
        second = _AND_RATE.match(text, match.end())
        periods += [match["period"] or match["adverb"], *([second["period"]] if second else [])]
    return list(dict.fromkeys(_PERIOD_NAMES.get(word, word.removesuffix("ly")) for word in map(str.lower, periods)))


def _stance(text: str) -> bool | None:
    """Return True if a reply begins with a yes, False if it begins with a no, and None otherwise."""
    answer = read(text)
    if answer.polarity is not None:
        return answer.polarity
    return _OPENINGS.get(answer.words[0]) if answer.words else None
