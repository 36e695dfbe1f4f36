"""Reads CoQA: conversations about a story."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import DATASETS, UNKNOWN, DataOptions, accepted
from mutatis.reading import DataFile, Record


class CoqaOptions(DataOptions):
    """Options for reading CoQA.

    Attributes:
        complete: whether to read only dialogues that are marked as complete.
        domain: the only domain whose stories are read; by default all domains are read.
    """

    complete: bool | None = None
    domain: str | None = None


@DATASETS.register("coqa", task="dialogue", tasks=("dialogue",), options=CoqaOptions)
def coqa(file: DataFile, options: CoqaOptions) -> Iterator[Case]:
    """Read CoQA JSON as one case per dialogue. Options: `complete` (only complete dialogues) and `domain`."""
    for dialogue in file.documents("dialogue"):
        whole = dialogue.get("complete", bool)
        known = dialogue.get("source_known", bool, True)
        origin = dialogue.get("source", str) if known else None
        if options.complete and whole is None:
            raise dialogue.error("complete", "true or false, because complete = true was asked for")
        if (options.complete and not whole) or (options.domain is not None and origin != options.domain):
            continue
        yield _case(file, dialogue, _facts(whole, origin))


def _facts(whole: bool | None, origin: str | None) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if whole is not None:
        facts["complete"] = whole
    if origin:
        facts["domain"] = origin
    return facts


def _case(file: DataFile, dialogue: Record, facts: dict[str, Any]) -> Case:
    """Return a story with its questions as a case. Annotators' other answers are accepted, too."""
    questions, answers = dialogue.objects("questions", "question"), dialogue.objects("answers", "answer")
    if not questions:
        raise dialogue.error("questions", "at least one question")
    answers_by_turn = _by_turn(answers)
    extra = [_by_turn(more) for more in _additional(dialogue)]
    turns = []
    for place, question in enumerate(questions, start=1):
        number = question.get("turn_id", int, place)
        answer = answers_by_turn.pop(number, None)
        if answer is None:
            raise UsageError(f"{dialogue.where}: question with turn_id {number} has no answer in 'answers'")
        others = [more[number] for more in extra if number in more]
        turns.append(_turn(question.text("input_text"), answer, others, facts))
    if answers_by_turn:
        raise UsageError(f"{dialogue.where}: answer with turn_id {min(answers_by_turn)} has no question in 'questions'")
    return Case(id=file.id(dialogue.id("id")), turns=tuple(turns), material={"story": dialogue.text("story")})


def _additional(dialogue: Record) -> list[list[Record]]:
    groups = Record.of(dialogue.where, dialogue.get("additional_answers", dict, {}))
    return [groups.objects(name, f"additional answer of {name},") for name in groups.data]


def _by_turn(answers: list[Record]) -> dict[int, str]:
    numbered: dict[int, str] = {}
    for place, answer in enumerate(answers, start=1):
        number = answer.get("turn_id", int, place)
        if number in numbered:
            raise answer.error("turn_id", "a number that no other answer has")
        numbered[number] = answer.need("input_text", str)
    return numbered


def _turn(question: str, answer: str, others: list[str], facts: dict[str, Any]) -> Turn:
    answerable = answer.strip().strip(".").lower() != UNKNOWN
    expected = accepted([answer, *others]) if answerable else (UNKNOWN,)
    return Turn(fields={"question": question}, expected=expected, annotations={"answerable": answerable, **facts})
