"""`mutatis region`: writes an oracle file with the regions in which a run found no violations."""

from __future__ import annotations

from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.records import read_report
from mutatis.records.runs import find_run
from mutatis.relations.oracle import regions_of, save_oracle
from mutatis.reports.terminal import console


def region(run: str, output: Path) -> None:
    """Save and print the regions without violations in a run.

    Raises:
        UsageError: the run found no such region.
    """
    report = read_report(find_run(run))
    regions = regions_of(report)
    if not regions:
        raise UsageError(
            f"run {run} found no region without violations; sweep a family: "
            '[search] type = "grid" ... refine = true, or recipe = "content_quality"'
        )
    save_oracle(regions, output, run=report.run.id)
    out = console()
    for oracle_region in regions:
        out.print(oracle_region.line, markup=False, highlight=False, soft_wrap=True)
    out.print(f"judge fresh inputs by it: mutatis run ... --oracle {output}", markup=False, highlight=False)
