"""Extracts plain statements from answers without a judge: values, items, actions and agreement.

It reads one text at a time, and does not guess at parts that it cannot interpret. The part of a reply about the user's
own case is told from the general rule that the reply states: in "Groups of 10 or more get 15 % off. You are too few for
it.", the second sentence is about the user's own case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mutatis.core.constraint import CAN_TELL
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.dictionary import limits_of
from mutatis.measures.by_folder import languages_read
from mutatis.measures.facts import Fact, facts
from mutatis.relations.output import invalid_decision, on_answer, plain_decision, source_reply
from mutatis.text.openers import without_openers
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun
from mutatis.text.values import Value, values, vocabulary, whole_value
from mutatis.transformations.values import Slot, is_in_a_name, values_said

_ONES = vocabulary().ones
_STATED = ("amount", "day", "time", "code")
MEASURE = "values"
"""Name shown as the measure in reports if no judge was used."""

HEDGED = re.compile(
    r"\b(?:not|no|none|never|only|just|instead|except|but|however|unfortunately|sorry|regret|afraid|next|nearest|earliest"
    r"|latest|other|another|alternatives?|alternatively|until|rather|closed|full|unavailable|if|usually|every|each|always"
    r"|neither|nor|without|cannot|already|up to|at most|at least|between|or)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Pattern of words that make it right to give an old value: "only on Friday", "not for 500 but for 800"."""

_HOLDS = re.compile(
    r"\b(?:sleeps?|seats?|holds?|fits?|for up to)\s*\Z|\b(?:is|are)\s+(?:an?\s+\w+\s+)?for\s*\Z", re.IGNORECASE
)
"""Pattern of words before a thing's capacity, which the edit does not change: the largest tent is still for two."""

_COMPARED = re.compile(r"\b(?:than|like|unlike|similar|similarly|compared?|besides|also|too|same)\b", re.IGNORECASE)
"""Pattern of words that show that a product is named only for comparison: "cheaper than the Nova"."""

_ARTICLES = frozenset({"the", "a", "an", "our", "your", "my", "this", "that"})
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPlace:
    """The context of a value in an answer.

    It consists of the words around the value, and of whether the sentence hedges.
    """

    before: str
    after: str
    content: frozenset[str]
    hedged: bool

    def is_like(self, other: StatedPlace, *, shared: int = 1) -> bool:
        """Return True if two values have similar contexts.

        They must have the same word directly before or after them, or at least `shared` of the words around them in
        common.
        """
        same_before = bool(self.before) and self.before == other.before
        same_after = bool(self.after) and self.after == other.after
        return same_before or same_after or len(self.content & other.content) >= shared


def value_places(
    answer: str, kind: Slot, names: Sequence[str] = (), language: str = "en"
) -> list[tuple[Value, StatedPlace]]:
    """Return the values of a kind in an answer, each with its context.

    `names` are the names of the products to look for.

    >>> [(value, place)] = value_places("Booked: a table for 4 people.", "count")
    >>> value.text, place.before, place.after
    ('4', 'for', 'people')
    """
    return [
        (value, _place(value, sentence, kind))
        for sentence in sentences(answer)
        for value in values_said(sentence, kind, names, language)
    ]


def _place(value: Value, sentence: str, kind: Slot) -> StatedPlace:
    """Return the context of a value in a sentence."""
    before, after = (_WORD.findall(part.lower()) for part in (sentence[: value.start], sentence[value.end :]))
    if kind == "product":
        # Every name may have an article before it, which does not distinguish one place from another.
        before = [word for word in before if word not in _ARTICLES]
    content = {word for word in (*before, *after) if len(word) > 3 and word.isalpha() and word not in _ONES}
    return StatedPlace(
        before=before[-1] if before else "",
        after=after[0] if after else "",
        content=frozenset(content),
        hedged=_is_hedged(value, sentence, kind),
    )


def _is_hedged(value: Value, sentence: str, kind: Slot) -> bool:
    """Return True if a sentence may rightly give a value, whatever was asked for: "only on Friday", "it sleeps 4"."""
    limits_it = HEDGED.search(sentence) is not None
    is_capacity = _HOLDS.search(sentence[: value.start]) is not None
    only_compares = kind == "product" and _COMPARED.search(sentence) is not None
    is_every_week = value.measure == "weekday" and value.text.lower().endswith("s")  # "on Wednesdays"
    return limits_it or is_capacity or only_compares or is_every_week or is_in_a_name(value, sentence)


def stated(reply: str, language: str = "en") -> list[Fact]:
    """Return the facts in a reply that any reply to the same question should state. Names are left out.

    >>> [fact.text for fact in stated("Yes, Mr. Brown has 3 rooms from 4 May.")]
    ['3 rooms', '4 may']
    """
    return [fact for fact in facts(reply, language=language) if fact.kind in _STATED]


STATES = on_answer(
    name="source answer states an amount, a day, a time or a code",
    check=lambda evidence: bool(stated(source_reply(evidence), evidence.case.language or ENGLISH[0])),
    broken="the source's answer states no amount, day, time or code",
    languages=languages_read(),
)


Agreement: TypeAlias = tuple[bool | None, str]
"""Whether two replies agree, and the evidence if they do not. None stands for replies that cannot be compared."""


def open_decision(reason: str, precondition: str = CAN_TELL) -> Decision:
    """Return the decision INVALID, for an answer that cannot be interpreted or that breaks another precondition.

    It counts neither as satisfied nor as violated.
    """
    return invalid_decision(reason, MEASURE, precondition=precondition)


def read_decision(held: bool | None, expectation: str, violation: str = "", unclear: str = "") -> Decision:
    """Return the decision on an answer: satisfied if `held`, else violated, or open if it is None and so `unclear`."""
    if held is None:
        return open_decision(unclear)
    return plain_decision(held, expectation, MEASURE, violation)


def are_opposed(first: bool | None, second: bool | None) -> bool:
    """Return True if one of two readings is True and the other False, and so neither is None."""
    return None not in (first, second) and first is not second


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
FREE = re.compile(rf"\b(?:{FREE_WORDS})\b", re.IGNORECASE)


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
    return OwnCase(allowed=agreed(map(_allows, clauses)), free=agreed(calls_free(clause, asked) for clause in clauses))


def agreed(readings: Iterable[bool | None]) -> bool | None:
    """Return the common reading of all clauses that have one, or None if no clause does or they differ.

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
    """Return True if a clause allows something, False if it denies something, and None otherwise."""
    clause = _NO_PROBLEM.sub("fine", clause)
    if _DENIES.search(clause):
        return False
    return True if _ALLOWS.search(clause) and not _NEGATES.search(clause) else None


def _amounts_besides(text: str, asked: Sequence[str]) -> list[Value]:
    """Return the amounts of money in a text, except amounts from the question."""
    asked_values = [value for wording in asked for value in values(wording)]
    return [value for value in values(text) if value.kind == "amount" and not any(map(value.same, asked_values))]


def calls_free(clause: str, asked: Sequence[str]) -> bool | None:
    """Return True if a clause calls something free, False if it states a cost, and None if it does neither or both."""
    amounts = _amounts_besides(clause, asked)
    if FREE.search(clause):
        return None if _NEGATES.search(FREE.sub("", clause)) or amounts else True
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
    """Return True if a reply states a charge, False if it rules out an extra charge, and None otherwise.

    >>> [charges(reply, []) for reply in ("It is 12 EUR.", "Up to 1 m nothing is added.", "From 9 EUR on free.")]
    [True, False, None]
    """
    amounts = _amounts_besides(reply, asked)
    if _NOTHING_MORE.search(reply):
        return None if amounts else False
    return True if any(value.size for value in amounts) else None
