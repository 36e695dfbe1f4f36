"""Answers to one question in two languages, with what a reader says of each pair."""

from __future__ import annotations

import pytest

from mutatis.relations.across import Asked, same_answer

PAIRS: list[tuple[str, tuple[str, str, str], tuple[str, str, str], bool | None]] = [
    ("the same price", ("en", "How much is it?", "It is 1,250.50 euros."),
     ("de", "Was kostet es?", "Es kostet 1.250,50 Euro."), True),
    ("thousands behind a blank", ("en", "How many live there?", "711,988"),
     ("es", "¿Cuántos viven allí?", "711 988"), None),
    ("a scale for both ends", ("en", "How many were lost?", "30 to 50 thousand"),
     ("de", "Wie viele starben?", "30.000 bis 50.000"), True),
    ("a number in words", ("en", "How many rooms are there?", "There are 21 rooms."),
     ("de", "Wie viele Zimmer gibt es?", "Es gibt einundzwanzig Zimmer."), True),
    ("another number in words", ("en", "How many rooms are there?", "There are 21 rooms."),
     ("de", "Wie viele Zimmer gibt es?", "Es gibt zwölf Zimmer."), False),
    ("twice", ("en", "How many times have they won?", "twice"),
     ("de", "Wie oft haben sie gewonnen?", "zwei Mal"), None),
    ("more in one language", ("en", "When do you open?", "At 9 am, on Sundays at 10 am."),
     ("de", "Wann öffnen Sie?", "Um 9 Uhr."), True),
    ("the value of the question in one answer only", ("en", "I am 30. What do I pay?", "At 30 you pay 8 euros."),
     ("es", "Tengo 30 años. ¿Cuánto pago?", "Son 8 euros."), True),
    ("open days and closed days", ("en", "Is the sauna open?", "It is open Tuesday to Sunday from 10 am."),
     ("de", "Hat die Sauna offen?", "Ab 10 Uhr, montags geschlossen."), True),
    ("another day", ("en", "When is the course?", "The course is on Monday."),
     ("de", "Wann ist der Kurs?", "Der Kurs ist am Dienstag."), False),
    ("the same day", ("en", "When is the course?", "The course is on Monday."),
     ("es", "¿Cuándo es el curso?", "El curso es el lunes."), True),
    ("yes to a question that negates", ("en", "Isn't it open?", "No, it is closed."),
     ("de", "Ist nicht offen?", "Ja, es ist geschlossen."), None),
    ("another choice", ("en", "Is Basic or Flex cheaper?", "Basic is cheaper."),
     ("de", "Ist Basic oder Flex günstiger?", "Flex ist günstiger."), False),
    ("the same name", ("en", "Who led them?", "Peyton Manning"),
     ("de", "Wer hat sie angeführt?", "Das war Peyton Manning."), True),
    ("a name in another form", ("en", "Which river is it?", "The Rhine."),
     ("de", "Welcher Fluss ist das?", "Der Rhein."), None),
    ("nothing to compare", ("en", "How do I get in?", "Through the side door."),
     ("de", "Wie komme ich hinein?", "Durch die Seitentür."), None),
    ("neither understood", ("en", "Xyz?", "Sorry, I didn't understand that."),
     ("de", "Xyz?", "Das habe ich leider nicht verstanden."), None),
    ("refused in one", ("en", "What does it cost?", "It costs 40 euros."),
     ("de", "Was kostet es?", "Dabei kann ich Ihnen leider nicht helfen."), False),
    ("in the other language", ("en", "When do you close?", "We close at 6 pm on all days of the week."),
     ("de", "Wann schließen Sie?", "We close at 6 pm on all days of the week."), True),
    ("a numeral alone", ("en", "How many has she won?", "Six"), ("zh", "她得过几次？", "六"), None),
    ("a scale of ten thousand", ("en", "How many were lost?", "30 to 50 thousand"),
     ("zh", "有多少人死亡？", "3到5万"), True),
    ("a unit that is not read", ("en", "How much is it?", "1.5 gigatons"),
     ("zh", "那是多少？", "15亿吨"), None),
    ("another price in Chinese", ("en", "How much is a ticket?", "A ticket is 25 euros."),
     ("zh", "门票多少钱？", "门票35欧元。"), False),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "same"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_pairs_are_judged_as_readers_do_in_either_order(
    first: tuple[str, str, str], second: tuple[str, str, str], same: bool | None
) -> None:
    ours, theirs = (Asked(language=code, question=question, reply=reply) for code, question, reply in (first, second))
    assert same_answer(ours, theirs)[0] is same
    assert same_answer(theirs, ours)[0] is same


def test_the_evidence_names_both_values() -> None:
    english = Asked(language="en", question="How far is it?", reply="It is 3 km.")
    spanish = Asked(language="es", question="¿A qué distancia está?", reply="Está a 5 km.")
    assert same_answer(english, spanish) == (False, "one says '3 km' and the other '5 km'")


def test_the_evidence_quotes_the_replies_as_they_are_written() -> None:
    """Before: '17 uhr', which no reply holds."""
    english = Asked(language="en", question="When do you close on Monday?", reply="On Monday at 6 PM.")
    german = Asked(language="de", question="Wann macht ihr am Montag zu?", reply="Am Montag um 17 Uhr.")
    assert same_answer(english, german) == (False, "one says '6 PM' and the other '17 Uhr'")
    day = Asked(language="de", question="Wann habt ihr zu?", reply="Am Dienstag.")
    other = Asked(language="en", question="When are you closed?", reply="On MONDAY.")
    assert same_answer(day, other) == (False, "one says 'Dienstag' and the other 'MONDAY'")
