"""The commands that read a finished run: `mutatis show`, `mutatis region` and `mutatis report`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import typer

from mutatis.cli.forms import TOP, Format
from mutatis.cli.run import rare_collection
from mutatis.core.errors import UsageError
from mutatis.records import FindingRecord, Report, read_report, read_verdicts
from mutatis.records.dictionary import DICTIONARY_FILE, read_dictionary
from mutatis.records.files import VERDICTS_FILE
from mutatis.records.labels import labelled, read_labels
from mutatis.records.runs import find_finding, find_run
from mutatis.relations.oracle import regions_of, save_oracle
from mutatis.reports.forms import ENDINGS, FORMS, write
from mutatis.reports.numbers import line
from mutatis.reports.partial import evidence_of
from mutatis.reports.reach import dictionary_lines
from mutatis.reports.tables import print_metrics
from mutatis.reports.terminal import console, print_finding, print_findings, print_notes, print_report


def show(
    run: str,
    finding: str | None,
    *,
    full: bool = False,
    every: bool = False,
    open_pairs: bool = False,
    notes: bool = False,
    metrics: bool = False,
) -> None:
    """Print all findings of a run or a single one, as `mutatis show` does."""
    folder = _folder(run)
    report = labelled(read_report(folder), read_labels(folder))
    out = console()
    if finding is not None:
        print_finding(_found(report, folder, finding), out, full=full, rows=report.summary)
    elif metrics:
        print_metrics(report, out)
    elif notes:
        print_notes(report, out, whole=True)
        if not report.health:
            out.print("This run has no notes.")
    elif open_pairs:
        total = sum(row.open for row in report.summary)
        pairs = _every_open_pair(report, folder) if every else report.open
        rest = f"{shlex.quote(run)} --open --all"
        print_findings(pairs, out, top=None if every else TOP, total=total, rest=rest, noun="open pairs")
        if not total:
            out.print("The judge decided every pair: none is open.")
    else:
        print_report(report, out, run=run, every=every)


def show_dictionary(run: str) -> None:
    """Print the dictionary that a run learnt about its systems.

    There is one entry per line, with the number of questions that support it.
    """
    folder = _folder(run)
    file = folder / DICTIONARY_FILE
    if not file.is_file():
        raise UsageError(
            f"{folder}: this run has no {DICTIONARY_FILE}, because none of its relations uses a dictionary"
        )
    from rich.text import Text

    out = console()
    for system, entries in sorted(read_dictionary(file).systems.items()):
        out.print(Text(line(system), style="bold"))
        for title, lines in dictionary_lines(entries).items():
            out.print(Text(f"  {title}"))
            for text in lines or ["none"]:
                out.print(Text(f"    {line(text)}"), soft_wrap=True)
    out.print(Text(f"correct it in {file}, and use that file: [data] dictionary = ..."), style="dim", soft_wrap=True)


def _every_open_pair(report: Report, folder: Path) -> Sequence[FindingRecord]:
    """Return all pairs that the judge could not decide. Those missing from the report contain only the judged turn."""
    if not (folder / VERDICTS_FILE).is_file():
        return report.open
    in_report = {pair.id: pair for pair in report.open}
    verdicts = (verdict for verdict in read_verdicts(folder) if verdict.open)
    return [
        in_report.get(verdict.finding) or FindingRecord.model_validate(evidence_of(verdict)) for verdict in verdicts
    ]


def _found(report: Report, folder: Path, name: str) -> FindingRecord:
    """Return the finding or the undecided pair with this name."""
    try:
        return find_finding(report.all_findings, name, report.open)
    except UsageError:
        if sum(row.open for row in report.summary) > len(report.open):  # some are only in the verdicts
            for pair in _every_open_pair(report, folder):
                if name and pair.id.startswith(name.lower()):
                    return pair
        raise


def _folder(run: str) -> Path:
    """Return the folder of a run. If the name looks like a finding's name, the error states the right command."""
    try:
        return find_run(run)
    except UsageError as error:
        if not re.fullmatch("[0-9a-f]{4,10}", run):
            raise
        raise UsageError(f"{error}; to show a finding, name its run, too: mutatis show RUN {run}") from None


def region(run: str, output: Path) -> None:
    """Save and print the regions without violations in a run.

    Raises:
        UsageError: the run found no such region.
    """
    report = read_report(find_run(run))
    regions = regions_of(report)
    if not regions:
        advice = 'sweep a family: [search] type = "grid" ... refine = true, or recipe = "content_quality"'
        if report.metrics.get("families"):
            advice = "the swept value that changes least has a violation, or no verdict; try smaller changes"
        raise UsageError(f"run {run} found no region without violations; {advice}")
    save_oracle(regions, output, run=report.run.id)
    out = console()
    for oracle_region in regions:
        out.print(oracle_region.line, soft_wrap=True)
    out.print(f"judge fresh inputs by it: mutatis run ... --oracle {output}")


def report_command(run: str, output: Path, format: Format | None, findings: int | None) -> None:
    """Write a report as `mutatis report` does, and print the paths of the files."""
    if format is None and output.suffix not in ENDINGS:
        raise UsageError(
            f"-o {output}: the name does not show the format; expected a name that ends in {', '.join(ENDINGS)}, or "
            f"--format {'|'.join(FORMS)}"
        )
    folder = find_run(run)
    with rare_collection():
        paths = write(read_report(folder), output, folder, form=format, most=findings, name=run)
    for path in paths:
        typer.echo(str(path))
