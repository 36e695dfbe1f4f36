"""The forms that a report can be written in, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.records import Report, write_report
from mutatis.reports.csv import write_csv
from mutatis.reports.frames import write_parquet
from mutatis.reports.html import write_html
from mutatis.reports.junit import write_junit
from mutatis.reports.markdown import write_markdown

FORMS: Mapping[str, Callable[[Report, Path], object]] = {
    ".html": write_html,
    ".json": write_report,
    ".xml": write_junit,
    ".csv": write_csv,
    ".md": write_markdown,
    ".parquet": write_parquet,
}


def write(report: Report, path: Path) -> Path:
    """Write a report in the form that the ending of `path` names.

    Raises:
        UsageError: another ending.
    """
    if path.suffix not in FORMS:
        raise UsageError(f"cannot write a report as {path.name!r}; expected one of: {', '.join(FORMS)}")
    FORMS[path.suffix](report, path)
    return path
