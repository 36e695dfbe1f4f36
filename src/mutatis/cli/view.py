"""`mutatis view [RUN]`: shows reports in the browser, from a local server or as a file."""

from __future__ import annotations

import asyncio
import contextlib
import time
import webbrowser
from pathlib import Path

import typer

from mutatis.core.errors import UsageError
from mutatis.records import read_report
from mutatis.records.files import REPORT_FILE
from mutatis.records.labels import read_labels
from mutatis.records.runs import FROM_THE_END, HOME, STORE_FILE, find_run, known_runs
from mutatis.reports.partial import begun, growing


def view(run: str | None, browser: bool, port: int, file: bool) -> None:
    """Show runs in the browser as `mutatis view` does, until the user interrupts it."""
    if file:
        page = written_page(find_run(run or "latest"))
        typer.echo(str(page))
        _open(page.resolve().as_uri(), browser)
        return
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(_awaited(run), port, browser))


def served(run: str | None) -> list[Path]:
    """Return the folders of the runs to serve, newest first.

    `run` is the name of a run ("last"), its folder or a folder of such folders. Without it, all known runs are served.

    Raises:
        UsageError: no run was found.
    """
    if run is None:
        running = [folder for folder in (HOME / "runs").glob("*") if growing(folder) is not None]
        return list(dict.fromkeys(folder.absolute() for folder in [*running, *reversed(known_runs())]))
    path = Path(run)
    if run in FROM_THE_END or not path.is_dir():
        return [find_run(run)]
    if _is_run(path) or begun(path):
        return [path]
    inside = [folder for folder in path.iterdir() if folder.is_dir() and _is_run(folder)]
    if not inside:
        raise UsageError(
            f"{path}: no run in this folder; expected the --out folder of a run, or a folder of such folders"
        )
    return sorted(inside, key=lambda folder: folder.stat().st_mtime_ns, reverse=True)


def _awaited(run: str | None) -> list[Path]:
    """Return the folders to serve. If none is named and the user's first run has just begun, wait for its folder."""
    folders = served(run)
    if folders or run is not None or not (HOME / STORE_FILE).is_file():
        return folders
    typer.echo(f"no run in {HOME / 'runs'} yet: waiting for the first one  (Ctrl-C to stop)")
    while not (folders := served(None)):
        time.sleep(0.5)
    return folders


def _is_run(folder: Path) -> bool:
    return (folder / REPORT_FILE).is_file() or growing(folder) is not None


def written_page(folder: Path) -> Path:
    """Write the page of a run from its report and labels, and return its path.

    An existing page is replaced, because it may come from an untrusted source.
    """
    from mutatis.reports.html import write_html

    return write_html(read_report(folder), folder / "report.html", labels=read_labels(folder))


async def _serve(folders: list[Path], port: int, browser: bool) -> None:
    from mutatis.reports.server import Viewer

    viewer = Viewer(folders)
    runner = await viewer.start(port)
    try:
        typer.echo(f"{viewer.address}  (Ctrl-C to stop; only this machine can reach it)")
        await asyncio.to_thread(_open, viewer.address, browser)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def _open(address: str, browser: bool) -> None:
    if browser and not webbrowser.open(address):
        typer.echo("no browser could be started; open the address above", err=True)
