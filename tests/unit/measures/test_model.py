"""Stored judge models: read, evaluated by hand, refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mutatis.measures.model import JudgeModel, Logistic, load_model

MODEL: dict[str, Any] = {
    "format": "mutatis/judge-model",
    "version": 1,
    "name": "mine",
    "directed": {"weights": {"a": 2.0, "b": -1.0}, "intercept": 0.5},
    "symmetric": {"weights": {"c": 1.0}, "intercept": -0.25},
    "exchange": {"weights": {"apart": -2.0}, "intercept": 1.0},
    "threshold": 0.4,
    "undecided": [0.3, 0.6],
    # Of 100 pairs 40 differ. It calls 24 different, 18 of them rightly: 54 of 60 equal pairs are called the same, and
    # 22 different ones, too.
    "provenance": {
        "agreement_on_held_out_questions": {
            "symmetric": {"pairs": 100, "different": 40, "false_alarms": 0.1, "recall": 0.45, "precision": 0.75}
        }
    },
}


def test_every_number_of_a_model_is_read():
    model = JudgeModel(json.dumps(MODEL))
    assert model.threshold == 0.4
    assert model.provenance == MODEL["provenance"]
    for name in ("directed", "symmetric", "exchange"):
        part = getattr(model, name)
        assert dict(zip(part.features, part.weights.tolist(), strict=True)) == MODEL[name]["weights"]
        assert part.intercept == MODEL[name]["intercept"]
    without = {key: value for key, value in MODEL.items() if key != "exchange"}
    assert JudgeModel(json.dumps(without)).exchange is None
    assert model.precision == {"different": 0.75, "same": round(54 / (54 + 22), 3)}


def test_what_ships_judges_exchanged_words_where_it_embeds():
    assert load_model("answer-equivalence").exchange is not None
    assert load_model("answer-equivalence-lexical").exchange is None


@pytest.mark.parametrize(("key", "value"), [("format", "x"), ("version", 2), ("version", None)])
def test_another_format_or_version_is_refused(key: str, value: Any):
    other = {**MODEL, key: value}
    told = f"expected format 'mutatis/judge-model' version 1, got {other['format']!r} {other['version']!r}"
    with pytest.raises(ValueError, match=told):
        JudgeModel(json.dumps(other))


def test_a_probability_by_hand():
    model = Logistic(features=("a", "b"), weights=np.array([2.0, -1.0]), intercept=0.5)
    rows = np.array([(0.25, 1.0), (1.0, 0.5), (1e6, 0.0)])
    assert model.probabilities(rows) == pytest.approx([0.5, 1 / (1 + np.exp(-2)), 1 / (1 + np.exp(-30))])
