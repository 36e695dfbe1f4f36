"""Finds other names that fit a question, judging by how the questions and replies of the run use them.

A name of the same kind does not always fit. A kayak is rented by the hour and a hut by the night, and "the Basic
membership" cannot become "the Basic class".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from mutatis.core.dictionary import Dictionary, Exchange
from mutatis.languages import word_set
from mutatis.text.sentences import sentences
from mutatis.text.values import values
from mutatis.transformations.formats import ends_phrase

BEHIND_NAME = re.compile(
    r"\s*(?:[?.,!]|\Z)|\s+(?:per|by|(?:in|on|at|for|to|with|from)(?! [A-Z])|still|already|now|today|abroad|and|or"
    r"|have|has|had|be|been|cost|costs"
    r"|take|takes|run|runs|last|lasts|come|comes|include|includes|need|needs|weigh|weighs|leave|leaves|open|opens|close"
    r"|closes|start|starts|begin|begins|end|ends|stop|stops|work|works|fit|fits|cover|covers|available|valid|closed"
    r"|sung|shown|free|covered|included|disrupted|cheaper|dearer|safe|good)\b",
    re.IGNORECASE,
)
"""Text that may follow a complete name. In "the Glide mouse", the name is not complete without its noun."""

_DETERMINED = re.compile(
    r"(?P<verb>\b(?:do|does|did|can|will|may)\s+)?\b(?:an?|the|my|your|our|\d+)\s+\Z", re.IGNORECASE
)
_NOUN = re.compile(r" (?P<noun>[a-z]{3,})\b(?! (?:of|the|an?|my|your)\b)")
_RATE = re.compile(
    r"\b(?:per|an?|each|every|one|two|three|four|five|\d+) (?:whole |full )?(hour|night|day|week|month|year)s?\b",
    re.IGNORECASE,
)
_PRICE_WORDS = frozenset({"much", "cost", "costs", "price", "fee", "charge", "expensive", "get", "have"})
PART_OF = re.compile(r"\b(?:new|spare|broken) [a-z]+ (?:for|of|on|in) (?:an?|the|my) \Z", re.IGNORECASE)
"""Text before a thing that needs a new part, as in "a new zip for the jacket". Other things may lack that part."""

_IS_THERE = re.compile(r"(?:is|are) there\b|do you have\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\band\b|[.!?]\s", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_STEM = 5


def fitting_names(question: str, name: str, others: Sequence[str], dictionary: Dictionary) -> Iterator[tuple[str, str]]:
    """Yield, for each other name that fits, the words to replace in a question and their replacement.

    If both names only ever occur with a noun of their own, the noun is replaced, too. If the name has a noun in the
    question, the other name must take this noun or none; a name without one must be asked about in the same way.

    >>> talk = [("Is the Nova phone dear?", "No."), ("Is the Orbit tablet dear?", "Yes.")]
    >>> known = Dictionary(exchanges=tuple(Exchange(question=q, reply=r) for q, r in talk))
    >>> list(fitting_names("How much is the Nova phone?", "Nova", ["Orbit"], known))
    [('Nova phone', 'Orbit tablet')]
    """
    start = question.find(name)
    noun, noun_as_written = _noun_behind(question, start, start + len(name))
    nouns = {each: _nouns_of(each, dictionary.exchanges) for each in (name, *others)}
    noun_of_name_only = noun and nouns[name] <= {noun} and not any(noun in nouns[other] for other in others)
    for other in others:
        if not _in_one_case(name, other):
            continue
        if noun_of_name_only and noun_as_written == noun and len(nouns[other]) == 1:
            [other_noun] = nouns[other]
            yield f"{name} {noun}", f"{other} {other_noun}"
        elif noun:
            if noun in nouns[other] or not (nouns[other] or other.islower()):
                yield name, other
        elif _may_share(nouns[name], nouns[other]) and _is_asked_alike(question, name, other, dictionary):
            yield name, other


def _may_share(known: frozenset[str], others: frozenset[str]) -> bool:
    return not (known and others) or bool(known & others)


def _in_one_case(name: str, other: str) -> bool:
    """Return True if both names are capitalised or neither is. An abbreviation fits either case."""
    abbreviated = any(len(each) > 1 and each.isupper() for each in (name, other))
    return abbreviated or name[0].islower() is other[0].islower()


def _is_plural(noun: str) -> bool:
    return noun[0].islower() and noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def _noun_behind(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the noun after a name, in the singular and as written, or "" if no noun belongs to the name.

    >>> text = "How much is the Basic plan, and when does the night bus come?"
    >>> _noun_behind(text, 16, 21), _noun_behind(text, text.index("night"), text.index(" come"))
    (('plan', 'plan'), ('', ''))
    """
    lead, noun = _DETERMINED.search(text, 0, start), _NOUN.match(text, end)
    if lead is None or noun is None or BEHIND_NAME.match(text, end) or ends_phrase(text, end):
        return "", ""
    if lead["verb"] and ends_phrase(text, noun.end()):
        return "", ""  # "does the Basic reach?"
    return re.sub(r"(?<=ss)es\Z|(?<=[xh])es\Z|(?<!s)s\Z", "", noun["noun"]), noun["noun"]


@lru_cache(maxsize=1024)
def _nouns_of(name: str, exchanges: Sequence[Exchange]) -> frozenset[str]:
    """Return the nouns that follow a name in the questions of the run."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    asked = (each.question for each in exchanges if name in each.question)
    return frozenset(
        noun for text in asked for match in pattern.finditer(text) if (noun := _noun_behind(text, *match.span())[0])
    )


def _is_asked_alike(question: str, name: str, other: str, dictionary: Dictionary) -> bool:
    """Return True if a question about one item can also be asked about another.

    Both must be singular or both plural. For common nouns, earlier questions or replies must use the same units of time
    and similar words for both.
    """
    if _is_plural(name) is not _is_plural(other):
        return False
    if not (name.islower() or other.islower()):
        return True
    asked = question.replace(name, " ", 1)
    if not _units(asked) <= _units_of(other, dictionary.exchanges):
        return False
    return not _matter(asked) or _may_share(*(_ways(each, dictionary.exchanges) for each in (name, other)))


def _units(text: str) -> frozenset[str]:
    return frozenset(unit.lower() for unit in _RATE.findall(text))


@lru_cache(maxsize=1024)
def _units_of(name: str, exchanges: Sequence[Exchange]) -> frozenset[str]:
    """Return the units of time in questions about an item, or in replies that state its price."""
    units = set[str]()
    for each in exchanges:
        asked = _has(name, each.question)
        units |= _units(each.question) if asked else set()
        for sentence in sentences(each.reply):
            if (asked or _has(name, sentence)) and any(value.kind == "amount" for value in values(sentence)):
                units |= _units(sentence)
    return frozenset(units)


@lru_cache(maxsize=1024)
def _ways(name: str, exchanges: Sequence[Exchange]) -> frozenset[str]:
    """Return the questions about one item, with its name removed, and their content words.

    Questions such as "Is there a sauna?" keep the name, because they can be asked about anything.
    """
    asked = [each.question for each in exchanges if _has(name, each.question) and not _SEVERAL.search(each.question)]
    others = [question if _IS_THERE.match(question) else _written(name).sub("_", question) for question in asked]
    return frozenset([*others, *(word for text in others for word in _matter(_written(name).sub(" ", text)))])


def _has(name: str, text: str) -> bool:
    return _written(name).search(text) is not None


@lru_cache(maxsize=1024)
def _written(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?:e?s)?(?![\w-])", re.IGNORECASE)


def _matter(text: str) -> frozenset[str]:
    small = word_set("function_words") | _PRICE_WORDS
    words = (word for word in _WORD.findall(_RATE.sub(" ", text[:1].lower() + text[1:])) if word.islower())
    return frozenset(word[:_STEM] for word in words if word not in small and len(word) > 2)
