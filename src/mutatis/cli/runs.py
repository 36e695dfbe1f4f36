"""Where runs are: RUN of the command line (an --out folder, a store file, a run id, `latest`) to the folder it means.

Knows the folders that `mutatis run` writes, and of a report only that findings have names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mutatis.core.errors import UsageError, unknown_name
from mutatis.records import FindingRecord
from mutatis.records.files import REPORT_FILE
from mutatis.records.findings import ids_of

HOME = Path(".mutatis")
"""Where runs without --out go, in the current folder."""

LATEST = "latest"


def find_run(run: str) -> Path:
    """Return the folder of a run, the one that holds its `report.json`."""
    path = Path(run)
    if run != LATEST and path.is_dir():
        return _folder(path)
    if run != LATEST and path.is_file():
        return _of_file(path)
    known = known_runs()
    if run == LATEST:
        latest = _latest()
        if latest is not None:
            return latest
        if not known:
            raise UsageError(f"no run yet in {HOME / 'runs'}; start one with `mutatis run` or give its --out folder")
        return known[-1]
    names = {folder.name: folder for folder in known}
    fitting = [folder for name, folder in names.items() if name == run] or [
        folder for name, folder in names.items() if run and name.startswith(run)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UsageError(f"run {run!r} is ambiguous; say which: {', '.join(folder.name for folder in fitting)}")
    if not names:
        raise UsageError(
            f"no run {run!r}: there is no such folder or file, and no run in {HOME / 'runs'}; give an --out folder"
        )
    raise unknown_name("run", run, [*names, LATEST])


def remember_latest(folder: Path) -> None:
    """Note the folder of a run that begins, so that `latest` finds it wherever --out puts it."""
    HOME.mkdir(parents=True, exist_ok=True)
    (HOME / LATEST).write_text(f"{folder.absolute()}\n", encoding="utf-8")


def _latest() -> Path | None:
    """Return the folder of the run that began last, if its report is there."""
    try:
        folder = Path((HOME / LATEST).read_text(encoding="utf-8").strip())
    except OSError:
        return None
    return folder if (folder / REPORT_FILE).is_file() else None


def known_runs(home: Path = HOME) -> list[Path]:
    """Return the run folders under `runs` that hold a report, the oldest first."""
    reports = (home / "runs").glob(f"*/{REPORT_FILE}")
    return [file.parent for file in sorted(reports, key=lambda file: (file.stat().st_mtime_ns, file.parent.name))]


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
    with path.open("rb") as stream:
        store = stream.read(15) == b"SQLite format 3"
    if not store:
        raise UsageError(
            f"{path}: neither a {REPORT_FILE} nor a store; expected an --out folder, a store file, a run id or `latest`"
        )
    try:
        return _folder(path.parent)
    except UsageError:
        raise UsageError(f"{path}: no report beside this store; repeat the run with --out {path.parent}") from None


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
