"""Graders under test: planted faults are found, a grader without fault is not accused."""

from __future__ import annotations

import json

import mutatis

PAIRS = [
    {"instruction": f"Name a number above {n}.", "answer_a": f"{n + 7}", "answer_b": f"It is {n - 3}, I think."}
    for n in range(10, 22)
]


def right(fields) -> str:
    """Prefer the answer with the number that was asked for."""
    least = int(fields["instruction"].split()[-1].strip("."))
    good = [any(w.strip(".,").isdigit() and int(w.strip(".,")) > least for w in fields[n].split()) for n in NAMES]
    return "tie" if good[0] == good[1] else "A" if good[0] else "B"


NAMES = ("answer_a", "answer_b")


def graded(grader, tmp_path, *relations, pairs=PAIRS):
    system = mutatis.system("function", target=grader, input="fields")
    return mutatis.run(system, mutatis.cases(pairs, task="pairwise-judge"), list(relations), out=tmp_path)


def outcomes(run):
    return {row.relation: (row.satisfied, row.violated) for row in run.report.summary if row.relation != "no-change"}


def test_a_grader_that_goes_by_the_answers_swaps_its_verdict(tmp_path):
    assert outcomes(graded(right, tmp_path, "swap-answers")) == {"swap-answers": (12, 0)}


def test_a_grader_that_takes_the_first_answer_is_found_on_every_pair(tmp_path):
    run = graded(lambda fields: "A", tmp_path, "swap-answers")
    assert outcomes(run) == {"swap-answers": (0, 12)}
    lines = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    reason = "the verdict A should become B with the answers exchanged, but is A"
    assert {v["reason"] for v in lines if v["relation"] == "swap-answers"} == {reason}


def test_a_tie_stays_a_tie(tmp_path):
    assert outcomes(graded(lambda fields: "tie", tmp_path, "swap-answers")) == {"swap-answers": (12, 0)}


def test_fields_are_given_in_the_order_presented_and_what_data_leaves_out_is_there(tmp_path):
    seen = []

    def grader(fields):
        seen.append((fields["answer_a"], fields["answer_b"], fields["label_a"], fields["label_b"]))
        return "A"

    graded(grader, tmp_path, "swap-answers", pairs=PAIRS[:1])
    first, second = PAIRS[0]["answer_a"], PAIRS[0]["answer_b"]
    assert {(first, second, "A", "B"), (second, first, "A", "B")} == set(seen)
