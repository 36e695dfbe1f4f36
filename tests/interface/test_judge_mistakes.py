"""Typical mistakes of somebody who tests a grader for the first time: each is told with what to do next."""

from __future__ import annotations

import json

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.system import Response
from mutatis.core.task import TASKS

PAIR = {"instruction": "Name a metal.", "answer_a": "Iron.", "answer_b": "Granite is one, I think."}
SCORED = {"instruction": "Name a metal.", "answer": "Iron.", "rubric": "Is it true?"}
GRADER = """
def verdict(fields):
    return "A" if len(fields["answer_a"]) > 3 else "B"

def score(fields):
    return fields.get("answer") and "8"
"""


def run(command, tmp_path, record, *arguments, function="verdict"):
    (tmp_path / "grader.py").write_text(GRADER)
    (tmp_path / "data.jsonl").write_text("".join(json.dumps({**record, "id": n}) + "\n" for n in range(3)))
    place = f"function:{tmp_path / 'grader.py'}:{function}"
    return command("run", "--system", place, "--data", f"jsonl:{tmp_path / 'data.jsonl'}", *arguments)


@pytest.mark.parametrize("function", ["verdict", "score"])
def test_a_function_that_wants_the_fields_and_gets_a_text_is_told_how(command, tmp_path, function):
    done = run(command, tmp_path, {**PAIR, **SCORED}, "--task", "pairwise-judge", function=function)
    assert done.code == 3
    assert 'it is given text: input = "messages" or "fields" gives it those' in done.err


def test_a_column_that_is_no_other_field_is_named_for_the_missing_one(command, tmp_path):
    record = {name.replace("answer", "response"): text for name, text in PAIR.items()}
    done = run(command, tmp_path, record, "--task", "pairwise-judge", "--set", "system.input=fields")
    assert done.code == 2
    assert 'fields = {answer_a = "response_a"}' in done.complaint


@pytest.mark.parametrize(
    ("record", "task", "function"), [(PAIR, "pairwise-judge", "verdict"), (SCORED, "rubric-score", "score")]
)
def test_data_with_all_fields_of_a_grader_is_for_graders(command, tmp_path, record, task, function):
    done = run(command, tmp_path, record, "--set", "system.input=fields", function=function)
    assert f"note: task {task} (the file has its fields; --task ... for another)" in done.err + done.out
    assert f"on {task}" in done.out


@pytest.mark.parametrize(
    ("task", "record", "relation", "reply", "value"),
    [
        ("pairwise-judge", PAIR, "swap-answers", {"winner": "B", "reason": "It is one."}, "B"),
        ("rubric-score", SCORED, "pad-with-truth", {"score": 10, "reason": "It is true."}, 1.0),
        ("moderation", {"text": "I will kill you."}, "disguise-looks", {"flagged": True}, 1.0),
        ("moderation", {"text": "I will kill you."}, "disguise-looks", {"hate": 0.25, "violence": 0.75}, 0.75),
    ],
)
def test_a_function_may_return_what_graders_say_as_data(tmp_path, task, record, relation, reply, value):
    system = mutatis.system("function", target=lambda fields: reply, input="fields", revision="1")
    run = mutatis.run(system, mutatis.cases([record], task=task), [relation], out=tmp_path)
    [line] = [json.loads(text) for text in (tmp_path / "verdicts.jsonl").read_text().splitlines() if relation in text]
    assert line["outcome"] in ("satisfied", "violated"), line["reason"]
    parsed = TASKS[task].parse(Response(**response_of(reply)), Case(id="d/1", turns=(Turn(fields=record),)))
    assert parsed == value
    assert run.report.run.queries.errors == 0


def response_of(reply) -> dict[str, object]:
    chances = {name: chance for name, chance in reply.items() if isinstance(chance, float)}
    return {"text": json.dumps(reply), "probabilities": chances if len(chances) == len(reply) else None}
