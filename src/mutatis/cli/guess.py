"""Guesses the task of a file's cases, a chatbot's, if it is stated nowhere and the file holds no labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError
from mutatis.core.task import TASKS
from mutatis.datasets.tables import columns, first_record
from mutatis.reading import shown
from mutatis.text.visible import on_one_line

_LABELS = frozenset({"expected", "label"})
_ANSWERS = frozenset({"answer", "answers"})
_OWN = {"sentiment": "sentiment", "reader": "question-answering"}
"""Tasks of the built-in systems. Under any other task their answers would be misread."""

_IDENTIFIES = frozenset({"id", *_LABELS, *_ANSWERS})
SEVERAL = 3
"""Fewest fields of a task that is recognised by their names alone."""

_TOLD = 8
"""Columns that a note names."""

_MESSAGES = ("message", "question", "prompt", "query", "utterance", "input", "text")
"""Columns that hold a chatbot's message, by their names. The first one present is used."""


def guess_task(tables: Mapping[str, Any]) -> str | None:
    """Give the data of a configuration their task, if everything supports it. Return the guess.

    A built-in system has a task of its own. A file with all fields of a task of several gets that task, and one whose
    records bring tools an agent's. One without labels holds messages of the task `chat` if it has a column `message`,
    or goes to an address. Otherwise it is to be classified, which is announced.

    Raises:
        UsageError: it goes to an address, and no column is plainly the message.
    """
    data, system = tables.get("data"), tables.get("system")
    if not isinstance(data, dict) or not _open(tables, data):
        return None
    if isinstance(system, dict) and system.get("type") == "builtin" and (task := _OWN.get(str(system.get("name")))):
        data["task"] = task
        return f"task {task} (what builtin:{system['name']} does; --task ... for another)"
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
    """Give data that bring tools the task of an agent, if a column is the message. Return the guess."""
    fields = data.get("fields") or {}
    column = fields.get("message") or next(
        (name for usual in _MESSAGES for name in names if name.lower() == usual), None
    )
    if column is None:
        return None
    data.update(task="tool-call", fields={**fields, "message": column})
    return f"task tool-call (the file brings tools; --task ... for another), message = column {shown(column)}"


def _open(tables: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Return True if the task is stated nowhere. Malformed parts are left to their readers."""
    fields, mark, encoding = data.get("fields") or {}, data.get("delimiter") or ",", data.get("encoding") or "utf-8"
    return (
        data.get("format") in ("csv", "jsonl")
        and not ("task" in tables or data.get("task") or data.get("labels"))
        and isinstance(fields, dict)
        and (not fields or "message" in fields)
        and (isinstance(mark, str) and len(mark) == 1 and isinstance(encoding, str))
    )


def _by_fields(names: Sequence[str]) -> str | None:
    """Return the task that has all its fields in a file. Three or more matching names are not a coincidence."""
    fits = [name for name in TASKS if len(TASKS[name].needed) >= SEVERAL and set(TASKS[name].needed) <= set(names)]
    return fits[0] if len(fits) == 1 else None


def _labelled(names: tuple[str, ...]) -> bool:
    """Return True if a file has labels, or dialogues, which show their own task."""
    lower = {name.lower() for name in names}
    answers = lower & _ANSWERS and not lower & {"message", "question"}
    return bool(lower & _LABELS or answers or "turns" in lower)


def _column(path: Path, names: list[str]) -> str | None:
    """Return the column that is the message: the only one, or the only one of a usual name."""
    several = [task for task in TASKS if len(TASKS[task].needed) > 1 and set(TASKS[task].needed) <= set(names)]
    usual = [name for name in names if name.lower() in _MESSAGES]
    if len(names) == 1 or (len(usual) == 1 and not several):
        return (usual or names)[0]
    if not names:
        return None
    other = f"--task {several[0]}" if several else "--task ..."
    raise UsageError(
        f"{path.name}: nothing tells what is asked of its columns {', '.join(names)}; name the message: "
        f"--set data.fields.message={(usual or names)[0]}, or another task than chat: {other}"
    )
