"""Edits that move a user's value to a limit that a reply states. Based on boundary value analysis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Limit
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.dictionary import limits_of
from mutatis.languages import Language, language_tables, needing
from mutatis.text.abstention import polarity
from mutatis.text.by_folder import side_at, side_in
from mutatis.text.normalisation import like
from mutatis.text.sides import side_taken
from mutatis.text.values import Value, vocabulary
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.given import BY_FOLDER, exchanged_for, single_values
from mutatis.transformations.known import at_least_one

limit_edit = partial(conversation, capability="limits")
"""Decorator that registers a message with a value moved towards a limit."""

AT_LIMIT = "at-limit"
"""Annotation of a turn: the limit near its value, and the parameters of the edit, as strings."""

_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")
"""A number in figures, with separators of thousands and decimals: "1,250.50"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedValue:
    """A user's value and a limit that applies to it, with the number at the limit in the value's own unit."""

    value: Value
    limit: Limit
    at: float

    @property
    def rule(self) -> tuple[float, str, bool]:
        """The number at the limit, the side it bounds, and whether it is inclusive. Equal limits have equal rules."""
        return self.at, self.limit.side, self.limit.inclusive

    @property
    def step(self) -> float:
        """The distance to the next number: 5 minutes, a tenth for a measure with decimals, or 1."""
        if self.value.kind == "time":
            return 5
        return 1 if self.at.is_integer() or self.value.kind == "amount" else 0.1

    def sizes(self) -> Iterator[float]:
        """Yield the numbers to ask about: one on either side of the limit, and the limit if its side is clear."""
        yield round(self.at + self.step, 2)
        yield round(self.at - self.step, 2)
        if has_clear_edge(self.limit, self.value.language):
            yield self.at

    def holds(self, number: float) -> bool:
        """Return True if the limit covers a number."""
        return replace(self.limit, size=self.at).holds(number)


_UNTIL = re.compile(r"(?:until|till|by|through)\b", re.IGNORECASE)
"""Words before a limit that may or may not include it: "until 14:00"."""

_CLEARLY_MOST = re.compile(r"(?:before|no later than|not later than)\b", re.IGNORECASE)
"""Words before the last time of day, which show if it is included."""


def has_clear_edge(limit: Limit, language: str = "en") -> bool:
    """Return True if the wording of a limit shows whether the limit itself is included.

    "Until 14:00" and "after 22:00" may or may not include the minute itself. In other languages, "bis 14 Jahre" and the
    upper end of a range are unclear, but "bis zu 40 kg" includes 40 kg.

    >>> [has_clear_edge(limits_of(text)[0]) for text in ("Open until 14:00.", "Open from 9:00.", "Up to 10 kg.")]
    [False, True, True]
    """
    if not is_english(language):
        return limit.side == "least" or _is_clearly_most(limit, language)
    if limit.measure == "time of day":
        most = limit.side == "most"
        return _CLEARLY_MOST.match(limit.text) is not None if most else limit.inclusive
    return limit.side == "least" or not _UNTIL.match(limit.text)


def _is_clearly_most(limit: Limit, language: str) -> bool:
    """Return True if the wording of an upper limit in a language other than English shows if the limit is included."""
    starts_with_figure = limit.text[0].isdigit()
    if not starts_with_figure and not limit.text.lower().startswith(Language(language).ways("until")):
        return True
    if limit.measure in _UNCLEAR_MEASURES or (limit.measure == "time" and limit.size >= _NOTICE):
        return False
    ends_range = starts_with_figure and not limit.text.startswith(limit.value)
    return not (ends_range or limit.text.endswith(_unclear_words(language)))


_UNCLEAR_MEASURES = frozenset({"age", "months", "date", "time of day"})
"""Measures whose "bis" may or may not include the limit: a child "bis 14 Jahre" may be 14."""

_NOTICE = 2 * 60 * 60
"""A duration of at least this many seconds may be a notice, whose limit is a minimum: "bis 24 Stunden vorher"."""


@cache
def _unclear_words(language: str) -> tuple[str, ...]:
    """Return the words behind a value that leave open if the value itself is included."""
    rows = language_tables("limits", language).get("behind", ())
    return tuple(word for row in rows for word in row.get("unclear", ()))


_MONTHS = frozenset({"age", "months"})
"""Measures whose sizes are in months, so that an age and a duration can be compared."""


def placed_value(value: Value, limit: Limit, *, stated_here: bool) -> PlacedValue | None:
    """Return a value with a limit on it.

    The result is None for a date, if their measures differ, or if nobody would state the limit in the value's unit.
    `stated_here` states that the limit is from the question's own answer.
    """
    unit_size = _unit_size(value, limit, stated_here=stated_here)
    if unit_size is None or value.kind == "date":  # a season depends on the year
        return None
    at = round(limit.size / unit_size, 9)  # 7 % is 0.07, or 7.000000000000001 times 1 %
    return PlacedValue(value=value, limit=limit, at=at) if may_be_given(value, at) else None


def may_be_given(value: Value, number: float) -> bool:
    """Return True if a user may give a number in place of a value: not "1 guests", "7.5 guests" or "2.125 m".

    >>> from mutatis.text.values import values
    >>> [may_be_given(values(text)[0], 2.5) for text in ("We are 7 people.", "It is 3 m high.")]
    [False, True]
    """
    if float(number).is_integer():
        has_symbol = value.kind == "quantity" and value.text.endswith(value.unit)
        return number >= (1 if has_symbol else _SEVERAL)
    return number > 0 and value.kind in ("quantity", "amount") and round(number, 2) == number


_SEVERAL = 2
"""The least number that a noun in the plural stands for."""


def _unit_size(value: Value, limit: Limit, *, stated_here: bool) -> float | None:
    """Return the size of the unit of a value in the unit of a limit, or None if the limit measures something else."""
    measure, _, noun = limit.measure.partition(":")
    is_bare_number = measure == "count" and not noun and stated_here
    is_in_years = value.kind == "age" and value.unit == "year"
    if is_bare_number and is_in_years and value.raw:
        return 1.0  # "from 65 on", in the answer to "I am 70", is in years
    if not _measures_same(value, measure, noun, stated_here=stated_here):
        return None
    if value.kind == "time":
        return 1.0
    return value.size / value.raw if value.raw else None


def _measures_same(value: Value, measure: str, noun: str, *, stated_here: bool) -> bool:
    """Return True if a limit has the measure of a value. Two counts must also be of the same objects."""
    if measure == "count":
        return value.measure == "count" and _counts_same(value.unit, noun, stated_here)
    return measure == value.measure or {measure, value.measure} <= _MONTHS


PEOPLE = frozenset({"people", "persons", "person", "guests", "adults", "visitors", "travellers", "travelers", "us"})


_COUNTED_PEOPLE = PEOPLE | {"children", "kids", "child", "adult", "seniors", "pensioners", "students"}


def _counts_same(noun: str, other: str, stated_here: bool) -> bool:
    """Return True if a number and a limit count the same objects.

    A missing noun counts as the same if the limit is stated in the question's own answer.
    """
    if not noun or not other:
        return stated_here
    bare, bare_other = noun.lower().removesuffix("s"), other.lower().removesuffix("s")
    return bare == bare_other or (noun in PEOPLE and other in PEOPLE)


def number_written(value: Value) -> float:
    """Return the number in a value, as written: minutes for a time, 0 if it contains no number.

    >>> from mutatis.text.values import values
    >>> [number_written(values(text)[0]) for text in ("9:30", "10 kg")]
    [570.0, 10.0]
    """
    return value.size if value.kind == "time" else value.raw or 0.0


def value_with_number(value: Value, number: float) -> str | None:
    """Return a value in the same form with a different number, or None if the form cannot express that number.

    Outside English, only a number in figures at the beginning of the value is replaced, and no time.

    >>> from mutatis.text.values import values
    >>> [value_with_number(values(text)[0], 12) for text in ("10 kg", "three", "1,000 EUR")]
    ['12 kg', 'twelve', '12 EUR']
    >>> [value_with_number(values(text)[0], 2.5) for text in ("3 m", "three kilos", "5 EUR")]
    ['2.5 m', '2.5 kilos', '2.50 EUR']
    """
    if not is_english(value.language):
        if value.kind == "time" or not _FIGURES_FIRST.match(value.text):
            return None
        mark = "," if vocabulary(value.language).writes_comma else "."
        return _FIGURES_FIRST.sub(_in_figures(value, number).replace(".", mark), value.text)
    if value.kind == "time":
        return _clock(value, int(number))
    figures = _FIGURES.search(value.text)
    if figures is None:
        return _in_words(value, number)
    commas = "," in figures.group() or (number >= 10_000 and "," in value.text)
    written = f"{number:,.0f}" if commas else _in_figures(value, number)
    cents = ".00" if figures.group().endswith(".00") and "." not in written else ""
    return value.text[: figures.start()] + written + cents + value.text[figures.end() :]


def _in_figures(value: Value, number: float) -> str:
    """Return a number with its decimals, which are two for money."""
    written = f"{number:.2f}"
    return written if value.kind == "amount" and number % 1 else written.rstrip("0").rstrip(".")


_FIGURES_FIRST = re.compile(r"\A[\d.,]+")
"""The figures at the beginning of a value outside English."""


def _in_words(value: Value, number: float) -> str | None:
    """Return a value whose number is an English word with another number: "four hours" for "three hours".

    A number without a word of its own is written in figures. The result is None if the first word is not a number.
    """
    ones = vocabulary(value.language).ones
    first, *others = value.text.split()
    if first.lower() not in ones:
        return None
    has_word = float(number).is_integer() and number < len(ones)
    new = ones[int(number)] if has_word else _in_figures(value, number)
    return " ".join([like(first, new), *others])


def _clock(value: Value, minutes: int) -> str | None:
    """Return a time of day in minutes in the form of another, or None before 1 o'clock and for other forms.

    The forms are "09:30" and "9:30 am", the latter without minutes on the hour.

    >>> from mutatis.text.values import values
    >>> _clock(values("9:30 am")[0], 600), _clock(values("9:30")[0], 800)
    ('10 am', '13:20')
    """
    hour, minute = divmod(minutes, 60)
    if not 1 <= hour < 24:
        return None
    if re.fullmatch(r"\d{1,2}:\d\d", value.text):
        return f"{hour:02}:{minute:02}"
    half = re.fullmatch(r"\d{1,2}(?::\d\d)?(?P<half> ?[ap]m)", value.text, re.IGNORECASE)
    if half is None:
        return None
    on_dial, minutes_on_dial = (hour - 1) % 12 + 1, f":{minute:02}" if minute else ""
    half_day = re.sub("[ap]", "p" if hour >= 12 else "a", half["half"].lower())
    return f"{on_dial}{minutes_on_dial}{half_day}"


def values_at_limits(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return values just inside, at and just beyond each limit that replies state for the user's value.

    Raises:
        UnusableFollowUp: the question gives no value, or no reply states a limit on it.

    >>> for drawn in values_at_limits("I am 70. Is there a discount?", "Yes, for guests from 65 on.", Dictionary()):
    ...     print(drawn["new"], drawn["side"], drawn["trusted"])
    66 same no
    64 other no
    65 same no
    """
    language = dictionary.language
    of_user = single_values(question, language)
    at_least_one(of_user, "the user gives no value of their own, or several values of the same kind")
    placed = [place for value in of_user for place in limits_on(value, question, answer, dictionary)]
    at_least_one(placed, "no reply states a limit on the user's value")
    if not takes_side(answer, placed, language):
        raise UnusableFollowUp("the answer says neither yes nor no, nor that something is free")
    if not is_english(language):
        sure = [place for place in placed if _is_sure(place, placed)]
        placed = at_least_one(sure, "there are no two replies that state a limit on the user's value")
    choices = [choice for place in placed for choice in _choices_at(place, placed)]
    choices = [choice for choice in choices if _answer_may_change(choice, answer, language)]
    return at_least_one(choices, "the value cannot be moved to the limit, or a second limit lies in between")


def takes_side(answer: str, placed: Sequence[PlacedValue], language: str) -> bool:
    """Return True if an answer says yes, no or, in English, that something is free."""
    if is_english(language):
        return side_taken(answer) is not None or polarity(answer) is not None or bool(_FREE.search(answer))
    sides = (side_at(place.value.text, answer, place.limit.text, language) for place in placed)
    return side_in(answer, language) is not None or any(side is not None for side in sides)


def _is_sure(place: PlacedValue, placed: Sequence[PlacedValue]) -> bool:
    """Return True if two replies state a limit, since one may be wrong, and no other limit on the value is known."""
    return place.limit.trusted and len({other.at for other in placed if other.value is place.value}) == 1


def _answer_may_change(choice: Mapping[str, str], answer: str, language: str) -> bool:
    """Return True if the answer can be expected to change at a limit.

    The answer does not depend on the limit if it denies something to users within it, or grants something to users
    beyond it. An answer that only offers something free changes only at the limit of that offer.
    """
    if choice["side"] == "same":
        return True
    if not is_english(language):
        return side_at(choice["old"], answer, choice["limit"], language) in (None, choice["inside"] == "yes")
    if any(_FREE.search(part) for part in _PART.split(answer) if choice["limit"] in part):
        return True
    taken = side_taken(answer)
    return taken is (choice["inside"] == "yes") or (taken is None and not _FREE.search(answer))


def limits_on(value: Value, question: str, answer: str, dictionary: Dictionary) -> Iterator[PlacedValue]:
    """Yield the limits on a value that are stated in the answer, or in other replies on the same subject.

    For times, and in languages other than English, only limits in the answer itself are used: others may apply to
    different days or things.
    """
    if not is_english(dictionary.language):
        yield from _limits_by_folder(value, answer, dictionary)
        return
    if value.kind == "time":
        yield from _times_on(value, [limit for limit in limits_of(answer) if applies(limit, answer)])
        return
    in_dictionary = {_key(limit): limit for limit in dictionary.limits}
    in_answer = {_key(limit): limit for limit in limits_of(answer)}
    # A limit in both is taken from the dictionary, with the names of all exchanges that state it.
    for key, limit in (in_answer | in_dictionary).items():
        stated_here = key in in_answer
        same_subject = limit.trusted and shared_words(limit.about, f"{question} {answer}") >= ENOUGH_WORDS
        if not (stated_here or same_subject) or not applies(limit, answer):
            continue
        place = placed_value(value, limit, stated_here=stated_here)
        if place is not None and _is_of_such(limit, value):
            yield place


def _limits_by_folder(value: Value, answer: str, dictionary: Dictionary) -> Iterator[PlacedValue]:
    """Yield the limits on a value that the answer states, each with the names of all exchanges that state it."""
    language = dictionary.language
    for limit in limits_of(answer, language):
        rule = limit.measure, limit.size, limit.side
        same = (known for known in dictionary.limits if (known.measure, known.size, known.side) == rule)
        seen = tuple(dict.fromkeys(name for known in same if not known.contradicted for name in known.seen))
        place = placed_value(value, replace(limit, seen=seen), stated_here=True)
        if place is not None:
            yield place


def _is_of_such(limit: Limit, value: Value) -> bool:
    """Return True if a limit can be on a value: no limit near words for ages is on a number of people."""
    counts_people = value.measure == "count" and value.unit in _COUNTED_PEOPLE
    return not (counts_people and limit.measure == "count" and is_near_age_words(limit))


_AGE_GROUPS = frozenset(
    {"children", "child", "kids", "aged", "adults", "senior", "seniors", "youth", "teenagers", "pensioners", "guests"}
)


def is_near_age_words(limit: Limit) -> bool:
    """Return True if a limit, or the sentence that contains it, contains words for an age group."""
    return bool(_AGE_GROUPS & {*limit.about}) or "age" in limit.text.lower().split()


def applies(limit: Limit, answer: str) -> bool:
    """Return True if a limit in an answer is the user's, so that crossing it may reverse the answer.

    Others are on a companion, or count backwards: by "3 days before", more days mean an earlier time.

    >>> answer = "A companion needs to be 30 or older. You need to be at least 17."
    >>> [applies(limit, answer) for limit in limits_of(answer)]
    [False, True]
    """
    before, _, after = answer.partition(limit.text)
    return not (_OF_SOMEBODY_ELSE.search(before) or _BEFOREHAND.match(after))


_BEFOREHAND = re.compile(r"\s+(?:before|ahead|in advance|prior|ago|earlier)\b", re.IGNORECASE)
"""Words after a limit that counts backwards, such as "before" in "3 days before"."""

_OF_SOMEBODY_ELSE = re.compile(
    r"\b(?:(?:somebody|someone|a person|an adult|a companion|a parent|a guardian)(?: else)?(?: who is)?(?: aged?| of)?"
    r"|(?:companions?|chaperones?|guardians?|parents?|supervisors?|accompanying [a-z]+)"
    r" (?:needs? to|must|ha(?:s|ve) to|should) be) \Z",
    re.IGNORECASE,
)
"""Words in front of a limit on a companion: "a companion must be 30 or older"."""


def _times_on(value: Value, stated: Sequence[Limit]) -> Iterator[PlacedValue]:
    """Yield the limits on a time. Two limits on the same side, as of two days, are both left out."""
    sides = Counter((limit.measure, limit.side) for limit in stated)
    for limit in stated:
        place = placed_value(value, limit, stated_here=True)
        if place is not None and sides[limit.measure, limit.side] == 1:
            yield place


_PART = re.compile(r"[.;!?](?:\s|\Z)")
"""The end of a part of a reply."""

_FREE = re.compile(r"\b(?:free|no charge|no fee)\b", re.IGNORECASE)
"""Words that something costs nothing."""

ENOUGH_WORDS = 3
"""Minimum number of content words that a question and its reply share with a limit stated in a different reply."""


def shared_words(about: Iterable[str], text: str) -> int:
    """Return how many of the given content words occur in a text, ignoring plural endings."""
    words = {word.removesuffix("s") for word in re.findall(r"[^\W\d_]{4,}", text.lower())}
    return len({word.removesuffix("s") for word in about} & words)


def _key(limit: Limit) -> tuple[object, ...]:
    """Return all that makes two limits the same."""
    return limit.measure, limit.size, limit.side, limit.inclusive, limit.about


def _choices_at(place: PlacedValue, placed: Sequence[PlacedValue]) -> Iterator[dict[str, str]]:
    """Yield the parameters of `at-limit` for the values at one limit. No other limit may lie in between."""
    old = number_written(place.value)
    inside = place.holds(old)
    for number in place.sizes():
        new = value_with_number(place.value, number)
        if (
            not may_be_given(place.value, number)
            or number == old
            or new is None
            or _another_between(place, placed, old, number)
        ):
            continue
        yield {
            "old": place.value.text,
            "new": new,
            "limit": place.limit.text,
            "side": "same" if place.holds(number) is inside else "other",
            "inside": "yes" if inside else "no",
            "trusted": "yes" if place.limit.trusted else "no",
        }


def _another_between(place: PlacedValue, placed: Sequence[PlacedValue], first: float, second: float) -> bool:
    """Return True if another limit on the same value lies between two numbers or contradicts this one."""
    low, high = min(first, second), max(first, second)
    return any(other.value is place.value and other.rule != place.rule and low <= other.at <= high for other in placed)


@limit_edit(
    "at-limit",
    says="a value at a limit that a reply states",
    languages=needing(*BY_FOLDER, "speech.until", also=ENGLISH),
    reads=values_at_limits,
)
def at_limit(rounds: Rounds, turns: tuple[Turn, ...], written_in: str = "en", **choice: str) -> Moved:
    """Ask the question with a value at a limit stated in a reply, just inside it or just beyond it.

    >>> turns = (Turn(fields={"message": "My order is 40 EUR. What does delivery cost?"}),)
    >>> for _, turn in at_limit((0,), turns, old="40 EUR", new="35 EUR"): print(turn.fields["message"])
    My order is 35 EUR. What does delivery cost?
    """
    text = exchanged_for(turns[-1].question, choice["old"], choice["new"], written_in)
    return asked_instead(rounds, turns, text, **{AT_LIMIT: choice})
