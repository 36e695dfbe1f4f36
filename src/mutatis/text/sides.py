"""Recognises whether a reply answers the question with yes or no. Only the reply is read, not the question."""

from __future__ import annotations

import re

from mutatis.text.abstention import polarity
from mutatis.text.by_folder import reads, side_in
from mutatis.text.openers import without_openers
from mutatis.text.sentences import sentences

_DENIES = re.compile(
    r"\b(?:no|not|cannot|unfortunately|sadly|regret|only"
    r"|too (?:young|old|heavy|many|few|large|big|far|long|short|small|high|tall|wide|late)"
    r"|unable|impossible|must be|have to be|needs? to be)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_REGRETS = re.compile(r"\b(?:only|unfortunately|sadly|regret|sorry|afraid|at most)\b", re.IGNORECASE)
_AFFIRMS = re.compile(
    r"\b(?:yes|sure|certainly|of course|you can|can be|possible|welcome|allowed|may|free|fine|is booked|are booked"
    r"|gladly|that works)\b",
    re.IGNORECASE,
)
_AFFIRMS_NOT = re.compile(
    r"\b(?:not|never|no longer)\s+(?:be\s+)?(?:possible|welcome|allowed|free|fine)\b"
    r"|\b(?:you can|can be|may)\s+(?:not|never|no longer)\b|\bcannot be\b",
    re.IGNORECASE,
)
_SAYS_YES = re.compile(r"\b(?:yes|yeah|yep|of course|certainly|gladly)\b", re.IGNORECASE)
_PLEASANTRIES = re.compile(
    r"(?:(?:no (?:worries|problem|trouble|bother)(?: at all)?|not a problem"
    r"|(?:(?:i(?:['\u2019]m| am)|we(?:['\u2019]re| are)) )?(?:so |very |really )?sorry (?:for|about) [^.!?,;:]{1,60}+"
    r"|(?:thanks|thank you) for [^.!?,;:]{1,60}+)(?:[.!,;:-]\W*+|\Z))++",
    re.IGNORECASE,
)


def side_begun(reply: str) -> bool | None:
    """Return True if a reply begins with yes after its courtesies, False if it begins with no, and None otherwise.

    >>> side_begun("Sure. That is not possible."), side_begun("Gladly. No, it is not."), side_begun("Sure.")
    (None, False, True)
    """
    return polarity(next(iter(sentences(without_openers(reply))), ""))


def without_pleasantries(reply: str) -> str:
    """Remove courtesies, comfort and pity from the beginning of a reply.

    >>> without_pleasantries("Sorry about that! You get 50 % back."), without_pleasantries("No worries.")
    ('You get 50 % back.', '')
    """
    text = without_openers(reply)
    pleasant = _PLEASANTRIES.match(text)
    return text if pleasant is None else without_openers(text[pleasant.end() :])


def side_taken(reply: str, language: str = "en") -> bool | None:
    """Return True if a reply answers the question with yes, False if with no, and None if neither is clear.

    >>> side_taken("Sure. Sorry, that is only possible from 18 years on."), side_taken("Yes, up to 8 people.")
    (False, True)
    >>> side_taken("Our rule: 18 years and older.") is None, side_taken("No worries, you can.")
    (True, True)
    >>> side_taken("It is no longer possible."), side_taken("You may not bring dogs.")
    (False, False)
    """
    if reads(language):
        return side_in(reply, language)
    text = without_pleasantries(reply)
    first = next(iter(sentences(text)), "")
    if (said := polarity(first)) is not None:
        return said
    if _REGRETS.search(first):
        return None if _SAYS_YES.search(first) else False
    denies, affirms = _DENIES.search(first) is not None, _AFFIRMS.search(_AFFIRMS_NOT.sub(" ", first)) is not None
    return None if denies == affirms else affirms
