"""Recorded answers beside the other parts of a run: nobody is asked, so nothing is paid, planned or asked again."""

from __future__ import annotations

import json

import pytest

import mutatis

PAIRS = [
    {
        "id": f"p{n}",
        "instruction": f"Name a number above {n}.",
        "answer_a": f"It is {n + 5}.",
        "answer_b": f"It is {n - 2}.",
    }
    for n in range(10, 22)
]


@pytest.fixture
def verdicts(tmp_path):
    """Return a file with the verdicts of two judges on all pairs in both orders: one is fair, one takes the first."""
    lines = []
    for pair in PAIRS:
        shown = {name: text for name, text in pair.items() if name != "id"}
        other = shown | {"answer_a": pair["answer_b"], "answer_b": pair["answer_a"]}
        for judge, swapped in (("fair", "B"), ("first", "A")):
            lines += [shown | {"judge": judge, "verdict": "A"}, other | {"judge": judge, "verdict": swapped}]
    path = tmp_path / "verdicts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def recorded(path, *judges):
    return [
        mutatis.system("recorded", path=str(path), system=judge, fields={"system": "judge"}, label=judge)
        for judge in judges
    ]


def run(systems, out, **more):
    return mutatis.run(systems, mutatis.cases(PAIRS, task="pairwise-judge"), ["swap-answers"], out=out, **more)


def row(result, system):
    [only] = [row for row in result.report.summary if (row.system, row.relation) == (system, "swap-answers")]
    return only


def test_no_budget_is_spent_on_a_file(verdicts, tmp_path):
    result = run(recorded(verdicts, "fair", "first"), tmp_path / "out", max_queries=1)
    assert (row(result, "fair").satisfied, row(result, "first").violated) == (12, 12)
    assert result.report.run.queries.paid == 0


def test_a_file_takes_nothing_of_the_budget_of_others(verdicts, tmp_path):
    grader = mutatis.system("function", target=lambda fields: "A", input="fields", revision="1", label="asked")
    result = run([*recorded(verdicts, "fair"), grader], tmp_path / "out", max_queries=30)
    assert result.report.run.queries.paid <= 30
    assert row(result, "asked").judged == row(result, "fair").judged > 0
    noisy = {row.system for row in result.report.summary if row.relation == "no-change"}
    assert noisy <= {"asked"}


def test_a_file_says_the_same_twice_which_is_no_noise_floor(verdicts, tmp_path):
    result = run(recorded(verdicts, "first"), tmp_path / "out")
    assert row(result, "first").noise_floor is None
    assert not any(row.relation == "no-change" for row in result.report.summary)


def test_a_plan_of_recorded_answers_asks_nothing(verdicts, tmp_path, command):
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    (tmp_path / "run.toml").write_text(
        f"""relations = ["swap-answers"]
[system]
type = "recorded"
path = "{verdicts}"
system = "first"
fields = {{ system = "judge" }}
[data]
format = "jsonl"
path = "{tmp_path / "pairs.jsonl"}"
task = "pairwise-judge"
"""
    )
    told = command("run", str(tmp_path / "run.toml"), "--plan")
    assert "to be paid            0\n" in told.out
    assert "money" not in told.out
