"""METAL's perturbations of a question, undone if the meaning changes too much (MORTAR, baselines).

Each perturbation is a plain transformation followed by a check with sentence embeddings. If all of `tries` perturbed
questions differ too much in meaning, the original question is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Annotated

from mutatis.core.languages import ENGLISH
from mutatis.core.parameters import Share, Within
from mutatis.core.transformation import transformation
from mutatis.text import embedder
from mutatis.text.memory import kept_within
from mutatis.transformations.characters import keyboard_typos, leet
from mutatis.transformations.wordnet import with_synonyms
from mutatis.transformations.words import insert_words_rules, synonyms_lexicon

Cosine = Annotated[float, Within(-1.0, 1.0)]

Tries = Annotated[int, Within(1, 10)]

LEAST = 0.8
"""Minimum cosine similarity between a question and its perturbed form. Below it, the original question is kept."""


def _first_similar(text: str, perturb: Callable[[], str], least_cosine: float, tries: int) -> str:
    """Return the first of `tries` perturbations that is similar enough to the text, or the text itself.

    At a cosine of -1, any text is similar enough, so that nothing need be embedded.
    """
    for _ in range(tries):
        changed = perturb()
        if changed != text and (least_cosine <= -1.0 or _cosine(text, changed) >= least_cosine):
            return changed
    return text


@kept_within(12_000_000, per_character=2)
def _cosine(text: str, changed: str) -> float:
    """Return the similarity of two questions. Results are cached, since shrinking often repeats the same follow-up."""
    return embedder.cosines([(text, changed)])[0]


@transformation(
    "metal-synonyms", extra="semantic", capability="wording", says="{words} replaced by a synonym", languages=ENGLISH
)
def metal_synonyms(
    text: str, rng: Random, *, share: Share = 0.3, least_cosine: Cosine = LEAST, tries: Tries = 1
) -> str:
    """Replace words with synonyms, unless the meaning changes too much.

    >>> metal_synonyms("Was it a big house?", Random(1), share=1.0, least_cosine=-1.0)
    'Was it a large house?'
    """
    return _first_similar(text, lambda: synonyms_lexicon(text, rng, share=share), least_cosine, tries)


@transformation(
    "metal-synonyms-wordnet", extra="nlp", capability="wording", says="{words} replaced by a synonym", languages=ENGLISH
)
def metal_synonyms_wordnet(
    text: str, rng: Random, *, share: Share = 0.3, least_cosine: Cosine = LEAST, tries: Tries = 1
) -> str:
    """Replace words with synonyms from WordNet, unless the meaning changes too much.

    >>> from mutatis.transformations.wordnet import wordnet_is_installed
    >>> text = "She saw a car."
    >>> metal_synonyms_wordnet(text, Random(1), least_cosine=-1.0) if wordnet_is_installed() else "She saw a motorcar."
    'She saw a motorcar.'
    """
    return _first_similar(text, lambda: with_synonyms(text, rng, share=share), least_cosine, tries)


@transformation(
    "metal-random-words",
    extra="semantic",
    capability="added text",
    says="unrelated words added: {words}",
    languages=ENGLISH,
)
def metal_random_words(
    text: str, rng: Random, *, share: Share = 0.1, least_cosine: Cosine = LEAST, tries: Tries = 1
) -> str:
    """Insert unrelated words, unless the meaning changes too much.

    >>> metal_random_words("Was it a big house?", Random(1), least_cosine=-1.0).count(" ")
    5
    """
    return _first_similar(text, lambda: insert_words_rules(text, rng, share=share), least_cosine, tries)


@transformation(
    "metal-typos",
    extra="semantic",
    capability="typing noise",
    says="{letters} replaced by a neighbour on the keyboard",
    languages=ENGLISH,
)
def metal_typos(text: str, rng: Random, *, share: Share = 0.1, least_cosine: Cosine = LEAST, tries: Tries = 1) -> str:
    """Make keyboard typos, unless the meaning changes too much.

    >>> metal_typos("Was it a big house?", Random(1), least_cosine=-1.0) == "Was it a big house?"
    False
    """
    return _first_similar(text, lambda: keyboard_typos(text, rng, share=share), least_cosine, tries)


@transformation(
    "metal-leet", extra="semantic", capability="typing noise", says="{letters} written as digits", languages=ENGLISH
)
def metal_leet(text: str, rng: Random, *, share: Share = 0.1, least_cosine: Cosine = LEAST, tries: Tries = 1) -> str:
    """Write letters as digits, unless the meaning changes too much.

    >>> metal_leet("Was it a big house?", Random(1), share=1.0, least_cosine=-1.0)
    'W4s 17 a b1g h0us3?'
    """
    return _first_similar(text, lambda: leet(text, rng, share=share), least_cosine, tries)
