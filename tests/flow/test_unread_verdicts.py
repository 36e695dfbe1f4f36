"""What a parser cannot read is an error of its own, with every task that judges or solves: never a broken relation."""

from __future__ import annotations

import json

import pytest

import mutatis

PAIR = {"instruction": "Name a metal.", "answer_a": "Iron is one.", "answer_b": "It is granite, I think."}
TASKS = {
    "pairwise-judge": ("swap-answers", PAIR, "A", "Both have their merits."),
    "rubric-score": ("pad-with-truth", {**PAIR, "answer": "Iron.", "rubric": "Is it true?"}, "8", "It is fine work."),
    "moderation": ("disguise-looks", {"text": "I will kill you."}, "blocked", "Hard to tell."),
    "word-problem": ("idle-number", {"question": "Ann has 3 pens and buys 4. How many has she?"}, "7", "I give up."),
    "multiple-choice": (
        "reverse-options",
        {"question": "A metal?", "options": ["iron", "oak"]},
        "iron",
        "One of these.",
    ),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("unread", ["follow-up", "source"])
def test_a_reply_that_cannot_be_read_is_an_error_and_no_finding(task, unread, tmp_path):
    relation, record, good, bad = TASKS[task]
    first = {}

    def reply(fields):
        shown = json.dumps(dict(fields), sort_keys=True)
        is_source = first.setdefault("source", shown) == shown
        return bad if is_source == (unread == "source") else good

    system = mutatis.system("function", target=reply, input="fields", revision="1")
    run = mutatis.run(system, mutatis.cases([record], task=task), [relation], out=tmp_path, settings={"concurrency": 1})
    [row] = [row for row in run.report.summary if row.relation == relation]
    assert (row.error, row.judged, row.violated) == (1, 0, 0)
    [line] = [json.loads(text) for text in (tmp_path / "verdicts.jsonl").read_text().splitlines() if relation in text]
    assert line["outcome"] == "error"
    assert "expected" in line["reason"]
    assert bad.split()[0] in line["reason"]
