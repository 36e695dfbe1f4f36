"""Writes a report in any of its formats, selected by name or by file suffix, and the files of a finished run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mutatis.core.errors import UsageError, check_known
from mutatis.records import Report, write_report
from mutatis.records.baseline import baseline_of, write_baseline
from mutatis.records.bundle import PAGE_FILE, write_bundle
from mutatis.records.files import REPORT_FILE, kept_verdicts, write_text
from mutatis.records.labels import read_labels
from mutatis.reports.csv import write_csv
from mutatis.reports.frames import write_parquet
from mutatis.reports.grid import MOST, render_grid
from mutatis.reports.html import MOST_FINDINGS, write_html
from mutatis.reports.junit import render_junit
from mutatis.reports.markdown import render_markdown

JUNIT_FILE = "junit.xml"


def _write_archive(report: Report, path: Path, folder: Path | None) -> Path:
    """Write the report, an up-to-date page and the files of the run's folder to an archive, and return its path."""
    with tempfile.TemporaryDirectory(prefix="mutatis-") as made:
        fresh = Path(made)
        write_html(report, fresh / PAGE_FILE, labels=read_labels(folder))
        if folder is None or not (folder / REPORT_FILE).is_file():
            write_report(report, fresh / REPORT_FILE)
        return write_bundle([fresh, *([] if folder is None else [folder])], path)


FORMS: Mapping[str, Callable[[Report, Path, Path | None, int | None, str], Sequence[Path]]] = {
    "html": lambda report, path, folder, most, _: [
        write_html(report, path, most=most or MOST_FINDINGS, labels=read_labels(folder))
    ],
    "json": lambda report, path, *_: [write_report(report, path)],
    "junit": lambda report, path, *_: [write_text(path, render_junit(report))],
    "csv": lambda report, path, *_: write_csv(report, path),
    "markdown": lambda report, path, _, __, name: [write_text(path, render_markdown(report, folder=name))],
    "baseline": lambda report, path, *_: [write_baseline(baseline_of(report), path)],
    "parquet": lambda report, path, folder, *_: write_parquet(report, path, folder),
    "grid": lambda report, path, folder, most, _: [
        write_text(path, render_grid(report, kept_verdicts(folder), most=most or MOST))
    ],
    "zip": lambda report, path, folder, *_: [_write_archive(report, path, folder)],
}
"""Function that writes each format. It takes the arguments of `write` except the format."""

ENDINGS: Mapping[str, str] = {
    ".html": "html",
    ".json": "json",
    ".xml": "junit",
    ".csv": "csv",
    ".md": "markdown",
    ".parquet": "parquet",
    ".zip": "zip",
}
"""Report format for each file suffix. Baselines and grids share suffixes with other formats and must be named."""


def write(
    report: Report,
    path: Path,
    folder: Path | None = None,
    *,
    form: str | None = None,
    most: int | None = None,
    name: str = "",
) -> Sequence[Path]:
    """Write a report in a format, by default the one for the suffix of `path`, and return the files written.

    Args:
        report: the report.
        path: the file to write; some formats write further files next to it.
        folder: the folder with the run's verdicts and labels, if there is one.
        form: one of FORMS.
        most: maximum number of findings on a page, or of rows in a grid.
        name: the run's name in the commands shown.

    Raises:
        UsageError: the format or suffix is unknown, or the format needs verdicts and the run did not keep any.
    """
    form = ENDINGS.get(path.suffix) if form is None else form
    if form is None:
        raise UsageError(
            f"cannot write a report as {path.name!r}; expected a name that ends in {', '.join(ENDINGS)}, or one of the "
            f"forms: {', '.join(FORMS)}"
        )
    check_known("form of a report:", [form], FORMS)
    return FORMS[form](report, path, folder, most, name)


def write_files(report: Report, folder: Path) -> None:
    """Write `report.json`, `report.html` and `junit.xml` to the run's folder."""
    write_report(report, folder / REPORT_FILE)
    write_html(report, folder / PAGE_FILE)
    write_text(folder / JUNIT_FILE, render_junit(report))
