"""Moves an earlier run into its own subfolder before a run of different systems is written to the same place."""

from __future__ import annotations

import logging
import os
import shlex
from collections.abc import Collection, Iterator
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.records.baseline import systems_of
from mutatis.records.bundle import MEMBERS
from mutatis.records.files import REPORT_FILE, read_report, write_text
from mutatis.records.findings import FINDINGS_FILE, Findings
from mutatis.records.jsontext import dump
from mutatis.records.report import FindingRecord, Report
from mutatis.records.runs import remember
from mutatis.reports.forms import JUNIT_FILE, write_files
from mutatis.reports.numbers import line

EARLIER = "earlier"
"""Name of the subfolder for earlier runs of different systems. Each run has a folder there, named after its id."""

log = logging.getLogger("mutatis")


def set_aside(folder: Path, systems: Collection[str]) -> Path | None:
    """If the run in a folder tested a system that is not in `systems`, move it aside and return its new path.

    Otherwise return None: the new run covers the same systems and will replace the earlier one. Stored answers are not
    moved, because runs share a store.
    """
    if not (folder / REPORT_FILE).is_file():
        return None
    try:
        report = read_report(folder)
    except UsageError:  # its systems are unknown if it cannot be read
        return None
    others = [system for system in systems_of(report) if system not in systems]
    if not others:
        return None
    place = _free(folder / EARLIER / (Path(report.run.id).name or "run"))
    times = (folder / REPORT_FILE).stat()
    place.mkdir(parents=True)
    for name in (*MEMBERS, JUNIT_FILE):
        if (folder / name).is_file():
            (folder / name).replace(place / name)
    _replay_from(place, read_report(place))
    os.utime(place / REPORT_FILE, ns=(times.st_atime_ns, times.st_mtime_ns))  # commands order runs by this time
    remember(place)
    log.warning("%s held a run of %s: it is kept as %s", folder, ", ".join(map(line, others)), place)
    return place


def _free(place: Path) -> Path:
    """Return the path if nothing exists there, else the first free path with a number appended."""
    number, free = 2, place
    while free.exists():
        free, number = place.with_name(f"{place.name}-{number}"), number + 1
    return free


def _replay_from(place: Path, report: Report) -> None:
    """Write the files of a moved run again, with its new place in the commands that replay its findings.

    Findings that do not fit into the report are in a file of their own, which is rewritten line by line.
    """
    size, file = 0, report.findings_file

    def at_place(finding: FindingRecord) -> FindingRecord:
        if finding.replay is None:
            return finding
        return finding.model_copy(update={"replay": f"mutatis replay {shlex.quote(str(place))} {finding.id}"})

    def lines() -> Iterator[str]:
        nonlocal size
        for finding in report.all_findings:
            written = dump(at_place(finding).to_json()) + "\n"
            size += len(written.encode("utf-8"))
            yield written

    if file is not None and (place / FINDINGS_FILE).is_file():
        write_text(place / FINDINGS_FILE, lines())
        file = file.model_copy(update={"size": size})
    first = [at_place(finding) for finding in report.findings]
    renamed = report.model_copy(update={"findings": first, "findings_file": file})
    if file is not None and file.number > len(first):
        renamed = renamed.holding(Findings(place / FINDINGS_FILE, file))
    write_files(renamed, place)
