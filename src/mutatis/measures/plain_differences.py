"""Names the plain differences between two replies: one does not answer, one says no, or their values differ.

Unlike a measure, it needs no other replies and no thresholds, so a person sees the same at a glance. Reports put such
pairs first, and a shrunk follow-up must differ from the source in the same ways as the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from mutatis.core.languages import ENGLISH
from mutatis.measures.facts import Fact, facts, mentions_fact, same_fact
from mutatis.text.abstention import is_abstention, is_lost
from mutatis.text.by_folder import without_courtesy
from mutatis.text.refusals import is_refusal

PlainDifference: TypeAlias = Literal["silent", "opposite", "omits", "exchanges"]
"""A way in which a reply differs from another.

One of the two does not answer, they begin with yes and no, the reply omits a value, or it states another value instead.
"""

VALUES = frozenset({"amount", "time", "day", "code"})
"""The kinds of facts that are values."""


def answers_nothing(reply: str, language: str = ENGLISH[0]) -> bool:
    """Return True if a reply is blank, a refusal, an admission of ignorance, or states that it did not understand.

    >>> [answers_nothing(reply) for reply in ("", "I did not understand that.", "It costs 5 euros.")]
    [True, True, False]
    """
    return (
        not reply.strip()
        or is_lost(reply, language)
        or is_abstention(reply, language)
        or is_refusal(reply, language=language)
    )


def plain_differences(first: str, second: str, language: str = "") -> frozenset[PlainDifference]:
    """Return the ways in which the second reply plainly differs from the first. The set may be empty.

    >>> sorted(plain_differences("It costs 5 euros.", "You pay 6 euros."))
    ['exchanges', 'omits']
    >>> sorted(plain_differences("Yes, for 5 euros.", "No, but you can pay €5.00 for a lamp."))
    ['opposite']
    >>> plain_differences("The total is 864 euros.", "You pay €864 altogether, that is €72 a month.")
    frozenset()
    """
    language = language or ENGLISH[0]
    silent = answers_nothing(first, language), answers_nothing(second, language)
    if any(silent):
        return frozenset() if all(silent) else frozenset({"silent"})
    ways: set[PlainDifference] = set()
    ours, theirs = (facts(without_courtesy(reply, language), language=language) for reply in (first, second))
    if {fact.key for fact in (*ours, *theirs) if fact.kind == "stance"} == {"True", "False"}:
        ways.add("opposite")
    omitted, added = _lacking(ours, theirs, second), _lacking(theirs, ours, first)
    if omitted:
        ways.add("omits")
    if {fact.kind for fact in omitted} & {fact.kind for fact in added}:
        ways.add("exchanges")
    return frozenset(ways)


def _lacking(ours: Sequence[Fact], theirs: Sequence[Fact], other_reply: str) -> list[Fact]:
    """Return the values in `ours` that the other reply, with the facts `theirs`, does not mention in any way."""
    return [
        fact
        for fact in ours
        if fact.kind in VALUES
        and not any(same_fact(fact, other) for other in theirs)
        and not mentions_fact(other_reply, fact)
    ]
