"""Text similarity measures of published tools: cosine of embeddings, and MSS from the first version of MORTAR.

Embeddings come from all-MiniLM-L6-v2 or from a model that the user chooses (LLMorph uses paraphrase-MiniLM-L6-v2). The
measures serve to reproduce the reports of these tools. docs/judge.md states how well they agree with people.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import cast

from mutatis.core.errors import UsageError
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Comparison, Measure, Similarity
from mutatis.measures.answer import as_text
from mutatis.measures.catalogue import MEASURES, add_measure
from mutatis.measures.similarities import most_similar
from mutatis.measures.simple import squad_f1
from mutatis.text.embedder import Embedder, cosines
from mutatis.text.normalisation import squad_normalise


def mss(similarity: float, exact: float, f1: float) -> float:
    """Return (SS^2 + EM^2 + F1^2) / (SS + EM + F1), or 0 if all three are 0 (MORTAR, first version).

    >>> round(mss(0.8, 0.0, 0.5), 4), mss(0.0, 0.0, 0.0)
    (0.6846, 0.0)
    """
    total = similarity + exact + f1
    return (similarity**2 + exact**2 + f1**2) / total if total > 0 else 0.0


def _by_cosine(pair: tuple[str, str], cosine: float) -> Similarity:
    """Return the cosine of a pair's embeddings, clipped to 0..1 (MORTAR, second version; LLMorph)."""
    if pair[0] == pair[1]:
        return Similarity(score=1.0, reason="the same text")
    score = min(max(cosine, 0.0), 1.0)
    return Similarity(score=score, reason=f"cosine {score:.2f}")


def _mixed(pair: tuple[str, str], cosine: float) -> Similarity:
    """Return the score that combines cosine, SQuAD exact match and token F1 (MORTAR, first version)."""
    similarity = min(max(cosine, 0.0), 1.0)
    exact = float(squad_normalise(pair[0]) == squad_normalise(pair[1]))
    f1 = squad_f1(*pair)
    reason = f"cosine {similarity:.2f}, exact match {exact:.0f}, token F1 {f1:.2f}"
    return Similarity(score=mss(similarity, exact, f1), reason=reason)


_SCORES = {"minilm-cosine": _by_cosine, "mss": _mixed}


class EmbeddingMeasure:
    """A measure (`minilm-cosine` or `mss`) based on the cosine between an answer and its most similar reference.

    The name of an embedding model is added in brackets, unless it is the model that ships with the package.
    """

    def __init__(self, name: str, model: str = "", embedder: Embedder | None = None) -> None:
        self.name = f"{name}[{model}]" if model else name
        self._score = _SCORES[name]
        self._cosines = cosines if embedder is None else embedder.cosines

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return the score of the most similar reference for each comparison."""
        pairs = [
            (as_text(ref), as_text(comparison.answer)) for comparison in comparisons for ref in comparison.reference
        ]
        cosines_of_pairs = self._cosines(pairs)  # of all pairs at once, because a model is fastest in batches
        scores = iter([self._score(pair, cosine) for pair, cosine in zip(pairs, cosines_of_pairs, strict=True)])
        return [most_similar(next(scores) for _ in comparison.reference) for comparison in comparisons]


def embedded(name: str, folder: Path) -> Measure:
    """Return a cosine measure that uses the sentence-transformers model in a folder.

    The measure is named after the original measure and the model.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
        UsageError: the folder holds no model, or the measure does not support a different model.
    """
    name = MEASURES.resolve(name)
    if name not in _SCORES:
        raise UsageError(
            f"[judge] embeddings: measure {name!r} cannot use the embeddings of a different model; expected the "
            f"measure {' or '.join(map(repr, _SCORES))}"
        )
    embedder = Embedder(folder)
    embedder.load()
    return cast(Measure, EmbeddingMeasure(name, embedder.name, embedder))


for _name, _summary in (
    ("minilm-cosine", "Cosine of all-MiniLM-L6-v2 embeddings (MORTAR v2, LLMorph)."),
    ("mss", "Mixed similarity of cosine, exact match and token F1 (MORTAR v1)."),
):
    add_measure(
        _name,
        partial(EmbeddingMeasure, _name),
        summary=_summary,
        equal=0.6,
        different=0.6,
        semantic=True,
        languages=ENGLISH,
    )
