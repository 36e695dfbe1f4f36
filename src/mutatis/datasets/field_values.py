"""Reads the fields of a record: texts, passages, options, accepted answers, tools.

Independent of the field that a task asks about.
"""

from __future__ import annotations

import json
from typing import Any

from mutatis.core.calls import RESULTS, TOOLS, json_material, results_in, tools_in
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import UNKNOWN, accepted
from mutatis.reading import Record
from mutatis.text.options import listed_options

_PASSAGE = ("title", "text")


class TableRow(Record):
    """A row of a table: empty cells are absent."""


def field_text(record: Record, ours: str, theirs: str) -> str:
    """Return a field's text; options may be a list of texts, passages also of objects with a text (and a title)."""
    value = record.data.get(theirs)
    if ours == "options" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return listed_options([" ".join(item.split()) for item in value])
    if ours != "passages" or not isinstance(value, list):
        return record.text(theirs)
    return "\n\n".join(f"[{n}] {_passage(record, theirs, passage)}" for n, passage in enumerate(value, 1))


def callables_in(record: Record, kind: type | tuple[type, ...] = list) -> dict[str, str]:
    """Return the tools of a record and the recorded results of their calls, as material; {} without any.

    Raises:
        UsageError: they are present but malformed.
    """
    material = json_material(
        {name: record.data[name] for name in (TOOLS, RESULTS) if isinstance(record.data.get(name), kind)}
    )
    try:
        tools_in(material)
        results_in(material)
    except UsageError as error:
        raise UsageError(f"{record.where}: {error}") from None
    return material


def _passage(record: Record, name: str, passage: Any) -> str:
    parts = (
        [passage]
        if isinstance(passage, str)
        else [passage.get(k) for k in _PASSAGE]
        if isinstance(passage, dict)
        else []
    )
    texts = [" ".join(part.split()) for part in parts if isinstance(part, str) and part.strip()]
    if not texts or (isinstance(passage, dict) and not str(passage.get("text") or "").strip()):
        raise record.error(name, "texts, or objects with a text (and perhaps a title)")
    return ": ".join(texts)


def answers_in(record: Record, name: str | None) -> tuple[str, ...]:
    """Return the accepted answers in a field; () if it is absent."""
    value = record.data.get(name) if name else None
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        value = value["text"]  # SQuAD as Hugging Face has it: {"text": [...], "answer_start": [...]}
    if value is None:
        return ()
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    if isinstance(value, str | int | float):
        return accepted([str(value)])
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return accepted(value) or (UNKNOWN,)
    if isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value):
        return (json.dumps(value, ensure_ascii=False),)  # the calls that are right
    raise record.error(str(name), "text, a number or a list of texts")


def answerable_in(record: Record, answers: tuple[str, ...]) -> dict[str, Any]:
    """Return as an annotation whether a record can be answered; {} if the record does not show it."""
    answerable = record.get("answerable", bool) if not isinstance(record, TableRow) else None
    if answerable is not None:
        return {"answerable": answerable}
    if not answers:
        return {}
    first = answers[0].lower().strip(".")
    return {"answerable": False} if first in (UNKNOWN, "cannotanswer") else {}
