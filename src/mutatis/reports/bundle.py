"""Packs a run's files into one archive to share, together with an up-to-date page."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from mutatis.records.bundle import PAGE_FILE, write_bundle
from mutatis.records.files import REPORT_FILE, write_report
from mutatis.records.labels import Label
from mutatis.records.report import Report
from mutatis.reports.html import write_html


def write_archive(report: Report, folder: Path | None, path: Path, labels: Mapping[str, Label]) -> Path:
    """Write the report, the page and the files of the run's `folder` to the archive `path`, and return that path."""
    with tempfile.TemporaryDirectory(prefix="mutatis-") as made:
        fresh = Path(made)
        write_html(report, fresh / PAGE_FILE, labels=labels)
        if folder is None or not (folder / REPORT_FILE).is_file():
            write_report(report, fresh / REPORT_FILE)
        return write_bundle([fresh, *([] if folder is None else [folder])], path)
