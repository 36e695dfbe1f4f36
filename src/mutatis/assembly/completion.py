"""Runs a campaign to its end and writes its report and files. Every run goes through here.

If a run is interrupted, it still waits for pending answers that will be stored. All connections that the run opened are
closed in every case.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

from mutatis.assembly.earlier import set_aside
from mutatis.campaign.session import Campaign, conduct
from mutatis.campaign.verdict_file import VerdictFile
from mutatis.core.system import close_all
from mutatis.records import Report
from mutatis.records.runs import remember
from mutatis.reports.forms import write_files

T = TypeVar("T")

log = logging.getLogger("mutatis")


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
            await layer.drain()
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
