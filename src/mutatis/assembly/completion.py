"""Runs a campaign to its end and writes its report and files. Every run goes through here.

If a run is interrupted, it still waits for pending answers that will be stored. All connections that the run opened are
closed in every case. Before a run of different systems is written to a folder, the earlier run there moves into its own
subfolder.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
from collections.abc import Awaitable, Collection
from pathlib import Path
from typing import TypeVar

from mutatis.campaign.session import Campaign, conduct
from mutatis.campaign.verdict_file import VerdictFile
from mutatis.core.errors import UsageError
from mutatis.core.system import close_all
from mutatis.records.baseline import systems_of
from mutatis.records.bundle import MEMBERS
from mutatis.records.files import FINDINGS_FILE, REPORT_FILE, Findings, read_report, write_text
from mutatis.records.jsontext import dump
from mutatis.records.report import FindingRecord, Report
from mutatis.records.runs import remember
from mutatis.reports.forms import JUNIT_FILE, write_files
from mutatis.reports.numbers import line

log = logging.getLogger("mutatis")


EARLIER = "earlier"
"""Name of the subfolder for earlier runs of different systems. Each run has a folder there, named after its id."""


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
    _replay_from(place, read_report(place))  # its commands name the new place
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
    file = report.findings_file

    def at_place(finding: FindingRecord) -> FindingRecord:
        if finding.replay is None:
            return finding
        return finding.model_copy(update={"replay": f"mutatis replay {shlex.quote(str(place))} {finding.id}"})

    if file is not None and (place / FINDINGS_FILE).is_file():
        lines = (dump(at_place(finding).to_json()) + "\n" for finding in report.all_findings)
        path = write_text(place / FINDINGS_FILE, lines)  # replaces the file only once all its findings are read
        file = file.model_copy(update={"size": path.stat().st_size})
    first = [at_place(finding) for finding in report.findings]
    renamed = report.model_copy(update={"findings": first, "findings_file": file})
    if file is not None and file.number > len(first):
        renamed = renamed.holding(Findings(place / FINDINGS_FILE, file))
    write_files(renamed, place)


T = TypeVar("T")


async def complete(
    campaign: Campaign, *, folder: Path | None = None, verdicts: Path | None = None, run_id: str = "", name: str = ""
) -> Report:
    """Run a campaign and finish it: wait for pending answers, close connections, write files.

    Args:
        campaign: the parts of the run, as `assemble` returns them.
        folder: the folder for the files of the run. If None, none are written.
        verdicts: the folder for `verdicts.jsonl`, by default `folder`.
        run_id: the id of the run, by default a new one.
        name: the name of the run for `mutatis replay`; empty if no command can find the run later.

    Raises:
        UsageError: the search proposes nothing, or only follow-ups that no relation accepts; the folder cannot be
            written.
    """
    if folder is not None:
        set_aside(folder, [target.label for target in campaign.targets])
        remember(folder)
    with VerdictFile(verdicts or folder) as lines:  # its lock is held until the report is written
        try:
            report = await conduct(campaign, folder=folder, verdicts=lines, run_id=run_id, name=name)
        except BaseException as error:
            await _drain(campaign, interrupted=isinstance(error, asyncio.CancelledError))
            raise
        finally:
            await campaign.close()
        if folder is not None:
            write_files(report, folder)
    for layer in campaign.endpoints:  # only now, so that a run that was killed before can be continued
        layer.finish(report.run.id)
    return report


async def closed_after(running: Awaitable[T], lent: object) -> T:
    """Await a run and return its result, then close the system or list of systems that the caller passed in.

    This is for callers whose event loop ends with the run, after which the connections could not be used again.
    """
    try:
        return await running
    finally:
        await close_all(lent if isinstance(lent, list | tuple) else [lent])


async def _drain(campaign: Campaign, *, interrupted: bool) -> None:
    """Wait for pending answers, because they will be charged for anyway. A second cancellation ends the wait.

    If the store is only in memory, they are cancelled instead, because they would be lost anyway.
    """
    level = logging.WARNING if interrupted else logging.INFO  # a failure is reported on its own
    keeping = [layer for layer in campaign.layers if layer.keeps]
    if not keeping:
        log.log(level, "interrupted; the answers were only in memory; pass a folder (out=...) to keep them")
        for layer in campaign.layers:
            await layer.drain()  # which cancels what would not be kept
        return
    waiting = sum(layer.on_the_wire for layer in keeping)
    log.log(
        level,
        "interrupted: waiting for %d answers already requested; nothing is lost; interrupt again to stop at once",
        waiting,
    )
    stored = sum([await layer.drain() for layer in keeping])
    again = "run it again to continue: stored answers are reused"
    log.log(level, "interrupted; %d answers already requested are kept; %s", stored, again)
