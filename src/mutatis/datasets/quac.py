"""Reads QuAC, and CANARD, which rewrites QuAC's questions so that they can stand alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.gathering import gathered
from mutatis.datasets.reader import DATASETS, UNKNOWN, accepted
from mutatis.reading import DataFile, Record

_NO_ANSWER = "CANNOTANSWER"
_DONT_KNOW = "i don't know"


@DATASETS.register("quac", task="dialogue", tasks=("dialogue",))
def quac(file: DataFile) -> Iterator[Case]:
    """Read QuAC JSON, official (`paragraphs`, `qas`) or flat (`context`, `turns`), as one case per dialogue."""
    for place, document in enumerate(file.documents("document"), start=1):
        if "paragraphs" in document.data:
            for paragraph in document.objects("paragraphs", "paragraph"):
                yield _official(file, document, paragraph)
        else:
            yield _flat(file, document, place)


def _official(file: DataFile, document: Record, paragraph: Record) -> Case:
    questions = paragraph.objects("qas", "question")
    if not questions:
        raise paragraph.error("qas", "at least one question")
    turns = []
    for question in questions:
        answers = [answer.need("text", str) for answer in question.objects("answers", "answer")]
        turns.append(_turn(question.text("question"), answers))
    material = _material(paragraph.text("context"), document.get("title", str), document.get("section_title", str))
    return Case(id=file.id(paragraph.id("id")), turns=tuple(turns), material=material)


def _flat(file: DataFile, document: Record, place: int) -> Case:
    turn_records = document.objects("turns", "turn")
    if not turn_records:
        raise document.error("turns", "at least one turn")
    turns = tuple(_turn(turn.text("question"), [turn.need("answer", str)]) for turn in turn_records)
    title, _, section = document.get("section", str, "").partition(" -- ")
    identity = document.id("id") if "id" in document.data else str(place)
    return Case(id=file.id(identity), turns=turns, material=_material(document.text("context"), title, section))


def _material(context: str, title: str | None, section: str | None) -> dict[str, str]:
    story = context.removesuffix(_NO_ANSWER).rstrip()
    named = {"title": title, "section": section}
    return {**{name: text for name, text in named.items() if text}, "story": story}


def _turn(question: str, answers: list[str]) -> Turn:
    answerable = bool(answers) and answers[0].strip() != _NO_ANSWER
    expected = accepted(UNKNOWN if answer.strip() == _NO_ANSWER else answer for answer in answers)
    return Turn(
        fields={"question": question},
        expected=expected if answerable else (UNKNOWN,),
        annotations={"answerable": answerable},
    )


@DATASETS.register("canard", task="dialogue", tasks=("dialogue",))
def canard(file: DataFile) -> Iterator[Case]:
    """Read CANARD JSON as one case per dialogue, with gold rewrites as annotations and without a story."""
    dialogues = gathered(file.documents("question"), lambda record: record.text("QuAC_dialog_id"))
    for name, records in dialogues.items():
        yield _canard_case(file, name, sorted(records, key=lambda record: record.need("Question_no", int)))


def _canard_case(file: DataFile, name: str, records: list[Record]) -> Case:
    """Return the questions of one dialogue, in order, as a case. A question's history contains the earlier answers."""
    answers = _history(records[-1])[3::2]
    turns = []
    for place, record in enumerate(records, start=1):
        if record.need("Question_no", int) != place:
            raise record.error(
                "Question_no", f"{place}: question {place} of dialogue {name!r} is missing or there twice"
            )
        history = _history(record)
        if len(history) != 2 * place:
            raise record.error(
                "History", f"{2 * place} texts: title, section, then question and answer {place - 1} times"
            )
        turns.append(_canard_turn(record, answers[place - 1] if place <= len(answers) else None))
    title, section = _history(records[0])[:2]
    return Case(id=file.id(name), turns=tuple(turns), material={"title": title, "section": section})


def _history(record: Record) -> list[str]:
    history: list[Any] = record.need("History", list)
    if len(history) < 2 or not all(isinstance(text, str) for text in history):
        raise UsageError(f"{record.where}: field 'History': expected a list of at least two texts")
    return history


def _canard_turn(record: Record, answer: str | None) -> Turn:
    annotations: dict[str, Any] = {"rewrite": record.text("Rewrite")}
    expected: tuple[str, ...] = ()
    if answer is not None:
        answerable = answer.strip().rstrip(".").lower() != _DONT_KNOW and answer.strip() != _NO_ANSWER
        annotations["answerable"] = answerable
        expected = accepted([answer]) if answerable else (UNKNOWN,)
    return Turn(fields={"question": record.text("Question")}, expected=expected, annotations=annotations)
