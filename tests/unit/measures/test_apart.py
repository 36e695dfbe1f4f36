"""The word adapter: which words of two answers exclude each other."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest
from numpy.typing import NDArray

from mutatis.core.measure import Comparison
from mutatis.measures import equivalence, judge, model
from mutatis.measures.model import ADAPTER_FILE, LIMIT, Logistic, WordAdapter, load_model, shipped_adapter
from mutatis.text import embedder

needs_semantic = pytest.mark.skipif(not embedder.embedder_is_installed(), reason="the semantic extra is not installed")

VECTORS = {"hedge": (1.0, 0.0), "cushion": (0.6, 0.8), "lantern": (0.8, 0.6)}


def two_dimensional(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.array([VECTORS[text] for text in texts], dtype=np.float32)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> WordAdapter:
    """One dimension (the second of two), one unit: 2 * cosine + 3 * difference + product - 1, times 4, minus 5."""
    monkeypatch.setattr(model, "embed", two_dimensional)
    return WordAdapter(
        projection=np.array([[0.0], [1.0]], dtype=np.float16),
        inner=np.array([[2.0], [3.0], [1.0]], dtype=np.float16),
        inner_shift=np.array([-1.0], dtype=np.float16),
        outer=np.array([4.0], dtype=np.float16),
        outer_shift=np.array([-5.0], dtype=np.float16),
    )


def test_the_sum_by_hand(small: WordAdapter) -> None:
    # hedge, cushion: cosine 0.6, in the one dimension 0 and 0.8: 4 * (2 * 0.6 + 3 * 0.8 + 0 - 1) - 5 = 5.4, cut to 5
    # cushion, lantern: cosine 0.96, 0.8 and 0.6: 4 * (1.92 + 0.6 + 0.48 - 1) - 5 = 3
    assert small.apart([("hedge", "cushion"), ("cushion", "lantern")]).tolist() == [LIMIT, 3.0]
    assert small.apart([("cushion", "hedge"), ("lantern", "cushion")]).tolist() == [LIMIT, 3.0]
    assert small.apart([]).shape == (0,)


def test_an_adapter_is_stored_and_read(small: WordAdapter, tmp_path: object) -> None:
    copy = model.parse_adapter(small.stored())
    assert copy.apart([("cushion", "lantern")]).tolist() == [3.0]


def test_what_ships_is_small() -> None:
    assert len((resources.files("mutatis.measures") / "models" / ADAPTER_FILE).read_bytes()) < 100_000


def opened(first: str, second: str) -> equivalence.Open:
    prepared = equivalence.prepare(Comparison(reference=(first,), answer=second))
    assert isinstance(prepared, equivalence.Open)
    return prepared


def test_only_where_nothing_else_differs_the_exchanged_words_decide(small: WordAdapter) -> None:
    assert opened("a round cushion", "a round lantern").exchanged == (("cushion", "lantern"),)
    assert opened("a round cushion", "a round lantern, too").exchanged == ()
    assert opened("8 drinks", "9 drinks now").exchanged == ()
    assert opened("on his first round", "on his last round").exchanged == ()  # a number, read as a digit
    assert equivalence.exchange_rows([opened("a round cushion", "a round lantern")], small).tolist() == [[3.0]]


@needs_semantic
def test_exchanged_words_decide_the_same_in_both_orders() -> None:
    measure = judge("answer-equivalence").measure
    texts = [("a big sofa", "a big couch"), ("a big sofa", "a big lamp")]
    pairs = [*texts, *(pair[::-1] for pair in texts)]
    compared = [Comparison(reference=(first,), answer=other) for first, other in pairs]
    scores = [similarity.score for similarity in measure.compare(compared)]  # type: ignore[union-attr]
    assert scores[:2] == scores[2:]
    assert scores[0] > 0.5 > scores[1]


@needs_semantic
@pytest.mark.parametrize(
    ("alike", "other"),
    [
        (("doctor", "physician"), ("doctor", "nurse")),
        (("begin", "start"), ("begin", "end")),
        (("happy", "glad"), ("hot", "cold")),
        (("sofa", "couch"), ("sofa", "lamp")),
        (("lawyer", "attorney"), ("lawyer", "baker")),
    ],
)
def test_words_for_one_thing_are_nearer_than_words_for_two(alike: tuple[str, str], other: tuple[str, str]) -> None:
    near, far = shipped_adapter().apart([alike, other])
    assert near < far
    assert shipped_adapter().apart([alike[::-1], other[::-1]]).tolist() == [near, far]


def test_exchanged_words_are_judged_by_the_model_for_them(small: WordAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    # The adapter is sure by 3 that a cushion is no lantern: 1 / (1 + exp(-(1 - 2 * 3))).
    exchange = Logistic(features=("apart",), weights=np.array([-2.0]), intercept=1.0)
    model = copy(load_model("answer-equivalence-lexical"))
    model.exchange = exchange
    monkeypatch.setattr(equivalence, "shipped_adapter", lambda: small)
    measure = equivalence.AnswerEquivalence(semantic=False, model=model)
    texts = [("a round cushion", "a round lantern"), ("a round cushion", "a square thing of no use")]
    for directed in (False, True):
        compared = [Comparison(reference=(first,), answer=other, directed=directed) for first, other in texts]
        first, second = measure.compare(compared)
        assert first.score == round(1 / (1 + np.exp(5)), 6)
        assert second.score != first.score


def test_the_surest_of_several_exchanges_counts(small: WordAdapter) -> None:
    single = opened("a round cushion", "a round lantern")
    several = replace(single, exchanged=(("cushion", "lantern"), ("hedge", "cushion")))
    assert equivalence.exchange_rows([single, several, several], small).tolist() == [[3.0], [LIMIT], [LIMIT]]
