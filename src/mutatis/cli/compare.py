"""`mutatis compare RUN RUN`: shows new and resolved findings, and the rates of both runs side by side."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from mutatis.analysis.comparison import RunComparison, Verdicts, compare, of_system
from mutatis.analysis.newness import marked
from mutatis.cli.forms import Form
from mutatis.core.errors import UsageError
from mutatis.records.baseline import baseline_of, systems_of
from mutatis.records.files import VERDICTS_FILE, read_report, read_verdicts, write_text
from mutatis.records.labels import labelled, read_labels
from mutatis.records.report import Report
from mutatis.records.runs import find_run
from mutatis.reports.comparison import print_comparison, rendered
from mutatis.reports.faults import groups_of
from mutatis.reports.gate import Gate
from mutatis.reports.numbers import counted
from mutatis.reports.passing import same_replies
from mutatis.reports.terminal import console


def compare_command(
    old: str,
    new: str | None,
    systems: tuple[str, str] | None,
    every: bool,
    top: int,
    format: Form,
    output: Path | None,
    fail_on_new: bool,
) -> None:
    """Compare two runs as `mutatis compare` does, and print the result or write it to a file."""
    folders = _folders(old, new, systems)
    before, after = _reports(folders, systems)
    old_verdicts, new_verdicts = map(_verdicts, folders, systems or (None, None))
    result = compare(before, after, old_verdicts, new_verdicts)
    if output is not None:
        typer.echo(str(write_text(output, rendered(result, format, top=top, every=every))))
    elif format == "text":
        print_comparison(result, console(), top=top, every=every)
    else:
        typer.echo(rendered(result, format, top=top, every=every), nl=False)
    if fail_on_new:
        _fail_on_new(result, before, after, old)


def _fail_on_new(result: RunComparison, before: Report, after: Report, old: str) -> None:
    """Exit with code 1 if the new run has new findings, or 3 if a stock reply of a system makes the run meaningless."""
    untested = same_replies(marked(after, baseline_of(before)), Gate(baseline=old))
    if untested:
        typer.echo("\n".join(f"mutatis: could not be tested: {why}" for why in untested.values()), err=True)
        raise typer.Exit(3)
    if result.new:
        faults, findings = len(groups_of(result.new)), counted(len(result.new), "finding")
        typer.echo(f"mutatis: {counted(faults, 'new fault')} ({findings}, FLAKY ones left out)", err=True)
        raise typer.Exit(1)


def _folders(old: str, new: str | None, systems: tuple[str, str] | None) -> tuple[Path, Path]:
    """Return the folders of the two runs.

    Raises:
        UsageError: both refer to the same system of the same run.
    """
    folders = find_run(old), find_run(old if new is None else new)
    same = folders[0].resolve() == folders[1].resolve()
    if same and (systems is None or systems[0] == systems[1]):
        raise UsageError(_nothing_to_compare(old, new, folders[0], systems))
    return folders


def _reports(folders: tuple[Path, Path], systems: tuple[str, str] | None) -> tuple[Report, Report]:
    """Return the two reports including people's labels, limited to one system each if `systems` is given."""
    labels = {name: label for folder in folders for name, label in read_labels(folder).items()}  # the later run's win
    before, after = (labelled(read_report(folder), labels) for folder in folders)
    if systems is not None:
        before, after = of_system(before, systems[0]), of_system(after, systems[1])
    return before, after


def _verdicts(folder: Path, system: str | None) -> Verdicts | None:
    """Return a function that reads the verdicts of a run, limited to one system if it is named; None without any."""
    if not (folder / VERDICTS_FILE).is_file():
        return None
    return lambda: (verdict for verdict in read_verdicts(folder) if system in (None, verdict.system))


def _nothing_to_compare(old: str, new: str | None, folder: Path, systems: tuple[str, str] | None) -> str:
    """Return a message about why a run cannot be compared with itself, and how to compare two of its systems."""
    if systems is not None:
        named = " ".join(map(shlex.quote, systems))
        return f"--systems {named}: this compares a system with itself; name two"
    named = f"{old} is one run" if new is None else f"{old} and {new} are the same run"
    labels = systems_of(read_report(folder))
    if len(labels) < 2:
        return f"{named}, of one system; give two runs: mutatis compare OLD NEW"
    example = f"mutatis compare {shlex.quote(old)} --systems {' '.join(map(shlex.quote, labels[:2]))}"
    return f"{named}; give another one, or two systems of this one: {example}"
