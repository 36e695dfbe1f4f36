"""The forms that a report can be written in, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.records import Report, write_report
from mutatis.records.labels import read_labels
from mutatis.reports.bundle import write_archive
from mutatis.reports.csv import write_csv
from mutatis.reports.frames import write_parquet
from mutatis.reports.html import write_html
from mutatis.reports.junit import write_junit
from mutatis.reports.markdown import write_markdown

FORMS: Mapping[str, Callable[[Report, Path, Path | None], object]] = {
    ".html": lambda report, path, folder: write_html(
        report, path, labels=None if folder is None else read_labels(folder)
    ),
    ".json": lambda report, path, folder: write_report(report, path),
    ".xml": lambda report, path, folder: write_junit(report, path),
    ".csv": lambda report, path, folder: write_csv(report, path),
    ".md": lambda report, path, folder: write_markdown(report, path),
    ".parquet": write_parquet,
    ".zip": lambda report, path, folder: write_archive(
        report, folder, path, {} if folder is None else read_labels(folder)
    ),
}


def write(report: Report, path: Path, folder: Path | None = None) -> Path:
    """Write a report in the form that the ending of `path` names.

    `folder` is where the run keeps its verdicts and labels, as far as it has a place.

    Raises:
        UsageError: another ending.
    """
    if path.suffix not in FORMS:
        raise UsageError(f"cannot write a report as {path.name!r}; expected one of: {', '.join(FORMS)}")
    FORMS[path.suffix](report, path, folder)
    return path
