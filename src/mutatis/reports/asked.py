"""Systems that a run asked nothing: how many of their answers were stored, and how old these are.

Uses the records of a report only; whether such a run passes is the gate's decision.
"""

from __future__ import annotations

from datetime import datetime

from mutatis.records.report import Report
from mutatis.records.run import SystemRecord
from mutatis.reports.numbers import age, counted, line


def on_stored_answers(report: Report) -> list[SystemRecord]:
    """Return the endpoints whose verdicts rest on stored answers alone.

    A Python function or a model on this machine is left out: its answers are stored under its version. Questions that
    only confirm findings, or make them smaller, are asked after the verdicts.
    """
    return [system for system in report.run.systems if system.endpoint and system.stored and not system.current]


def newest_age(report: Report, system: SystemRecord) -> float | None:
    """Return the seconds from the newest stored answer of a system to the run; None if a report lacks the times."""
    try:
        started, newest = (datetime.fromisoformat(text or "") for text in (report.run.started, system.newest))
        return (started - newest).total_seconds()
    except (ValueError, TypeError):  # a report that somebody wrote by hand
        return None


def stored_answers(report: Report, system: SystemRecord) -> str:
    """Return that nothing was asked of a system, and how old its answers are.

    >>> from mutatis.records.files import make_report
    >>> systems = [{"system": "bot", "stored": 389, "newest": "2026-05-01T09:00:00+00:00"}]
    >>> run = {"id": "r", "started": "2026-05-01T12:00:00+00:00", "systems": systems}
    >>> report = make_report({"run": run, "summary": [], "findings": [], "health": [], "metrics": {}})
    >>> stored_answers(report, report.run.systems[0])
    'nothing was asked: all 389 answers were stored, the newest 3 h old'
    """
    seconds = newest_age(report, system)
    newest = "" if seconds is None else f", the newest {age(seconds)} old"
    if not system.paid:
        return f"nothing was asked: all {counted(system.stored, 'answer')} were stored{newest}"
    return (
        f"nothing that was judged was asked: these answers were stored{newest}; "
        f"{counted(system.paid, 'question')} failed or came afterwards, to confirm"
    )


def told_of(report: Report, system: SystemRecord, why: str = "") -> str:
    """Return the same as a line with the system's name, and why that is all right."""
    return f"{line(system.system)}: {stored_answers(report, system)}" + (f" ({why})" if why else "")
