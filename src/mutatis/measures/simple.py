"""Measures of one formula: exact match, label, number, token overlap, sets, and measures of published tools.

The latter serve to reproduce the reports of these tools: the cosine of embeddings, and MSS from the first version of
MORTAR. Embeddings come from all-MiniLM-L6-v2 or from a model that the user chooses (LLMorph uses
paraphrase-MiniLM-L6-v2). docs/judge.md states how well they agree with people.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError, shortened
from mutatis.core.languages import ENGLISH, SPACED
from mutatis.core.measure import Comparison, Measure, Similarity
from mutatis.measures.answer import as_text
from mutatis.measures.catalogue import MEASURES, add_measure, measure
from mutatis.measures.similarities import most_similar
from mutatis.text.embedder import Embedder, cosines
from mutatis.text.normalisation import fold, normalise, squad_normalise
from mutatis.text.values import parse_score


def _shown(value: object) -> str:
    return repr(shortened(as_text(value), 30))


def _decided(same: bool, reference: object, answer: object) -> Similarity:
    reason = "equal" if same else f"{_shown(reference)} / {_shown(answer)}"
    return Similarity(score=float(same), reason=reason)


@measure("exact", kinds=("text", "label", "number", "set"))
def exact(reference: Any, answer: Any) -> Similarity:
    """Equality of two values. Text is compared character by character."""
    return _decided(type(reference) is type(answer) and reference == answer, reference, answer)


@measure("label", kinds=("label", "text"))
def label(reference: Any, answer: Any) -> Similarity:
    """Equality of two labels, ignoring case, spacing and surrounding punctuation."""
    first, second = (" ".join(fold(as_text(value)).split()).strip(" .,:;!?\"'*`") for value in (reference, answer))
    return _decided(first == second, reference, answer)


def _number(value: Any) -> float | None:
    if isinstance(value, (int, float)):
        return value if math.isfinite(value) else None  # points of a grader keep the score that it gave
    return parse_score(as_text(value)) if value is not None else None


@measure("number", kinds=("number",), equal=0.9)
def number_closeness(reference: Any, answer: Any) -> Similarity:
    """One minus the distance between two numbers: with `equal = 0.9`, they may be 0.1 apart."""
    first, second = _number(reference), _number(answer)
    if first is None or second is None:
        return Similarity(score=0.0, reason=f"no number in {_shown(reference if first is None else answer)}")
    # Rounded, so that 0.1 apart is 0.9 and not 0.8999...; clipped, because a score has a least value.
    score = max(0.0, round(1.0 - abs(first - second), 9))
    return Similarity(score=score, reason=f"{first:g} / {second:g}")


def overlap(first: Iterable[str], second: Iterable[str]) -> float:
    """Return the F1 score of two bags of tokens, or 1 if both are empty."""
    left, right = Counter(first), Counter(second)
    if not left and not right:
        return 1.0
    common = (left & right).total()
    return 2 * common / (left.total() + right.total())


def squad_f1(reference: Any, answer: Any) -> float:
    """Return the token F1 score, computed as in the SQuAD evaluation."""
    return overlap(squad_normalise(as_text(reference)).split(), squad_normalise(as_text(answer)).split())


@measure("token-f1", kinds=("text",), equal=0.6, languages=SPACED)
def token_f1(reference: Any, answer: Any) -> Similarity:
    """Token F1 score of two answers, computed as in the SQuAD evaluation."""
    score = squad_f1(reference, answer)
    return Similarity(score=score, reason=f"token F1 {score:.2f}")


@measure("exact-match", kinds=("text", "label"))
def exact_match(reference: Any, answer: Any) -> Similarity:
    """Equality of two answers after the SQuAD normalisation of case, punctuation, articles and whitespace."""
    return _decided(squad_normalise(as_text(reference)) == squad_normalise(as_text(answer)), reference, answer)


@measure("containment", kinds=("text",))
def containment(reference: Any, answer: Any) -> Similarity:
    """Containment of one text in the other, word for word after normalisation."""
    first, second = normalise(as_text(reference)), normalise(as_text(answer))
    if not first or not second:
        return _decided(first == second, reference, answer)
    short, long = sorted((first, second), key=len)
    return _decided(f" {short} " in f" {long} ", reference, answer)


def _member(text: str) -> str:
    return normalise(text) or fold(text).strip()  # the label "A" is no article


def _members(value: Any) -> frozenset[Any]:
    if isinstance(value, dict):
        return frozenset((key, as_text(item)) for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return frozenset(_member(item) if isinstance(item, str) else as_text(item) for item in value)
    return frozenset(
        _member(part) for part in as_text(value).replace(";", ",").split(",") if any(map(str.isalnum, part))
    )


@measure("set", kinds=("set",), equal=1.0)
def set_equality(reference: Any, answer: Any) -> Similarity:
    """Number of shared members of two sets, divided by the number of all their members (Jaccard).

    The sets count as equal only if all members agree.
    """
    first, second = _members(reference), _members(answer)
    if not first and not second:
        return Similarity(score=1.0, reason="both are empty")
    lacking, adding = sorted(map(str, first - second)), sorted(map(str, second - first))
    parts = [f"lacks {lacking[0]!r}"] if lacking else []
    parts += [f"adds {adding[0]!r}"] if adding else []
    return Similarity(score=len(first & second) / len(first | second), reason=" and ".join(parts) or "the same members")


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
    return EmbeddingMeasure(name, embedder.name, embedder)


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
