"""The same questions in several languages: what a bot that speaks them all gets, and what one with a fault."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.cost import SOURCES
from mutatis.campaign.plan import estimate
from mutatis.config import check
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.query import Store

MATTERS: dict[str, dict[str, tuple[str, str]]] = {
    "hours": {
        "en": ("When are you open on Monday?", "On Mondays we are open from 9 am to 6 pm."),
        "de": ("Wann haben Sie am Montag geöffnet?", "Montags haben wir von 9 bis 18 Uhr geöffnet."),
        "es": ("¿Qué horario tienen el lunes?", "Los lunes abrimos de 9:00 a 18:00."),
    },
    "price": {
        "en": ("How much is a day ticket?", "A day ticket is 12.50 euros."),
        "de": ("Was kostet eine Tageskarte?", "Eine Tageskarte kostet 12,50 Euro."),
        "es": ("¿Cuánto cuesta la entrada de día?", "La entrada de día cuesta 12,50 euros."),
    },
    "dogs": {
        "en": ("Can I bring my dog?", "No, dogs are not allowed."),
        "de": ("Darf ich meinen Hund mitbringen?", "Nein, Hunde sind leider nicht erlaubt."),
        "es": ("¿Puedo entrar con mi perro?", "No, no se permiten perros."),
    },
    "tour": {
        "en": ("How long does the tour take?", "The tour takes an hour and a half, or 90 minutes."),
        "de": ("Wie lange dauert die Führung?", "Die Führung dauert 90 Minuten."),
        "es": ("¿Cuánto dura la visita?", "La visita dura noventa minutos."),
    },
    "café": {
        "en": ("Is there a café?", "The terrace is behind the house."),
        "de": ("Gibt es ein Café?", "Die Terrasse liegt hinter dem Haus."),
        "es": ("¿Hay cafetería?", "La terraza se encuentra detrás del edificio."),
    },
}
RIGHT = {question: answer for there in MATTERS.values() for question, answer in there.values()}
QUIET: dict[str, Any] = {"noise_floor": 0, "confirm": 0}
RELATION = ["in-another-language"]


def asked(languages: Sequence[str] = ("en", "de"), matters: Sequence[str] = tuple(MATTERS)) -> list[Case]:
    records = [
        {"text": MATTERS[matter][code][0], "lang": code, "matter": matter} for code in languages for matter in matters
    ]
    return mutatis.cases(records, task="chat", fields={"message": "text", "language": "lang", "parallel": "matter"})


def answering(wrong: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """Return a bot that answers all questions, some of them wrongly, and understands nothing else."""
    known = {**RIGHT, **(wrong or {})}
    return lambda message: known.get(message, "Sorry, I didn't understand that.")


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]


def outcomes(bot: Callable[[str], str], cases: Sequence[Case], folder: Path, **more: Any) -> dict[str, str]:
    """Return the outcome of each pair by its English question, and the follow-up's language."""
    mutatis.run(bot, cases, RELATION, out=folder, settings=QUIET, **more)
    known = {question: code for there in MATTERS.values() for code, (question, _) in there.items()}
    return {
        f"{line['source_input']['message']} {known[line['followups'][0]['input']['message']]}": line["outcome"]
        for line in lines(folder)
        if line["followups"]
    }


def test_a_bot_that_speaks_all_languages_has_no_finding(tmp_path: Path) -> None:
    told = Counter(outcomes(answering(), asked(("es", "de", "en")), tmp_path).values())
    assert told == {"satisfied": 12, "invalid": 3}  # the way to the café states nothing that can be compared


def test_each_pair_of_languages_is_compared_once_english_first(tmp_path: Path) -> None:
    pairs = outcomes(answering(), asked(("es", "de", "en"), ["price"]), tmp_path)
    assert set(pairs) == {
        "How much is a day ticket? de",
        "How much is a day ticket? es",
        "Was kostet eine Tageskarte? es",
    }


OTHER = {"Wie lange dauert die Führung?": "Die Führung dauert 80 Minuten."}
FAULTS: dict[str, tuple[dict[str, str], str]] = {
    "another price": ({"Was kostet eine Tageskarte?": "Eine Tageskarte kostet 15 Euro."}, "How much is a day ticket?"),
    "another time": (
        {"Wann haben Sie am Montag geöffnet?": "Montags haben wir von 9 bis 17 Uhr geöffnet."},
        "When are you open on Monday?",
    ),
    "yes for no": ({"Darf ich meinen Hund mitbringen?": "Ja, gern, Hunde sind erlaubt."}, "Can I bring my dog?"),
    "no number": ({"Was kostet eine Tageskarte?": "Das hängt von der Karte ab."}, "How much is a day ticket?"),
    "not understood": (
        {"Darf ich meinen Hund mitbringen?": "Das habe ich leider nicht verstanden."},
        "Can I bring my dog?",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_german_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    wrong, question = FAULTS[name]
    told = outcomes(answering(wrong), asked(), tmp_path)
    assert [pair for pair, outcome in told.items() if outcome == "violated"] == [f"{question} de"]


def test_a_right_answer_in_english_is_the_same_answer(tmp_path: Path) -> None:
    """That it is in the wrong language is another relation's to find."""
    english = {there["de"][0]: there["en"][1] for there in MATTERS.values()}
    told = outcomes(answering(english), asked(), tmp_path)
    assert "violated" not in told.values()


def test_a_translation_is_asked_once_with_its_source(tmp_path: Path) -> None:
    told: list[str] = []

    def bot(message: str) -> str:
        told.append(message)
        return RIGHT[message]

    outcomes(bot, asked(("en", "de", "es")), tmp_path)
    assert Counter(told) == dict.fromkeys(RIGHT, 1)


@pytest.mark.parametrize("concurrency", [1, 16])
def test_concurrency_and_stored_answers_change_no_byte(concurrency: int, tmp_path: Path) -> None:
    bot = answering(OTHER)
    for folder in ("first", "again"):
        outcomes(bot, asked(("en", "de", "es")), tmp_path / folder, store=tmp_path / "answers.db")
    system = mutatis.system("function", target=bot, threads=concurrency)
    mutatis.run(system, asked(("en", "de", "es")), RELATION, out=tmp_path / "other", settings=QUIET)
    first, again, other = (lines(tmp_path / folder) for folder in ("first", "again", "other"))
    assert first == again
    assert [{**line, "system": ""} for line in first] == [{**line, "system": ""} for line in other]


def test_a_pair_is_known_by_its_key_wherever_a_question_is_inserted(tmp_path: Path) -> None:
    bot = answering(OTHER)
    before, after = asked(matters=["price", "tour"]), asked(matters=["hours", "price", "dogs", "tour"])
    mutatis.run(bot, before, RELATION, out=tmp_path / "before", settings=QUIET)
    english, german = after[:4], after[4:]
    moved = [*german[::-1], *english]
    settings = {**QUIET, "gate": {"baseline": str(tmp_path / "before")}}
    run = mutatis.run(bot, moved, RELATION, out=tmp_path / "after", settings=settings)
    [finding] = run.findings
    assert not finding.new
    assert finding.id == lines_of(tmp_path / "before")


def lines_of(folder: Path) -> str:
    """Return the name of the one finding of a run."""
    [finding] = mutatis.read_run(folder).findings
    return finding.id


def test_two_questions_of_one_name_in_one_language_are_an_error() -> None:
    records = [
        {"text": "When do you open?", "lang": "en", "matter": "hours"},
        {"text": "Until when are you open?", "lang": "en", "matter": "hours"},
    ]
    cases = mutatis.cases(records, task="chat", fields={"message": "text", "language": "lang", "parallel": "matter"})
    with pytest.raises(UsageError, match=r"'hours' names two questions in English, 'data/1' and 'data/2'"):
        mutatis.run(lambda message: "9 am", cases, RELATION, settings=QUIET)


def test_default_sets_have_it_if_the_data_tie_translations(tmp_path: Path) -> None:
    mutatis.run(answering(), asked(("en", "de"), ["price"]), out=tmp_path / "tied", settings=QUIET)
    untied = mutatis.cases([MATTERS["price"][code][0] for code in ("en", "de")])
    mutatis.run(answering(), untied, out=tmp_path / "untied", settings=QUIET)
    with_it, without = ({line["relation"] for line in lines(tmp_path / name)} for name in ("tied", "untied"))
    assert with_it - without >= {"in-another-language"}
    assert "in-another-language" not in without


def test_names_that_no_two_languages_share_are_told(tmp_path: Path) -> None:
    with Store(None) as store:
        config = check({"relations": RELATION}, objects=("systems", "data"))
        objects = HandedOver(systems=[mutatis.system("function", target=answering())], cases=asked(("en",)))
        notes = assemble(config, store, objects).notes
    assert "parallel: no name occurs in two languages, so no question has a translation to compare it with" in notes
    mutatis.run(answering(), asked(("en",)), RELATION, out=tmp_path, settings=QUIET)
    assert {line["reason"] for line in lines(tmp_path)} == {
        "the data has no translation of the question into a further language"
    }


def test_files_are_tied_by_their_ids_and_the_plan_counts_each_question_once(tmp_path: Path) -> None:
    for code in ("en", "de", "es"):
        rows = [json.dumps({"id": matter, "message": there[code][0]}) for matter, there in MATTERS.items()]
        (tmp_path / f"{code}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "bot.py").write_text("def answer(message):\n    return 'Yes.'\n", encoding="utf-8")
    data = [
        {"format": "jsonl", "path": f"{code}.jsonl", "task": "chat", "language": code, "parallel": "museum"}
        for code in ("en", "de", "es")
    ]
    system = {"type": "function", "target": "bot.py:answer"}
    config = check({"data": data, "system": system, "relations": RELATION, **QUIET}, tmp_path)
    with Store(None) as store:
        campaign = assemble(config, store, HandedOver())
        assert [len(source.case.translations) for source in campaign.sources] == [2] * 5 + [1] * 5 + [0] * 5
        planned = asyncio.run(estimate(campaign, store)).kinds
    # Each translation is a question of the data itself.
    assert {kind: number for kind, (number, _) in planned.items() if number} == {SOURCES: 15}


ENGLISH_TO_GERMAN = {there["de"][0]: there["en"][1] for there in MATTERS.values()}


def in_its_language(bot: Callable[[str], str], cases: Sequence[Case], folder: Path) -> dict[str, str]:
    mutatis.run(bot, cases, ["answer-in-its-language"], out=folder, settings=QUIET)
    return {line["source_input"]["message"]: line["outcome"] for line in lines(folder)}


def test_an_answer_in_another_language_is_found_where_it_is_plain(tmp_path: Path) -> None:
    right = in_its_language(answering(), asked(), tmp_path / "right")
    assert "violated" not in right.values()
    assert Counter(right.values()) == {"satisfied": 6, "invalid": 4}  # the others are too short
    wrong = in_its_language(answering(ENGLISH_TO_GERMAN), asked(), tmp_path / "wrong")
    violated = {question for question, outcome in wrong.items() if outcome == "violated"}
    assert violated == {MATTERS[matter]["de"][0] for matter in ("hours", "tour", "café")}
    reasons = {line["reason"] for line in lines(tmp_path / "wrong") if line["outcome"] == "violated"}
    assert reasons == {"the answer should be in German, but it is in English"}


def test_a_question_about_a_language_may_be_answered_in_it(tmp_path: Path) -> None:
    cases = mutatis.cases(["Wie heißt der Eingang auf Englisch?", "Wo ist der Eingang zum Museum?"], language="de")
    told = in_its_language(lambda message: "It is called the entrance, or the front door.", cases, tmp_path)
    assert list(told.values()) == ["invalid", "violated"]


def test_default_sets_ask_for_the_language_of_answers_unless_all_is_english(tmp_path: Path) -> None:
    for code in ("en", "de"):
        mutatis.run(answering(), asked((code,), ["price"]), out=tmp_path / code, settings=QUIET)
    english, german = ({line["relation"] for line in lines(tmp_path / code)} for code in ("en", "de"))
    assert "answer-in-its-language" in german - english
    assert not {"in-another-language", "label-in-another-language"} & english


def test_a_value_of_another_language_of_the_data_is_put_in(tmp_path: Path) -> None:
    """A bot that takes every weekday that it does not know for Sunday loses the hours of Monday."""
    cases = asked(("en", "de", "es"), ["hours", "price"])

    def bot(message: str) -> str:
        if "open on" in message and "Monday" not in message:
            return "On Sundays we are open from 10 am to 4 pm."
        return answering()(message)

    mutatis.run(bot, cases, ["value-in-another-language"], out=tmp_path, settings=QUIET)
    asked_in = {
        line["followups"][0]["input"]["message"]: line["outcome"] for line in lines(tmp_path) if line["followups"]
    }
    assert {message: asked_in[message] for message in asked_in if "open" in message} == {
        "When are you open on Montag?": "violated",
        "When are you open on lunes?": "violated",
    }
    assert "Wann haben Sie am lunes geöffnet?" in asked_in


def test_a_greeting_of_another_language_changes_no_answer(tmp_path: Path) -> None:
    """A bot that answers what begins or ends with a word of Spanish with a Spanish stock reply is told apart."""
    words = ("hola", "buen", "gracias")

    def bot(message: str) -> str:
        for question, reply in RIGHT.items():
            if question in message:
                spanish = any(word in message.lower() for word in words) and question != message
                return "Lo siento, no le he entendido, escriba otra vez." if spanish else reply
        return "Sorry, I didn't understand that."

    mutatis.run(bot, asked(("en", "de")), ["greet-in-another-language"], out=tmp_path, settings=QUIET)
    for line in lines(tmp_path):
        message = line["followups"][0]["input"]["message"].lower()
        assert line["outcome"] != "violated" or any(word in message for word in words)
    assert {line["outcome"] for line in lines(tmp_path)} >= {"satisfied", "violated"}
