"""Reads questions about a passage: SQuAD, the dialogues of QuAC and CoQA, and CANARD.

CANARD rewrites QuAC's questions so that they can stand alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.gathering import gathered, present
from mutatis.datasets.reader import DATASETS, UNKNOWN, DataOptions, accepted
from mutatis.reading import DataFile, Record


@DATASETS.register("squad2", task="question-answering", tasks=("question-answering",))
def squad2(file: DataFile) -> Iterator[Case]:
    """Read SQuAD 2.0 (or 1.1) JSON as one case per question, with its paragraph as context."""
    for article in file.documents("article"):
        for paragraph in article.objects("paragraphs", "paragraph"):
            context = paragraph.text("context")
            for question in paragraph.objects("qas", "question"):
                yield _question_case(file, context, question)


def _question_case(file: DataFile, context: str, question: Record) -> Case:
    """Return a question with its paragraph as a case."""
    answers = accepted(answer.need("text", str) for answer in question.optional_objects("answers", "answer"))
    impossible = question.get("is_impossible", bool, False)
    if answers and impossible:
        raise question.error("answers", "none, because 'is_impossible' is true")
    if not answers and not impossible:
        raise question.error("answers", "at least one, because 'is_impossible' is not true")
    turn = _turn({"context": context, "question": question.text("question")}, answers, answerable=not impossible)
    return Case(id=file.id(question.id("id")), turns=(turn,))


def _turn(fields: dict[str, str], answers: Iterable[str], *, answerable: bool, **facts: Any) -> Turn:
    """Return a question with its accepted answers. Of a question that cannot be answered, the answer is `UNKNOWN`."""
    expected = accepted(answers) if answerable else (UNKNOWN,)
    return Turn(fields=fields, expected=expected, annotations={"answerable": answerable, **facts})


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
    turns = []
    for question in paragraph.objects("qas", "question"):
        answers = [answer.need("text", str) for answer in question.objects("answers", "answer")]
        turns.append(_quac_turn(question.text("question"), answers))
    material = _material(paragraph.text("context"), document.get("title", str), document.get("section_title", str))
    return Case(id=file.id(paragraph.id("id")), turns=tuple(turns), material=material)


def _flat(file: DataFile, document: Record, place: int) -> Case:
    turn_records = document.objects("turns", "turn")
    turns = tuple(_quac_turn(turn.text("question"), [turn.need("answer", str)]) for turn in turn_records)
    title, _, section = document.get("section", str, "").partition(" -- ")
    identity = document.id("id") if "id" in document.data else str(place)
    return Case(id=file.id(identity), turns=turns, material=_material(document.text("context"), title, section))


def _material(context: str, title: str | None, section: str | None) -> dict[str, str]:
    story = context.removesuffix(_NO_ANSWER).rstrip()
    named = {"title": title, "section": section}
    return {**{name: text for name, text in named.items() if text}, "story": story}


def _quac_turn(question: str, answers: list[str]) -> Turn:
    answerable = bool(answers) and answers[0].strip() != _NO_ANSWER
    accepted_answers = (UNKNOWN if answer.strip() == _NO_ANSWER else answer for answer in answers)
    return _turn({"question": question}, accepted_answers, answerable=answerable)


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
        yield _conversation(file, dialogue, present(complete=whole, domain=origin or None))


def _conversation(file: DataFile, dialogue: Record, facts: dict[str, Any]) -> Case:
    """Return a story with its questions as a case. Annotators' other answers are accepted, too."""
    answers_by_turn = _by_turn(dialogue.objects("answers", "answer"))
    extra = [_by_turn(more) for more in _additional(dialogue)]
    turns = []
    for place, question in enumerate(dialogue.objects("questions", "question"), start=1):
        number = question.get("turn_id", int, place)
        answer = answers_by_turn.pop(number, None)
        if answer is None:
            raise UsageError(f"{dialogue.where}: question with turn_id {number} has no answer in 'answers'")
        others = [more[number] for more in extra if number in more]
        turns.append(_story_turn(question.text("input_text"), answer, others, facts))
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


def _story_turn(question: str, answer: str, others: list[str], facts: dict[str, Any]) -> Turn:
    answerable = answer.strip().strip(".").lower() != UNKNOWN
    return _turn({"question": question}, [answer, *others], answerable=answerable, **facts)
