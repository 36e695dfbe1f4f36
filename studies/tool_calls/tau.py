"""A recorded agent (tau-bench, airline) as pairs of calls: two trials of a task that both solved it, or one of them.

What a trial did is the calls that change the airline's data and did not fail; both trials of a pair made some. Tasks
are split by a hash as BFCL's questions are. The recording does not hold the tools' schemas.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from bfcl import CallPair, Question

READS = ("get_", "search_", "list_", "calculate", "think", "transfer_")


def trials(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the recorded trials."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def writes(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the calls of a trial that changed something."""
    results = {m.get("tool_call_id"): str(m.get("content")) for m in messages if m["role"] == "tool"}
    made = []
    for message in messages:
        for call in message.get("tool_calls") or []:
            function = call["function"]
            if not function["name"].startswith(READS) and not results.get(call["id"], "Error").startswith("Error"):
                made.append({"name": function["name"], "arguments": json.loads(function["arguments"])})
    return made


def tau_pairs(path: Path) -> Iterator[CallPair]:
    """Yield pairs of trials of one task: both solved it, or one did and the other did not."""
    by_task: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for trial in trials(path):
        by_task[trial["task_id"]].append(trial)
    for task, members in by_task.items():
        for first, second in combinations(members, 2):
            if first["reward"] < second["reward"]:
                first, second = second, first
            if not first["reward"]:
                continue
            ours, theirs = writes(first["messages"]), writes(second["messages"])
            same = bool(second["reward"])
            if not ours or (same and not theirs):
                continue
            said = "\n".join(str(m["content"]) for m in first["messages"] if m["role"] == "user")
            asked = Question(id=f"task-{task}", category="tau-bench", text=said, tools=[], accepted=[])
            kind = "two trials that solved it" if same else "a trial that did not solve it"
            yield CallPair(question=asked, reference=ours, answer=theirs, same=same, kind=kind)
