"""Asks about facilities so rare that no service has all of them."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds
from mutatis.transformations.several import judged_after

UNHEARD = "unheard of"
"""Annotation of a turn: the thing that it asks for instead of the one in the source."""

Rare: TypeAlias = Literal["bowling alley", "planetarium", "ice rink"]
RARE: tuple[Rare, ...] = ("bowling alley", "planetarium", "ice rink")
"""Things that people may ask any service for, although no service has all of them."""

_NO_THINGS = r"discount|price|fee|charge|limit|deadline|age|class|course|show|train|bus|way|period"
_PLACE = r"\s+(?:here|on site|nearby|at the [a-z]+|in (?:the|your) (?:building|house|hotel|centre|area))"
_EXISTS = re.compile(
    r"\s*(?P<lead>do you (?:also )?have|is there|have you got)\s+(?:an?|any)\s+"
    rf"(?P<thing>(?!(?:[a-z-]+ )?(?:{_NO_THINGS})s?\b)[a-z-]+(?:\s[a-z-]+)?)"
    rf"(?:\s+for\b[^?]*|(?P<place>{_PLACE}))?\?\s*\Z",
    re.IGNORECASE,
)


@conversation(
    "ask-for-unheard",
    capability="names and pronouns",
    says="a question about something that the service is unlikely to have",
)
def ask_for_unheard(rounds: Rounds, turns: tuple[Turn, ...], *, item: Rare = "bowling alley") -> Moved:
    """Ask for a bowling alley, a planetarium or an ice rink instead of what the question asks for.

    >>> turns = (Turn(fields={"message": "Do you have a sauna?"}),)
    >>> for _, turn in ask_for_unheard((0,), turns, item="ice rink"): print(turn.fields["message"])
    Do you have an ice rink?
    """
    match = _EXISTS.match(turns[-1].question) if len(turns) == 1 else None
    if match is None or match["thing"].lower() in RARE:
        raise UnusableFollowUp("the message does not ask whether something exists")
    article = "an" if item[0] == "i" else "a"
    text = f"{match['lead']} {article} {item}{match['place'] or ''}?"
    return judged_after(rounds, turns, 0, [], text, **{UNHEARD: item})
