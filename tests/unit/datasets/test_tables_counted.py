"""What reading a large file costs, by counted work."""

from __future__ import annotations

import json
from pathlib import Path

from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS, tables


class CountedTasks:
    """The registry of tasks, which counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __contains__(self, name: str) -> bool:
        self.asked += 1
        return name in TASKS

    def __getitem__(self, name: str) -> object:
        self.asked += 1
        return TASKS[name]


def test_what_holds_for_a_whole_file_is_looked_up_once(tmp_path: Path, monkeypatch):
    counts = []
    for rows in (3, 300):
        path = tmp_path / f"{rows}.jsonl"
        path.write_text("".join(json.dumps({"text": f"a film, number {n}"}) + "\n" for n in range(rows)))
        counted = CountedTasks()
        monkeypatch.setattr(tables, "TASKS", counted)
        cases = list(DATASETS["jsonl"].read(path, {"task": "sentiment"}))
        assert [case.turns[0].fields["text"][-2:].strip() for case in cases[:3]] == ["0", "1", "2"]
        counts.append(counted.asked)
    assert counts[0] == counts[1]
