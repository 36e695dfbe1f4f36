"""German replies, judged by the folder: each pair was decided by hand."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from mutatis import measures
from mutatis.core.measure import Comparison, QuestionReplies, Repertoire, ReplyBlock, Similarity, WordedReply
from mutatis.measures.facts import facts, mentions_fact
from mutatis.measures.repertoire import RepertoireMeasure, vectors_of_words
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_taken


def judged(first: str, second: str) -> Similarity:
    comparison = Comparison(reference=(first,), answer=second, question="Was gilt?", language="de")
    [similarity] = measures.judge("answer-equivalence-lexical").measure.compare([comparison])  # type: ignore[misc]
    return similarity


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Die Karte kostet 5 Euro.", "Gerne! Die Karte kostet 5,00 €.", True),
        ("Wir öffnen um 9 Uhr.", "Wir haben ab 9:00 Uhr geöffnet.", None),
        ("Wir öffnen um 9 Uhr.", "Wir öffnen um 10 Uhr.", False),
        ("Am Montag ist zu.", "Am Dienstag ist zu.", False),
        ("Ja, Hunde sind erlaubt.", "Nein, das geht nicht.", False),
        ("Hunde sind erlaubt.", "Hunde sind nicht erlaubt.", False),
        ("Das kostet 5 Euro.", "Das habe ich leider nicht verstanden.", False),
        ("Das kostet 5 Euro.", "Dabei kann ich Ihnen nicht helfen.", False),
        ("Am 5. März 2027.", "Am 05.03.2027.", True),
        ("Die Lieferung dauert drei Tage.", "Die Lieferung dauert 3 Tage.", True),
        ("Das Wasser hat 34 °C.", "Das Wasser hat 34 Grad.", True),
        ("Bitte bringen Sie den Ausweis mit.", "Wir freuen uns auf Sie.", None),
    ],
)
def test_a_pair(first: str, second: str, same: bool | None) -> None:
    similarity = judged(first, second)
    assert (None if similarity.open else similarity.score >= 0.5) is same, similarity.reason


def test_who_has_not_understood_is_named_as_the_cause() -> None:
    assert judged("Das kostet 5 Euro.", "Das habe ich nicht verstanden.").cause == "not understood"


@pytest.mark.parametrize(
    ("reply", "begins", "side"),
    [
        ("Ja, gern.", True, True),
        ("Nein.", False, False),
        ("Leider nein.", False, False),
        ("Das ist möglich.", None, True),
        ("Das ist leider nicht möglich.", None, False),
        ("Jacken hängen Sie bitte auf.", None, None),
        ("Neinsager gibt es immer.", None, None),
    ],
)
def test_yes_and_no(reply: str, begins: bool | None, side: bool | None) -> None:
    assert (polarity(reply, "de"), side_taken(reply, "de")) == (begins, side)


def test_what_a_reply_does() -> None:
    assert is_lost("Können Sie das bitte anders formulieren?", "de")
    assert is_refusal("Darüber darf ich keine Auskunft geben.", language="de")
    assert not is_refusal("Das geht leider nicht.", language="de")
    assert is_abstention("Dazu liegen mir keine Informationen vor.", "de")
    assert not is_lost("Das habe ich verstanden.", "de")


def test_a_number_may_begin_a_compound() -> None:
    [fact] = facts("Zehn Besuche kosten es.", language="de")
    assert mentions_fact("Mit der Zehnerkarte geht das.", fact)
    assert not mentions_fact("Mit der Tageskarte geht das.", fact)


def test_a_day_of_the_month_ends_no_sentence() -> None:
    assert sentences("Er kommt am 5. März. Wann genau, ist offen.") == [
        "Er kommt am 5. März.",
        "Wann genau, ist offen.",
    ]
    assert sentences("It is room 5. May I come in?") == ["It is room 5.", "May I come in?"]


Questions: TypeAlias = tuple[tuple[str, tuple[str, str]], ...]

ROOMS: Questions = (
    ("Wo ist der Saal?", ("Im ersten Stock links.", "Links im ersten Stock.")),
    ("Wer hilft mir?", ("Am Eingang hilft jemand weiter.", "Jemand hilft am Eingang.")),
)


def block_verdict(asked: str, first: str, second: str, others: tuple[str, ...], *, beside: Questions = ()) -> str:
    """Judge two of the replies to a question, in a block with more questions."""
    texts = (first, second, *others)
    apart = [(f"{question} {n}", ways) for question, ways in (*ROOMS, *beside) for n in range(4)]
    block = ReplyBlock(
        questions=(
            QuestionReplies(
                source=WordedReply(message=asked, text=first),
                siblings=tuple(
                    WordedReply(message=f"{asked} {'x' * n}", text=text) for n, text in enumerate(texts[1:])
                ),
            ),
            *(
                QuestionReplies(
                    source=WordedReply(message=question, text=ways[0]),
                    siblings=tuple(WordedReply(message=f"{question} {n}", text=ways[n % 2]) for n in range(6)),
                )
                for question, ways in apart
            ),
        )
    )
    repertoire = Repertoire(block=block, place=0)
    comparison = Comparison(
        **{"reference": (first,), "answer": second, "question": asked, "language": "de"}, repertoire=repertoire
    )
    [judged] = RepertoireMeasure(vectors_of_words).compare([comparison])
    return "open" if judged.open else "same" if judged.score >= 0.5 else "different"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Für Kinder sind es 120 cm. Länge: 86 m.", "same"),  # other words in place of the others'
        ("Kinder: 120 cm. Länge: 86 m.", "different"),
    ],
)
def test_a_reply_is_cut_only_if_it_is_shorter(said: str, told: str) -> None:
    ways = (
        "Kinder rutschen ab 120 cm Körpergröße. Länge: 86 m.",
        "Ab 120 cm Körpergröße dürfen Kinder rutschen. Sie misst 86 m.",
    )
    assert block_verdict("Wie groß muss man sein?", ways[0], said, ways * 4) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Der Eintritt macht 5 €, 9 € die Sauna.", "same"),
        ("Nein, der Eintritt macht 5 €, 9 € die Sauna.", "open"),
        ("Sie zahlen 9 € für das Bad; 5 € beträgt der Zuschlag Sauna.", "open"),
    ],
)
def test_the_same_values_in_words_that_are_near_are_one_answer(said: str, told: str) -> None:
    ways = ("Der Eintritt kostet 5 Euro, die Sauna 9 Euro.", "Eintritt kostet 5 €, Sauna 9 €.")
    assert block_verdict("Wie teuer ist das?", ways[0], said, ways * 4) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Besuch unter 14 Jahren ist nicht erlaubt; Abstand: 30 m.", "open"),  # denies
        ("Besuch ist ab 14 Jahren erlaubt; Abstand: 30 m.", "same"),
        ("Abstand: 30 m. Besuch ist ab 14 Jahren erlaubt.", "open"),  # in another order, so maybe of other things
        ("Nein, Besuch ist ab 14 Jahren erlaubt; Abstand: 30 m.", "open"),
    ],
)
def test_the_same_values_in_one_order_are_one_answer_in_any_words(said: str, told: str) -> None:
    ways = ("Man muss 14 Jahre alt sein und hält sich 30 Meter fern.", "Alter: 14 Jahre. Entfernung: 30 Meter.")
    assert block_verdict("Was gilt im Gehege?", ways[0], said, ways * 4) == told


def test_values_that_another_question_gets_too_need_the_same_words() -> None:
    ways = ("Man muss 14 Jahre alt sein und hält sich 30 Meter fern.", "Alter: 14 Jahre. Entfernung: 30 Meter.")
    other = ("Was gilt auf dem Hof?", ("Erst ab 14 Jahren, 30 Meter vor dem Tor.",) * 2)
    said = "Besuch ist ab 14 Jahren erlaubt; Abstand: 30 m."
    assert block_verdict("Was gilt im Gehege?", ways[0], said, ways * 4, beside=(other,)) == "open"
