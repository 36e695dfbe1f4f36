"""The measure `refusal` on every task: who refuses a follow-up but not the source is told so, and made no ERROR."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.system import Conversation
from mutatis.doubles import ScriptedSystem
from mutatis.measures import judge

REFUSAL = "I'm sorry, but I can't help with that."
REASON = f'but differ: refused here, answered there: "{REFUSAL}"'
TASKS: list[tuple[str, str, dict[str, str], str]] = [
    ("chat", "upper-case", {"message": "How long can I return an item?"}, "You can return it within 14 days."),
    ("classification", "upper-case", {"text": "my card was stolen last week"}, "lost card"),
    ("sentiment", "upper-case", {"text": "What a good film this was."}, "0.9"),
    (
        "question-answering",
        "upper-case",
        {"context": "Ann lives in Rome.", "question": "Where does Ann live?"},
        "in Rome",
    ),
    ("dialogue-state", "states-lower-case", {"utterance": "I need a Cheap hotel."}, '{"hotel-pricerange": "cheap"}'),
]


def shy(known: Mapping[str, str], answer: str) -> ScriptedSystem:
    """Return a system that answers one input and refuses every other."""

    def reply(conversation: Conversation) -> str:
        return answer if all(conversation.fields[name] == value for name, value in known.items()) else REFUSAL

    return ScriptedSystem(reply, label="shy")


def outcomes(
    folder: Path, task: str, relation: str, fields: dict[str, str], system: ScriptedSystem, judging: Any = "refusal"
) -> set[tuple[str, str]]:
    """Return outcome and the end of the reason of every verdict."""
    cases = mutatis.cases([fields], task=task)
    settings = {"noise_floor": 0, "confirm": 0}
    run = mutatis.run(system, cases, [relation], judge=judging, settings=settings, out=folder)
    rows = run.frame("verdicts")
    return {(row.outcome, row.reason.partition(", ")[2] or row.reason) for row in rows.itertuples()}


@pytest.mark.parametrize(("task", "relation", "fields", "answer"), TASKS, ids=[task for task, *_ in TASKS])
def test_refused_here_answered_there_is_a_finding_of_every_task(
    tmp_path: Path, task: str, relation: str, fields: dict[str, str], answer: str
) -> None:
    decided = outcomes(tmp_path / "one", task, relation, fields, shy(fields, answer))
    assert decided == {("violated", REASON)}
    [(outcome, reason)] = outcomes(tmp_path / "all", task, relation, fields, shy(fields, REFUSAL))
    assert (outcome, reason.rpartition(": ")[2]) == ("satisfied", "both refuse")


def test_a_judge_that_a_program_hands_over_reads_replies_verbatim_too(tmp_path: Path) -> None:
    task, relation, fields, answer = TASKS[1]
    assert outcomes(tmp_path, task, relation, fields, shy(fields, answer), judge("refusal")) == {("violated", REASON)}


def test_an_empty_reply_is_an_error_as_under_any_judge(tmp_path: Path) -> None:
    task, relation, fields, _ = TASKS[1]
    [(outcome, reason)] = outcomes(tmp_path, task, relation, fields, shy(fields, ""))
    assert outcome == "error"
    assert "empty answer" in reason
