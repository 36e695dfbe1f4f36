"""A user's own prompt that hides a field: what it does not show cannot be tested, and is not counted as satisfied."""

from __future__ import annotations

from pathlib import Path

import mutatis
from mutatis.api import run_config
from mutatis.config import check


def test_a_follow_up_that_the_prompt_does_not_show_is_invalid(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def answer(messages):\n    return 'Ann'\n", encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text('{"context": "Ann came.", "question": "Who came?"}\n', encoding="utf-8")
    tables = {
        "systems": [
            {"type": "function", "target": "bot.py:answer", "input": "messages", "prompt": "Answer: {question}"}
        ],
        "data": [{"task": "question-answering", "format": "jsonl", "path": "cases.jsonl"}],
        "relations": ["upper-case"],
        "judge": {"measure": "exact"},
    }
    run: mutatis.Run = run_config(check(tables, tmp_path), out=tmp_path / "out")
    [row] = run.summary
    # Three variants: the context alone is not shown; the question, and both together, are.
    assert (row["satisfied"], row["violated"], row["invalid"]) == (2, 0, 1)
    assert "shown by the prompt" in (tmp_path / "out/verdicts.jsonl").read_text(encoding="utf-8")
