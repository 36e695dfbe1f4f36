"""Names the plain differences between two replies: one does not answer, one says no, or their values differ.

Unlike a measure, it needs no other replies and no thresholds, so a person sees the same at a glance. Reports put such
pairs first, and a shrunk follow-up must differ from the source in the same ways as the original.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from mutatis.core.languages import ENGLISH, is_english
from mutatis.text.abstention import polarity
from mutatis.text.by_folder import reads, without_courtesy
from mutatis.text.refusals import gives_no_answer
from mutatis.text.values import Value, numbers, values

PlainDifference: TypeAlias = Literal["silent", "opposite", "omits", "exchanges"]
"""A way in which a reply differs from another.

One of the two does not answer, they begin with yes and no, the reply omits a value, or it states another value instead.
"""

_REGRET = re.compile(r"\W{0,3}(?:unfortunately|regrettably|sadly|i'm afraid|i am afraid)\b", re.IGNORECASE)
_APART = frozenset({"date", "time", "code"})
"""Kinds of values that no number replaces."""


def answers_nothing(reply: str, language: str = ENGLISH[0]) -> bool:
    """Return True if a reply is blank, a refusal, an admission of ignorance, or states that it did not understand.

    >>> [answers_nothing(reply) for reply in ("", "I did not understand that.", "It costs 5 euros.")]
    [True, True, False]
    """
    return not reply.strip() or gives_no_answer(reply, language)


@lru_cache(maxsize=4096)
def plain_differences(first: str, second: str, language: str = "") -> frozenset[PlainDifference]:
    """Return how the second reply plainly differs from the first. The set may be empty.

    It is empty in a language whose folder lacks the words to read replies.

    >>> sorted(plain_differences("It costs 5 euros.", "You pay 6 euros."))
    ['exchanges', 'omits']
    >>> sorted(plain_differences("Thanks for asking! Yes, for 5 euros.", "Unfortunately not, but a lamp is €5.00."))
    ['opposite']
    >>> plain_differences("The total is 864 euros.", "You pay €864 altogether, that is €72 a month.")
    frozenset()
    >>> plain_differences("Bai.", "Ez.", "eu")
    frozenset()
    >>> sorted(plain_differences("It costs 5 euros.", "I did not understand that; please call 0351 448 2210."))
    ['silent']
    """
    language = language or ENGLISH[0]
    if not (is_english(language) or reads(language)):
        return frozenset()
    silent = answers_nothing(first, language), answers_nothing(second, language)
    if any(silent):
        return frozenset() if all(silent) else frozenset({"silent"})
    ways: set[PlainDifference] = set()
    if {_side(first, language), _side(second, language)} == {True, False}:
        ways.add("opposite")
    ours, theirs = values(first, language), values(second, language)
    omitted_kinds = _kinds_lacking(ours, theirs, second, language)
    added_kinds = _kinds_lacking(theirs, ours, first, language)  # these alone contradict nothing
    if omitted_kinds:
        ways.add("omits")
    if omitted_kinds & added_kinds:
        ways.add("exchanges")
    return frozenset(ways)


def _side(reply: str, language: str) -> bool | None:
    """Return True if a reply begins with yes, False if it begins with no or with regret, and None otherwise."""
    to_the_point = without_courtesy(reply, language)
    side = polarity(to_the_point, language)
    return False if side is None and is_english(language) and _REGRET.match(to_the_point) else side


def _kinds_lacking(ours: Sequence[Value], theirs: Sequence[Value], other_reply: str, language: str) -> set[str]:
    """Return the kinds of the values that another reply, with the values `theirs`, does not contain in any form."""
    sizes = {size for number in numbers(other_reply, language) for size in (number.raw, number.value)}
    return {
        value.kind if value.kind in _APART else "number"
        for value in ours
        if value.kind != "name" and value.raw not in sizes and not any(value.same(other) for other in theirs)
    }
