"""Reads SQuAD 1.1 and 2.0."""

from __future__ import annotations

from collections.abc import Iterator

from mutatis.core.cases import Case, Turn
from mutatis.datasets.reader import DATASETS, UNKNOWN, accepted
from mutatis.reading import DataFile, Record


@DATASETS.register("squad2", task="question-answering", tasks=("question-answering",))
def squad2(file: DataFile) -> Iterator[Case]:
    """Read SQuAD 2.0 (or 1.1) JSON as one case per question, with its paragraph as context."""
    for article in file.documents("article"):
        for paragraph in article.objects("paragraphs", "paragraph"):
            context = paragraph.text("context")
            for question in paragraph.objects("qas", "question"):
                yield _case(file, context, question)


def _case(file: DataFile, context: str, question: Record) -> Case:
    """Return a question with its paragraph as a case."""
    answers = accepted(answer.need("text", str) for answer in question.optional_objects("answers", "answer"))
    impossible = question.get("is_impossible", bool, False)
    if answers and impossible:
        raise question.error("answers", "none, because 'is_impossible' is true")
    if not answers and not impossible:
        raise question.error("answers", "at least one, because 'is_impossible' is not true")
    turn = Turn(
        fields={"context": context, "question": question.text("question")},
        expected=answers or (UNKNOWN,),
        annotations={"answerable": not impossible},
    )
    return Case(id=file.id(question.id("id")), turns=(turn,))
