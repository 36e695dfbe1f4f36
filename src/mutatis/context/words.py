"""Splits text for the context check into words, content stems and names, and compares stems.

Every function here is pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import groupby

from rapidfuzz import fuzz

from mutatis.text.normalisation import listed_words
from mutatis.text.segments import stem

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")


PRONOUNS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "he"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "she"),
    **dict.fromkeys(("it", "its", "itself"), "it"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they"),
}
"""The kind of each third-person pronoun: "he", "she", "it" or "they"."""
AUXILIARIES = listed_words(
    """is are was were be been being am do does did done have has had having can could will would shall should may might
    must"""
)
INTERROGATIVES = listed_words("who whom whose what which when where why how")
LIGHT_VERBS = listed_words(
    """get gets got getting give gives gave given make makes made go goes went gone say says said tell tells told let
    use uses used know knows known mention mentions mentioned"""
)
LINKS = listed_words(
    """and or nor but so if then than as because since until unless while though although however also too either
    neither both whether not no yes"""
)

# Closed-class words, light verbs and words that only point at the conversation: they carry no content of their own.
_ARTICLES = "a an the this that these those such"
_PERSONS = "i me my mine myself you your yours yourself we us our ours ourselves there here"
_PREPOSITIONS = """of in on at to for from with by about into onto out up down over under after before during between
among through throughout along across against within without upon per via like regarding concerning due off around near
besides beside aside apart except respect regard"""
_QUANTITIES = """all any anything anyone anybody some something someone somebody every everything everyone everybody
each few several many much more most less least other others another else only just even ever very really one
ones same"""
_VAGUE_NOUNS = """thing things way ways kind kinds sort sorts part aspect aspects article articles information info case
interesting important specific certain particular addition ok okay please thanks"""
_CONTRACTED = """don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't hasn't
haven't hadn't it's he's she's they're that's what's who's where's there's i'm you're we're i've they've he'd she'd
they'd i'll"""
FUNCTION_WORDS = frozenset(
    " ".join([_ARTICLES, _PERSONS, _PREPOSITIONS, _QUANTITIES, _VAGUE_NOUNS, _CONTRACTED, "well s t"]).split()
) | (PRONOUNS.keys() | AUXILIARIES | INTERROGATIVES | LIGHT_VERBS | LINKS)


def plain_words(text: str) -> list[str]:
    """Return the words of a text in order, without possessive endings.

    >>> plain_words("Zappa's band -- didn't it tour the U.S.?")
    ['Zappa', 'band', "didn't", 'it', 'tour', 'the', 'U.S']
    """
    matches = _WORD.findall(text.replace("’", "'"))
    return [word[:-2] if word.endswith(("'s", "'S")) and len(word) > 2 else word for word in matches]


def is_content(word: str) -> bool:
    """Return True if a word carries content: not a function word, and longer than one letter unless it is a digit.

    >>> [is_content(word) for word in ("band", "the", "x", "7")]
    [True, False, False, True]
    """
    return word.lower() not in FUNCTION_WORDS and (len(word) > 1 or word.isdigit())


@lru_cache(maxsize=50_000)
def content(text: str) -> frozenset[str]:
    """Return the stems of the content words in `text`.

    >>> sorted(content("What other albums did they release?"))
    ['album', 'releas']
    """
    return frozenset(stem(word) for word in plain_words(text) if is_content(word))


@lru_cache(maxsize=200_000)
def similar(left: str, right: str) -> bool:
    """Return True if two different stems are spellings or derivations of one word. Stems under five letters never are.

    >>> similar("compos", "composit"), similar("band", "bandit")
    (True, False)
    """
    if min(len(left), len(right)) < 5 or left[0] != right[0]:
        return False
    if left.startswith(right) or right.startswith(left):
        return True
    return abs(len(left) - len(right)) <= 2 and fuzz.ratio(left, right) >= 84


def contains(words: Collection[str], word: str) -> bool:
    """Return True if `words` contains `word` or a stem similar to it."""
    if word in words:
        return True
    return len(word) >= 5 and any(similar(word, other) for other in words if other[0] == word[0])


def names(text: str) -> list[tuple[str, ...]]:
    """Return the runs of capitalised content words in `text`, as stems. A run may include a sentence's first word.

    >>> names("Then Frank Zappa left for New York.")
    [('frank', 'zappa'), ('new', 'york')]
    """
    runs = groupby(plain_words(text), lambda word: word[0].isupper() and is_content(word))
    return [tuple(map(stem, run)) for is_name, run in runs if is_name]
