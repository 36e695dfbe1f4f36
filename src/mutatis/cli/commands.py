"""Commands on finished runs: their names, options and help.

The code behind each is imported when it is called, because `mutatis --help` has to take a tenth of a second.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mutatis.cli.forms import RUN_HELP, TOP, Form, Format, Per, SheetKind


def show(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    finding: Annotated[str | None, typer.Argument(help="Short hash of a finding, or the beginning of one.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show long texts whole.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help=f"List all findings, not {TOP}, every row and question.")
    ] = False,
    open_pairs: Annotated[bool, typer.Option("--open", help="List what the judge could not tell instead.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="Say what to do about the notes of the run.")] = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="Print the metrics of recipes instead.")] = False,
    dictionary: Annotated[bool, typer.Option("--dictionary", help="Print what the run learnt instead.")] = False,
) -> None:
    """List the findings of a run, or show one: source and follow-up side by side, and why it is a violation."""
    from mutatis.cli.show import show as show_command
    from mutatis.cli.show import show_dictionary

    if dictionary:
        show_dictionary(run)
        return
    show_command(run, finding, full=full, every=every, open_pairs=open_pairs, notes=notes, metrics=metrics)


def report(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    format: Annotated[Format | None, typer.Option("--format", help="What to write; default by -o.")] = None,
    findings: Annotated[int | None, typer.Option(min=1, help="Most findings on the page, or rows of a grid.")] = None,
) -> None:
    """Write a finished run as a web page, Markdown, JSON, JUnit XML, CSV, a baseline, a grid, or one file to share."""
    from mutatis.cli.report import report_command as report_command

    report_command(run, output, format, findings)


def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help=f"The earlier run. {RUN_HELP}")],
    new: Annotated[str | None, typer.Argument(metavar="NEW", help="The later run; by default OLD itself.")] = None,
    systems: Annotated[
        tuple[str, str] | None,
        typer.Option("--systems", metavar="A B", help="Compare system A of OLD with system B of NEW, or of one run."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List relations that tell the same in both runs, too.")] = False,
    top: Annotated[int, typer.Option(min=0, help="Most findings listed of each kind.")] = 10,
    format: Annotated[Form, typer.Option("--format", help="How it is told.")] = Form.TEXT,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default the terminal.")] = None,
    fail_on_new: Annotated[
        bool, typer.Option("--fail-on-new", help="Exit code 1 where NEW has findings that OLD lacks.")
    ] = False,
) -> None:
    """Compare two runs, or two systems in one run: rates side by side, and new, resolved and remaining findings."""
    from mutatis.cli.compare import compare_command as compare_command

    compare_command(old, new, systems, every, top, format, output, fail_on_new)


def view(
    run: Annotated[
        str | None, typer.Argument(help="A run, or a folder of runs; a running one is shown live. Default: all known.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page, or only print its address.")] = True,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; default a free one.")] = 0,
    file: Annotated[bool, typer.Option("--file", help="Open the page as a file; serve nothing.")] = False,
) -> None:
    """View reports in the browser, live as they grow, and mark which findings are real bugs.

    Labels and comments are stored with the run.
    """
    from mutatis.cli.view import view as view_command

    view_command(run, browser, port, file)


def sheet(
    run: Annotated[
        str,
        typer.Argument(help="An --out folder, a store file, a run id, latest or previous; for answers a TOML."),
    ],
    kind: Annotated[
        SheetKind,
        typer.Argument(help="Violations, tags of the context check, any follow-ups; or a run's questions, to answer."),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The sheet to write: .csv, .html or .jsonl.")],
    n: Annotated[int, typer.Option("--n", min=1, help="Most items on the sheet.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    per: Annotated[Per, typer.Option(help="--n items in all, or of each relation and task.")] = Per.SHEET,
    relations: Annotated[str, typer.Option(help="Only of these relations, separated by commas.")] = "",
    labelled: Annotated[bool, typer.Option("--labelled", help="The findings labelled in view, filled in.")] = False,
) -> None:
    """Write a labelling sheet with a random sample in blind order. The same seed draws the same sample."""
    from mutatis.cli.sheet import sheet as sheet_command

    sheet_command(run, kind, output, n, seed, per, relations, labelled)


def agreement(
    first: Annotated[Path, typer.Argument(metavar="SHEET", help="The sheet one rater filled in (CSV or JSON lines).")],
    second: Annotated[
        Path | None, typer.Argument(metavar="[SHEET]", help="The same sheet, filled in by another rater.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="For follow-ups: the key written beside the sheet.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="For follow-ups: write the counts (.toml or .json).")
    ] = None,
) -> None:
    """Print how well two raters agree, and what their labels say about the run."""
    from mutatis.cli.sheet import sheet_agreement as agreement_command

    agreement_command(first, second, key, output)


def judge(
    pairs: Annotated[Path, typer.Argument(help="JSON lines with reference, answer and, if known, question and label.")],
    measure: Annotated[str, typer.Option(help="Measure that judges; by default the best that is installed.")] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write instead of the terminal.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="Configuration with [judge] and, to ask, [helper].")
    ] = None,
) -> None:
    """Score answer pairs for the same meaning; with --measure refusal, score whether each answer refuses."""
    from mutatis.cli.judge import judge_command

    judge_command(pairs, measure, output, config)
