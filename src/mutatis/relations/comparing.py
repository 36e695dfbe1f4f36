"""Relations on comparisons: which of two things is cheaper does not depend on the wording of the question.

The words of each answer show which thing it calls cheaper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mutatis.core.cases import Step
from mutatis.core.decision import Decision
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group
from mutatis.relations.output import ReadsEnglish, answer
from mutatis.relations.said import open_decision, read_decision
from mutatis.relations.soundness import LOGIC, READ
from mutatis.relations.table import CHAT, Row, grouped_by, register
from mutatis.text.abstention import is_lost
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun
from mutatis.transformations.lists import COMPARED, COMPARINGS

_LESS = re.compile(r"\b(?:cheaper|cheapest|less expensive|least expensive|costs? less|lower)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:more expensive|most expensive|dearer|pricier|costs? more|higher)\b", re.IGNORECASE)
_UNCLEAR = re.compile(
    r"\?|\b(?:if|depends|same|equal(?:ly)?|both|neither|unless)\b|n['\u2019]t\b|\bnot\b", re.IGNORECASE
)
"""Pattern of words that leave open which of two things is cheaper."""


def cheaper_one(reply: str, comparison: Mapping[str, str]) -> str | None:
    """Return the thing that a reply to a comparison of two things calls cheaper, or None if that is not clear.

    >>> asked = {"way": "dearer", "thing": "Basic", "other": "Duo"}
    >>> cheaper_one("Yes.", asked), cheaper_one("Basic costs more than Duo.", asked), cheaper_one("9 EUR.", asked)
    ('Basic', 'Duo', None)
    """
    first, other, way = comparison["thing"], comparison["other"], comparison["way"]
    named = {_cheaper_in(sentence, first, other) for sentence in sentences(reply)} - {None}
    if named:
        return named.pop() if len(named) == 1 else None
    # A plain no leaves open whether both cost the same, and no yes or no answers "which".
    if way in ("which", "which round") or _UNCLEAR.search(reply) or not side_begun(reply):
        return None
    return other if way == "cheaper round" else first


def _cheaper_in(sentence: str, first: str, other: str) -> str | None:
    """Return which of two things a sentence calls cheaper, or None if that is not clear."""
    less, more = _LESS.search(sentence), _MORE.search(sentence)
    if (less is None) is (more is None) or _UNCLEAR.search(sentence):
        return None
    subject = _subject(sentence, less or more, (first, other))
    if subject is None or less:
        return subject
    return other if subject == first else first


def _subject(sentence: str, word: re.Match[str] | None, names: Sequence[str]) -> str | None:
    """Return which of two names a sentence calls cheaper or dearer, by its place before or after that word.

    Return None if that is not clear: "cheaper than Duo" does not call Duo cheaper.
    """
    assert word is not None, "one of the two is cheaper"
    places = {name: sentence.casefold().find(name.casefold()) for name in names}
    before = [name for name, place in places.items() if 0 <= place < word.start()]
    after = [name for name, place in places.items() if place >= word.end()]
    if len(before) == 1:
        return before[0]
    if before or len(after) != 1 or re.search(r"\bthan\b", sentence[word.end() : places[after[0]]]):
        return None
    return after[0]


class OneIsCheaper(ReadsEnglish):
    """Output relation `one-is-cheaper`: all answers call the same thing cheaper, whatever the order and wording."""

    for_readers = (
        "The follow-ups compare the prices of the same two things, in either order and in other words: the answers "
        "must not disagree about which one is cheaper."
    )
    name = "one-is-cheaper"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if two answers call different things cheaper.

        Leave the verdict open unless at least two answers say which thing is cheaper.
        """
        cheaper: dict[int, str] = {}
        for place, member in enumerate(group.members):
            comparison = member.asked.annotations.get(COMPARED)
            reply = str(answer(group, place))
            if comparison is not None and not is_lost(reply) and (named := cheaper_one(reply, comparison)) is not None:
                cheaper[place] = named
        if len(cheaper) < 2:
            return open_decision("fewer than two of the answers say which one is cheaper")
        first, *others = cheaper
        expectation = "the same one of the two should be cheaper, however they are compared"
        contradicting = next((place for place in others if cheaper[place] != cheaper[first]), None)
        if contradicting is None:
            return read_decision(True, expectation)
        violation = f"it is {cheaper[first]!r} once, and {cheaper[contradicting]!r} then"
        return replace(read_decision(False, expectation, violation), worst=(first, contradicting))


register(
    Row(
        "compare-prices",
        OneIsCheaper(),
        (CHAT,),
        by=tuple(Step.of("compare-prices", way=way) for way in COMPARINGS),
        says="The same one of two things is cheaper, whatever the order and words of the comparison.",
        purpose=LOGIC,
        change="order",
        tags=("ours", "together"),
        matching=grouped_by(COMPARED, *COMPARINGS[:2], key="way"),
        enough=READ,
    )
)
