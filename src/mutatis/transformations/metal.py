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
from mutatis.core.transformation import TRANSFORMATIONS, Transformation, transformation
from mutatis.text import embedder
from mutatis.text.memory import kept_within
from mutatis.transformations import characters, words  # noqa: F401 - they register the plain transformations
from mutatis.transformations.wordnet import with_synonyms

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


def _registered(name: str, plain: Transformation, usual_share: float, example: str) -> Callable[..., str]:
    """Register a perturbation that applies a plain transformation, unless the meaning changes too much."""

    def similar(
        text: str, rng: Random, *, share: Share = usual_share, least_cosine: Cosine = LEAST, tries: Tries = 1
    ) -> str:
        return _first_similar(text, lambda: plain.apply(text, rng, share=share), least_cosine, tries)

    what, _, _ = plain.summary.partition(".")
    similar.__doc__ = f"""{what}, unless the meaning changes too much.

    >>> TRANSFORMATIONS[{name!r}].apply("Was it a big house?", Random(1), least_cosine=-1.0)
    {example!r}
    """
    register = transformation(name, extra="semantic", capability=plain.capability, says=plain.says, languages=ENGLISH)
    return register(similar)


PLAIN = (
    ("metal-synonyms", "synonyms-lexicon", 0.3, "Was it a large house?"),
    ("metal-random-words", "insert-words-rules", 0.1, "suitcase Was it a big house?"),
    ("metal-typos", "keyboard-typos", 0.1, "Wzs it a big house?"),
    ("metal-leet", "leet", 0.1, "W4s it a big house?"),
)
"""Perturbations, each with the plain transformation that it applies, its usual share and the result of an example."""

__test__ = {
    name: _registered(name, TRANSFORMATIONS[plain], usual_share, example) for name, plain, usual_share, example in PLAIN
}
"""Table that lets doctest find functions without a module-level name."""
