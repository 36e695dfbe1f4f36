"""Relations of default sets that made nothing of a hundred public inputs: each makes something where it fits."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.testing import ScriptedSystem

CONTEXT = "Ann Weaver wrote the play The Lattice in 1921. It opened in Bergen."


@pytest.mark.parametrize(
    ("relation", "task", "fields", "answer"),
    [
        (
            "affirm-question",
            "question-answering",
            {"context": CONTEXT, "question": "Was she at home?"},
            "yes",
        ),
        (
            "deny-question",
            "question-answering",
            {"context": CONTEXT, "question": "Did Ann Weaver write the play?"},
            "yes",
        ),
        ("contract", "inference", {"premise": "They do not play.", "hypothesis": "Nobody plays."}, "entailment"),
        (
            "swap-conjuncts",
            "inference",
            {"premise": "A man and a woman are outside.", "hypothesis": "Two people are outside."},
            "entailment",
        ),
        ("lower-case", "sentiment", {"text": "A Joy from the First Minute."}, "0.9"),
        ("expand-contractions", "dialogue", {"question": "Why didn't she write it?"}, "a king"),
    ],
)
def test_a_rare_pair_makes_a_follow_up(
    relation: str, task: str, fields: dict[str, str], answer: str, tmp_path: Path
) -> None:
    material = {"story": CONTEXT} if task == "dialogue" else {}
    case = Case(id="c/1", task=task, turns=(Turn(fields=fields, expected=(answer,)),), material=material)
    system = ScriptedSystem(lambda _: answer, label="annotated")
    run = mutatis.run(system, [case], [relation], out=tmp_path, settings={"noise_floor": 0, "confirm": 0})
    assert sum(row.judged for row in run.summary if row.relation == relation) > 0
