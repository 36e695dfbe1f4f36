"""Text similarity measures of published tools: cosine of embeddings, and MSS from the first version of MORTAR.

Embeddings come from all-MiniLM-L6-v2 or from a model that the user chooses (LLMorph uses paraphrase-MiniLM-L6-v2). The
measures serve to reproduce the reports of these tools. docs/judge.md states how well they agree with people.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from mutatis.core.errors import UsageError
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Comparison, Measure, Similarity
from mutatis.measures.answer import as_text
from mutatis.measures.catalogue import MEASURES, add_measure
from mutatis.measures.simple import squad_f1
from mutatis.text.embedder import Embedder, cosines, from_folder
from mutatis.text.normalisation import squad_normalise


def mss(similarity: float, exact: float, f1: float) -> float:
    """Return (SS^2 + EM^2 + F1^2) / (SS + EM + F1), or 0 if all three are 0 (MORTAR, first version).

    >>> round(mss(0.8, 0.0, 0.5), 4), mss(0.0, 0.0, 0.0)
    (0.6846, 0.0)
    """
    total = similarity + exact + f1
    return (similarity**2 + exact**2 + f1**2) / total if total > 0 else 0.0


class _Embedded:
    """Base of the measures that use the cosine between each answer and its most similar reference."""

    name = ""

    def __init__(self, model: str = "", embedder: Embedder | None = None) -> None:
        """Use the embedding model that ships with the package, or a different one.

        The name of a different model is appended to the name of the measure.
        """
        self._cosines = cosines if embedder is None else embedder.cosines
        if model:
            self.name = f"{self.name}[{model}]"

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        pairs = [
            (as_text(ref), as_text(comparison.answer)) for comparison in comparisons for ref in comparison.reference
        ]
        scores = iter([self._score(pair, cosine) for pair, cosine in zip(pairs, self._cosines(pairs), strict=True)])
        none = Similarity(score=0.0, reason="there is no reference answer")
        return [
            max((next(scores) for _ in comparison.reference), key=lambda similarity: similarity.score, default=none)
            for comparison in comparisons
        ]

    def _score(self, pair: tuple[str, str], cosine: float) -> Similarity:
        raise NotImplementedError


class MiniLMCosine(_Embedded):
    """The measure `minilm-cosine`: cosine of sentence embeddings, clipped to 0..1 (MORTAR, second version; LLMorph)."""

    name = "minilm-cosine"

    def _score(self, pair: tuple[str, str], cosine: float) -> Similarity:
        if pair[0] == pair[1]:
            return Similarity(score=1.0, reason="the same text")
        score = min(max(cosine, 0.0), 1.0)
        return Similarity(score=score, reason=f"cosine {score:.2f}")


class MSS(_Embedded):
    """The measure `mss`, a mixed score of cosine, SQuAD exact match and token F1 (MORTAR, first version)."""

    name = "mss"

    def _score(self, pair: tuple[str, str], cosine: float) -> Similarity:
        similarity = min(max(cosine, 0.0), 1.0)
        exact = float(squad_normalise(pair[0]) == squad_normalise(pair[1]))
        f1 = squad_f1(*pair)
        reason = f"cosine {similarity:.2f}, exact match {exact:.0f}, token F1 {f1:.2f}"
        return Similarity(score=mss(similarity, exact, f1), reason=reason)


_FAMILIES = {measure.name: measure for measure in (MiniLMCosine, MSS)}


def embedded(name: str, folder: Path) -> Measure:
    """Return a cosine measure that uses the sentence-transformers model in a folder.

    The measure is named after the original measure and the model.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
        UsageError: the folder holds no model, or the measure does not support a different model.
    """
    family = _FAMILIES.get(MEASURES.resolve(name))
    if family is None:
        raise UsageError(
            f"[judge] embeddings: measure {name!r} does not use another model's cosine; expected "
            f"{' or '.join(map(repr, _FAMILIES))}"
        )
    model, embedder = from_folder(folder)
    return cast(Measure, family(model, embedder))


add_measure(
    "minilm-cosine",
    MiniLMCosine,
    summary="Cosine of all-MiniLM-L6-v2 embeddings (MORTAR v2, LLMorph).",
    equal=0.6,
    different=0.6,
    semantic=True,
    languages=ENGLISH,
)
add_measure(
    "mss",
    MSS,
    summary="Mixed similarity of cosine, exact match and token F1 (MORTAR v1).",
    equal=0.6,
    different=0.6,
    semantic=True,
    languages=ENGLISH,
)
