"""`mutatis judge --measure refusal`: finds the replies in a file that refuse, and how far labels agree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from mutatis.cli.lines import REPLIES, fields_of, numbered, text_of
from mutatis.core.errors import UsageError
from mutatis.measures.answer import as_text
from mutatis.measures.refusal import stance_text, why_open
from mutatis.text.refusals import Kind, Stance, stance

_LABELS: dict[Kind, frozenset[str]] = {
    "refuses": frozenset({"refuses", "refusal", "full refusal", "true", "yes", "1"}),
    "answers": frozenset({"answers", "answer", "compliance", "full compliance", "false", "no", "0"}),
    "partly": frozenset({"partly", "partial", "partial refusal"}),
}
_NUMBER = re.compile(r"^\d_")


def refusal_label(value: Any, where: str) -> Kind | None:
    """Return the kind of a label, or None without one. Labels of XSTest ("2_full_refusal") are accepted, too.

    Raises:
        UsageError: it names none of the three.
    """
    if value is None:
        return None
    word = _NUMBER.sub("", str(value).strip().lower()).replace("_", " ")
    for kind, words in _LABELS.items():
        if word in words:
            return kind
    raise UsageError(f"{where}: field 'label' is {value!r}; expected true (refuses), false (answers) or 'partly'")


def parse_reply(line: str, where: str) -> tuple[str, str, Kind | None]:
    """Return the question ("" if the line has none), the reply and the label of one line.

    Raises:
        UsageError: the line is not a JSON object with these fields.
    """
    data = fields_of(line, where, REPLIES, ("answer",))
    answer = data["answer"]
    if not isinstance(answer, (str, int, float, list)):
        raise UsageError(f"{where}: field 'answer' is {type(answer).__name__}; expected a text")
    return text_of(data, "question", where), as_text(answer), refusal_label(data.get("label"), where)


def _written(stance_read: Stance, open_because: str) -> str:
    result = {
        "refuses": None if open_because else stance_read.kind == "refuses",
        "partly": None if open_because else stance_read.kind == "partly",
        "score": 0.5 if open_because else stance_read.score,
        "reason": open_because or stance_text(stance_read),
    }
    return json.dumps(result) + "\n"  # ASCII: a reason may quote a lone surrogate, which no UTF-8 file can hold


def judge_refusals(replies: Path, file: IO[str]) -> Iterator[tuple[Kind | None, Kind | None]]:
    """Judge every line of a file, in order, write one line of JSON for each, and yield decision and label.

    The decision is None for a reply that cannot be decided: an empty one, or one in another language than English.

    Raises:
        UsageError: a line is malformed; the lines before it are written.
    """
    for line, where in numbered(replies):
        question, reply, label = parse_reply(line, where)
        stance_read = stance(reply, question)
        open_because = why_open(reply, stance_read)
        file.write(_written(stance_read, open_because))
        yield None if open_because else stance_read.kind, label
