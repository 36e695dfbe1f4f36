"""METAL's option: one question of a dialogue is perturbed at a time, with the true dialogue before it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import mutatis
from mutatis.api import run_config
from mutatis.config import check
from mutatis.core.cases import Case, Turn
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.search.once import derivations
from mutatis.testing import ScriptedSystem

COLOURS = ("red", "green", "white", "yellow")


def dialogue(questions: int = 4) -> Case:
    turns = tuple(
        Turn(fields={"question": f"What is number {i} called?"}, expected=(f"n{i}",)) for i in range(questions)
    )
    return Case(id="talk/0", turns=turns, material={"story": "A story."})


def test_a_plan_per_question_that_ends_with_it() -> None:
    each = RELATIONS["metal-leet"].but(turns="each")
    plans = derivations(Source(case=replace(dialogue(), task="dialogue"), relations=(each,)))
    assert [plan.steps[0].turns for plan in plans] == [(0,), (1,), (2,), (3,)]
    assert [plan.steps[1].parameters["rounds"] for plan in plans] == [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]


def test_only_the_perturbed_question_is_judged(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "bot.py").write_text("def answer(fields):\n    return fields['question'][::-1]\n", encoding="utf-8")
    asked = [f"Which of the old houses beside the long river was painted {colour}?" for colour in COLOURS]
    questions = [{"question": text, "answer": text[::-1]} for text in asked]
    line = json.dumps({"id": "a", "story": "A story.", "turns": questions})
    (folder / "talk.jsonl").write_text(line + "\n", encoding="utf-8")
    tables = {
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields"}],
        "data": [{"task": "dialogue", "format": "jsonl", "path": "talk.jsonl"}],
        "relations": ["metal-leet"],
        "recipe": "metal_dialogue",
        "turns": "each",
        "judge": {"measure": "exact"},
    }
    run: mutatis.Run = run_config(check(tables, folder))
    [row] = run.summary
    # An echo differs wherever its question does (backwards: a copy of the edited text is the answer's image), and is
    # judged nowhere else; a question may have been put back.
    assert 2 <= row["violated"] <= 4
    assert row["satisfied"] == 0
    metrics = run.report["metrics"]["metal_dialogue"]["systems"]["function:bot.py:answer"]
    assert metrics["test_cases"] == 4


def test_what_stands_before_the_changed_question_is_not_judged_and_an_unchanged_one_says_nothing(
    tmp_path: Path,
) -> None:
    asked = ("Was he late?", "Where was he?", "Was he alone?")
    case = Case(id="talk/0", turns=tuple(Turn(fields={"question": question}) for question in asked))
    bot = ScriptedSystem(lambda c: "no" if "false" in c.fields["question"] else "yes")
    run = mutatis.run(
        bot, [case], ["deny-question"], task="dialogue", settings={"noise_floor": 0}, store=tmp_path / "s.db"
    )
    [row] = run.summary
    # Both questions for yes or no are turned round, each in a follow-up of its own; "where" is the one that stays.
    assert (row.satisfied, row.violated, row.invalid, row.unchanged) == (2, 0, 1, 1)
