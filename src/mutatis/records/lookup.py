"""Finds one finding of a run by its short hash, or by the beginning of the hash."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from mutatis.core.errors import UsageError, unknown_name
from mutatis.records.files import read_report
from mutatis.records.findings import ids_of
from mutatis.records.report import FindingRecord
from mutatis.records.runs import LATEST, known_runs

SEARCHED = 20
"""Number of recent runs that are searched for a finding if the given run does not contain it."""

SHORTEST = 4
"""Minimum number of characters of a text that may be the hash of a finding."""


def find_finding(
    records: Sequence[FindingRecord], finding: str, open_pairs: Sequence[FindingRecord] = ()
) -> FindingRecord:
    """Return the finding, or else the undecided pair, whose short hash starts with this text.

    The text must match only one of them.
    """
    finding_ids = list(ids_of(records))
    undecided = {pair.id: pair for pair in open_pairs if pair.id not in finding_ids}
    names = [*finding_ids, *undecided]
    matches = [finding] if finding in names else []
    if finding and not matches:
        matches = [name for name in names if name.startswith(finding.lower())]
    if len(matches) == 1:
        [name] = matches
        return undecided[name] if name in undecided else records[finding_ids.index(name)]
    if matches:
        shown = ", ".join(matches[:8]) + (f", ... ({len(matches)} in all)" if len(matches) > 8 else "")
        raise UsageError(f"finding {finding!r} is ambiguous; choose one: {shown}")
    if run := run_with(finding):
        raise UsageError(f"no finding {finding!r} in this run; it belongs to the run {run!r}: name that run instead")
    if not names:
        raise UsageError(f"no finding {finding!r}: the run has no findings")
    raise unknown_name("finding", finding, names)


def run_with(finding: str) -> str:
    """Return a name for the latest run with a finding whose hash starts with this text, or "" if no run has one."""
    if len(finding) < SHORTEST:
        return ""
    for age, folder in enumerate(reversed(known_runs()[-SEARCHED:])):
        with contextlib.suppress(UsageError):  # an unreadable report is skipped
            if any(name.startswith(finding.lower()) for name in ids_of(read_report(folder).all_findings)):
                if age == 0:
                    return LATEST
                return folder.name if folder.parent.name == "runs" else str(folder)
    return ""
