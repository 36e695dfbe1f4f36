"""A recorded agent (tau-bench, airline) as pairs of calls: two trials of a task that both solved it, or one of them.

`tau_pairs`: what a trial did is the calls that change the airline's data and did not fail; both trials of a pair made
some. `made_pairs`: all calls of a trial that solved its task, lookups included, beside the same in another order, and
beside what is wrong by rule: another tool, an argument missing, the value of the same argument in another task's call,
a value of another type, one call left out. Tasks are split by a hash as BFCL's questions are. The recording does not
hold the tools' schemas.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from bfcl import CallPair, Question, shuffled

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


def made_pairs(path: Path, seed: int = 0) -> Iterator[CallPair]:
    """Yield pairs made by rule of the calls of trials that solved their task: one of each kind per trial."""
    solved = [trial for trial in trials(path) if trial["reward"]]
    values: dict[tuple[str, str], list[tuple[int, Any]]] = defaultdict(list)
    for trial in solved:
        for call in all_calls(trial["messages"]):
            for name, value in call["arguments"].items():
                values[call["name"], name].append((trial["task_id"], value))
    for number, trial in enumerate(solved):
        rng, reference = Random(f"{seed}/{number}"), all_calls(trial["messages"])
        said = "\n".join(str(m["content"]) for m in trial["messages"] if m["role"] == "user")
        asked = Question(id=f"task-{trial['task_id']}", category="tau-bench, made", text=said, tools=[], accepted=[])
        if len(reference) > 1:
            turned = shuffled(reference, rng)
            yield CallPair(question=asked, reference=reference, answer=turned, same=True, kind="tau: order")
        for kind, answer in wrong_calls(reference, trial["task_id"], values, rng):
            yield CallPair(question=asked, reference=reference, answer=answer, same=False, kind=f"tau: {kind}")


def all_calls(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return all calls of a trial."""
    called = [call["function"] for message in messages for call in message.get("tool_calls") or []]
    return [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in called]


Values = Mapping[tuple[str, str], Sequence[tuple[int, Any]]]


def wrong_calls(
    right: list[dict[str, Any]], task: int, values: Values, rng: Random
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield calls of which one is wrong, with what is wrong in it."""
    with_arguments = [at for at, call in enumerate(right) if call["arguments"]]
    if not with_arguments:
        return
    at = rng.choice(with_arguments)
    call = right[at]
    name = rng.choice(list(call["arguments"]))

    def put(**changed: Any) -> list[dict[str, Any]]:
        return [{**call, **changed} if place == at else other for place, other in enumerate(right)]

    tools = sorted({tool for tool, _ in values} - {call["name"]})
    yield "another tool", put(name=rng.choice(tools))
    yield "argument missing", put(arguments={key: v for key, v in call["arguments"].items() if key != name})
    yield "wrong type", put(arguments={**call["arguments"], name: {"n": call["arguments"][name]}})
    yield "one call left out", [other for place, other in enumerate(right) if place != at]
    others = [v for other, v in values[call["name"], name] if other != task and v != call["arguments"][name]]
    if others:
        yield "value of a neighbour", put(arguments={**call["arguments"], name: rng.choice(others)})
