"""Relations for things that do not exist: the system must not confirm something that no service offers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mutatis.core.cases import Step
from mutatis.core.decision import Decision
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group
from mutatis.relations.output import ReadsEnglish, answer, without_answers
from mutatis.relations.said import open_decision, read_decision
from mutatis.relations.soundness import MUST_MOVE, PROBE
from mutatis.relations.table import CHAT, Row, grouped_by, register
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.sentences import sentences
from mutatis.transformations.near_names import RARE, UNHEARD

_HAS = re.compile(
    r"\b(?:there(?:['\u2019]s| is)|we (?:do )?(?:have|offer)|you(?:['\u2019]ll| will)? find)\b", re.IGNORECASE
)
"""Pattern of words that confirm that something exists."""
_DENIES = re.compile(r"\b(?:no|not|never|without|unfortunately|sorry|only)\b|n['\u2019]t\b|\?", re.IGNORECASE)
"""Pattern of words that deny or limit something, or of a question in return."""


def confirms(reply: str, item: str) -> bool | None:
    """Return True if a reply confirms that something exists, False if it denies this, or None if it does neither.

    >>> [confirms(reply, "ice rink") for reply in ("Yes, we do.", "Sorry, no.", "We have an ice rink.")]
    [True, False, True]
    >>> confirms("The pool is open from 9 to 17.", "ice rink")
    """
    first = next(iter(sentences(reply)), "")
    if _DENIES.search(reply) or is_lost(reply) or is_abstention(reply):
        return False
    return True if polarity(first) or (_HAS.search(reply) and item in reply.lower()) else None


class NotAllThere(ReadsEnglish):
    """Output relation: asked about several rare things, the system does not confirm that all of them exist."""

    for_readers = (
        "The follow-ups ask whether there is a bowling alley, a planetarium and an ice rink, one each. They must "
        "not all be answered with yes."
    )
    name = "not-all-there"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if every rare thing is confirmed.

        The verdict stays open if some of the answers are unclear and none of them says no.
        """
        if len(group.members) < len(RARE):
            return without_answers(judge)
        confirmed = [
            confirms(str(answer(group, place)), member.asked.annotations.get(UNHEARD, ""))
            for place, member in enumerate(group.members)
        ]
        expectation = "no service has all these"
        if all(confirmed):
            decision = read_decision(False, expectation, "each is confirmed")
            return replace(decision, worst=tuple(range(len(confirmed))))
        if False in confirmed:
            return read_decision(True, expectation)
        return open_decision("the answers do not say whether the things exist")


register(
    Row(
        "ask-for-unheard",
        NotAllThere(),
        (CHAT,),
        by=tuple(Step.of("ask-for-unheard", item=item) for item in RARE),
        says="A service does not claim to have a bowling alley, a planetarium and an ice rink.",
        change="name",
        tags=("ours", MUST_MOVE, PROBE),  # nobody asks most services for an ice rink
        matching=grouped_by(UNHEARD, *RARE),
    )
)
