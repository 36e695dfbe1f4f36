"""Slips, pauses and corrections that people write, in languages other than English; expected texts by hand."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.transformations.corrections import correct_value
from support.studies import load_study


def made(name: str, text: str, language: str, seeds: int = 60) -> set[str]:
    """Return what an edit makes of a text with different seeds."""
    edit = TRANSFORMATIONS[name]
    return {edit.apply(text, Random(seed), language) for seed in range(seeds)}


@pytest.mark.parametrize(
    ("language", "text", "places"),
    [
        (
            "de",
            "Wie lange dauert die Lieferung nach Köln?",
            ("", "Wie lange dauert ", "Wie lange dauert die Lieferung "),
        ),
        ("es", "¿Abren el lunes?", ("", "¿Abren ")),
        ("fr", "Ouvrez-vous le lundi ?", ("", "Ouvrez-vous ")),
        ("de", "Was braucht Energiprojekt AB?", ("",)),  # a name
    ],
)
def test_a_pause_stands_where_people_hesitate(language: str, text: str, places: tuple[str, ...]) -> None:
    paused = set()
    for said in made("filled-pauses", text, language):
        [pause] = re.findall(r"\w+\.\.\. ", said)
        before, behind = said.split(pause)
        assert (before + behind).lower() == text.lower()
        paused.add(before)
    assert paused == set(places)


def test_a_pause_in_chinese_stands_before_a_sentence_or_a_part_of_it() -> None:
    said = made("filled-pauses", "您好，票多少钱？", "zh")
    places = {re.split("嗯……|那个……|呃……", text)[0] for text in said}
    assert places == {"", "您好，"}


@pytest.mark.parametrize(("language", "text"), [("de", "Wie viele Personen passen in den Raum?"), ("ru", "Два поезда")])
def test_a_slip_of_the_keyboard_is_one_small_error_inside_a_long_word(language: str, text: str) -> None:
    """One word of eight is wrong; short words, nouns and names, first and last letters stay."""
    slips = made("keyboard-typos", text, language)
    assert len(slips) > 8
    for slip in slips:
        [(right, wrong)] = [pair for pair in zip(text.split(), slip.split(), strict=True) if pair[0] != pair[1]]
        assert right.islower()
        assert len(right) >= 5
        assert (right[0], right[-1]) == (wrong[0], wrong[-1].rstrip("?"))
        assert 0 <= len(wrong) - len(right) <= 1


def test_a_slip_never_makes_another_verb() -> None:
    """ "Versendet" is one key from "verwendet", and another question."""
    assert not any("versendet" in slip for slip in made("keyboard-typos", "Wozu wird es verwendet?", "de", 200))


def test_a_letter_without_a_key_of_its_own_is_not_typed_twice() -> None:
    assert not any("óó" in slip for slip in made("keyboard-typos", "¿Por qué razón?", "es", 200))


def test_addresses_and_texts_without_long_words_stay() -> None:
    for text in ("An info@museum.de?", "Wo ist er?", "www.museum.de/preise"):
        assert made("keyboard-typos", text, "de") == {text}


@pytest.mark.parametrize(("age", "said"), [("6", "9"), ("16", "13"), ("30", "40"), ("70", "60")])
def test_a_wrong_age_is_near_the_right_one(age: str, said: str) -> None:
    corrected = {correct_value(f"Meine Tochter ist {age} Jahre alt", Random(seed), "de") for seed in range(9)}
    assert all(text.startswith(f"Meine Tochter ist {said} Jahre alt, ") for text in corrected)


@pytest.mark.parametrize("language", ["de", "es", "fr", "zh"])
def test_customers_ask_five_services_ten_questions_each(language: str) -> None:
    """Questions that are put together are put to one service."""
    study = load_study(Path(__file__).resolve().parents[3] / "studies" / "languages" / "sheet.py")
    assert [len(asked) for asked in study.customers(language).values()] == [10] * 5


def test_nobody_says_180_minutes_for_three_hours() -> None:
    assert made("equal-quantities", "Pendant 2 heures ?", "fr") == {"Pendant 120 minutes ?"}
    assert made("equal-quantities", "Pendant 3 heures ?", "fr") == {"Pendant 3 heures ?"}


def test_a_measure_in_place_of_a_round_one_is_round() -> None:
    said = {text for minutes in range(30, 240, 10) for text in made("correct-value", f"Für {minutes} Minuten", "de", 3)}
    wrong = [int(text.split()[1]) for text in said]
    assert len(set(wrong)) > 10
    assert not any(minutes % 5 for minutes in wrong)
