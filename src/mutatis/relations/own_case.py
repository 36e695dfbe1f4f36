"""Reads the part of a reply about the user's own case, as opposed to the general rule that it states.

In "Groups of 10 or more get 15 % off. You are too few for it.", the second sentence is about the user's own case. Only
words that clearly allow or deny something are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mutatis.dictionary import limits_of
from mutatis.text.openers import without_openers
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun
from mutatis.text.values import Value, values, whole_value

_CLAUSE = re.compile(r"[;:]\s+|,\s+(?=so\b)")
"""Pattern of the end of a clause. After a comma, only "so" begins another one."""
_OF_CASE = re.compile(
    r"\W*(?:so|in your case|for (?:you|your|that)\b|your|you|with (?:that|your)|at (?:that|your)|that|it|then"
    r"|the (?:length|height|weight))\b",
    re.IGNORECASE,
)
"""Pattern of the beginning of a clause about the user's own case."""
_NEGATES = re.compile(r"\b(?:no|not|never|cannot|none|neither|nor)\b|n['\u2019]t\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:too (?:few|many|young|old|heavy|light|large|big|small|far|long|short|high|tall|wide|late|early)|closed|shut"
    r"|outside|cannot|can['\u2019]t|(?:may|must|can|could) not|so (?:no|not)\b|(?:have|has) to wait"
    r"|(?:is|are|was)(?: not|n['\u2019]t) (?:\w+ )?(?:open|allowed|possible|welcome|enough|accepted|eligible|there|fine"
    r"|covered)|do(?:es)?(?: not|n['\u2019]t) (?:fit|qualify|apply|work))\b",
    re.IGNORECASE,
)
"""Pattern of words that deny something to the user, or call the user's value unsuitable."""
_ALLOWS = re.compile(
    r"\b(?:welcome|fine|all right|fits?|open|allowed|possible|enough|gets? (?:it|them|the)|so yes|may|can|are there"
    r"|is there|room for|qualif(?:y|ies)|eligible|accepted|noted|booked|reserved)\b",
    re.IGNORECASE,
)
"""Pattern of words that allow something, unless the clause also negates."""
_NO_PROBLEM = re.compile(r"\bno (?:problem|trouble)\b", re.IGNORECASE)
"""Pattern of a permission that looks like a negation."""
FREE_WORDS = "free|nothing|no charge|no fee"
_FREE = re.compile(rf"\b(?:{FREE_WORDS})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCase:
    """The user's own case according to a reply: whether it is allowed and whether it is free.

    An attribute is None if the reply does not mention it.
    """

    allowed: bool | None = None
    free: bool | None = None


def own_case(reply: str, asked: Sequence[str]) -> OwnCase:
    """Read a reply's statement about the user's own case, whose values are given in `asked`.

    >>> own_case("Groups of 10 or more get 15 % off. You are too few for it.", ["9"])
    OwnCase(allowed=False, free=None)
    >>> own_case("Up to ten kilometres it is free. In your case: 8 euros.", ["11 km"])
    OwnCase(allowed=None, free=False)
    >>> own_case("We are open from 8:30 to 16:00.", ["8:15"])
    OwnCase(allowed=None, free=None)
    """
    clauses = list(_of_case(reply, [value for text in asked if (value := whole_value(text)) is not None]))
    return OwnCase(allowed=agreed(map(_allows, clauses)), free=agreed(_is_free(clause, asked) for clause in clauses))


def agreed(readings: Iterable[bool | None]) -> bool | None:
    """Return the reading of all clauses that have one, or None if there is none or they differ.

    >>> agreed([True, None, True]), agreed([True, False]), agreed([None])
    (True, None, None)
    """
    different = set(readings) - {None}
    return different.pop() if len(different) == 1 else None


def _of_case(reply: str, asked: Sequence[Value]) -> Iterator[str]:
    """Yield the clauses about the user's own case.

    These mention a value of the case or address the user ("you"), and do not state a limit.
    """
    for sentence in sentences(without_openers(reply)):
        introduced = False
        for clause in _CLAUSE.split(sentence):
            mentioned = any(_repeats(value, other) for value in asked for other in values(clause))
            # "As you are aged 66, it is free" repeats the user's age, and states no limit.
            rules = [limit for limit in limits_of(clause) if not (mentioned and limit.text.lower().startswith("aged"))]
            if (introduced or mentioned or _OF_CASE.match(clause)) and not rules:
                yield clause
            introduced = _OF_CASE.fullmatch(clause) is not None  # "In your case: 8 euros."


def _repeats(asked: Value, value: Value) -> bool:
    """Return True if a value in a reply is the user's, or has its number with a different unit of the same measure."""
    misread = asked.kind == "quantity" and asked.measure == value.measure and asked.raw == value.raw
    return misread or asked.same(value)


def misread_as(reply: str, form: str) -> str:
    """Return a quantity that a reply repeats with the wrong unit, as written in the reply, or "".

    >>> misread_as("With 40 kg your dog is too heavy.", "40 lbs"), misread_as("With 40 lbs it is fine.", "40 lbs")
    ('40 kg', '')
    """
    asked = whole_value(form)
    if asked is None or asked.kind != "quantity":
        return ""
    return next((value.text for value in values(reply) if _repeats(asked, value) and not value.same(asked)), "")


def _allows(clause: str) -> bool | None:
    clause = _NO_PROBLEM.sub("fine", clause)
    if _DENIES.search(clause):
        return False
    return True if _ALLOWS.search(clause) and not _NEGATES.search(clause) else None


def _is_free(clause: str, asked: Sequence[str]) -> bool | None:
    amounts = [value for value in values(clause) if value.kind == "amount" and value.text not in asked]
    if _FREE.search(clause):
        return None if _NEGATES.search(_FREE.sub("", clause)) or amounts else True
    return agreed(value.size <= 0 for value in amounts)


def side_of(reply: str, asked: Sequence[str]) -> bool | None:
    """Return True if a reply to a question with these values means yes, False if it means no, and None otherwise.

    This is read from the first words of the reply, or else from its statement about the user's own case.

    >>> side_of("Yes, up to 3.20 m you fit.", ["2 m"]), side_of("It is too high: the limit is 3.2 m.", ["6 ft"])
    (True, False)
    """
    side = side_begun(reply)
    return own_case(reply, asked).allowed if side is None else side


_NOTHING_MORE = re.compile(
    rf"\b(?:{FREE_WORDS}|without (?:an? |any )?(?:surcharge|fee|extra (?:charge|cost))|no surcharge"
    r"|no extra (?:charge|cost))\b",
    re.IGNORECASE,
)
"""Pattern of words that rule out an extra charge."""


def charges(reply: str, asked: Sequence[str]) -> bool | None:
    """Return True if a reply states a charge, False if it states that there is no extra charge, and None otherwise.

    >>> [charges(reply, []) for reply in ("It is 12 EUR.", "Up to 1 m nothing is added.", "From 9 EUR on free.")]
    [True, False, None]
    """
    asked_values = [value for text in asked for value in values(text)]
    amounts = [value for value in values(reply) if value.kind == "amount" and not any(map(value.same, asked_values))]
    if _NOTHING_MORE.search(reply):
        return None if amounts else False
    return True if any(value.size for value in amounts) else None


def cut_at_separator(reply: str, form: str, noun: str) -> str:
    """Return a number that a reply cut off at its thousands separator, with the noun after it, or "".

    >>> [cut_at_separator(reply, "1,000", "pages") for reply in ("1 pages are fine.", "1,000 pages cost 9 EUR.")]
    ['1 pages', '']
    """
    head, separator, _ = form.partition(",")
    if not (separator and noun and head.isdigit()):
        return ""
    match = re.search(rf"(?<![\d.,]){head} {re.escape(noun)}\b", reply)
    return match.group() if match else ""
