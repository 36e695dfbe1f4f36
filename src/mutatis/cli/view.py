"""`mutatis view [RUN]`: the report in the browser."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from mutatis.records import read_report
from mutatis.records.runs import LATEST, find_run


def view(
    run: Annotated[str, typer.Argument(help="An --out folder, a store file, a run id, latest or previous.")] = LATEST,
    browser: Annotated[bool, typer.Option(help="Open the page, or only write it and print its path.")] = True,
) -> None:
    """Open the report of a run in the browser; the page is written first where it is missing or older than the run."""
    folder = find_run(run)
    page, data = folder / "report.html", folder / "report.json"
    if not page.is_file() or page.stat().st_mtime_ns < data.stat().st_mtime_ns:
        from mutatis.reports.html import write_html

        write_html(read_report(folder), page)
    typer.echo(str(page))
    if browser and not webbrowser.open(page.resolve().as_uri()):
        typer.echo("no browser could be started; open the file above", err=True)
