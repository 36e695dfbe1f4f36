"""Finds the folder of a run given on the command line: an --out folder, a store file, a run id or `latest`."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mutatis.core.errors import UsageError, unknown_name
from mutatis.records.bundle import is_bundle, unpacked
from mutatis.records.files import REPORT_FILE, write_text

log = logging.getLogger("mutatis")

HOME = Path(".mutatis")
"""Folder for runs without --out, relative to the current folder."""

STORE_FILE = "store.db"
"""Name of the file with the answers of a run, in the folder of the run."""

SHARED = "shared"
"""Name of the folder in HOME for runs that were unpacked from a single file."""

HISTORY = "history"
"""Name of the file in HOME that lists the folders of all runs started here, including --out folders.

It has one folder per line.
"""

NOTED = 1000
"""Length of the history at which entries for missing folders are removed."""

LATEST, PREVIOUS = "latest", "previous"
FROM_THE_END = {LATEST: 1, PREVIOUS: 2}
"""Names for the latest runs, with their positions from the end of the history."""


def find_run(run: str) -> Path:
    """Return the folder that contains the `report.json` of a run.

    Raises:
        UsageError: there is no such run, or several match.
    """
    path = Path(run).expanduser()
    if run not in FROM_THE_END and path.is_dir():
        return _folder(path)
    if run not in FROM_THE_END and path.is_file():
        return _of_file(path)
    known = known_runs()
    if run in FROM_THE_END:
        if len(known) < FROM_THE_END[run]:
            which = "no run yet" if not known else f"no {run} run: there is only one run"
            raise UsageError(
                f"{which} in {HOME / 'runs'}; start a run with `mutatis run`, or give the --out folder of a run"
            )
        return known[-FROM_THE_END[run]]
    names = {folder.name: folder for folder in known}
    fitting = [folder for name, folder in names.items() if name == run] or [
        folder for name, folder in names.items() if run and name.startswith(run)
    ]
    fitting = fitting or [folder for folder in known if run and _id_of(folder) == run]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UsageError(f"run {run!r} is ambiguous; choose one: {', '.join(folder.name for folder in fitting)}")
    if not names:
        raise UsageError(
            f"no run {run!r}: there is no such folder or file, and no such run in {HOME / 'runs'}; give an --out folder"
        )
    raise unknown_name("run", run, [*names, *FROM_THE_END])


def named_run(run: str) -> str:
    """Return the name of a run in a form that stays valid later, and in a configuration in a different folder.

    Files and folders are returned as full paths.
    """
    path = Path(run)
    if run in FROM_THE_END:  # the run that it means now: soon another one is the latest
        return str(find_run(run).absolute()) if len(known_runs()) >= FROM_THE_END[run] else run
    return str(path.absolute()) if path.exists() else run


def remember(folder: Path) -> None:
    """Record the folder of a new run in the history, so that later commands find it even if --out was given.

    Each folder is recorded once, since a test suite uses the same folders every day. If recording fails, the run
    continues with a warning.
    """
    noted = _history(HOME)
    if folder.absolute() in noted:
        return
    try:
        HOME.mkdir(parents=True, exist_ok=True)
        if len(noted) >= NOTED:  # folders of tests come and go
            write_text(HOME / HISTORY, (f"{folder}\n" for folder in noted if folder.is_dir()))
        with (HOME / HISTORY).open("a", encoding="utf-8") as file:
            file.write(f"{folder.absolute()}\n")
    except (OSError, UsageError) as error:
        log.warning("%s cannot be written (%s): name this run by its folder, %s", HOME, error, folder)


def run_folder(out: Path | str, option: str = "out") -> Path:
    """Return the output folder of a run. `option` is the name of the option that sets it, for errors.

    Raises:
        UsageError: the path is a file.
    """
    folder = Path(out).expanduser()  # a shell does it for the command, and nobody for a program
    if folder.is_file():
        raise UsageError(f"{option} {out} is a file; expected a folder, which is created if needed")
    return folder


def known_runs(home: Path = HOME) -> list[Path]:
    """Return the folders that contain a report, from the runs in `home` and its history, oldest first.

    Runs whose folder is missing, or that never produced a report, are left out.
    """
    reports = {file.absolute(): file for file in (home / "runs").glob(f"*/{REPORT_FILE}")}
    for folder in _history(home):
        file = folder / REPORT_FILE
        if file.is_file():
            reports.setdefault(file, file)
    return [file.parent for file in sorted(reports.values(), key=_age)]


def _id_of(folder: Path) -> str:
    """Return the id in a run's report, or "". The run's folder may have a different name."""
    with (folder / REPORT_FILE).open(encoding="utf-8", errors="replace") as file:  # it begins with the run: see records
        head = re.search(r'^"run": \{"id": "([^"]+)"', file.read(4096), re.MULTILINE)
    return head[1] if head else ""


def _age(file: Path) -> tuple[int, str]:
    return file.stat().st_mtime_ns, file.parent.name


def _history(home: Path) -> list[Path]:
    try:
        lines = (home / HISTORY).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [Path(line) for line in dict.fromkeys(lines) if line]


def _folder(path: Path) -> Path:
    if (path / REPORT_FILE).is_file():
        return path
    if path.resolve() == HOME.resolve() or (path / "runs").is_dir():
        inside = known_runs(path)
        if inside:
            return inside[-1]
    raise UsageError(f"{path}: no {REPORT_FILE} in this folder; expected the --out folder of a finished run")


def _of_file(path: Path) -> Path:
    if path.name == REPORT_FILE:
        return path.parent
    if is_bundle(path):
        return unpacked(path, HOME / SHARED)
    with path.open("rb") as stream:
        store = stream.read(15) == b"SQLite format 3"
    if not store:
        raise UsageError(
            f"{path}: this is not a {REPORT_FILE}, a store or a .zip written by `mutatis report`; expected one of "
            "these, an --out folder, a run id or `latest`"
        )
    try:
        return _folder(path.parent)
    except UsageError:
        raise UsageError(f"{path}: no report next to this store; repeat the run with --out {path.parent}") from None
