"""`mutatis report RUN --format FORM -o FILE`: a finished run in another form."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mutatis.records import Report, read_report, write_report
from mutatis.records.labels import Label, read_labels
from mutatis.records.runs import find_run


class Format(StrEnum):
    """The forms a report can take."""

    HTML = "html"
    JSON = "json"
    JUNIT = "junit"
    CSV = "csv"
    MARKDOWN = "markdown"
    BASELINE = "baseline"
    PARQUET = "parquet"


def report(
    run: Annotated[str, typer.Argument(help="An --out folder, a store file, a run id, latest or previous.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    format: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.HTML,
    findings: Annotated[int | None, typer.Option(min=1, help="Most findings on the HTML page; default 10,000.")] = None,
) -> None:
    """Write the report of a finished run as a web page, Markdown, JSON, JUnit XML, CSV, or as a baseline."""
    folder = find_run(run)
    labels = read_labels(folder) if format is Format.HTML else {}
    for path in write_as(read_report(folder), format, output, findings, run, labels):
        typer.echo(str(path))


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
    if form is Format.PARQUET:
        from mutatis.reports.frames import write_parquet

        return write_parquet(data, output, find_run(run) if run else None)
    return [write_report(data, output)]
