"""Extracts plain statements from answers without a judge: values, items, actions and agreement.

It reads one text at a time, and does not guess at parts that it cannot interpret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mutatis.core.constraint import CAN_TELL
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.measures.by_folder import languages_read
from mutatis.measures.facts import Fact, facts, same_fact
from mutatis.relations.output import invalid_decision, on_answer, plain_decision
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, vocabulary
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
_BULLET = re.compile(
    r"^\s*(?:[-*\u2022]|\d{1,2}[.)])\s+(?P<item>[^\n:(\u2013]+?)(?:\s*[:(\u2013].*|\s+-\s.*)?$", re.MULTILINE
)
"""Pattern of a line of a list with its item, without what follows a colon, a bracket or a dash."""
_PIECE = r"[^\s,;:.!?][^,;:.!?\n]{0,40}?"
"""Pattern of one item in an enumeration, of up to 41 characters."""
_LIST = re.compile(rf"(?P<list>{_PIECE}(?:,\s+{_PIECE})+,?\s+(?:and|or)\s+{_PIECE})(?=[.;!?\n]|\Z)", re.IGNORECASE)
"""Pattern of an enumeration of at least three items: "the Nova, the Orbit and the Glide"."""
_PAIR = re.compile(rf":\s*(?P<list>{_PIECE}\s+and\s+{_PIECE})(?=[.;!?\n]|\Z)")
"""Pattern of two items after a colon. Without the colon, "and" may join anything."""
_ARTICLE = re.compile(r"^(?:and|or|the|a|an|our|your|both|also)\s+", re.IGNORECASE)
"""Pattern of a word before an item that does not belong to its name."""
_COMPLETE = re.compile(
    r"\b(?:that is|that's|these are|those are|this is|here is|here are)\s+(?:all|everything|the (?:full|whole))\b"
    r"|\b(?:complete|full|whole|entire)\s+(?:list|range|selection)\b|\bnothing else\b|\bno others?\b|\ball of our\b",
    re.IGNORECASE,
)
"""Pattern of words that call a list complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPlace:
    """The context of a value in an answer.

    It consists of the words around the value, and of flags for whether the sentence starts with the value and whether
    it hedges.
    """

    before: str
    after: str
    content: frozenset[str]
    hedged: bool
    first: bool = False

    def is_like(self, other: StatedPlace, *, shared: int = 1) -> bool:
        """Return True if two values have similar contexts.

        They must have the same word directly before or after them, or at least `shared` of the words around them in
        common.
        """
        framed = (self.before and self.before == other.before) or (self.after and self.after == other.after)
        return bool(framed) or len(self.content & other.content) >= shared

    def is_framed_as(self, other: StatedPlace) -> bool:
        """Return True if two values are preceded by the same word and followed by the same word."""
        return bool(self.before and self.after) and (self.before, self.after) == (other.before, other.after)


def value_places(answer: str, kind: Slot, names: Sequence[str] = ()) -> list[tuple[Value, StatedPlace]]:
    """Return the values of a kind in an answer, each with its context.

    `names` are the names of the products to look for.

    >>> [(value, place)] = value_places("Booked: a table for 4 people.", "count")
    >>> value.text, place.before, place.after
    ('4', 'for', 'people')
    """
    return [
        (value, _place(value, sentence, kind))
        for sentence in sentences(answer)
        for value in values_said(sentence, kind, names)
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
        first=value.start == 0,
        hedged=(
            HEDGED.search(sentence) is not None
            or _HOLDS.search(sentence[: value.start]) is not None
            or (kind == "product" and _COMPARED.search(sentence) is not None)
            or _is_every(value)
            or is_in_a_name(value, sentence)
        ),
    )


def _is_every(value: Value) -> bool:
    """Return True if a weekday is in the plural and so means every week, as in "classes are on Wednesdays"."""
    return value.measure == "weekday" and value.text.lower().endswith("s")


def listed_items(reply: str) -> frozenset[str]:
    r"""Return the items listed in a reply, from its bullets or else from its enumerations.

    >>> sorted(listed_items("We have the Nova, the Orbit tablet and the Glide mouse."))
    ['glide mouse', 'nova', 'orbit tablet']
    >>> sorted(listed_items("- Nova: 3 euros\n- Orbit (new)")), sorted(listed_items("It is."))
    (['nova', 'orbit'], [])
    """
    items = [match["item"] for match in _BULLET.finditer(reply)]
    if len(items) < 2:
        enumeration = _LIST.search(reply) or _PAIR.search(reply)
        items = re.split(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+", enumeration["list"]) if enumeration else []
        items[:1] = [_LEAD.sub("", first) for first in items[:1]]
    return frozenset(name for item in items if (name := _ARTICLE.sub("", item.strip().lower()).strip()))


_LEAD = re.compile(
    r"^.*\b(?:have|has|are|is|offer|offers|sell|include|includes|in|from|like|:)\s+(?=\S)", re.IGNORECASE
)
"""Pattern of the words that introduce a list, which precede its first item: "we have the Nova"."""


def is_complete(reply: str) -> bool:
    """Return True if a reply calls its list complete, or states the number of items in it.

    >>> is_complete("We have two: Nova and Orbit."), is_complete("Nova, Orbit and Glide. That is all we have.")
    (True, True)
    >>> is_complete("For example Nova, Orbit and Glide."), is_complete("We have five: Nova, Orbit and Glide.")
    (False, False)
    """
    listed = listed_items(reply)
    if not listed:
        return False
    words = [str(_ONES.index(word)) if word in _ONES else word for word in _WORD.findall(reply.lower())]
    return _COMPLETE.search(reply) is not None or str(len(listed)) in words


def stated(reply: str, language: str = "en") -> list[Fact]:
    """Return the facts in a reply that any reply to the same question should state. Names are left out.

    >>> [fact.text for fact in stated("Yes, Mr. Brown has 3 rooms from 4 May.")]
    ['3 rooms', '4 may']
    """
    return [fact for fact in facts(reply, language=language) if fact.kind in _STATED]


STATES = on_answer(
    name="source answer states an amount, a day, a time or a code",
    check=lambda evidence: (
        evidence.response is not None and bool(stated(evidence.response.text, evidence.case.language or ENGLISH[0]))
    ),
    broken="the source's answer states no amount, day, time or code",
    languages=languages_read(),
)


def open_decision(reason: str) -> Decision:
    """Return the decision INVALID, for an answer that cannot be interpreted.

    It counts neither as satisfied nor as violated.
    """
    return invalid_decision(reason, MEASURE, precondition=CAN_TELL)


def read_decision(held: bool, expectation: str, violation: str = "") -> Decision:
    """Return the decision on an answer that could be interpreted: satisfied if `held`, otherwise violated."""
    return plain_decision(held, expectation if held else f"{expectation}, but {violation}", MEASURE)


def are_opposed(first: bool | None, second: bool | None) -> bool:
    """Return True if one of two readings is True and the other False, and so neither is None."""
    return None not in (first, second) and first is not second


def is_among(fact: Fact, others: Iterable[Fact]) -> bool:
    """Return True if a fact is the same as one of the others."""
    return any(same_fact(fact, other) for other in others)
