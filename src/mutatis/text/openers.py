"""The courtesies with which a reply opens: "Sure.", "Happy to help!". Where more follows, they take no side.

A system that opens every reply alike says "Sure." before a refusal, too. Must not know what is read from the rest.
"""

from __future__ import annotations

import re

from mutatis.text.normalisation import fold
from mutatis.text.sentences import sentences

_WILLING = (
    r"sure(?: thing)?|of course|certainly|absolutely|definitely|gladly|ok(?:ay)?|all ?right|right|no problem|great"
)
_COURTESY = (
    r"(?:i(?: am|['\u2019]m)? |we(?: are|['\u2019]re)? )?(?:(?:would|['\u2019]d) be )?(?:very |more than )?"
    r"(?:happy|glad|pleased) to help(?: you)?(?: with that)?|(?:many )?thanks?(?: you)?(?: (?:so|very) much)?"
    r"(?: for (?:asking|your (?:message|question|patience|interest)|writing|getting in touch|reaching out))?"
    r"|(?:hello|hi|hey)(?: there)?|good (?:morning|afternoon|evening|day|question)|that is a good question"
    r"|you(?:['\u2019]| a)re welcome|let me (?:see|check|have a look)|welcome|(?:a|my) pleasure|i (?:see|understand)"
    r"|understood|noted"
)
_OPENER = re.compile(rf"\W*+(?:{_WILLING}|{_COURTESY})(?:\W++(?:{_WILLING}|{_COURTESY}))*+\W*+")


def is_opener(sentence: str) -> bool:
    """Whether a sentence is a courtesy and nothing else.

    >>> [is_opener(text) for text in ("Sure!", "Happy to help.", "Sure, it is 5 euros.", "Yes.")]
    [True, True, False, False]
    """
    return _OPENER.fullmatch(" ".join(fold(sentence).split())) is not None


def without_openers(reply: str) -> str:
    """Return a reply without the courtesies before it; all of it where nothing else is there.

    >>> without_openers("Sure. I am sorry, I cannot do that."), without_openers("Sure.")
    ('I am sorry, I cannot do that.', 'Sure.')
    """
    parts = sentences(reply)
    first = next((place for place, part in enumerate(parts) if not is_opener(part)), 0)
    return reply if not first else reply[reply.find(parts[first]) :]
