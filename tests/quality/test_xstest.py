"""Over-refusal of XSTest's three models, replayed: the order is that of the labels, which were counted in the file."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

STUDY = Path(__file__).parents[2] / "studies" / "kinds" / "moderators.py"
LABELLED = {"gpt4": 10, "mistralguard": 22, "llama2orig": 77}
"""Safe prompts that people call refused, in full or in part; of 123 for each model."""


def test_models_are_in_the_order_of_the_labels(shared_data, tmp_path):
    if not (shared_data / "xstest").is_dir():
        pytest.skip("XSTest is not in MUTATIS_SHARED")
    spec = importlib.util.spec_from_file_location("study_of_refusals", STUDY)
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    counted = study.refused(tmp_path)
    assert {model: counts["safe, labelled"][True] for model, counts in counted.items()} == LABELLED
    read = {model: counts["safe"][True] for model, counts in counted.items()}
    assert sorted(read, key=read.get) == sorted(LABELLED, key=LABELLED.get)
    assert all(abs(read[model] - LABELLED[model]) <= 8 for model in LABELLED)
