"""The language of each case of a block: that of the block, unless a case is plainly in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mutatis.assembly.blocks import BlockLanguage, with_languages_and_names
from mutatis.assembly.spool import Spool
from mutatis.core.cases import Case, Turn
from support.languages import ENGLISH, NO_LANGUAGE, OTHERS


def messages(*texts: str) -> list[Case]:
    return [
        Case(id=f"d/{n}", task="chat", turns=(Turn(fields={"message": text}),)) for n, text in enumerate(texts, start=1)
    ]


def codes(cases: Sequence[Case]) -> list[str]:
    return [case.language for case in with_languages_and_names(cases, [], [])]


@pytest.mark.parametrize("code", OTHERS)
def test_a_whole_block_has_its_language_short_messages_too(code: str) -> None:
    assert set(codes(messages(*OTHERS[code], "PayPal", "12345"))) == {code}


def test_english_data_is_english_whatever_stands_in_it() -> None:
    assert set(codes(messages(*ENGLISH, *NO_LANGUAGE))) == {"en"}


def test_a_case_in_another_language_stands_apart() -> None:
    texts = [*ENGLISH[:8], "Wo ist meine Karte geblieben?", "Quiero cancelar mi pedido.", "PayPal"]
    assert codes(messages(*texts)) == [*["en"] * 8, "de", "und", "en"]


def test_where_there_are_several_languages_a_short_case_has_none() -> None:
    assert codes(messages("Wo ist meine Karte geblieben?", "I lost my card, can you help me?", "PayPal")) == [
        *("de", "en", "und")
    ]


def test_where_nothing_can_be_recognised_the_language_is_unknown() -> None:
    assert set(codes(messages(*NO_LANGUAGE[-12:]))) == {"und"}


def test_a_first_try_of_a_few_words_is_english() -> None:
    assert codes(messages("A dull film", "joy")) == ["en", "en"]
    assert codes(messages("Gemüse", "Öl")) == ["und", "und"]


def test_what_is_said_is_not_recognised() -> None:
    cases = [replace(case, language="fr") for case in messages("Where is my card?", "PayPal")]
    assert codes(cases) == ["fr", "fr"]


def _asked(context: str, question: str) -> list[Case]:
    fields = {"context": context, "question": question}
    return [Case(id="d/1", task="question-answering", turns=(Turn(fields=fields),))]


def test_a_case_in_two_languages_is_in_several() -> None:
    english = "The tower was built by the river in 1905, and it is still the tallest one of the town."
    assert codes(_asked(english, "Wann wurde der Turm am Fluss gebaut?")) == ["mul"]
    assert codes(_asked(english, "When was the Torre de los Siete Jorobados built?")) == ["en"]


def test_names_in_another_language_change_nothing() -> None:
    fields = {
        "text": "The tower of the Universidad Nacional Autónoma de México was built in 1905.",
        "head": "Universidad Nacional Autónoma de México",
        "tail": "1905",
    }
    [case] = with_languages_and_names(
        [Case(id="d/1", task="relation-extraction", turns=(Turn(fields=fields),))], [], []
    )
    assert case.language == "en"


def test_the_turns_of_a_dialogue_are_read_together() -> None:
    turns = tuple(
        Turn(fields={"message": text}) for text in ("Hallo!", "Wo ist meine Bestellung geblieben?", "Und wann?")
    )
    assert codes([Case(id="d/1", task="chat", turns=turns)]) == ["de"]


def test_cases_in_a_file_have_the_same_languages_and_stay_there() -> None:
    cases = messages(*ENGLISH, *OTHERS["de"][:5], *NO_LANGUAGE)
    told = with_languages_and_names(Spool(iter(cases)), [], [])
    assert isinstance(told, Spool)
    assert list(told) == with_languages_and_names(cases, [], [])
    assert [told[n] for n in (-1, 3, 3)] == [with_languages_and_names(cases, [], [])[n] for n in (-1, 3, 3)]
    assert told[2:4] == with_languages_and_names(cases, [], [])[2:4]
    assert len(told) == len(cases)


def test_a_large_block_is_recognised_from_an_even_sample() -> None:
    """A first thousand of headlines in English must not decide for the German rest."""
    cases = messages(*["Where is my card?"] * 1_000, *["Wo ist meine Karte geblieben?"] * 9_000)
    assert BlockLanguage.of(cases).usual == "de"


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (ENGLISH, []),
        (OTHERS["de"], ["language of d: German; if that is wrong, name it: "]),
        (
            ["PayPal", "42"],
            ["language of d: too little text to recognise, so English is assumed; if that is wrong, name"],
        ),
        (
            ["xqzv wrtk plm", "bgtv hnjk dfr", "zzkw qpt vbnm"],
            ["language of d: not recognised; a case whose language "],
        ),
        (
            NO_LANGUAGE[-12:],
            ["language of d: not recognised; a case whose language is not clear is tested by "],
        ),
        (
            [*OTHERS["de"][:5], *OTHERS["zh"][:3]],
            ["language of d: several, most often German; a case whose language is not clear "],
        ),
    ],
)
def test_what_the_data_are_taken_for_is_told_unless_it_is_english(texts: list[str], told: list[str]) -> None:
    notes: list[str] = []
    with_languages_and_names(messages(*texts), [], notes)
    assert [note[: len(beginning)] for note, beginning in zip(notes, told, strict=True)] == told


def test_of_a_language_that_was_said_nothing_is_told() -> None:
    notes: list[str] = []
    with_languages_and_names([replace(case, language="de") for case in messages("Wo?")], [], notes)
    assert notes == []
