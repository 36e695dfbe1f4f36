"""Recognises the names of harm categories, which moderation systems use as labels and as keys of their scores."""

from __future__ import annotations

import re

from mutatis.text.normalisation import fold, listed_words

_HARMS = listed_words(
    "abuse abusive harassment harassing hate hateful insult offensive threat threatening obscene profanity sexual"
    " toxic toxicity identity_attack identity_hate bullying illicit violence violent selfharm suicide drugs weapons"
    " crime extremism terrorism graphic spam unsafe harmful dangerous"
)

_SELF_HARM = re.compile(r"self[\s_-]?harm")
_BETWEEN = re.compile(r"[\s_/-]")
_NONE = frozenset(("free", "anti", "counter", "low", "without", "non", "not", "no"))
"""Words in a category name that negate the harm."""

_ALONE = "graphic"
"""A word that means a harm only if it is the whole name, unlike in "graphic design"."""


def is_harm(name: str) -> bool:
    """Return True if a label names a category of harm.

    >>> [is_harm(name) for name in ("hate/threatening", "Severe Toxic", "sexual_explicit", "neutral", "not toxic")]
    [True, True, True, False, False]
    """
    parts = _BETWEEN.split(_SELF_HARM.sub("selfharm", fold(name).strip()))
    if not _NONE.isdisjoint(parts):
        return False
    return "_".join(parts) in _HARMS or any(part in _HARMS and part != _ALONE for part in parts)
