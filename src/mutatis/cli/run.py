"""`mutatis run`: turns a configuration or options into verdicts, files and an exit code."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console

from mutatis import config as configuration
from mutatis.api import Run, run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.assembly.settings import put, set_key, table_of
from mutatis.campaign.plan import Estimate, estimate
from mutatis.campaign.session import new_run_id
from mutatis.cli.progress import ProgressListener
from mutatis.config import Config
from mutatis.core.calls import RESULTS, TOOLS
from mutatis.core.errors import UsageError, names_text, nearest
from mutatis.core.task import TASKS
from mutatis.datasets.tables import columns, first_record
from mutatis.opening import placed
from mutatis.plugins import load_plugins
from mutatis.query import Store
from mutatis.reading import files_beside, shown
from mutatis.records import Report
from mutatis.records.files import writing
from mutatis.records.runs import HOME, STORE_FILE, run_folder
from mutatis.reports.gate import gate_of
from mutatis.reports.markdown import append_markdown
from mutatis.reports.passing import passed, passing
from mutatis.reports.terminal import console, error_console, print_report
from mutatis.secrets.environment import without_keys
from mutatis.systems import SYSTEMS
from mutatis.systems.addresses import shown_address
from mutatis.systems.builtin import BUILT_IN
from mutatis.text.visible import on_one_line


@contextmanager
def rare_collection() -> Iterator[None]:
    """Make cyclic garbage collection rare, and exclude from it all objects created so far.

    A run creates many objects but few cycles. Scanning all imported libraries for cycles again and again would reduce
    throughput by a tenth (`benchmarks/throughput.py`).
    """
    if gc.get_freeze_count():  # somebody else looks after it: another run, or the program around us
        yield
        return
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


FAILED = {"untested": "the system could not be tested", "misused": "nothing was tested"}
"""Messages about a run that tested nothing, by the reason."""

SHOWN = 5
"""Maximum number of reasons for an exit code that are listed individually."""


def tables(
    path: Path | None,
    *,
    system: str | None = None,
    data: str | None = None,
    base_url: str | None = None,
    values: Mapping[str, Any],
    assignments: list[str],
) -> tuple[dict[str, Any], Path]:
    """Return the tables of the configuration file, changed as the command line requires, and the file's folder."""
    settings = configuration.read_toml(path, or_options=True) if path is not None else {}
    folder = Path() if path is None else path.parent
    # First the plugins, because --system, --data and --relations may name their additions.
    load_plugins(installed=_uses_plugins(settings, values, assignments))
    if values.get("relations") == []:
        raise UsageError("--relations is empty; leave out the option to use the default sets of the task")
    if path is None and system is None and data is None and not assignments:
        raise UsageError("nothing to run; give a configuration ('mutatis init' writes one), or --system and --data")
    if system is not None:
        settings.pop("systems", None)
        settings["system"] = _from_here(_system(system), folder)
    if base_url is not None:
        section = settings.get("system")
        if section is None:
            raise UsageError("--base-url needs exactly one [system] in the configuration")
        table_of(section, "system")["base_url"] = base_url
    if data is not None:
        settings["data"] = _data(data)
    for key in OF_THE_DATA:
        if values.get(key) is not None:
            _put_into_data(settings, key, values[key])
    put(settings, {key: value for key, value in values.items() if key not in OF_THE_DATA})
    for assignment in assignments:
        set_key(settings, assignment)
    return settings, folder


def _uses_plugins(settings: Mapping[str, Any], values: Mapping[str, Any], assignments: list[str]) -> bool:
    """Return True unless the file, an option or an assignment switches plugins off."""
    assigned: dict[str, Any] = {}
    for assignment in assignments:
        if assignment.lstrip().startswith("plugins"):
            set_key(assigned, assignment)
    return all(table.get("plugins") is not False for table in (settings, values, assigned))


def checked_config(settings: dict[str, Any], folder: Path, *, from_file: bool) -> Config:
    """Build and check the configuration. A task that is not stated anywhere is guessed from the data.

    In a configuration `from_file`, an address of a system does not imply a chatbot: it may be a classifier's.
    """
    if (guessed := guess_task(settings, folder, by_address=not from_file)) is not None:
        error_console().print(f"note: {guessed}")
    return configuration.check(settings, folder)


def _system(text: str) -> dict[str, Any]:
    """Return the table of a system given as an address, as FILE.py:FUNCTION, or as a type with its first option."""
    if text.startswith(("http://", "https://")):
        return {"type": "http", "url": text}
    kind, colon, name = text.partition(":")
    if colon and kind.endswith(".py"):
        return {"type": "function", "target": text}
    if kind not in SYSTEMS and kind.endswith(".py"):
        raise UsageError(
            f"--system {text!r} does not name a function; expected FILE.py:FUNCTION, for example {text}:answer"
        )
    if kind not in SYSTEMS:
        safe_text = shown_address(text)  # an address may contain a password
        wrong = f"--system {safe_text!r} is not a system type"
        if colon and f"{Path(kind).name}.py" in files_beside(Path(kind)):
            raise UsageError(f"{wrong}; did you mean {f'{kind}.py:{name}'!r}?")
        if kind == "localhost" or "." in kind:
            raise UsageError(f"{wrong}; an address begins with its scheme: http://{safe_text}")
        if not colon and (near := nearest(kind, BUILT_IN)):
            raise UsageError(f"{wrong}; did you mean builtin:{near[0]}?")
        if not colon and not nearest(kind, SYSTEMS):
            raise UsageError(
                f"{wrong}; the types are: {', '.join(SYSTEMS)}; write openai:{safe_text} for a model behind an "
                "endpoint, or FILE.py:FUNCTION for a function"
            )
    chosen = SYSTEMS[kind]  # an unknown type raises an error that names the nearest one
    return {"type": chosen.name, **({chosen.options[0]: name} if colon else {})}


def _from_here(section: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Resolve file names given on the command line against the current folder.

    File names in a configuration are relative to its `folder` instead.
    """
    if folder == Path():
        return section
    target = section.get("target")
    if isinstance(target, str) and ".py:" in target:
        return {**section, "target": str(Path(target).absolute()), "label": f"{section['type']}:{target}"}
    return placed(SYSTEMS[section["type"]].model, section, lambda name: Path(name).expanduser().absolute())


BY_ENDING = {".txt": "lines", ".jsonl": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "csv"}
"""Data formats by file name suffix, for a file that is given by its path alone."""


def _ending(name: str) -> str:
    return Path(name.removesuffix(".xz").removesuffix(".gz")).suffix.lower()


def _data(text: str) -> dict[str, Any]:
    data_format, colon, path = text.partition(":")
    if not colon:
        ending = _ending(text)
        if ending not in BY_ENDING:
            example = "FORMAT:PATH, for example --data squad2:dev-v2.0.json"
            expected = f"; expected {example}, or a file that ends in {', '.join(BY_ENDING)}"
            raise UsageError(f"--data {text!r}{_misspelt(Path(text)) or expected}")
        data_format, path = BY_ENDING[ending], text
    return {"format": data_format, "path": str(Path(path).absolute())}


def _misspelt(file: Path) -> str:
    """Return a note with the data file that was probably meant, or "" if the file exists or no name is similar."""
    try:
        if file.exists():
            return ""
    except OSError:  # such as a name that is too long
        return ""
    near = nearest(file.name, [name for name in files_beside(file) if _ending(name) in BY_ENDING])
    return f": no such file; did you mean {str(file.with_name(near[0]))!r}?" if near else ""


OF_THE_DATA = ("task", "limit")
"""Options of the command line that are set in every `[data]` table."""


def _put_into_data(settings: dict[str, Any], key: str, value: Any) -> None:
    blocks = settings.get("data")
    if blocks is None:
        raise UsageError(f"--{key} needs data; add --data FORMAT:PATH")
    for block in blocks if isinstance(blocks, list) else [blocks]:
        table_of(block, "data")[key] = value


def run_command(
    config: Config,
    *,
    out: Path | None = None,
    plan: bool = False,
    offline: bool = False,
    fresh: bool = False,
    summary: Path | None = None,
    file: Path | None = None,
) -> int:
    """Run a configuration, print the results, write the files and return the exit code.

    Args:
        config: the configuration.
        out: the folder for the report and the store (default .mutatis/).
        plan: print the number of questions and stop.
        offline: send no questions; a missing answer is an error.
        fresh: send questions again even if their answers are stored.
        summary: a file to append a Markdown summary to, as build servers expect.
        file: the path of the configuration, for messages.
    """
    if summary is not None:
        with writing(summary), summary.open("a", encoding="utf-8"):
            pass  # it can be written, which is checked before a run that costs money
    run_id = new_run_id()
    folder = HOME / "runs" / run_id if out is None else run_folder(out, "--out")
    store_path = (HOME if out is None else folder) / STORE_FILE
    err = error_console()

    async def run_or_estimate() -> Run | Estimate:
        with Store(store_path) as store:
            with without_keys() if plan else nullcontext():
                campaign = assemble(config, store, offline=offline, fresh=fresh)
            for note in campaign.notes:
                err.print(f"note: {note}")
            if plan:
                return await estimate(campaign, store)
            with ProgressListener([target.layer for target in campaign.targets], campaign.helper_layer) as progress:
                campaign.progress = (progress,)
                return await run_campaign(campaign, folder=folder, run_id=run_id, name=str(out or run_id))

    with rare_collection():
        result = asyncio.run(run_or_estimate())
    standard_output = console()
    if isinstance(result, Estimate):
        standard_output.print("\n".join(result.lines()))
        return 0
    print_report(result.report, standard_output, where=str(folder / "report.html"), run=str(out or run_id))
    if summary is not None:
        append_markdown(result.report, summary, folder=str(out or run_id))
    code = exit_code(result.report, err, file)
    if code == 0 and (met_limits := passed(result.report, gate_of(result.report))):
        standard_output.print(met_limits, soft_wrap=True)
    return code


def exit_code(report: Report, err: Console, file: Path | None = None) -> int:
    """Print the reason for the exit code of a run, and return the code.

    It is 0 if the run passes the gate, 1 if it fails the gate, 2 if nothing was tested, and 3 if a system could not be
    tested.
    """
    result, queries = passing(report), report.run.queries
    reasons = result.reasons
    if result.word in FAILED:
        system_failed = not result.helper and queries.paid > 0 and queries.errors > 0
        hint = f"; to see one question as it is sent: mutatis ask {file}" if system_failed and file is not None else ""
        failure = f"the helper {result.helper} could not be used" if result.helper else FAILED[result.word]
        err.print(f"mutatis: {failure}: {'; '.join(reasons[:SHOWN])}{hint}")
        return result.code
    for line in reasons[:SHOWN]:
        err.print(f"gate: {line}")
    if len(reasons) > SHOWN:
        err.print(f"gate: and {len(reasons) - SHOWN} more; see the summary")
    return result.code


# The guess of a task. Data without a stated task and without labels are taken for questions to a chatbot.

_LABELS = frozenset({"expected", "label"})
_ANSWERS = frozenset({"answer", "answers"})
_NOT_TEXTS = frozenset({"id", *_LABELS, *_ANSWERS})
"""Usual names of columns that are not part of a question."""

SEVERAL = 3
"""Minimum number of fields that a task must have to be recognised by its field names alone."""

_LISTED = 8
"""Maximum number of columns listed in a note."""

_MESSAGES = ("message", "question", "prompt", "query", "utterance", "input", "text")
"""Usual names of the column with the messages to a chatbot, in order of preference."""


def guess_task(tables: Mapping[str, Any], folder: Path = Path(), *, by_address: bool = True) -> str | None:
    """Set the task of the data if it is evident, and return a note about the guess, or None.

    A built-in system implies its own task. If a file has all the fields of a task with several fields, that task is
    chosen; records with tools get the task of an agent, and records with turns the task of a dialogue. Data without
    labels get the task `chat` if they have a column `message`, or, if `by_address`, if the system is given by its
    address. All other data are treated as data for classification, the task in force if none is set. Paths are relative
    to `folder`.

    Raises:
        UsageError: the system is given by its address, and it is unclear which column is the message.
    """
    data, system = tables.get("data"), tables.get("system")
    if not isinstance(data, dict) or not _lacks_task(tables, data):
        return None
    name = str(system.get("name")) if isinstance(system, dict) and system.get("type") == "builtin" else ""
    if name in BUILT_IN:  # its answers can only be read in its own task
        data["task"] = BUILT_IN[name].task
        return f"task {data['task']} (what builtin:{name} does; --task ... for another)"
    path, fields = folder / str(data["path"]), data.get("fields") or {}
    names = columns(path, data["format"], delimiter=data.get("delimiter"), encoding=data.get("encoding"))
    if not fields and (task := _by_fields(names)):
        data["task"] = task
        return f"task {task} (the file has its fields; --task ... for another)"
    record = first_record(path, data.get("encoding")) if data["format"] == "jsonl" else {}
    if isinstance(record.get("turns"), list) and "task" not in record:
        return _for_dialogues(data, record)
    if isinstance(record.get("tools"), list):
        return _for_an_agent(path, data, names)
    if not fields and _labelled(names):
        return None  # classification
    column = fields.get("message") or ("message" if "message" in names else None)
    if column is None and by_address and isinstance(system, dict) and system.get("type") == "http":
        column = _column(path, [name for name in names if name.lower() not in {"id", *_ANSWERS}])
    if column is None:
        return None if fields else _for_classification(names)
    data.update(task="chat", fields={**fields, "message": column})
    return (
        f"task chat (guessed from {on_one_line(path.name)}; --task ... for another), message = column {shown(column)}"
    )


def _for_classification(names: Sequence[str]) -> str | None:
    """Return a note about the columns to classify, or None if there are none but `text`. The task is the default."""
    texts = [name for name in names if name.lower() not in _NOT_TEXTS]
    if not texts or texts == ["text"]:
        return None
    note = f"task classification (nothing says otherwise; {_other_task(names)} for another)"
    if len(texts) == 1:
        return f"{note}, text = column {shown(texts[0])}"
    listed = names_text(list(map(on_one_line, texts)), _LISTED)
    return f"{note}, of all these columns: {listed}"


def _for_dialogues(data: dict[str, Any], record: Mapping[str, Any]) -> str:
    """Set the task of dialogues, whose turns have a `question` or a message. Return a note about the guess."""
    asks_questions = any(isinstance(turn, dict) and "question" in turn for turn in record["turns"])
    has_tools = isinstance(record.get("tools"), list)
    data["task"] = "tool-call" if has_tools else "dialogue" if asks_questions else "chat"
    return f"task {data['task']} (guessed from the turns; --task ... for another)"


def _for_an_agent(path: Path, data: dict[str, Any], names: Sequence[str]) -> str | None:
    """Set the task of an agent for data with tools. Return a note about the guess, or None if nothing is left to say.

    Raises:
        UsageError: it is unclear which column is the message.
    """
    fields = data.get("fields") or {}
    usual = next((name for usual in _MESSAGES for name in names if name.lower() == usual), None)
    others = [name for name in names if name.lower() not in {*_NOT_TEXTS, TOOLS, RESULTS}]
    column = fields.get("message") or usual or _column(path, others)
    if column is None:
        return None
    data.update(task="tool-call", fields={**fields, "message": column})
    return f"task tool-call (the file brings tools; --task ... for another), message = column {shown(column)}"


def _lacks_task(tables: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Return True if no task is stated anywhere. Malformed parts are ignored; the code that reads them reports them."""
    fields, delimiter, encoding = data.get("fields"), data.get("delimiter"), data.get("encoding")
    states_task = "task" in tables or data.get("task") or data.get("labels")
    is_table = data.get("format") in ("csv", "jsonl") and isinstance(data.get("path"), str)
    is_readable = not delimiter or (isinstance(delimiter, str) and len(delimiter) == 1)
    is_readable = is_readable and (not encoding or isinstance(encoding, str))
    fits_a_message = not fields or (isinstance(fields, dict) and "message" in fields)
    return is_table and is_readable and fits_a_message and not states_task


def _by_fields(names: Sequence[str]) -> str | None:
    """Return the only task whose fields all occur in a file, or None.

    With three or more matching names, a coincidence is unlikely.
    """
    matching = [name for name in TASKS if len(TASKS[name].needed) >= SEVERAL and set(TASKS[name].needed) <= set(names)]
    return matching[0] if len(matching) == 1 else None


def _labelled(names: tuple[str, ...]) -> bool:
    """Return True if the columns contain labels, expected answers or dialogues, so they are not just messages."""
    lower = {name.lower() for name in names}
    has_message = bool(lower & {"message", "question"})  # then an answer is that of a chatbot
    return bool(lower & _LABELS or "turns" in lower or (lower & _ANSWERS and not has_message))


def _column(path: Path, names: list[str]) -> str | None:
    """Return the column with the message: the only column, or the only one with a typical name such as `question`.

    Raises:
        UsageError: it is unclear which column is the message.
    """
    if not names:
        return None
    other = _other_task(names)
    usual = [name for name in names if name.lower() in _MESSAGES]
    if len(names) == 1 or (len(usual) == 1 and other == "--task ..."):
        return (usual or names)[0]
    raise UsageError(
        f"{path.name}: it is unclear which column contains the message: {', '.join(names)}; name the column: --set "
        f"data.fields.message={(usual or names)[0]}, or choose a task other than chat: {other}"
    )


def _other_task(names: Sequence[str]) -> str:
    """Return the option for a task of several fields that all occur in a file, or "--task ..." if no task fits."""
    fitting = (name for name in TASKS if len(TASKS[name].needed) > 1 and set(TASKS[name].needed) <= set(names))
    return f"--task {next(fitting, '...')}"
