"""Does a finished run pass? Whether it could be tested at all, and whether more was violated than is allowed.

Knows the data of `report.json` only, so that the command line, Python, pytest and JUnit say the same of one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pydantic

from mutatis.core.relation import RELATIONS
from mutatis.options import Options

NO_CHANGE = "no-change"
"""The relation that asks the same again: it measures noise and is exempt from the gate."""


class Gate(Options):
    """`[gate]`: when a run fails.

    Violations fail it only where `max_rate` (per row of the summary), `relations` (the rate of single relations) or
    `max_findings` is given. That nothing was judged, or that more than `max_errors` of the verdicts of a system on a
    task are ERROR, is no pass whatever is given; so is a row with fewer than `min_judged` verdicts.
    """

    max_rate: float | None = pydantic.Field(default=None, ge=0, le=1)
    max_findings: int | None = pydantic.Field(default=None, ge=0)
    max_errors: float = pydantic.Field(default=0.1, ge=0, le=1)
    min_judged: int | None = pydantic.Field(default=None, ge=1)
    relations: dict[str, float] = pydantic.Field(default_factory=dict)

    def check(self) -> None:
        """Raise UsageError where `relations` names one that does not exist."""
        for name in self.relations:
            RELATIONS.resolve(name)

    def limit(self, relation: str) -> float | None:
        """Return the highest violation rate allowed to a relation; None where there is none."""
        limits = {RELATIONS.resolve(name): limit for name, limit in self.relations.items()}
        return None if relation == NO_CHANGE else limits.get(relation, self.max_rate)


def untested(report: Mapping[str, Any], gate: Gate = Gate()) -> list[str]:  # noqa: B008 - frozen
    """Return one line per reason why the run says nothing of a system; empty when it was tested.

    INVALID verdicts count for nothing here: they are reached without asking.
    """
    rows = report["summary"]
    if not rows:
        return ["no verdict was reached: nothing was asked"]
    lines = []
    for system, task in dict.fromkeys((row["system"], row["task"]) for row in rows):
        own = [row for row in rows if (row["system"], row["task"]) == (system, task)]
        errors = sum(row["error"] for row in own)
        judged = sum(judged_of(row) for row in own)
        if not judged:
            lines.append(f"{system} on {task}: no answer could be judged ({_left(own)})")
        elif errors > gate.max_errors * (errors + judged):
            share = errors / (errors + judged)
            lines.append(
                f"{system} on {task}: {errors} of {errors + judged} verdicts are ERROR ({share:.1%}), "
                f"more than {gate.max_errors:.1%}"
            )
    if lines and any(check["name"] == "budget" for check in report["health"]):
        lines += [check["message"] for check in report["health"] if check["name"] == "budget"]
    return lines


def violations(report: Mapping[str, Any], gate: Gate) -> list[str]:
    """Return one line per broken limit; empty when the run is within the gate, or there is none."""
    lines = []
    for row in report["summary"]:
        where = f"{row['relation']} on {row['system']}, {row['task']}"
        limit = gate.limit(row["relation"])
        if limit is not None and row["rate"] is not None and row["rate"] > limit:
            lines.append(f"{where}: violation rate {row['rate']:.1%} is above {limit:.1%}")
        if gate.min_judged is not None and row["relation"] != NO_CHANGE and judged_of(row) < gate.min_judged:
            lines.append(f"{where}: {judged_of(row)} verdicts were judged, fewer than {gate.min_judged}")
    found = sum(1 for finding in report["findings"] if finding["relation"] != NO_CHANGE)
    if gate.max_findings is not None and found > gate.max_findings:
        lines.append(f"{found} findings, more than {gate.max_findings}")
    return lines


def judged_of(row: Mapping[str, Any]) -> int:
    """Return how many verdicts of a row are satisfied or violated."""
    return int(row["satisfied"] + row["violated"])


def gate_of(report: Mapping[str, Any]) -> Gate:
    """Return the gate that a run was configured with."""
    return Gate.model_validate(report["run"].get("config", {}).get("gate") or {})


def _left(rows: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{sum(row[name] for row in rows)} {name}" for name in ("error", "invalid"))
