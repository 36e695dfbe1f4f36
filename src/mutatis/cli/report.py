"""`mutatis report RUN --format FORM -o FILE`: writes a finished run in a different format."""

from __future__ import annotations

from pathlib import Path

import typer

from mutatis.cli.collection import rare_collection
from mutatis.cli.forms import Format
from mutatis.core.errors import UsageError
from mutatis.records import read_report
from mutatis.records.runs import find_run
from mutatis.reports.forms import ENDINGS, write


def report_command(run: str, output: Path, format: Format | None, findings: int | None) -> None:
    """Write a report as `mutatis report` does, and print the paths of the files."""
    if format is None and output.suffix not in ENDINGS:
        raise UsageError(
            f"-o {output}: the name does not show the format; expected a name that ends in {', '.join(ENDINGS)}, or "
            f"--format {'|'.join(Format)}"
        )
    folder = find_run(run)
    with rare_collection():
        paths = write(read_report(folder), output, folder, form=format, most=findings, name=run)
    for path in paths:
        typer.echo(str(path))
