"""Names that people confuse, things of one kind, and a question with one name replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from mutatis.languages import listed
from mutatis.text.normalisation import like
from mutatis.text.values import values
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.pieces import replaced_at


def look_alikes(name: str) -> list[str]:
    """Return the places whose names people confuse with a name.

    >>> look_alikes("Austria"), look_alikes("Hull")
    (['Australia'], [])
    """
    pairs = [line.split() for line in listed("look_alikes")]
    return [other for pair in pairs if name in pair for other in pair if other != name]


_BEFORE_THING = re.compile(r"(?<![\w-])(?:an?|the|my|your|for|with|of) \Z", re.IGNORECASE)
"""Words that may stand right before a thing. In "the city car", another word comes between."""


def thing_and_others(question: str) -> tuple[str, list[str]]:
    """Return the only object in a question that people own or buy, and others of its kind; "" and [] if there is none.

    >>> thing_and_others("Is it safe for my dog?"), thing_and_others("What is your phone number?")
    (('dog', ['cat', 'rabbit', 'hamster', 'guinea pig']), ('', []))
    """
    present = [(match, name) for name in _kinds_of_things() for match in re.finditer(rf"\b{name}\b", question)]
    if len(present) != 1:
        return "", []
    [(match, item)] = present
    is_whole = ends_phrase(question, match.end()) and _BEFORE_THING.search(question, 0, match.start())
    if not is_whole or question.startswith(" for ", match.end()):
        return "", []  # "a phone number" is no phone, and nobody has a lorry for children
    if any(value.kind in ("quantity", "age") for value in values(question)):
        return "", []  # nobody has a hamster of 4 kg
    return item, [other for other in _kinds_of_things()[item] if other != item]


@cache
def _kinds_of_things() -> Mapping[str, Sequence[str]]:
    """Return the objects that people own or buy, each with all objects of its kind."""
    kinds = [[name.replace("_", " ") for name in line.split()] for line in listed("kinds")]
    return {name: kind for kind in kinds for name in kind}


def with_name(question: str, old: str, new: str) -> str | None:
    """Return a question with one name replaced and the article adapted, or None if the old name does not occur."""
    match = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", question, re.IGNORECASE)
    if match is None:
        return None
    return replaced_at(question, *match.span(), new if new[:1].isupper() else like(match.group(), new))
