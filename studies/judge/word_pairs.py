"""Pairs of words that may stand for one another or that exclude each other: what the word adapter is trained on.

From the package's own lists (`lexicons/classes.txt`, synonyms) and, where WordNet is installed, its synonyms, antonyms
and co-hyponyms (sisters under one parent), of words that occur in its counted texts. Each kind belongs to one of the
parts of `substitutions.py`; `held_out` leaves out the kinds of a part and every word of its test pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from substitutions import own_synonyms, part_of, substitutions, synonyms

from mutatis.measures.contrast import classes
from mutatis.measures.words import FUNCTION_WORDS
from mutatis.transformations import lexicon, wordnet

OF_A_CLASS = 60  # pairs of one class of the package's list
SISTERS = 6  # co-hyponyms of one word
UNRELATED = 8000
_SAME_KINDS = frozenset({"synonym", "alike", "unrelated"})  # belong to no part: only their words are held out


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPair:
    """Two words, whether one may stand for the other, and the kind of their relation."""

    words: tuple[str, str]
    same: bool
    kind: str


def _listed(rng: Random) -> Iterator[WordPair]:
    """Yield pairs of the package's own lists."""
    members: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for word, places in classes().items():
        for name, number in places:
            members[name][number].append(word)
    for name, groups in members.items():
        alike = name.startswith("alike")
        for words in groups.values():
            for other in words[1:]:
                yield WordPair(words=(words[0], other), same=True, kind="alike" if alike else name)
        apart = [] if alike else list(combinations(groups, 2))
        for group, other in rng.sample(apart, min(len(apart), OF_A_CLASS)):
            yield WordPair(words=(rng.choice(groups[group]), rng.choice(groups[other])), same=False, kind=name)
    for word, others in lexicon.synonyms().items():
        for other in others[:2]:
            yield WordPair(words=(word, other), same=True, kind="synonym")


@cache
def _uses() -> dict[str, int]:
    """Return how often WordNet's texts use each sense of a word, by WordNet's key; read at once, not word by word."""
    with wordnet._reader().open("cntlist.rev") as file:
        return {key: int(count) for key, _, count in (line.split() for line in file)}


@cache
def _senses() -> dict[str, list[tuple[int, Any]]]:
    """Return the senses in which WordNet's texts use each plain word, with their counts, the most frequent first."""
    senses_of: dict[str, list[tuple[int, Any]]] = defaultdict(list)
    for sense in wordnet._reader().all_synsets():
        for lemma in sense.lemmas():
            name, count = lemma.name(), _uses().get(lemma.key(), 0)
            if name.isalpha() and name.islower() and len(name) > 2 and count > 0:
                senses_of[name].append((count, sense))
    return {
        word: sorted(senses, key=lambda entry: (-entry[0], entry[1].name()))
        for word, senses in sorted(senses_of.items())
    }


def _sisters(word: str, sense: Any, rng: Random) -> list[str]:
    """Return some words under the same parent that are no synonym, no parent and no child of a word."""
    mine = [sense for _, sense in _senses()[word]]
    related = {
        name
        for sense in mine
        for other in (sense, *sense.hypernyms(), *sense.hyponyms())
        for name in other.lemma_names()
    }
    near = {
        lemma.name()
        for parent in sense.hypernyms()
        for sister in parent.hyponyms()
        for lemma in sister.lemmas()
        if lemma.name() in _senses() and _uses().get(lemma.key(), 0) > 0
    }
    known = sorted(near - related)
    return rng.sample(known, min(SISTERS, len(known)))


def _of_wordnet(rng: Random) -> Iterator[WordPair]:
    """Yield synonyms, antonyms and sisters of each word's most frequent sense."""
    for word, senses in _senses().items():
        home = senses[0][1]
        for lemma in home.lemmas():
            # also a main sense of the other word: "arms" may be "weapons", but hardly the other way round
            others = _senses().get(lemma.name(), ()) if lemma.name() != word else ()
            if any(sense == home for _, sense in others[:2]):
                yield WordPair(words=(word, lemma.name()), same=True, kind="synonym")
        for lemma in home.lemmas():
            for opposite in lemma.antonyms() if lemma.name() == word else ():
                if opposite.name() in _senses():
                    yield WordPair(words=(word, opposite.name()), same=False, kind=f"antonym-{home.pos()}")
        for other in _sisters(word, home, rng) if home.pos() in "nv" else ():
            yield WordPair(words=(word, other), same=False, kind=home.lexname())
    words = list(_senses())
    for _ in range(UNRELATED):
        first, other = rng.sample(words, 2)
        yield WordPair(words=(first, other), same=False, kind="unrelated")


@cache
def word_pairs() -> tuple[WordPair, ...]:
    """Return all pairs, each once; words that may stand for one another in any sense do not exclude each other."""
    rng = Random(0)
    pairs: dict[tuple[str, ...], WordPair] = {}
    for pair in (*_listed(rng), *(_of_wordnet(rng) if wordnet.wordnet_is_installed() else ())):
        key = tuple(sorted(pair.words))
        if len(set(key)) < 2 or FUNCTION_WORDS.intersection(key):
            continue
        if key not in pairs or (pair.same and not pairs[key].same):
            pairs[key] = pair
    return tuple(pairs.values())


def held_out(part: int) -> tuple[WordPair, ...]:
    """Return the pairs that share no class and no word with the substitutions of a part."""
    words = {
        word
        for substitution in (*substitutions(), *synonyms(), *own_synonyms())
        if substitution.fold == part
        for word in substitution.words
    }
    words |= {word for word, places in classes().items() if any(part_of(name) == part for name, _ in places)}
    return tuple(
        pair
        for pair in word_pairs()
        if not words.intersection(pair.words) and (pair.kind in _SAME_KINDS or part_of(pair.kind) != part)
    )
