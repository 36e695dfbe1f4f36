"""Relations on comparisons: which of two things is cheaper does not depend on the wording of the question.

The words of each answer show which thing it calls cheaper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from mutatis.core.cases import Step
from mutatis.core.decision import Decision
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.relations.output import ReadsEnglish, answer, nothing
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


def cheaper_one(reply: str, noted: Mapping[str, str]) -> str | None:
    """Return the thing that a reply to a comparison of two things calls cheaper, or None if that is not clear.

    >>> asked = {"way": "dearer", "thing": "Basic", "other": "Duo"}
    >>> cheaper_one("Yes.", asked), cheaper_one("Basic costs more than Duo.", asked), cheaper_one("9 EUR.", asked)
    ('Basic', 'Duo', None)
    """
    item, other = noted["thing"], noted["other"]
    read = {_winner(sentence, item, other) for sentence in sentences(reply)} - {None}
    if len(read) == 1:
        return read.pop()
    side = side_begun(reply)
    if read or side is None or noted["way"] in ("which", "which round") or _UNCLEAR.search(reply):
        return None
    claimed = {"cheaper": item, "dearer": item, "cheaper round": other}[noted["way"]]
    return claimed if side else None  # a plain no leaves open whether both cost the same


def _winner(sentence: str, item: str, other: str) -> str | None:
    less, more = _LESS.search(sentence), _MORE.search(sentence)
    if (less is None) is (more is None) or _UNCLEAR.search(sentence):
        return None
    word = less or more
    assert word is not None, "one of the two is cheaper"
    low = sentence.casefold()
    places = {name: low.find(name.casefold()) for name in (item, other)}
    before = [name for name, place in places.items() if 0 <= place < word.start()]
    behind = [name for name, place in places.items() if place >= word.end()]
    subject = before[0] if len(before) == 1 else behind[0] if not before and len(behind) == 1 else None
    if subject is None or (subject in behind and re.search(r"\bthan\b", sentence[word.end() : places[subject]])):
        return None
    return subject if less else (other if subject == item else item)


@dataclass(frozen=True, slots=True)
class OneIsCheaper(ReadsEnglish):
    """Output relation `one-is-cheaper`: all answers call the same thing cheaper, whatever the order and wording."""

    expects: ClassVar[Expects] = "other"
    in_words = "the same of the two is cheaper"
    for_readers = (
        "The follow-ups compare the prices of the same two things, in either order and in other words: the answers "
        "must not disagree about which one is cheaper."
    )
    name: str = "one-is-cheaper"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if two answers call different things cheaper.

        Leave the verdict open unless at least two answers say which thing is cheaper.
        """
        told: dict[int, str] = {}
        for place, member in enumerate(group.members):
            noted = member.asked.annotations.get(COMPARED)
            reply = str(answer(group, place))
            if noted is not None and not is_lost(reply) and (named := cheaper_one(reply, noted)) is not None:
                told[place] = named
        if not group.members:
            return nothing(judge)
        if len(told) < len(("one", "other")):
            return open_decision("fewer than two of the answers say which one is cheaper")
        first, *others = told
        expectation = "the same one of the two should be cheaper, however they are compared"
        contradicting = next((place for place in others if told[place] != told[first]), None)
        if contradicting is None:
            return read_decision(True, expectation)
        decided = read_decision(False, expectation, f"it is {told[first]!r} once, and {told[contradicting]!r} then")
        return replace(decided, worst=(first, contradicting))


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
    ),
)
