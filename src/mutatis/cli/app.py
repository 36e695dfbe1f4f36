"""Defines the commands with their options and help texts.

The work of each command is done in a module of its own, which is imported on use, because `mutatis --help` must finish
within a tenth of a second.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperGroup

from mutatis.cli.forms import RUN_HELP, TOP, Form, Format, Per, SheetKind
from mutatis.core.errors import UsageError, nearest

# Like all errors of Mutatis, those in a command line take one line and suggest the nearest name. Typer would print
# three lines without a suggestion.

TYPERS_PREFIX = "Value error, "
"""Prefix that typer adds to error messages about a choice."""

OUR_WORDING = {
    "Option '--http' requires an argument": "--http needs an address, for example: --http http://127.0.0.1:8000/chat",
    "requires an argument": "needs a value",
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number",
    "Input should be a valid number, unable to parse string as a number": "expected a number",
}
"""Typer's error messages about the value of an option, and their replacements."""


class Commands(TyperGroup):
    """The group of all commands, which raises a `UsageError` if a command is used incorrectly."""

    path = "mutatis"
    """The command whose options are being read. Typer's error about a missing value does not name it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the arguments name, and remember it for errors."""
        name, command, rest = super().resolve_command(ctx, args)
        self.path = f"mutatis {name}"
        return name, command, rest

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit with its code.

        Raises:
            UsageError: an option, argument or command is unknown, missing or malformed.
        """
        # In typer's standalone mode, it would print its errors itself, in its own words.
        self.path = "mutatis"
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except typer.Abort:
            sys.exit(1)
        except Exception as error:
            if not hasattr(error, "format_message"):  # only typer's errors of use have it
                raise
            raise _usage_error(error, self.path) from None
        sys.exit(code if isinstance(code, int) else 0)


def _usage_error(error: Any, path: str) -> UsageError:
    """Turn an error of typer into one line with the nearest valid name and a pointer to the help of a command.

    If typer wants to show the help, show it and exit.
    """
    message = str(error.format_message())
    if "\n" in message:  # the help, as for `mutatis` without a command
        error.show()
        sys.exit(error.exit_code)
    context = getattr(error, "ctx", None)
    if hasattr(error, "possibilities"):  # only the error about an unknown option has them
        option = error.option_name
        message = f"no such option: {option}"
        # The leading dashes would make all options similar.
        options = {name.lstrip("-"): name for name in error.possibilities or ()}
        near = nearest(option.lstrip("-"), options)
        message += f"; did you mean {options[near[0]]}?" if near else ""
    else:
        message = message.replace(TYPERS_PREFIX, "").rstrip(".")
        for typers, ours in OUR_WORDING.items():
            message = message.replace(typers, ours)
        message = message[:1].lower() + message[1:]
    return UsageError(f"{message}; see: {context.command_path if context else path} --help")


app = typer.Typer(
    cls=Commands, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None
)


def _version(wanted: bool) -> None:
    if wanted:
        import importlib.metadata

        typer.echo(f"mutatis {importlib.metadata.version('mutatis')}")
        raise typer.Exit


NoPlugins: TypeAlias = Annotated[
    bool, typer.Option("--no-plugins", help="Ignore plugins from other installed packages.")
]


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Find where a language model, a chatbot or a text classifier contradicts itself, without labels."""


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the report.")] = Path("demo-out"),
    llm: Annotated[bool, typer.Option("--llm", help="Test a real language model instead, on this machine.")] = False,
) -> None:
    """Test the built-in systems on the bundled samples, offline."""
    from mutatis.cli import demo as demonstrations

    raise typer.Exit(demonstrations.demo_language_model(out) if llm else demonstrations.demo(out))


@app.command()
def run(  # noqa: PLR0913 - the options of the one command that has many
    config: Annotated[Path | None, typer.Argument(help="A TOML configuration; or use the options.")] = None,
    system: Annotated[str | None, typer.Option(help="TYPE:NAME, http://... or FILE.py:FUNCTION.")] = None,
    task: Annotated[str | None, typer.Option(help="Task; default that of the data format.")] = None,
    data: Annotated[str | None, typer.Option(help="FORMAT:PATH, or a .txt or .csv file of messages.")] = None,
    relations: Annotated[str | None, typer.Option(help="Names, ids, tag:NAME or default, comma-separated.")] = None,
    recipe: Annotated[str | None, typer.Option(help="A published method; see 'mutatis list recipes'.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Print the plan and stop.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Judge stored answers again; ask nothing.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask stored questions again.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for report and store; default .mutatis/.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of every random choice.")] = None,
    limit: Annotated[int | None, typer.Option(help="Maximum number of source cases.")] = None,
    max_queries: Annotated[int | None, typer.Option(help="Maximum number of questions, stored or new.")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Number of concurrent queries.")] = None,
    max_wait: Annotated[float | None, typer.Option(help="Seconds to wait for a system without an answer.")] = None,
    max_rate: Annotated[float | None, typer.Option(help="Gate: highest violation rate per row.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Gate: fail on findings not in this run or file.")] = None,
    summary: Annotated[Path | None, typer.Option(help="File to add a Markdown summary to.")] = None,
    search: Annotated[str | None, typer.Option(help="Search strategy; see 'mutatis list searches'.")] = None,
    measure: Annotated[str | None, typer.Option(help="Judge for free-text answers.")] = None,
    oracle: Annotated[Path | None, typer.Option(help="Judge fresh inputs by a saved region.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Address of an OpenAI-compatible endpoint.")] = None,
    engine: Annotated[str | None, typer.Option(help="local, or ray: systems in worker processes.")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes of each system; implies --engine ray.")] = None,
    ray_address: Annotated[str | None, typer.Option(help="A Ray cluster to use; implies --engine ray.")] = None,
    no_plugins: NoPlugins = False,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Any key of the file: KEY=VALUE, dotted.")] = None,
) -> None:
    """Run a campaign from a TOML file, from options alone, or from both (options take precedence)."""
    from mutatis.cli import run as command
    from mutatis.records.runs import named_run

    values: dict[str, Any] = {
        "task": task,
        "limit": limit,
        "relations": None if relations is None else [name.strip() for name in relations.split(",") if name.strip()],
        "recipe": recipe,
        "seed": seed,
        "max_queries": max_queries,
        "concurrency": concurrency,
        "max_wait": max_wait,
        "engine": "ray" if engine is None and (workers or ray_address) else engine,
        "workers": workers,
        "ray_address": ray_address,
        "gate.max_rate": max_rate,
        "gate.baseline": None if baseline is None else named_run(baseline),
        "search": search,
        "judge.measure": measure,
        "oracle": None if oracle is None else str(oracle.absolute()),
        "plugins": False if no_plugins else None,
    }
    tables, folder = command.tables(
        config, system=system, data=data, base_url=base_url, values=values, assignments=set_ or []
    )
    configured = command.checked_config(tables, folder, from_file=config is not None)
    raise typer.Exit(
        command.run_command(configured, out=out, plan=plan, offline=offline, fresh=fresh, summary=summary, file=config)
    )


@app.command("list")
def list_(
    kind: Annotated[str, typer.Argument(help="relations, transformations, tasks, systems, datasets, runs, ...")] = "",
    task: Annotated[str | None, typer.Option(help="Only relations, or data formats, of this task.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only relations with this tag, such as wording.")] = None,
    language: Annotated[str | None, typer.Option(help="Only relations for this language, with its readings.")] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    no_plugins: NoPlugins = False,
) -> None:
    """List the names that a configuration can use, and the options of systems and searches."""
    from mutatis.cli.list import list_command

    list_command(kind, task=task, tag=tag, language=language, as_json=json, plugins=not no_plugins)


@app.command()
def replay(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    finding: Annotated[str, typer.Argument(help="Short hash of a finding, or the beginning of one.")],
    config: Annotated[Path | None, typer.Option(help="Your configuration: the system and its secrets.")] = None,
    trust: Annotated[bool, typer.Option("--trust", help="Run code and send variables named by the report.")] = False,
) -> None:
    """Send the source and follow-up of a finding again and judge the new answers."""
    from mutatis.cli.replay import replay as replay_command

    raise typer.Exit(replay_command(run, finding, config, trust=trust))


@app.command()
def ask(
    config: Annotated[Path, typer.Argument(help="A TOML configuration.")],
    text: Annotated[str | None, typer.Argument(help="Question to ask; default the first one of the data.")] = None,
    system: Annotated[str | None, typer.Option(help="Label of the system, if there are several.")] = None,
) -> None:
    """Send one question to the system and show the raw request and answer, with secrets removed."""
    from mutatis.cli.ask import ask_command
    from mutatis.config import check, read_toml

    raise typer.Exit(ask_command(check(read_toml(config), config.parent), text, system))


@app.command()
def init(
    path: Annotated[
        Path | None, typer.Argument(help="The file to write; default mutatis.toml, or a kind's own.")
    ] = None,
    http: Annotated[str | None, typer.Option(metavar="URL", help="A chatbot behind a JSON interface.")] = None,
    openai: Annotated[bool, typer.Option("--openai", help="A model behind an OpenAI-compatible endpoint.")] = False,
    function: Annotated[bool, typer.Option("--function", help="A Python function.")] = False,
    sklearn: Annotated[bool, typer.Option("--sklearn", help="A scikit-learn classifier, from Python.")] = False,
    pytest: Annotated[bool, typer.Option("--pytest", help="Tests inside pytest.")] = False,
    tracker: Annotated[bool, typer.Option("--tracker", help="A dialogue-state tracker.")] = False,
) -> None:
    """Write starter files that run as they are, with every line explained."""
    from mutatis.cli.init import init as init_command

    flags = {"openai": openai, "function": function, "sklearn": sklearn, "pytest": pytest, "tracker": tracker}
    chosen = [*(["http"] if http is not None else []), *(kind for kind, is_set in flags.items() if is_set)]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} cannot be combined; expected one kind of file at a time")
    init_command(path, kind=chosen[0] if chosen else "", url=http or "")


@app.command()
def region(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The oracle file to write.")],
) -> None:
    """Save the regions without violations found by a sweep, for judging new inputs with `run --oracle`."""
    from mutatis.cli.show import region as region_command

    region_command(run, output)


@app.command()
def show(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    finding: Annotated[str | None, typer.Argument(help="Short hash of a finding, or the beginning of one.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show long texts in full.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help=f"List all findings, not {TOP}, every row and question.")
    ] = False,
    open_pairs: Annotated[bool, typer.Option("--open", help="List the undecided pairs instead.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="Show advice on the notes of the run.")] = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="Print the metrics of recipes instead.")] = False,
    dictionary: Annotated[bool, typer.Option("--dictionary", help="Print the dictionary of the run instead.")] = False,
) -> None:
    """List the findings of a run, or show one: source and follow-up side by side, and why it is a violation."""
    from mutatis.cli.show import show as show_command
    from mutatis.cli.show import show_dictionary

    if dictionary:
        show_dictionary(run)
        return
    show_command(run, finding, full=full, every=every, open_pairs=open_pairs, notes=notes, metrics=metrics)


@app.command()
def report(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    format: Annotated[Format | None, typer.Option("--format", help="Format; default from the name in -o.")] = None,
    findings: Annotated[int | None, typer.Option(min=1, help="Maximum number of findings, or rows of a grid.")] = None,
) -> None:
    """Write a finished run as a web page, Markdown, JSON, JUnit XML, CSV, a baseline, a grid, or one file to share."""
    from mutatis.cli.show import report_command

    report_command(run, output, format, findings)


@app.command()
def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help=f"The earlier run. {RUN_HELP}")],
    new: Annotated[str | None, typer.Argument(metavar="NEW", help="The later run; by default OLD itself.")] = None,
    systems: Annotated[
        tuple[str, str] | None,
        typer.Option("--systems", metavar="A B", help="Compare system A of OLD with system B of NEW, or of one run."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Also list relations with equal results in both.")] = False,
    top: Annotated[int, typer.Option(min=0, help="Maximum number of findings listed per kind.")] = 10,
    format: Annotated[Form, typer.Option("--format", help="Output format.")] = "text",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default the terminal.")] = None,
    fail_on_new: Annotated[
        bool, typer.Option("--fail-on-new", help="Exit code 1 if NEW has findings that OLD lacks.")
    ] = False,
) -> None:
    """Compare two runs, or two systems in one run: rates side by side, and new, resolved and remaining findings."""
    from mutatis.cli.compare import compare_command

    compare_command(old, new, systems, every, top, format, output, fail_on_new)


@app.command()
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


@app.command()
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
    n: Annotated[int, typer.Option("--n", min=1, help="Maximum number of items on the sheet.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    per: Annotated[Per, typer.Option(help="--n items in all, or of each relation and task.")] = "sheet",
    relations: Annotated[str, typer.Option(help="Only these relations, separated by commas.")] = "",
    labelled: Annotated[bool, typer.Option("--labelled", help="Fill in the findings labelled in view.")] = False,
) -> None:
    """Write a labelling sheet with a random sample in blind order. The same seed always draws the same sample."""
    from mutatis.cli.sheet import sheet as sheet_command

    sheet_command(run, kind, output, n, seed, per, relations, labelled)


@app.command()
def agreement(
    first: Annotated[Path, typer.Argument(metavar="SHEET", help="The sheet one rater filled in (CSV or JSON lines).")],
    second: Annotated[
        Path | None, typer.Argument(metavar="[SHEET]", help="The same sheet, filled in by another rater.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="For follow-ups: the key written next to the sheet.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="For follow-ups: write the counts (.toml or .json).")
    ] = None,
) -> None:
    """Print how well two raters agree, and what their labels say about the run."""
    from mutatis.cli.sheet import sheet_agreement as agreement_command

    agreement_command(first, second, key, output)


@app.command()
def judge(
    pairs: Annotated[Path, typer.Argument(help="JSON lines with reference, answer and, if known, question and label.")],
    measure: Annotated[str, typer.Option(help="Measure; default the best one installed.")] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write instead of the terminal.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="Configuration with [judge] and, to ask, [helper].")
    ] = None,
) -> None:
    """Score whether pairs of answers mean the same; with --measure refusal, score whether each answer refuses."""
    from mutatis.cli.judge import judge_command

    judge_command(pairs, measure, output, config)
