"""German follow-ups that put questions together, exchange values and give names: expected texts are by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import mutatis
import mutatis.relations  # noqa: F401 - fills the registries
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.dictionary import Dictionary, Exchange, Limit, Turned
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import TRANSFORMATIONS, completed_by, derive
from mutatis.languages import Language
from mutatis.testing import sync
from mutatis.transformations.at_limits import values_at_limits
from mutatis.transformations.interruptions import asks_one_thing
from mutatis.transformations.together import PROBES, not_the_other

TALK = (
    Exchange(question="Was kostet ein Tisch für 4 Personen?", reply="Ein Tisch für 4 Personen kostet 20 Euro."),
    Exchange(question="Gibt es einen Parkplatz?", reply="Ja, hinter dem Haus."),
    Exchange(question="Wie lange dauert die Fahrt nach Berlin?", reply="Die Fahrt nach Berlin dauert 3 Stunden."),
    Exchange(question="Haben Sie am Montag geöffnet?", reply="Ja, am Montag von 9 bis 18 Uhr."),
    Exchange(question="Bekommt ein 70-Jähriger Rabatt?", reply="Ja, ab 65 Jahren gibt es Rabatt."),
)
FROM_65 = Limit(
    **{"text": "ab 65 Jahren", "value": "65 Jahren", "measure": "months", "size": 780.0, "side": "least"},
    inclusive=True,
    seen=("one", "another"),
)
KNOWN = Dictionary(exchanges=TALK, limits=(FROM_65,), understands=frozenset(["left out", "corrected"]))


def follow_up(name: str, question: str, reply: str = "", **parameters: object) -> list[str]:
    edit = TRANSFORMATIONS[name]
    case = Case(id="x/1", turns=(Turn(fields={"message": question}),), task="chat", language="de")
    variant = ("message",) if edit.level in ("text", "turn") else ()
    wanted = Derivation(source="x/1", steps=(Step.of(name, **parameters),), variant=variant)
    completed = completed_by(wanted, question, reply, [KNOWN], "de")
    return [turn.fields["message"] for turn in sync(derive(case, completed, seed=1)).turns]


def of(number: int) -> tuple[str, str]:
    return TALK[number].question, TALK[number].reply


def test_two_questions_in_one_message() -> None:
    [both] = follow_up("ask-with-another", *of(1))
    assert both in {
        "Gibt es einen Parkplatz? Und was kostet ein Tisch für 4 Personen?",
        "Gibt es einen Parkplatz? Und wie lange dauert die Fahrt nach Berlin?",
    }
    [both] = follow_up("ask-with-another", *of(0), place="last")
    assert both == "Wie lange dauert die Fahrt nach Berlin? Und was kostet ein Tisch für 4 Personen?"


def test_a_day_of_one_question_is_not_carried_over_to_another() -> None:
    """After "Wann schließen Sie am Montag?", the other question may be meant for Monday, too."""
    with pytest.raises(UnusableFollowUp, match="the day in the question may also apply to another question"):
        follow_up("ask-with-another", "Wann schließen Sie am Montag?", "Am Montag um 18 Uhr.")


@pytest.mark.parametrize(
    ("name", "number", "pattern"),
    [
        ("ask-before", 0, (TALK[1].question, TALK[0].question)),
        ("leave-out", 3, ("Haben Sie am {} geöffnet?", "Und am Montag?")),
        ("correct-next", 3, ("Haben Sie am {} geöffnet?", "Entschuldigung, ich meinte am Montag.")),
    ],
)
def test_another_question_comes_before(name: str, number: int, pattern: tuple[str, str]) -> None:
    before, last = follow_up(name, *of(number))
    days = ("Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
    assert before in {pattern[0].format(day) for day in days}
    assert last == pattern[1]


def test_what_is_taken_back_keeps_its_preposition() -> None:
    before, last = follow_up("not-the-other", *of(3))
    day = before.split()[3]
    assert last == f"Entschuldigung, nicht am {day}, sondern am Montag: Haben Sie am Montag geöffnet?"


def test_a_question_that_is_no_copy_of_the_asked_one_is_not_taken_back() -> None:
    turns = (Turn(fields={"message": "Haben Sie am Montag geöffnet?"}),)
    assert not_the_other((0,), turns, "de", other="am Freitag", before="Ist am Freitag zu?") == (0,)


@pytest.mark.parametrize("probe", ["left out", "corrected"])
def test_a_message_with_two_questions_is_not_returned_to(probe: Turned) -> None:
    asked, german = "Wie viel kostet der Kurs am Montag?", replace(KNOWN, language="de")
    assert PROBES[probe](asked, german)
    assert not PROBES[probe](f"{asked[:-1]}, und wo ist die Schule?", german)


def test_a_price_for_two_numbers_of_people() -> None:
    [both] = follow_up("ask-of-two", *of(0), asked="in one")
    first, second = both.split("? ")
    assert first == "Was kostet ein Tisch für 4 Personen"
    assert second.startswith("Und was kostet ein Tisch für ")
    assert " 4 " not in second


def test_a_value_that_the_answer_repeats_is_exchanged() -> None:
    question, reply = of(0)
    [asked] = follow_up("another-value", question, reply)
    assert asked != question
    assert "4" not in asked.split()
    assert len(asked.split()) == len(question.split())


def test_a_value_of_the_service_is_not_exchanged() -> None:
    with pytest.raises(UnusableFollowUp, match="does not repeat"):
        follow_up("another-value", "Wie viele Koffer darf ich für 3 Tage mitnehmen?", "Bis zu 2 Koffer.")
    for reply in ("Ja, bis zu 3 Koffer.", "Ja, 3 Koffer dürfen Sie mitnehmen.", "Nein, 3 Koffer sind zu viel."):
        with pytest.raises(UnusableFollowUp, match="says yes or no"):
            follow_up("another-value", "Darf ich 3 Koffer mitnehmen?", reply)
    with pytest.raises(UnusableFollowUp, match="does not repeat"):  # a weekday: the hours may be those of every day
        follow_up("another-value", "Wann öffnen Sie am Montag?", "Am Montag öffnen wir um 9 Uhr.")


def test_a_value_at_a_limit() -> None:
    [asked] = follow_up("at-limit", "Ich bin 70. Bekomme ich Rabatt?", "Ja, ab 65 Jahren gibt es Rabatt.")
    assert asked in {f"Ich bin {age}. Bekomme ich Rabatt?" for age in (64, 65, 66)}
    with pytest.raises(UnusableFollowUp, match="no two replies"):  # one reply alone states it, and may be wrong
        follow_up("at-limit", "Ich bin 70. Bekomme ich Rabatt?", "Ja, ab 60 Jahren gibt es Rabatt.")


def test_a_time_at_a_limit_is_not_written_in_minutes() -> None:
    """A limit at 14:00 lies 840 minutes after midnight, but nobody comes "um 841 Uhr"."""
    at_14 = replace(FROM_65, text="bis 14 Uhr", value="14 Uhr", measure="time of day", size=840.0, side="most")
    known = Dictionary(limits=(at_14,), language="de")
    with pytest.raises(UnusableFollowUp, match="cannot be moved to the limit"):
        values_at_limits("Kann ich um 13 Uhr kommen?", "Ja, bis 14 Uhr.", known)


def test_no_value_is_asked_at_a_limit_whose_wording_is_unclear() -> None:
    to_14 = replace(FROM_65, text="bis 14 Jahre", value="14 Jahre", size=168.0, side="most")
    known = Dictionary(limits=(to_14,), language="de")
    choices = values_at_limits("Mein Sohn ist 12 Jahre alt. Darf er rein?", "Ja, bis 14 Jahre.", known)
    assert {choice["new"] for choice in choices} == {"13 Jahre alt", "15 Jahre alt"}


def test_a_message_with_two_questions_is_not_asked_of_two() -> None:
    with pytest.raises(UnusableFollowUp, match="not a single question about a value"):
        follow_up("ask-of-two", "Was kostet ein Tisch für 4 Personen und wann öffnen Sie?", "20 Euro, um 9 Uhr.")


def test_a_name_is_said_first() -> None:
    [asked] = follow_up("give-name", *of(1))
    assert asked in {f"Hallo, hier ist {name}. Gibt es einen Parkplatz?" for name in Language("de").ways("callers")}


def test_parts_change_places_only_side_by_side() -> None:
    assert follow_up("reorder-slots", "Ein Tisch für 4 Personen am Montag?") == ["Ein Tisch am Montag für 4 Personen?"]
    stays = "Haben Sie am Montag einen Tisch für 4 Personen?"
    assert follow_up("reorder-slots", stays) == [stays]


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("Gibt es einen Parkplatz?", True),
        ("Haben Sie Parkplätze?", True),
        ("Hat sie einen Parkplatz?", False),
        ("Und am Montag?", False),
        ("Ist das da auch so?", False),
        ("Mein Sohn ist 6. Was kostet die Karte?", False),
        ("Können Sie mir einen Tisch reservieren?", False),
    ],
)
def test_one_question_that_stands_by_itself(message: str, alone: bool) -> None:
    assert asks_one_thing(message, "de") is alone


def test_another_value_is_claimed() -> None:
    asked, claimed = follow_up("claim-value", *of(2))
    assert asked == TALK[2].question
    assert claimed.startswith("Also ")
    assert "3 Stunden" not in claimed
    assert follow_up("claim-value", *of(2), claim="own")[1] in {
        "Also 3 Stunden, richtig?",
        "Also 3 Stunden, stimmt das?",
    }


def test_an_answer_is_doubted() -> None:
    assert follow_up("doubt-answer", *of(2), doubt="sure")[1] in Language("de").ways("doubts.sure")


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        ("Ja, genau.", "violated"),
        ("Nein, die Fahrt dauert 3 Stunden.", "satisfied"),
        ("Die Fahrt dauert 3 Stunden.", "satisfied"),
        ("Das habe ich leider nicht verstanden.", "invalid"),
        ("Gute Reise!", "invalid"),
    ],
)
def test_who_agrees_to_another_value_contradicts_itself(last: str, outcome: str) -> None:
    def bot(message: str, history: Sequence[object] = ()) -> str:
        return last if history else TALK[2].reply

    cases = mutatis.cases([TALK[2].question], language="de")
    [row] = mutatis.run(bot, cases, ["claim-another"], settings={"noise_floor": 0, "confirm": 0}).summary
    assert (row.satisfied, row.violated, row.invalid) == tuple(
        int(outcome == name) for name in ("satisfied", "violated", "invalid")
    )
