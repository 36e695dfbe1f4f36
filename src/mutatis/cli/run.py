"""`mutatis run`: turns a configuration or options into verdicts, files and an exit code."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console

from mutatis import config as configuration
from mutatis.api import Run, run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.assembly.settings import put, set_key, table_of
from mutatis.campaign.plan import Estimate, estimate
from mutatis.campaign.session import Campaign, new_run_id
from mutatis.cli.collection import rare_collection
from mutatis.cli.progress import ProgressListener
from mutatis.config import Config
from mutatis.core.errors import UsageError, nearest
from mutatis.core.task import TASKS
from mutatis.datasets.tables import columns, first_record
from mutatis.opening import placed
from mutatis.plugins import load_plugins
from mutatis.query import Store
from mutatis.reading import shown
from mutatis.records import Report
from mutatis.records.runs import HOME, STORE_FILE, run_folder
from mutatis.reports.gate import gate_of
from mutatis.reports.markdown import append_markdown
from mutatis.reports.passing import passed, passing
from mutatis.reports.terminal import console, print_report
from mutatis.secrets import without_keys
from mutatis.systems import SYSTEMS
from mutatis.systems.addresses import shown_address
from mutatis.systems.builtin import BUILT_IN
from mutatis.text.visible import on_one_line

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
    settings = configuration.read_toml(path) if path is not None else {}
    # What they add may be named by --system, --data and --relations.
    load_plugins(installed=_with_plugins(settings, values, assignments))
    if values.get("relations") == []:
        raise UsageError("--relations is empty; leave out the option to use the default sets of the task")
    if path is None and system is None and data is None and not assignments:
        raise UsageError("nothing to run; give a configuration ('mutatis init' writes one), or --system and --data")
    if system is not None:
        settings.pop("systems", None)
        settings["system"] = _from_here(_system(system), Path() if path is None else path.parent)
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
    return settings, Path() if path is None else path.parent


def _with_plugins(settings: Mapping[str, Any], values: Mapping[str, Any], assignments: list[str]) -> bool:
    """Return True unless plugins are switched off anywhere. They must be loaded before the configuration is checked."""
    assigned: dict[str, Any] = {}
    for assignment in assignments:
        if assignment.lstrip().startswith("plugins"):
            set_key(assigned, assignment)
    return all(said.get("plugins") is not False for said in (settings, values, assigned))


def checked_config(settings: dict[str, Any], folder: Path, *, guessing: bool) -> Config:
    """Build and check the configuration. If `guessing`, a task that is not stated anywhere is guessed from the data."""
    if guessing and (guessed := guess_task(settings)) is not None:
        Console(stderr=True, highlight=False, soft_wrap=True, emoji=False).print(f"note: {guessed}", markup=False)
    return configuration.check(settings, folder)


def _system(text: str) -> dict[str, Any]:
    if text.startswith(("http://", "https://")):
        return {"type": "http", "url": text}
    kind, colon, name = text.partition(":")
    if colon and kind.endswith(".py"):
        return {"type": "function", "target": text}
    if kind not in SYSTEMS and kind.endswith(".py"):
        raise UsageError(
            f"--system {text!r} does not name a function; expected FILE.py:FUNCTION, for example {text}:answer"
        )
    told = shown_address(text)
    if kind not in SYSTEMS and (kind == "localhost" or "." in kind):
        raise UsageError(f"--system {told!r} is not a system type; an address begins with its scheme: http://{told}")
    if kind not in SYSTEMS and not colon:
        if near := nearest(kind, BUILT_IN):
            raise UsageError(f"--system {told!r} is not a system type; did you mean builtin:{near[0]}?")
        if not nearest(kind, SYSTEMS):
            raise UsageError(
                f"--system {told!r} is not a system type; the types are: {', '.join(SYSTEMS)}; write openai:{told} for "
                "a model behind an endpoint, or FILE.py:FUNCTION for a function"
            )
    chosen = SYSTEMS[kind]
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


def _data(text: str) -> dict[str, Any]:
    data_format, colon, path = text.partition(":")
    if not colon:
        ending = Path(text.removesuffix(".xz").removesuffix(".gz")).suffix.lower()
        if ending not in BY_ENDING:
            raise UsageError(
                f"--data {text!r}{_misspelt(Path(text))}; expected FORMAT:PATH, for example --data "
                f"squad2:dev-v2.0.json, or a file that ends in {', '.join(BY_ENDING)}"
            )
        data_format, path = BY_ENDING[ending], text
    return {"format": data_format, "path": str(Path(path).absolute())}


def _misspelt(file: Path) -> str:
    """Return a note with the file name that was probably meant, or "" if the file exists or no name is similar."""
    if file.exists() or not file.parent.is_dir():
        return ""
    near = nearest(file.name, (entry.name for entry in file.parent.iterdir() if entry.is_file()))
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
        _appendable(summary)  # now, and not after a paid run
    run_id = new_run_id()
    folder = HOME / "runs" / run_id if out is None else run_folder(out, "--out")
    store_path = (HOME if out is None else folder) / STORE_FILE
    err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)

    async def inside() -> Run | Estimate:
        with Store(store_path) as store:
            with without_keys() if plan else nullcontext():
                campaign = assemble(config, store, offline=offline, fresh=fresh)
            for note in campaign.notes:
                err.print(f"note: {note}", markup=False)
            if plan:
                return await estimate(campaign, store)
            return await _with_progress(campaign, run_id, folder, str(out or run_id))

    with rare_collection():
        result = asyncio.run(inside())
    if isinstance(result, Estimate):
        console().print("\n".join(result.lines()), markup=False)
        return 0
    shown = console()
    print_report(result.report, shown, where=str(folder / "report.html"), run=str(out or run_id))
    if summary is not None:
        append_markdown(result.report, summary, folder=str(out or run_id))
    code = exit_code(result.report, err, file)
    if code == 0 and (told := passed(result.report, gate_of(result.report))):
        shown.print(told, markup=False, soft_wrap=True)
    return code


def _appendable(path: Path) -> None:
    try:
        with path.open("a", encoding="utf-8"):
            return
    except OSError as error:
        raise UsageError(f"--summary {path} cannot be written: {error.strerror}") from None


async def _with_progress(campaign: Campaign, run_id: str, folder: Path, name: str) -> Run:
    with ProgressListener([target.layer for target in campaign.targets], campaign.helper_layer) as progress:
        campaign.progress = (progress,)
        return await run_campaign(campaign, folder=folder, run_id=run_id, name=name)


def exit_code(report: Report, err: Console, file: Path | None = None) -> int:
    """Print the reason for the exit code of a run, and return the code.

    It is 0 if the run passes the gate, 1 if it fails the gate, 2 if nothing was tested, and 3 if a system could not be
    tested.
    """
    result = passing(report)
    reasons = result.reasons
    if result.word in FAILED:
        failed = (
            file is not None and not result.helper and report.run.queries.paid > 0 and report.run.queries.errors > 0
        )
        look = f"; to see one question as it is sent: mutatis ask {file}" if failed else ""
        what = f"the helper {result.helper} could not be used" if result.helper else FAILED[result.word]
        err.print(f"mutatis: {what}: {'; '.join(reasons[:SHOWN])}{look}", markup=False)
        return result.code
    for line in reasons[:SHOWN]:
        err.print(f"gate: {line}", markup=False)
    if len(reasons) > SHOWN:
        err.print(f"gate: and {len(reasons) - SHOWN} more; see the summary", markup=False)
    return result.code


# If nothing names the task of a file, and the file holds no labels, its cases are asked as a chatbot's.

_LABELS = frozenset({"expected", "label"})
_ANSWERS = frozenset({"answer", "answers"})
_IDENTIFIES = frozenset({"id", *_LABELS, *_ANSWERS})
SEVERAL = 3
"""Minimum number of fields that a task must have to be recognised by its field names alone."""

_TOLD = 8
"""Maximum number of columns listed in a note."""

_MESSAGES = ("message", "question", "prompt", "query", "utterance", "input", "text")
"""Usual names of the column with the messages to a chatbot, in order of preference."""


def guess_task(tables: Mapping[str, Any]) -> str | None:
    """Set the task of the data if it is evident, and return a note about the guess, or None.

    A built-in system implies its own task. If a file has all the fields of a task with several fields, that task is
    chosen; records with tools get the task of an agent. Data without labels get the task `chat` if they have a column
    `message`, or if the system is given by its address. All other data are treated as data for classification.

    Raises:
        UsageError: the system is given by its address, and it is unclear which column is the message.
    """
    data, system = tables.get("data"), tables.get("system")
    if not isinstance(data, dict) or not _lacks_task(tables, data):
        return None
    name = str(system.get("name")) if isinstance(system, dict) and system.get("type") == "builtin" else ""
    if name in BUILT_IN:  # under any other task its answers would be misread
        data["task"] = BUILT_IN[name].task
        return f"task {data['task']} (what builtin:{name} does; --task ... for another)"
    path, fields = Path(str(data["path"])), data.get("fields") or {}
    names = columns(path, data["format"], delimiter=data.get("delimiter"), encoding=data.get("encoding"))
    if not fields and (task := _by_fields(names)):
        data["task"] = task
        return f"task {task} (the file has its fields; --task ... for another)"
    if data["format"] == "jsonl" and isinstance(first_record(path, data.get("encoding")).get("tools"), list):
        return _for_an_agent(data, names)
    if not fields and _labelled(names):
        return None
    column = fields.get("message") or ("message" if "message" in names else None)
    if column is None and isinstance(system, dict) and system.get("type") == "http":
        column = _column(path, [name for name in names if name.lower() not in {"id", *_ANSWERS}])
    if column is None and fields:
        return None
    if column is None:
        texts = [name for name in names if name.lower() not in _IDENTIFIES]
        if len(texts) < 2:
            return None
        listed = ", ".join(map(on_one_line, texts[:_TOLD])) + (", ..." if len(texts) > _TOLD else "")
        return f"task classification (nothing says otherwise; --task ... for another), of all these columns: {listed}"
    data.update(task="chat", fields={**fields, "message": column})
    return (
        f"task chat (guessed from {on_one_line(path.name)}; --task ... for another), message = column {shown(column)}"
    )


def _for_an_agent(data: dict[str, Any], names: Sequence[str]) -> str | None:
    """Set the task of an agent for data with tools, if one column is the message. Return a note about the guess."""
    fields = data.get("fields") or {}
    column = fields.get("message") or next(
        (name for usual in _MESSAGES for name in names if name.lower() == usual), None
    )
    if column is None:
        return None
    data.update(task="tool-call", fields={**fields, "message": column})
    return f"task tool-call (the file brings tools; --task ... for another), message = column {shown(column)}"


def _lacks_task(tables: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Return True if no task is stated anywhere. Malformed parts are ignored; the code that reads them reports them."""
    fields, mark, encoding = data.get("fields") or {}, data.get("delimiter") or ",", data.get("encoding") or "utf-8"
    return (
        data.get("format") in ("csv", "jsonl")
        and not ("task" in tables or data.get("task") or data.get("labels"))
        and isinstance(fields, dict)
        and (not fields or "message" in fields)
        and (isinstance(mark, str) and len(mark) == 1 and isinstance(encoding, str))
    )


def _by_fields(names: Sequence[str]) -> str | None:
    """Return the only task whose fields all occur in a file, or None.

    With three or more matching names, a coincidence is unlikely.
    """
    fits = [name for name in TASKS if len(TASKS[name].needed) >= SEVERAL and set(TASKS[name].needed) <= set(names)]
    return fits[0] if len(fits) == 1 else None


def _labelled(names: tuple[str, ...]) -> bool:
    """Return True if the columns contain labels, expected answers or dialogues, so they are not just messages."""
    lower = {name.lower() for name in names}
    answers = lower & _ANSWERS and not lower & {"message", "question"}
    return bool(lower & _LABELS or answers or "turns" in lower)


def _column(path: Path, names: list[str]) -> str | None:
    """Return the column with the message: the only column, or the only one with a typical name such as `question`.

    Raises:
        UsageError: it is unclear which column is the message.
    """
    several = [task for task in TASKS if len(TASKS[task].needed) > 1 and set(TASKS[task].needed) <= set(names)]
    usual = [name for name in names if name.lower() in _MESSAGES]
    if len(names) == 1 or (len(usual) == 1 and not several):
        return (usual or names)[0]
    if not names:
        return None
    other = f"--task {several[0]}" if several else "--task ..."
    raise UsageError(
        f"{path.name}: it is unclear which column contains the message: {', '.join(names)}; name the column: --set "
        f"data.fields.message={(usual or names)[0]}, or choose a task other than chat: {other}"
    )
