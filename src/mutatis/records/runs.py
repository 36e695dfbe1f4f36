"""Finds the run that a command names, and one finding of it.

A run is an --out folder, a store file, a run id or `latest`. A finding is named by its short hash, or the beginning of
the hash.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from mutatis.core.errors import UsageError, names_text, unknown_name
from mutatis.records.bundle import is_bundle, unpacked
from mutatis.records.files import REPORT_FILE, ids_of, write_text
from mutatis.records.report import FindingRecord

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

LONGEST_HISTORY = 1000
"""Number of entries that makes the history drop its entries for missing folders."""

LATEST, PREVIOUS = "latest", "previous"
FROM_THE_END = {LATEST: 1, PREVIOUS: 2}
"""Names for the latest runs, with their positions from the end of the history."""


def find_run(run: str) -> Path:
    """Return the folder that contains the `report.json` of a run.

    Raises:
        UsageError: no run matches, or several do.
    """
    if run in FROM_THE_END:
        return _run_from_the_end(run)
    path = Path(run).expanduser()
    if path.is_dir():
        return _folder_with_report(path)
    if path.is_file():
        return _folder_of_file(path)
    known = known_runs()
    by_name = {folder.name: folder for folder in known}  # of two folders with the same name, the newer one
    if run in by_name:
        return by_name[run]
    matches = [folder for name, folder in by_name.items() if name.startswith(run)]
    matches = matches or [folder for folder in known if _id_of(folder) == run]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UsageError(f"run {run!r} is ambiguous; choose one: {', '.join(folder.name for folder in matches)}")
    if not known:
        raise UsageError(
            f"no run {run!r}: there is no such folder or file, and no such run in {HOME / 'runs'}; give an --out folder"
        )
    raise unknown_name("run", run, [*by_name, *FROM_THE_END])


def _run_from_the_end(name: str) -> Path:
    """Return the folder of the latest or the previous run. Raise UsageError if there are too few runs."""
    known = known_runs()
    if len(known) >= FROM_THE_END[name]:
        return known[-FROM_THE_END[name]]
    missing = f"no {name} run: there is only one run" if known else "no run yet"
    raise UsageError(f"{missing} in {HOME / 'runs'}; start a run with `mutatis run`, or give the --out folder of a run")


def named_run(run: str) -> str:
    """Return the name of a run in a form that stays valid later, and in a configuration in a different folder.

    Files and folders are returned as full paths.
    """
    if run in FROM_THE_END:  # a new run would change the meaning of these names
        return str(find_run(run).absolute()) if len(known_runs()) >= FROM_THE_END[run] else run
    path = Path(run)
    return str(path.absolute()) if path.exists() else run


def remember(folder: Path) -> None:
    """Record the folder of a new run in the history, so that later commands find it even if --out was given.

    Each folder is recorded once, since a test suite uses the same folders every day. If recording fails, the run
    continues with a warning.
    """
    recorded = _history(HOME)
    if folder.absolute() in recorded:
        return
    try:
        HOME.mkdir(parents=True, exist_ok=True)
        if len(recorded) >= LONGEST_HISTORY:  # test suites leave many folders behind, and delete most of them
            write_text(HOME / HISTORY, (f"{known}\n" for known in recorded if known.is_dir()))
        with (HOME / HISTORY).open("a", encoding="utf-8") as file:
            file.write(f"{folder.absolute()}\n")
    except (OSError, UsageError) as error:
        log.warning("%s cannot be written (%s): name this run by its folder, %s", HOME, error, folder)


def run_folder(out: Path | str, option: str = "out") -> Path:
    """Return the output folder of a run. `option` is the name of the option that sets it, for errors.

    Raises:
        UsageError: the path is a file.
    """
    folder = Path(out).expanduser()  # shells expand `~`, but Python programs pass it on
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
    with (folder / REPORT_FILE).open(encoding="utf-8", errors="replace") as file:
        beginning = file.read(4096)  # reports begin with format, version and run, and a large one takes long to parse
    run_id = re.search(r'^"run": \{"id": "([^"]+)"', beginning, re.MULTILINE)
    return run_id[1] if run_id else ""


def _age(file: Path) -> tuple[int, str]:
    return file.stat().st_mtime_ns, file.parent.name


def _history(home: Path) -> list[Path]:
    try:
        lines = (home / HISTORY).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [Path(line) for line in dict.fromkeys(lines) if line]


def _folder_with_report(path: Path) -> Path:
    """Return the folder if it has a report, or the latest run in it if it is a folder `.mutatis`."""
    if (path / REPORT_FILE).is_file():
        return path
    if path.resolve() == HOME.resolve() or (path / "runs").is_dir():
        inside = known_runs(path)
        if inside:
            return inside[-1]
    raise UsageError(f"{path}: no {REPORT_FILE} in this folder; expected the --out folder of a finished run")


def _folder_of_file(path: Path) -> Path:
    """Return the folder of a run given by its report, its store or an archive, which is unpacked."""
    if path.name == REPORT_FILE:
        return path.parent
    if is_bundle(path):
        return unpacked(path, HOME / SHARED)
    with path.open("rb") as stream:
        is_store = stream.read(15) == b"SQLite format 3"
    if not is_store:
        raise UsageError(
            f"{path}: this is not a {REPORT_FILE}, a store or a .zip written by `mutatis report`; expected one of "
            "these, an --out folder, a run id or `latest`"
        )
    try:
        return _folder_with_report(path.parent)
    except UsageError:
        raise UsageError(f"{path}: no report next to this store; repeat the run with --out {path.parent}") from None


def find_finding(
    records: Sequence[FindingRecord], finding: str, open_pairs: Sequence[FindingRecord] = ()
) -> FindingRecord:
    """Return the finding, or else the undecided pair, whose short hash starts with this text.

    The text must match only one.
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
        raise UsageError(f"finding {finding!r} is ambiguous; choose one: {names_text(matches, 8)}")
    if not names:
        raise UsageError(f"no finding {finding!r}: the run has no findings")
    raise unknown_name("finding", finding, names)
