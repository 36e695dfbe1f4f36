"""One finding of a run, by its short hash or the beginning of one."""

from __future__ import annotations

from collections.abc import Sequence

from mutatis.core.errors import UsageError, unknown_name
from mutatis.records import FindingRecord
from mutatis.records.findings import ids_of


def find_finding(found: Sequence[FindingRecord], finding: str) -> FindingRecord:
    """Return the finding with this short hash or an unambiguous beginning of it."""
    findings = list(ids_of(found))
    if finding in findings:
        return found[findings.index(finding)]
    fitting = [name for name in findings if finding and name.startswith(finding.lower())]
    if len(fitting) == 1:
        return found[findings.index(fitting[0])]
    if fitting:
        shown = ", ".join(fitting[:8]) + (f", ... ({len(fitting)} in all)" if len(fitting) > 8 else "")
        raise UsageError(f"finding {finding!r} is ambiguous; say which: {shown}")
    if not findings:
        raise UsageError(f"no finding {finding!r}: the run has no findings")
    raise unknown_name("finding", finding, findings)
