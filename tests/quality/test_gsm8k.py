"""Problems of GSM8K with another number: an evaluator that shares no code checks every re-computed answer."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

STUDY = Path(__file__).parents[2] / "studies" / "kinds" / "problems.py"


def test_every_recomputed_answer_is_what_an_independent_evaluator_says(shared_data):
    if not (shared_data / "gsm8k").is_dir():
        pytest.skip("GSM8K is not in MUTATIS_SHARED")
    spec = importlib.util.spec_from_file_location("study_of_problems", STUDY)
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    pairs = list(study.follow_ups(200))
    assert len(pairs) == 200
    assert all(study.check(source, made) for source, made in pairs)


def test_the_evaluator_tells_an_answer_that_depends_on_which_number_is_meant(shared_data):
    spec = importlib.util.spec_from_file_location("study_of_problems", STUDY)
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    solution = "<<80/2=40>>40\n<<40/100*40=16>>16\n<<40-16=24>>24\n#### 24"
    question = "Two classes have 140 students, 40% of each are girls. How many boys are in each?"
    ways = {study.evaluated(solution, question, "80", "140", carry=carry) for carry in (True, False)}
    assert len(ways) == 2
