"""Transformations that replace, insert or drop words, by the package's own lexicons.

Nested in their share; protected strings are left alone. A text with nothing to replace comes back unchanged. Must not
know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal

from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.transformations import lexicon
from mutatis.transformations.pieces import choose_edits, edited, like, with_articles, words

_NEGATIONS = frozenset({"not", "no", "never", "hardly", "barely", "scarcely", "neither", "nor", "without", "cannot"})
_DEGREES = frozenset(
    {"very", "really", "extremely", "so", "too", "quite", "rather", "fairly", "pretty", "more", "most", "less", "least"}
    | {"as", "how", "truly", "highly", "incredibly", "deeply", "almost", "nearly", "somewhat", "slightly", "a-bit"}
)
_INTENSIFIERS = ("very", "really", "extremely", "truly")
_SPELLING_RULES = (
    (re.compile(r"(?<=\w)ie(?=\w)"), "ei"),
    (re.compile(r"(?<=c)ei(?=\w)"), "ie"),
    (re.compile(r"([bcdfglmnprst])\1(?=\w)"), r"\1"),
    (re.compile(r"(?<=\w)ance(?=s?\Z)"), "ence"),
    (re.compile(r"(?<=\w)ence(?=s?\Z)"), "ance"),
    (re.compile(r"(?<=\w\w)ent(?=s?\Z|ly\Z)"), "ant"),
    (re.compile(r"(?<=\w\w)ant(?=s?\Z|ly\Z)"), "ent"),
    (re.compile(r"(?<=\w)able\Z"), "ible"),
    (re.compile(r"(?<=\w)ible\Z"), "able"),
    (re.compile(r"(?<=[lt])ely\Z"), "ly"),
    (re.compile(r"(?<=\w)ful\Z"), "full"),
    (re.compile(r"(?<=\w)ough(?=t?\Z)"), "ouhg"),
    (re.compile(r"(?<=\w)tion(?=s?\Z)"), "toin"),
)


def replace_from(table: lexicon.Table, text: str, rng: Random, share: float, protected: Sequence[str]) -> str:
    """Replace a share of the words that the table knows, keeping letter case and mending "a" and "an"."""
    found = [m for m in words(text, protected) if m.group().lower() in table]

    def choice(word: str, rng: Random) -> str:
        choices = table[word.lower()]
        return like(word, choices[int(rng.random() * len(choices))])

    edits = choose_edits(found, rng, share, choice)
    return edited(text, edits if protected else with_articles(text, edits))


@transformation("synonyms-lexicon")
def synonyms_lexicon(text: str, rng: Random, *, share: Share = 0.5, protected: tuple[str, ...] = ()) -> str:
    """Replace a share of the words that the package's lexicon knows by synonyms in the same form.

    >>> synonyms_lexicon("A huge crowd bought the film.", Random(1), share=1.0)
    'An immense throng purchased the movie.'
    """
    return replace_from(lexicon.synonyms(), text, rng, share, protected)


def _polar_words(text: str) -> list[str]:
    known = lexicon.word_set("intensifiable") | lexicon.word_set("polar")
    return [word for m in words(text) if (word := m.group().lower()) in known]


@transformation("antonyms-lexicon")
def antonyms_lexicon(
    text: str,
    rng: Random,
    *,
    share: Share = 1.0,
    which: Literal["all", "polar"] = "all",
    protected: tuple[str, ...] = (),
) -> str:
    """Replace a share of the words that the package's lexicon knows by words that say the opposite.

    `which = "polar"`: only words of praise and blame, and only in texts where most of these have an antonym, so that
    what is felt really turns round.

    >>> antonyms_lexicon("A good old film, always funny.", Random(1))
    'A bad young film, never humourless.'
    >>> antonyms_lexicon("A good old film, always funny.", Random(1), which="polar")
    'A bad old film, always humourless.'
    """
    table = lexicon.antonyms()
    if which == "polar":
        polar = _polar_words(text)
        table = {word: table[word] for word in polar if word in table}
        if 2 * sum(word in table for word in polar) <= len(polar):
            return text
    return replace_from(table, text, rng, share, protected)


@transformation("misspell")
def misspell(text: str, rng: Random, *, share: Share = 0.5, protected: tuple[str, ...] = ()) -> str:
    """Misspell a share of the words that people misspell: by a list, else by habits such as "ei" for "ie".

    >>> misspell("They believe in a different priest.", Random(1), share=1.0)
    'They beleive in a diffrent preist.'
    """
    return edited(text, choose_edits(_misspellable(text, protected), rng, share, _misspelt))


def _misspellable(text: str, protected: Sequence[str]) -> list[re.Match[str]]:
    return [m for m in words(text, protected) if misspellings_of(m.group().lower())]


@lru_cache(maxsize=1 << 16)
def misspellings_of(word: str) -> tuple[str, ...]:
    """Return the ways in which people misspell a word in lower case; empty where none is known.

    >>> misspellings_of("friend"), misspellings_of("tea")
    (('freind',), ())
    """
    known = lexicon.misspellings().get(word)
    if known or len(word) < 5 or not word.isalpha():
        return known or ()
    return tuple(rule.sub(wrong, word, count=1) for rule, wrong in _SPELLING_RULES if rule.search(word))[:2]


def _misspelt(word: str, rng: Random) -> str:
    ways = misspellings_of(word.lower())
    return like(word, ways[int(rng.random() * len(ways))])


@transformation("insert-words-rules")
def insert_words_rules(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Insert unrelated words from the package's own list before a share of the words.

    >>> insert_words_rules("The film was a quiet joy.", Random(1))
    'suitcase The film was a quiet joy.'
    """
    stock = lexicon.word_list("neutral")
    return edited(
        text,
        choose_edits(
            words(text, protected), rng, share, lambda word, rng: f"{stock[int(rng.random() * len(stock))]} {word}"
        ),
    )


def keywords(text: str, protected: Sequence[str] = ()) -> list[re.Match[str]]:
    """Return the key words: those that are no function words and have more than two letters.

    >>> [m.group() for m in keywords("Who wrote the play about the king?")]
    ['wrote', 'play', 'king']
    """
    function_words = lexicon.word_set("function_words")
    return [m for m in words(text, protected) if len(m.group()) > 2 and m.group().lower() not in function_words]


@transformation("random-keywords-rules")
def random_keywords_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Replace a share of the key words by random words from the package's own list.

    >>> random_keywords_rules("Who wrote the play about the king?", Random(1))
    'Who suitcase the dial about the lattice?'
    """
    stock = lexicon.word_list("neutral")

    def other(word: str, rng: Random) -> str:
        drawn = int(rng.random() * len(stock))
        return like(word, stock[drawn if stock[drawn] != word.lower() else drawn - 1])

    return edited(text, choose_edits(keywords(text, protected), rng, share, other))


@transformation("remove-keywords-rules")
def remove_keywords_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Delete a share of the key words, each with the blank before it.

    >>> remove_keywords_rules("Who wrote the play about the king?", Random(1))
    'Who the about the?'
    """
    edits = choose_edits(keywords(text, protected), rng, share, lambda _, __: "")
    return edited(text, [(start - (text[start - 1 : start] == " "), end, new) for start, end, new in edits])


def _gradable(text: str, protected: Sequence[str]) -> list[re.Match[str]]:
    """Find gradable words that nothing grades or negates yet."""
    known = lexicon.word_set("intensifiable")
    all_words = words(text)
    free = {m.start() for m in words(text, protected)} if protected else None
    found = []
    for index, word in enumerate(all_words):
        if word.group().lower() not in known or (free is not None and word.start() not in free):
            continue
        before = [m.group().lower() for m in all_words[max(0, index - 3) : index]]
        negated = any(w in _NEGATIONS or w.endswith(("n't", "n\u2019t")) for w in before)
        if not negated and not (before and before[-1] in _DEGREES) and text[word.start() - 1 : word.start()] != "-":
            found.append(word)
    return found


@transformation("emphasis-rules")
def emphasis_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Put an intensifier before a share of the gradable words of praise and blame, unless negated or graded.

    >>> emphasis_rules("An honest film, not funny, with a dull end.", Random(1))
    'A truly honest film, not funny, with a really dull end.'
    """

    def intensified(word: str, rng: Random) -> str:
        added = _INTENSIFIERS[int(rng.random() * len(_INTENSIFIERS))]
        return f"{like(word, added)} {word.lower() if word[:1].isupper() and not word.isupper() else word}"

    edits = choose_edits(_gradable(text, protected), rng, share, intensified)
    return edited(text, edits if protected else with_articles(text, edits))


@transformation("capital-keywords-rules")
def capital_keywords_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Write a share of the words that carry a sentiment in upper case; where there are none, the longest key word.

    >>> capital_keywords_rules("A funny film that I loved.", Random(1))
    'A FUNNY film that I LOVED.'
    """
    known = lexicon.word_set("intensifiable") | lexicon.word_set("polar")
    found = [m for m in words(text, protected) if m.group().lower() in known]
    if not found:
        found = sorted(keywords(text, protected), key=lambda m: m.start() - m.end())[:1]
    return edited(text, choose_edits(found, rng, share, lambda word, _: word.upper()))
