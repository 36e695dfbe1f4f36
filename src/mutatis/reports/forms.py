"""Writes a report in any of its formats, selected by name or by file suffix, and the files of a finished run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutatis.core.errors import UsageError, unknown_name
from mutatis.records import Report, write_report
from mutatis.records.baseline import baseline_of, write_baseline
from mutatis.records.bundle import PAGE_FILE, write_bundle
from mutatis.records.files import REPORT_FILE
from mutatis.records.labels import Label, read_labels
from mutatis.reports.csv import write_csv
from mutatis.reports.frames import write_parquet
from mutatis.reports.grid import MOST, write_grid
from mutatis.reports.html import MOST_FINDINGS, write_html
from mutatis.reports.junit import write_junit
from mutatis.reports.markdown import write_markdown

JUNIT_FILE = "junit.xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Everything needed to write a report, including the run's folder and name and the maximum number of items."""

    report: Report
    folder: Path | None
    most: int | None
    name: str

    @property
    def labels(self) -> Mapping[str, Label]:
        """Labels that people gave to the findings."""
        return {} if self.folder is None else read_labels(self.folder)


def _write_archive(wanted: Wanted, path: Path) -> Path:
    """Write the report, an up-to-date page and the files of the run's folder to an archive, and return its path."""
    folder = wanted.folder
    with tempfile.TemporaryDirectory(prefix="mutatis-") as made:
        fresh = Path(made)
        write_html(wanted.report, fresh / PAGE_FILE, labels=wanted.labels)
        if folder is None or not (folder / REPORT_FILE).is_file():
            write_report(wanted.report, fresh / REPORT_FILE)
        return write_bundle([fresh, *([] if folder is None else [folder])], path)


FORMS: Mapping[str, Callable[[Wanted, Path], Sequence[Path]]] = {
    "html": lambda wanted, path: [
        write_html(wanted.report, path, most=wanted.most or MOST_FINDINGS, labels=wanted.labels)
    ],
    "json": lambda wanted, path: [write_report(wanted.report, path)],
    "junit": lambda wanted, path: [write_junit(wanted.report, path)],
    "csv": lambda wanted, path: write_csv(wanted.report, path),
    "markdown": lambda wanted, path: [write_markdown(wanted.report, path, folder=wanted.name)],
    "baseline": lambda wanted, path: [write_baseline(baseline_of(wanted.report), path)],
    "parquet": lambda wanted, path: write_parquet(wanted.report, path, wanted.folder),
    "grid": lambda wanted, path: [write_grid(wanted.report, wanted.folder, path, most=wanted.most or MOST)],
    "zip": lambda wanted, path: [_write_archive(wanted, path)],
}

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
    if form not in FORMS:
        raise unknown_name("form of a report:", form, FORMS)
    return FORMS[form](Wanted(report=report, folder=folder, most=most, name=name), path)


def write_files(report: Report, folder: Path) -> None:
    """Write `report.json`, `report.html` and `junit.xml` to the run's folder."""
    write_report(report, folder / REPORT_FILE)
    write_html(report, folder / PAGE_FILE)
    write_junit(report, folder / JUNIT_FILE)
