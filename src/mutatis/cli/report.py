"""`mutatis report RUN --format FORM -o FILE`: a finished run in another form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import typer

from mutatis.cli.collection import rare_collection
from mutatis.cli.forms import Format
from mutatis.core.errors import UsageError
from mutatis.records import Report, read_report, write_report
from mutatis.records.labels import Label, read_labels
from mutatis.records.runs import find_run

BY_ENDING = {
    ".html": Format.HTML,
    ".json": Format.JSON,
    ".xml": Format.JUNIT,
    ".csv": Format.CSV,
    ".md": Format.MARKDOWN,
    ".parquet": Format.PARQUET,
    ".zip": Format.ZIP,
}
"""The form of a file where only its name is given; a baseline is JSON and a grid HTML, so both have to be named."""


def report_command(run: str, output: Path, format: Format | None, findings: int | None) -> None:
    """Do what `commands.report` says, and print it."""
    form = _form_of(output) if format is None else format
    folder = find_run(run)
    labels = read_labels(folder) if form in (Format.HTML, Format.ZIP) else {}
    with rare_collection():
        paths = write_as(read_report(folder), form, output, findings, run, labels)
    for path in paths:
        typer.echo(str(path))


def _form_of(output: Path) -> Format:
    if output.suffix not in BY_ENDING:
        raise UsageError(
            f"-o {output}: the name does not say what to write; expected one that ends in {', '.join(BY_ENDING)}, or "
            f"--format {'|'.join(Format)}"
        )
    return BY_ENDING[output.suffix]


def write_as(
    data: Report,
    form: Format,
    output: Path,
    findings: int | None = None,
    run: str = "",
    labels: Mapping[str, Label] | None = None,
) -> list[Path]:
    """Write a report in one form; return the files written. `run` is what the user calls the run."""
    if form is Format.HTML:
        from mutatis.reports.html import MOST_FINDINGS, write_html

        return [write_html(data, output, most=findings or MOST_FINDINGS, labels=labels)]
    if form is Format.JUNIT:
        from mutatis.reports.junit import write_junit

        return [write_junit(data, output)]
    if form is Format.CSV:
        from mutatis.reports.csv import write_csv

        return list(write_csv(data, output))
    if form is Format.MARKDOWN:
        from mutatis.reports.markdown import write_markdown

        return [write_markdown(data, output, folder=run)]
    if form is Format.BASELINE:
        from mutatis.records.baseline import baseline_of, write_baseline

        return [write_baseline(baseline_of(data), output)]
    if form is Format.GRID:
        from mutatis.reports.grid import MOST, write_grid

        return [write_grid(data, find_run(run), output, most=findings or MOST)]
    if form is Format.ZIP:
        from mutatis.reports.bundle import write_archive

        return [write_archive(data, find_run(run), output, labels or {})]
    if form is Format.PARQUET:
        from mutatis.reports.frames import write_parquet

        return write_parquet(data, output, find_run(run) if run else None)
    return [write_report(data, output)]
