"""Decides whether a limit in a reply applies to the user's value, and not to someone or something else."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from mutatis.core.dictionary import Limit
from mutatis.dictionary import limits_of
from mutatis.languages import language_tables
from mutatis.text.values import values, vocabulary, whole_value

_SENTENCE_END = re.compile(r"[.;!?](?:\s|\Z)")
_BEFOREHAND = re.compile(r"\s+(?:before|ahead|in advance|prior|ago|earlier)\b", re.IGNORECASE)
"""Matches words after a limit that counts backwards, such as "before" in "3 days before".

More days mean an earlier time, so the words of such a limit mean the opposite.
"""

_COMPANION = r"companions?|chaperones?|guardians?|parents?|supervisors?|accompanying [a-z]+"
_OF_SOMEBODY_ELSE = re.compile(
    r"\b(?:(?:somebody|someone|a person|an adult|a companion|a parent|a guardian)(?: else)?(?: who is)?(?: aged?| of)?"
    rf"|(?:{_COMPANION}) (?:needs? to|must|ha(?:s|ve) to|should) be) \Z",
    re.IGNORECASE,
)
"""Matches words in front of a limit on a companion: "a companion must be 30 or older"."""

_ASKS_OF_COMPANION = re.compile(rf"\b(?:{_COMPANION})\b", re.IGNORECASE)
_LEAST_CHARGED = re.compile(r"(?:an? )?minimum\b|at least\b", re.IGNORECASE)
_RATE = re.compile(r"(?:/|\b(?:per|an?|each|every)\s)\s*(?P<unit>[a-z]+)", re.IGNORECASE)
"""Matches the unit of a price: "2.40 a kilo", "5 EUR/kg"."""

_SPAN = re.compile(r"\b(?P<number>\w+) (?:nights?|days?|weeks?|months?|hours?)\s+\Z", re.IGNORECASE)
"""Matches the length of a stay in front of its first day: "for 2 nights from October 5"."""

_AGED = re.compile(r"\b(?:age[ds]?|old|older|young|younger)\b", re.IGNORECASE)
_UNDER_OR_OVER = re.compile(r"(?:under|over|below|above)\b", re.IGNORECASE)
_AGE_GROUPS = frozenset(
    {"children", "child", "kids", "aged", "adults", "senior", "seniors", "youth", "teenagers", "pensioners", "guests"}
)
_BOOKS = re.compile(r"\b(?:book|reserve|register|enrol|sign up|order|rent|hire)\b", re.IGNORECASE)
"""Matches a request whose first day the reply repeats: "Can I book it from 5 October?"."""

_BEGINS = re.compile(r"\b(?:start\w*|begin\w*|arriv\w*)(?: on| of| at)?(?: the)? \Z", re.IGNORECASE)


def is_near_age_words(limit: Limit) -> bool:
    """Return True if a limit, or the sentence that contains it, contains words for an age group."""
    return bool(_AGE_GROUPS & {*limit.about}) or "age" in limit.text.lower().split()


def applies(limit: Limit, question: str, answer: str) -> bool:
    """Return True if a limit in an answer applies to the user's case, so that crossing it may reverse the answer.

    >>> def all_apply(question, answer):
    ...     return [applies(limit, question, answer) for limit in limits_of(answer)]
    >>> all_apply("I am 16. May I drive?", "A companion needs to be 30 or older. You need to be at least 17.")
    [False, True]
    >>> all_apply("I have 3 kg of washing.", "It is 2.40 EUR a kilo with a minimum of 4 kilos.")
    [False]
    >>> all_apply("A room from 5 October, please.", "For 2 nights from October 5 it is 240 EUR.")
    [False]
    """
    if restates(limit, question):
        return False
    start = answer.find(limit.text)
    if start < 0:  # another reply states it
        return not _is_least_charged(limit, answer)
    before, after = answer[:start], answer[start + len(limit.text) :]
    of_companion = _OF_SOMEBODY_ELSE.search(before) and not _ASKS_OF_COMPANION.search(question)
    starts_stay = limit.measure in ("date", "time of day") and _ends_with_length_of_stay(before)
    counts_back = _BEFOREHAND.match(after)
    if counts_back or _repeats_value(limit, question) or of_companion or starts_stay:
        return False
    sentence = _SENTENCE_END.split(before)[-1] + limit.text + _SENTENCE_END.split(after)[0]
    return not _is_least_charged(limit, sentence)


def _ends_with_length_of_stay(text: str) -> bool:
    """Return True if a text ends with the length of a stay, as in "for 2 nights"."""
    span = _SPAN.search(text)
    number = span["number"].lower() if span else ""
    return number.isdigit() or number in ("a", "an") or number in vocabulary().ones


def restates(limit: Limit, question: str, language: str = "en") -> bool:
    """Return True if the question itself already states the limit.

    >>> [limit] = limits_of("From October 5 we have a room.")
    >>> restates(limit, "Is a room free from 5 October?"), restates(limit, "Can I come on 5 October?")
    (True, False)
    """
    return any(is_same_limit(limit, in_question) for in_question in limits_of(question, language))


def is_same_limit(limit: Limit, other: Limit) -> bool:
    """Return True if two limits bound the same measure at the same size on the same side, however they are worded."""
    return (limit.measure, limit.size, limit.side) == (other.measure, other.size, other.side)


def _repeats_value(limit: Limit, question: str) -> bool:
    """Return True if a limit only repeats the user's value, such as the first day of a course or "somebody aged 12"."""
    limit_value, asked = whole_value(limit.value), values(question)
    if limit_value is None:
        return False
    if limit.measure == "date":
        same_days = [value for value in asked if value.same(limit_value)]
        return any(_BOOKS.search(question) or _BEGINS.search(question[: day.start]) for day in same_days)
    return limit.text.lower().startswith("aged ") and any(value.raw == limit_value.raw for value in asked)


def _is_least_charged(limit: Limit, sentence: str) -> bool:
    """Return True if a limit is a minimum charge, as in "2.40 a kilo with a minimum of 4 kilos"."""
    if limit.side != "least" or limit.measure.startswith("count") or not _LEAST_CHARGED.match(limit.text):
        return False
    quantities = (whole_value(f"2 {rate['unit']}") for rate in _RATE.finditer(sentence))  # "a kilo": "2 kilo"
    has_rate = any(quantity is not None and quantity.measure == limit.measure for quantity in quantities)
    return has_rate and any(value.kind == "amount" for value in values(sentence))


def is_of_age(limit: Limit, answer: str, language: str = "en") -> bool:
    """Return True if a limit in years may be an age rather than a duration.

    >>> answer = "From 18 years on, with a licence for 5 years or more."
    >>> [is_of_age(limit, answer) for limit in limits_of(answer)]
    [True, False]
    """
    if limit.measure != "months" and (language == "en" or limit.measure != "age"):
        return True  # other languages write both alike: "8 ans", "5 ans de permis"
    start = answer.find(limit.text)
    if start < 0:
        return _AGED.search(limit.text) is not None
    duration = _duration_words(language)
    if duration is None or (language == "en" and _UNDER_OR_OVER.match(limit.text)):
        return True
    return not duration.before.search(answer[:start]) and not duration.after.match(answer, start + len(limit.text))


class _DurationWords(NamedTuple):
    """Patterns of the words around a number of years that is no age: "for 5 years", "5 years of experience"."""

    before: re.Pattern[str]
    after: re.Pattern[str]


@cache
def _duration_words(language: str) -> _DurationWords | None:
    """Return the language's words for a number of years that is not an age, or None if none are listed."""
    tables = language_tables("limits", language).get("lasting")
    if not tables:
        return None
    before, after = ("|".join(map(re.escape, tables[0][place])) for place in ("before", "behind"))
    return _DurationWords(
        before=re.compile(rf"(?<!\w)(?:{before})\s*\Z", re.IGNORECASE),
        after=re.compile(rf"\W{{0,2}}(?:{after})(?!\w)", re.IGNORECASE),
    )
