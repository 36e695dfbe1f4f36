"""Finds mentions of values in a turn, with the words and domains around them, for the built-in tracker.

It does not decide which slots the values fill. The tracker's classifiers do that.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mutatis.extending import fold

WORD = re.compile(r"\w+(?:[:.']\w+)*|[^\w\s]")
_DOMAINS: Mapping[str, tuple[str, ...]] = {
    "hotel": ("hotel", "hotels", "guesthouse", "guesthouses", "room", "stay", "lodging", "nights", "stars"),
    "restaurant": ("restaurant", "restaurants", "food", "eat", "dine", "dining", "table", "cuisine"),
    "attraction": ("attraction", "attractions", "museum", "museums", "college", "visit", "theatre"),
    "taxi": ("taxi", "cab", "taxis"),
    "train": ("train", "trains", "ticket", "tickets"),
}
_DOMAIN_OF = {word: domain for domain, words in _DOMAINS.items() for word in words}
_STOP_WORDS = """
a an and any are arriving after at be before but by can could do for free from get have i if in is it leaving me my near
need no of on or please so some that there then this to town want we with would you your
"""
_STOP = frozenset(_STOP_WORDS.split())
_LEADS = re.compile(r"\b(?:from|to|called|named|at|about|find|visit|the)\b ", re.IGNORECASE)
_SPAN = re.compile(r"(?:the )?[\w'&]+(?: [\w'&]+){0,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A mention of an area, a time, a place or another value in a turn. `value` has the usual spelling."""

    kind: str
    value: str
    start: int
    end: int


@cache
def lexicon() -> Mapping[str, Any]:
    """Return the word lists and patterns written for the tracker."""
    path = Path(__file__).parent / "patterns.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


_CARELESS = re.compile(
    r"any(?:where|thing)?(?= is| will|\W*$)|(?:do|does)(?: not|n't) (?:really )?(?:care|mind|matter)|no preference"
    r"|anything|anywhere|whatever|not (?:really )?(?:particular|important)"
)
_MORE_SIGHTS = ("museums", "colleges", "theater", "nightclub", "pool", "boats", "architectural")
_STAYS = ("hotel", "guesthouse", "guest house", "hotels", "guesthouses", "guest houses")


@cache
def _finders() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each kind of mention. If several match the same words, the first one is used."""
    values = lexicon()["values"]

    def either(*words: str) -> re.Pattern[str]:
        longest = sorted(words, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    return {
        "time": re.compile(r"(?<!\w)(?:\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)(?!\w)"),
        "dontcare": _CARELESS,
        "parking": either("parking", "park my car"),
        "internet": either("internet", "wifi", "wi-fi"),
        "day": either(*values["day"]),
        "food": either(*values["food"], *values["more_food"]),
        "sight": either(*values["sight"], *_MORE_SIGHTS),
        "stay": either(*_STAYS),
        "area": either(*values["area"], "center"),
        "pricerange": either(*values["pricerange"], "moderately priced", "inexpensive", "mid-range"),
        "number": either(*values["number"], "seven", "eight", "one", "9"),
    }


def mentions(text: str) -> list[Mention]:
    """Return the mentions of values in a turn, in order of position.

    If mentions overlap, the kind that is searched for first takes precedence.

    >>> [(m.kind, m.value) for m in mentions("a cheap hotel in the north for two people")]
    [('pricerange', 'cheap'), ('stay', 'hotel'), ('area', 'north'), ('number', 'two')]
    >>> [(m.kind, m.value) for m in mentions("a taxi from Kite Hill to the station at 5 pm")]
    [('place', 'kite hill'), ('place', 'the station'), ('time', '5 pm')]
    """
    folded = fold(text)
    candidates = [
        Mention(kind=kind, value=match.group(), start=match.start(), end=match.end())
        for kind, pattern in _finders().items()
        for match in pattern.finditer(folded)
    ]
    candidates += _places(folded)
    kept: list[Mention] = []
    for mention in candidates:
        if all(mention.end <= other.start or mention.start >= other.end for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def _places(folded: str) -> Iterator[Mention]:
    """Yield possible names: the words after "from", "to", "called" and so on, up to a word that ends a name."""
    for lead in _LEADS.finditer(folded):
        span = _SPAN.match(folded, lead.end())
        if span is None:
            continue
        words = span.group().split()
        first = 1 if words[0] == "the" else 0
        end = next((i for i, word in enumerate(words) if i >= first and word in _STOP), len(words))
        value = " ".join(words[:end])
        if end > first:
            yield Mention(kind="place", value=value, start=lead.end(), end=lead.end() + len(value))


def named_domains(text: str) -> list[str]:
    """Return the domains named in a text, in order.

    >>> named_domains("a taxi to the restaurant")
    ['taxi', 'restaurant']
    """
    return list(dict.fromkeys(d for word in WORD.findall(fold(text)) if (d := _DOMAIN_OF.get(word))))


def features(mention: Mention, text: str, service: str, active: str) -> dict[str, float]:
    """Return the features of a mention: the surrounding words, the service's question, and the domains mentioned."""
    folded = fold(text)
    before = WORD.findall(folded[: mention.start])[-4:]
    after = WORD.findall(folded[mention.end :])[:3]
    asked = WORD.findall(fold(service))
    weights = {f"before {len(before) - place} {word}": 1.0 for place, word in enumerate(before)}
    weights |= {f"near {word}": 1.0 for word in (*before[-2:], *after[:2])}
    weights |= {f"after {place} {word}": 1.0 for place, word in enumerate(after)}
    weights |= {f"here {domain}": 2.0 for domain in named_domains(text)}
    weights |= {f"asked {word}": 0.7 for word in asked[-12:]}
    weights |= {f"asked {domain}": 1.0 for domain in named_domains(service)}
    weights[f"active {active}"] = 1.5
    return weights
