"""What many questions get in place of their own answers is no answer, in any language."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mutatis.core.measure import (
    NOT_UNDERSTOOD,
    SOURCE_IS_ODD,
    Comparison,
    QuestionReplies,
    Repertoire,
    ReplyBlock,
    Similarity,
    WordedReply,
)
from mutatis.measures import MEASURES
from mutatis.measures.stock_replies import stock_replies
from support.reply_blocks import verdict

OPEN = "Wir haben von 9 bis 18 Uhr geöffnet."
YES = "Ja, das haben wir."
SORRY = "Bitte formulieren Sie Ihre Frage anders."
GERMAN = {
    "Wann ist am Montag offen?": [OPEN] * 6,
    "Wann ist am Dienstag offen?": [OPEN] * 6,
    "Wann ist am Mittwoch offen?": [OPEN] * 6,
    "Wann ist am Freitag offen?": [OPEN] * 6,
    "Haben Sie die Lampe?": [YES] * 6,
    "Haben Sie den Tisch?": [YES] * 6,
    "Haben Sie den Stuhl?": [YES] * 6,
    "Haben Sie das Regal?": [YES] * 6,
    "Was kostet der Eintritt?": ["Der Eintritt kostet 8 Euro."] * 5 + [SORRY],
    "Wo kann ich parken?": ["Das Parkhaus liegt hinter dem Museum."] * 5 + [SORRY],
    "Darf ich Hunde mitbringen?": ["Hunde müssen draußen bleiben."] * 5 + [SORRY],
    "Wo ist die Garderobe?": ["Die Garderobe ist im Keller."] * 3 + ["Im Keller finden Sie sie."] + [SORRY],
}
PHONE = "Please talk to someone: 0800 111 0 111."
ENGLISH = {
    "What does the lamp cost?": ["The lamp costs 40 euros."] * 5 + [PHONE],
    "When do you open?": ["We open at 9."] * 5 + [PHONE],
    "Where can I park?": ["Behind the house."] * 5 + [PHONE],
    "Which bus goes there?": ["Bus 12 goes there."] * 5 + [PHONE],
    "Can I bring my dog?": ["Dogs are welcome."] * 6,
}


def compared(
    measure: str, known: dict[str, list[str]], pair: tuple[str, str], question: str, language: str = "en"
) -> Similarity:
    """Compare two replies to a question beside all that was said."""
    questions = tuple(
        QuestionReplies(
            source=WordedReply(message=message, text=replies[0]),
            siblings=tuple(WordedReply(message=message, text=text) for text in replies[1:]),
        )
        for message, replies in known.items()
    )
    repertoire = Repertoire(block=ReplyBlock(questions=questions), place=[*known].index(question))
    comparison = Comparison(
        reference=pair[:1], answer=pair[1], question=question, repertoire=repertoire, language=language
    )
    [similarity] = MEASURES[measure]().compare([comparison])  # type: ignore[misc]
    return similarity


@pytest.mark.parametrize(
    ("question", "pair", "expected"),
    [
        ("Was kostet der Eintritt?", ("Der Eintritt kostet 8 Euro.", SORRY), "different"),
        ("Wo ist die Garderobe?", ("Im Keller finden Sie sie.", SORRY), "different"),
        ("Wo ist die Garderobe?", ("Im Keller finden Sie sie.", "Die Garderobe ist im Keller."), "open"),
        ("Haben Sie die Lampe?", (YES, "Sicher, die Lampe ist da."), "open"),
        ("Wann ist am Montag offen?", ("Am Montag öffnen wir wie immer.", OPEN), "open"),
    ],
)
def test_in_every_language_a_stock_reply_did_not_understand(
    question: str, pair: tuple[str, str], expected: str
) -> None:
    """Dutch has no folder: the judge of chat knows only what holds in every language."""
    assert verdict(compared("repertoire", GERMAN, pair, question, language="nl")) == expected


def test_the_cause_says_whose_reply_is_the_stock_reply() -> None:
    question, answer = "Wo kann ich parken?", "Das Parkhaus liegt hinter dem Museum."
    there = compared("repertoire", GERMAN, (answer, SORRY), question, language="nl")
    here = compared("repertoire", GERMAN, (SORRY, answer), question, language="nl")
    assert (there.cause, here.cause) == (NOT_UNDERSTOOD, SOURCE_IS_ODD)
    assert "4 different questions" in there.reason
    assert here.reason.startswith("the source's answer is the odd one out: 4 different questions get that reply")


@pytest.mark.parametrize(
    ("replies", "questions"),
    [
        ([["a", "a", "x"], ["b", "b", "x"], ["c", "c", "x"], ["d", "d", "x"]], 4),
        ([["a", "a", "x"], ["b", "b", "x"], ["c", "c", "x"], ["d", "d"]], 0),  # three may be about one thing
        ([["a", "a", "x"], ["b", "b", "x"], ["c", "c", "x"], ["d", "d", "x"], ["x"], ["x"]], 0),  # it is an answer
        ([["a", "a", "x"], ["b", "b", "x"], ["c", "c", "x"], ["d", "d", "x"], ["x", "y", "y"]], 0),  # and here to one
        ([["a", "b", "x"], ["c", "d", "x"], ["e", "f", "x"], ["g", "h", "x"]], 0),  # the system words its answers anew
    ],
)
def test_to_how_many_questions_a_reply_is_said_in_place_of_their_answers(
    replies: Sequence[Sequence[str]], questions: int
) -> None:
    asked = [str(number) for number in range(len(replies))]
    assert stock_replies(asked, replies, fixed=True).get("x", 0) == questions


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("The lamp costs 40 euros.", PHONE), "different"),
        (("The lamp costs 40 euros.", "Hello! How can I help you?"), "different"),
        (("The lamp costs 40 euros.", "The price is 40 euros."), "same"),
        (("The lamp costs 40 euros.", "I'm sorry, but I can't help with that."), "different"),
        (("I'm sorry, but I can't help with that.", PHONE), "same"),
        ((PHONE, PHONE), "same"),
    ],
)
def test_whether_a_question_is_answered_shows_in_the_replies_of_the_run(pair: tuple[str, str], expected: str) -> None:
    """Before, a hand-over and a greeting counted as answers."""
    assert verdict(compared("refusal", ENGLISH, pair, "What does the lamp cost?")) == expected
