"""Shows a run in progress as a report, read from its growing `verdicts.jsonl`.

At this stage findings are neither confirmed nor shrunk, the noise floor is missing, and only the judged turn of each
dialogue is known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pydantic

from mutatis.analysis.intervals import violation_rate
from mutatis.core.constraint import of_inputs
from mutatis.core.verdict import Row
from mutatis.records.files import HAS_LOCKS, REPORT_FILE, VERDICTS_FILE, growth_of, lock, make_report
from mutatis.records.report import Report, VerdictRecord, row_of
from mutatis.records.runs import STORE_FILE

KEPT = 500
"""Maximum number of findings, and of open verdicts, kept in memory for a run in progress."""


def growing(folder: Path) -> Path | None:
    """Return the verdict file of a run that is in progress or ended early, or None for a finished run."""
    part, whole, report = growth_of(folder), folder / VERDICTS_FILE, folder / REPORT_FILE
    if part.is_file() and (_written(part) or not (whole.is_file() or report.is_file())):
        return part
    if whole.is_file() and (not report.is_file() or (HAS_LOCKS and _written(whole))):
        return whole  # the search has finished, but not the confirming and shrinking
    return None


def begun(folder: Path) -> bool:
    """Return True if a run has opened its store but has no verdicts yet."""
    if (folder / REPORT_FILE).is_file() or (folder / "runs").is_dir():  # `.mutatis` has one store for many runs
        return False
    return (folder / STORE_FILE).is_file()


def goes_on(folder: Path) -> bool:
    """Return True if a run is in progress, or was stopped before it finished."""
    return growing(folder) is not None or begun(folder)


def _written(part: Path) -> bool:
    """Return True if a run still holds the lock on its output file, or if the system has no locks."""
    with part.open("rb") as stream:
        return not (HAS_LOCKS and lock(stream, shared=True))


COUNTED = ("satisfied", "violated", "invalid", "error", "undecided", "unchanged", "not_applicable", "open")
"""Names of the counts kept for each row of the summary."""


@dataclass(slots=True)
class _RelationCounts:
    """Counts of verdicts for one system, task and relation; those judged and violated are counted by source."""

    outcomes: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    violated: Counter[str] = field(default_factory=Counter)
    findings: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Follower:
    """Reads a run's verdicts while they are being written. Each `read` continues where the previous one ended."""

    file: Path
    _read: int = 0
    _rows: dict[Row, _RelationCounts] = field(default_factory=lambda: defaultdict(_RelationCounts))
    _findings: dict[str, dict[str, Any]] = field(default_factory=dict)
    _open: list[dict[str, Any]] = field(default_factory=list)

    def read(self) -> None:
        """Count the verdicts written since the last call.

        An incomplete line is left for the next call, and a missing file is ignored.
        """
        if not self.file.is_file():
            return
        with self.file.open("rb") as stream:
            stream.seek(self._read)
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                try:
                    self._count(VerdictRecord.model_validate_json(line))
                except pydantic.ValidationError:
                    continue  # reported when the run has finished and is read as a whole

    def _count(self, verdict: VerdictRecord) -> None:
        row = self._rows[row_of(verdict)]
        row.outcomes[verdict.outcome] += 1
        row.outcomes["undecided"] += verdict.undecided
        row.outcomes["unchanged"] += verdict.unchanged
        row.outcomes["not_applicable"] += of_inputs(verdict.precondition or "")
        row.outcomes["open"] += verdict.open
        if verdict.open and len(self._open) < KEPT:
            self._open.append(evidence_of(verdict))
        if verdict.outcome in ("satisfied", "violated"):
            row.judged[verdict.source] += 1
        if verdict.outcome == "violated":
            row.violated[verdict.source] += 1
            row.findings.add(verdict.finding)
            self._add_finding(verdict)

    def _add_finding(self, verdict: VerdictRecord) -> None:
        finding = self._findings.get(verdict.finding)
        if finding is not None:
            finding["count"] += 1
        elif len(self._findings) < KEPT:
            self._findings[verdict.finding] = evidence_of(verdict)

    def report(self) -> Report:
        """Return a report on the verdicts read so far."""
        summary = [_summary(key, row) for key, row in self._rows.items()]
        record = {"run": {"id": self.file.parent.name}, "summary": summary, "health": [], "metrics": {}}
        return make_report({**record, "findings": list(self._findings.values()), "open": self._open})


def _summary(key: Row, row: _RelationCounts) -> dict[str, Any]:
    system, task, relation = key
    rate = violation_rate([(row.violated[source], judged) for source, judged in row.judged.items()])
    counts = {name: row.outcomes[name] for name in COUNTED}
    rates = {"rate": rate.rate, "interval": rate.interval, "distinct": len(row.findings), "seeds": rate.seeds}
    return {"system": system, "task": task, "relation": relation, **counts, **rates}


_IN_BOTH = tuple(
    "system task relation variant outcome undecided score measure thresholds reason cause reference".split()
)
"""Fields that a finding has in common with its verdict."""


def evidence_of(verdict: VerdictRecord) -> dict[str, Any]:
    """Return a verdict that is violated or open in the form of a finding, with the judged turns only.

    Of a group of follow-ups, only the worst are included, if the verdict names them.
    """
    record = verdict.to_json()
    source = {"id": verdict.source, "turns": [{"fields": record["source_input"]}]}
    says = ", then ".join(verdict.steps)
    members = [record["followups"][index] for index in verdict.worst] if verdict.worst else record["followups"]
    return {
        **{name: record[name] for name in _IN_BOTH if name in record},
        "id": verdict.finding,
        "count": 1,
        "source": {"case": source, "response": record.get("source_output")},
        "followups": [
            {
                "case": {"id": member["case"], "turns": [{"fields": member.get("input", {})}]},
                "role": member.get("role", "follow-up"),
                "response": member.get("output"),
                "says": says,
            }
            for member in members
        ],
    }
