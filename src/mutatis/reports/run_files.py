"""Writes the files of a finished run that people and build servers read."""

from __future__ import annotations

from pathlib import Path

from mutatis.records import Report, write_report
from mutatis.records.bundle import PAGE_FILE
from mutatis.records.files import REPORT_FILE
from mutatis.reports.html import write_html
from mutatis.reports.junit import write_junit

JUNIT_FILE = "junit.xml"


def write_files(report: Report, folder: Path) -> None:
    """Write `report.json`, `report.html` and `junit.xml` to the run's folder."""
    write_report(report, folder / REPORT_FILE)
    write_html(report, folder / PAGE_FILE)
    write_junit(report, folder / JUNIT_FILE)
