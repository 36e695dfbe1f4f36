"""Finds the names of similar products in texts, such as "the Classic plan" and "the Premium plan".

The noun after a name is its kind. Without a noun, the kind is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

TEXTS = 2
"""Minimum number of different texts that contain a name."""

NAMES = 2
"""Minimum number of names of a kind, because a single product has no other to be compared with."""

_NAMED = re.compile(
    r"(?<=[a-z,] )(?P<name>[A-Z][a-z0-9]+(?:-[A-Za-z0-9]+)*(?: [A-Z][a-z0-9]+| [A-Z]?\d+){0,2})"
    r" (?P<kind>[a-z]{3,})(?!\w|['\u2019-]\w)"
)
"""Matches a capitalised name inside a sentence, with the noun after it."""


def product_kinds(texts: Iterable[str], common: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Return the names of products, grouped by kind, in alphabetical order.

    Args:
        texts: texts that may name products. A text that occurs twice counts once.
        common: lower-case words that cannot be part of a name or kind (everyday verbs, days, places, people).

    >>> asked = ["Is the Classic plan flat?", "I have the Classic plan.", "Is the Max plan dear?", "End my Max plan."]
    >>> product_kinds([*asked, "I like the Opera house."], {"the", "my"})
    (('Classic plan', 'Max plan'),)
    """
    kinds: dict[str, dict[str, set[str]]] = {}  # for each kind and name, the texts that contain it
    for text in dict.fromkeys(texts):
        for match in _NAMED.finditer(text):
            words = match["name"].lower().split()
            if match["kind"] not in common and not any(word in common for word in words):
                kinds.setdefault(match["kind"], {}).setdefault(match["name"], set()).add(text)
    groups = []
    for kind, names in sorted(kinds.items()):
        frequent = sorted(name for name, naming in names.items() if len(naming) >= TEXTS)
        if len(frequent) >= NAMES:
            groups.append(tuple(f"{name} {kind}" for name in frequent))
    return tuple(groups)


def head(name: str) -> str:
    """Return the noun at the end of a product's name, which is its kind, or "" if there is no such noun.

    >>> head("freedom card"), head("Nova phone"), head("Home Turbo"), head("hatchback")
    ('card', 'phone', '', '')
    """
    last = name.rsplit(" ", 1)[-1]
    return last if " " in name and last.islower() else ""


def same_thing(name: str, other: str) -> bool:
    """Return True if two names may refer to the same product: all words of one name occur in the other.

    >>> same_thing("Premium", "premium plan"), same_thing("Max plan", "Mini plan")
    (True, False)
    """
    first, second = set(name.casefold().split()), set(other.casefold().split())
    return first <= second or second <= first


def others_of(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that may replace a product's name: names of the same kind, or else all others.

    >>> others_of("gold card", ["gold card", "silver card", "Nova"]), others_of("Nova", ["Nova", "Orbit", "Nova phone"])
    (('silver card',), ('Orbit',))
    """
    others = [other for other in names if not same_thing(name, other)]
    alike = [other for other in others if head(name) and head(other) == head(name)]
    return tuple(alike or others)


@lru_cache(maxsize=4096)
def form_of(name: str, names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches mentions of a product: its name, the plural, or the distinctive part of the name.

    >>> bool(form_of("Nova phone", ("Orbit phone",)).search("The Nova is cheaper."))
    True
    >>> bool(form_of("gold card", ("silver card",)).search("The gold is cheaper."))
    False
    """
    ways = [r"[\s-]+".join(map(re.escape, name.split())) + r"(?:e?s)?"]
    shared = {word.casefold() for other in names if other != name for word in other.split()}
    part = [word for word in name.split() if word.casefold() not in shared and word != head(name)]
    # A word of every day that a name begins with ("gold") says nothing without the rest.
    if part and part[0][:1].isupper() and len(part[0]) > 2 and part != name.split():
        ways.append(r"(?-i:" + r"[\s-]+".join(map(re.escape, part)) + r")")
    return re.compile(rf"(?<![\w-])(?:{'|'.join(ways)})(?![\w-])", re.IGNORECASE)
