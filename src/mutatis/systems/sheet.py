"""People as the system under test: answers written on a sheet of questions (MORTAR v1, Table 4).

`mutatis sheet CONFIG answers` writes the sheet. A question is identified by its material and all earlier questions, so
dialogues with the same beginning share their first questions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.system import Conversation, Response, System
from mutatis.opening import FileName
from mutatis.options import Options
from mutatis.records.filled import filled_items
from mutatis.systems.registry import SYSTEMS

_APOSTROPHE_OF_FORMULA = ("'=", "'+", "'-", "'@")
"""Beginnings of answers with an apostrophe that keeps a spreadsheet from reading the rest as a formula."""


def question_name(conversation: Conversation) -> str:
    """Return the name of a question on a sheet: a hash of everything that is shown, except earlier answers.

    >>> first = Conversation(messages=(), fields={"question": "Who?"})
    >>> later = Conversation(messages=(), fields={"question": "Who?"}, history=(({"question": "When?"}, "1871"),))
    >>> question_name(first) == question_name(first), question_name(first) == question_name(later)
    (True, False)
    """
    shown = [[dict(fields) for fields, _ in conversation.history], dict(conversation.fields)]
    text = json.dumps(shown, ensure_ascii=False, sort_keys=True)
    return "q" + hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(slots=True, kw_only=True)
class AnsweredSystem(System):
    """A system whose answers are known beforehand, from people on a sheet or from another tool.

    Attributes:
        kind: the origin of the answers, as a word in the identity.
        answers: the answers and failures by question name.
        missing: the failure for all other questions.
    """

    label: str
    kind: str
    answers: Mapping[str, Response | SystemFailure]
    missing: SystemFailure
    free = True
    """Whether asking is free. Because it is, unanswered questions at the top of the sheet do not stop the run."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """The kind, and a hash of the answers. Response times and the words of failures are ignored."""
        contents = {name: _content(answer) for name, answer in self.answers.items()}
        text = json.dumps(contents, ensure_ascii=False, sort_keys=True)
        answers = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return {"type": self.kind, "answers": answers}

    async def ask(self, conversation: Conversation) -> Response:
        """Return the known answer.

        Raises:
            SystemFailure: the question has no answer, or a failure in place of one.
        """
        answer = self.answers.get(question_name(conversation), self.missing)
        if isinstance(answer, SystemFailure):
            raise answer.with_traceback(None)  # it may be raised many times
        return answer


def _content(answer: Response | SystemFailure) -> str:
    if isinstance(answer, SystemFailure):
        return type(answer).__name__
    return repr(replace(answer, latency=0.0, asked_at=0.0, stored=False))


def sheet_system(answers: Mapping[str, str], label: str, name: str = "the sheet") -> AnsweredSystem:
    """Return a completed sheet as a system. `answers` maps question names to answers, which may be blank."""
    blank = SystemFailure(f"the question was left blank on {name}")
    return AnsweredSystem(
        label=label,
        kind="sheet",
        answers={question: Response(text=answer) if answer else blank for question, answer in answers.items()},
        missing=SystemFailure(f"the question is not on {name}"),
    )


@SYSTEMS.register("sheet")
class SheetOptions(Options):
    """Options for people who answer a sheet of questions, made by `mutatis sheet CONFIG answers -o FILE`.

    Attributes:
        path: the completed sheet, CSV or JSON Lines.
        label: the system's name in reports.
    """

    path: FileName
    label: str | None = None

    def build(self) -> System:
        """Read the sheet and return the system. Raise UsageError if no question has been answered."""
        path = Path(self.path).expanduser()
        answers = _answers(path)
        if not any(answers.values()):
            raise UsageError(f"{path}: none of the questions has an answer; fill in the column 'answer'")
        return sheet_system(answers, self.label or f"sheet:{path.name}", path.name)


def _answers(path: Path) -> dict[str, str]:
    """Return the answers on a sheet by the names of the questions. Raise UsageError if the sheet is malformed."""
    answers: dict[str, str] = {}
    for item, (_, row) in filled_items(path).items():
        if "answer" not in row:
            raise UsageError(f"{path}: no column 'answer'; expected a sheet written by `mutatis sheet CONFIG answers`")
        answer = (row["answer"] or "").strip()
        answers[item] = answer[1:] if answer.startswith(_APOSTROPHE_OF_FORMULA) else answer
    return answers
