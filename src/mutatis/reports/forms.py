"""The forms that a report can be written in, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError
from mutatis.records.files import check_report, write_report
from mutatis.reports.csv import write_csv
from mutatis.reports.html import write_html
from mutatis.reports.junit import write_junit

FORMS: Mapping[str, Callable[[Mapping[str, Any], Path], object]] = {
    ".html": write_html,
    ".json": lambda report, path: write_report(check_report(report, "the report"), path),
    ".xml": write_junit,
    ".csv": write_csv,
}


def write(report: Mapping[str, Any], path: Path) -> Path:
    """Write a report in the form that the ending of `path` names.

    Raises:
        UsageError: another ending.
    """
    if path.suffix not in FORMS:
        raise UsageError(f"cannot write a report as {path.name!r}; expected one of: {', '.join(FORMS)}")
    FORMS[path.suffix](report, path)
    return path
