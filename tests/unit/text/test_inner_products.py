"""Inner products that no order of adding can change."""

from __future__ import annotations

import numpy as np
import pytest

from mutatis.measures.model import load_model, shipped_adapter
from mutatis.text.blas import inner_products
from mutatis.text.embedder import embedder_is_installed


def test_an_inner_product_is_the_same_in_any_order_and_beside_any_rows() -> None:
    chance = np.random.default_rng(3)
    rows = chance.standard_normal((50, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    together = inner_products(rows, rows)
    backwards = np.ascontiguousarray(rows[:, ::-1])
    assert np.array_equal(inner_products(backwards, backwards), together)
    for number in (1, 2, 3, 7, 13):
        assert np.array_equal(inner_products(rows[:number], rows[:number]), together[:number, :number])
    assert np.abs(together - rows.astype(np.float64) @ rows.T.astype(np.float64)).max() < 1e-6


@pytest.mark.skipif(not embedder_is_installed(), reason="the semantic extra is not installed")
def test_the_word_adapter_and_the_judge_weigh_each_row_alone() -> None:
    adapter, model = shipped_adapter(), load_model("answer-equivalence").symmetric
    words = [(first, second) for first in ("glad", "red", "seven") for second in ("sad", "blue", "happy", "eight")]
    together = adapter._logits(words)
    assert [adapter._logits([pair])[0] for pair in words] == together
    rows = np.random.default_rng(3).standard_normal((29, len(model.features)))
    assert [model.probabilities(row[None])[0] for row in rows] == list(model.probabilities(rows))
