"""tau-bench's recorded trajectories as a recorded system: read in, compared by `tool-calls`, shown on a page.

    python studies/tool_calls/trajectories.py shared/data/tau_bench/airline_gpt4o.jsonl.xz --out /tmp/tau

The agent was asked each task several times. Trial 0 is what it answers to the task, the next one what it answers to the
same task asked politely: so the run shows how often it goes another way when it is asked again, and where they part.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mutatis
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.search import Source
from mutatis.core.transformation import derive
from mutatis.search.once import derivations
from mutatis.testing import sync


def trajectory(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a trial as a recorded answer: its last words, and all calls with their results."""
    results = {m.get("tool_call_id"): str(m.get("content")) for m in messages if m["role"] == "tool"}
    calls = [
        {**call["function"], "result": results.get(call["id"], "")}
        for message in messages
        for call in message.get("tool_calls") or []
    ]
    spoken = [str(m["content"]) for m in messages if m["role"] == "assistant" and m.get("content")]
    return {"answer": spoken[-1] if spoken else "", "calls": calls}


def task_case(task: int, messages: Sequence[Mapping[str, Any]]) -> Case:
    """Return a task as a case: what its user said first, with its number."""
    said = next(str(m["content"]) for m in messages if m["role"] == "user")
    fields = {"message": f"{said} (task {task})"}
    return Case(id=f"tau/{task}", task="tool-call", turns=(Turn(fields=fields),), language="en")


def main() -> None:
    """Write the recorded answers, run on them, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    by_task: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    with lzma.open(arguments.trials, "rt", encoding="utf-8") as file:
        for trial in map(json.loads, file):
            by_task[trial["task_id"]].append(trial)
    relation = mutatis.relation("asked-again", transformations=["polite-words"], tasks=["tool-call"])
    rows, cases = [], []
    for task, members in by_task.items():
        case = task_case(task, members[0]["messages"])
        cases.append(case)
        [wanted] = derivations(Source(case=case, relations=(relation,)))
        again = sync(derive(case, Derivation.from_record(wanted.to_record())))
        for asked, trial in zip((case, again), members, strict=False):
            rows.append({**asked.turns[0].fields, **trajectory(trial["messages"])})
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / "trials.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    system = mutatis.system("recorded", path=str(path))
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    run = mutatis.run(system, cases, [relation], out=arguments.out / "run", settings=settings)
    mutatis.report(run, arguments.out / "report.html")
    print(run.table())
    solved = [all(trial["reward"] for trial in members[:2]) for members in by_task.values()]
    differ = {finding.source.case.id for finding in run.findings}
    both = [f"tau/{task}" for task, right in zip(by_task, solved, strict=True) if right]
    print(f"{len(both)} tasks solved by both trials, of which {len(differ & set(both))} by other calls")
    print(f"of {len(by_task)} tasks, {len(differ)} are gone about otherwise when asked again")


if __name__ == "__main__":
    main()
