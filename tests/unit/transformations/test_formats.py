"""Values in other forms: every form has the value that was there, and what is no value of its kind stays."""

from __future__ import annotations

import re
from random import Random

import pytest

from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.transformations.formats import written_otherwise


def forms(name: str, text: str, level: int = 2, **names: tuple[str, ...]) -> set[str]:
    """Return what 40 draws make of a text."""
    apply = TRANSFORMATIONS[name].apply
    return {apply(text, Random(seed), level=level, **names) for seed in range(40)}


@pytest.mark.parametrize(
    ("name", "level", "text", "expected"),
    [
        ("write-thousands", 1, "Are 1,000 chairs there?", {"Are 1000 chairs there?"}),
        ("write-thousands", 2, "I saw 1000 people.", {"I saw 1,000 people.", "I saw 1k people."}),
        ("write-thousands", 2, "It is $1,250.50", {"It is $1250.50"}),
        ("write-thousands", 3, "sold 12,345 books", {"sold 12345 books", "sold 12 345 books"}),
        ("write-times", 1, "at 6 pm", {"at 6pm", "at 6 PM"}),
        ("write-times", 2, "at 6.30 p.m.", {"at 6:30pm", "at 6:30 pm", "at 6:30 PM", "at 18:30"}),
        ("write-times", 2, "by 08:05", {"by 8:05am", "by 8:05 am", "by 8:05 AM"}),
        ("write-times", 3, "at 6 pm", {"at 6pm", "at 6 PM", "at 18:00", "at 6 in the evening"}),
        ("write-dates", 1, "on Nov 12", {"on 12 November", "on November 12", "on 12 Nov"}),
        (
            *("write-dates", 2, "on 2 May 2026"),
            {"on May 2, 2026", "on May 2nd, 2026", "on 2nd of May 2026"},
        ),
        ("write-dates", 3, "by 2026-11-12", None),
        ("write-currency", 1, "for 20 euros", {"for €20", "for 20€"}),
        ("write-currency", 2, "for €20", {"for 20€", "for 20 EUR", "for 20 euros"}),
        ("write-currency", 2, "a $5 note", {"a 5$ note"}),
        ("write-currency", 1, "an 8 EUR fee", {"an €8 fee", "an 8€ fee"}),
        ("write-currency", 2, "for £5", {"for 5 GBP"}),
        ("write-currency", 2, "about €2 million", {"about 2 million€", "about 2 million EUR", "about 2 million euros"}),
        ("write-units", 1, "a 4-litre pan", {"a 4l pan", "a 4 l pan"}),
        ("write-units", 2, "5 km away", {"5km away", "5 kilometres away", "5 kilometers away"}),
        ("write-units", 2, "a 5 km run", {"a 5km run"}),
        ("write-units", 1, "in 30 minutes", {"in 30 mins", "in 30min", "in 30 min"}),
        ("equal-quantities", 1, "within 2 km", {"within 2,000 m"}),
        ("equal-quantities", 1, "with 500 g", {"with 0.5 kg"}),
        ("equal-quantities", 2, "for 90 minutes", {"for 1.5 hours"}),
        ("equal-quantities", 2, "in 1 week", {"in 7 days"}),
        ("equal-quantities", 3, "for 2 years", {"for 24 months"}),
        ("equal-quantities", 1, "a 3 kg parcel", {"a 3,000 g parcel"}),
        ("equal-quantities", 1, "a 2 l jug", {"a 2,000 ml jug"}),
        ("quantities-in-words", 1, "for 4 people", {"for four people"}),
        ("quantities-in-words", 1, "for Four people", {"for 4 people"}),
        ("quantities-in-words", 1, "in 30 minutes", {"in half an hour"}),
        ("quantities-in-words", 1, "in half an hour", {"in 30 minutes"}),
        ("quantities-in-words", 1, "for 90 mins", {"for an hour and a half", "for one and a half hours"}),
        ("quantities-in-words", 1, "1.5 kg, please", {"one and a half kilos, please", "a kilo and a half, please"}),
        ("quantities-in-words", 1, "at 12:00", {"at noon", "at midday", "at 12 noon"}),
        ("quantities-in-words", 1, "by noon", {"by midday", "by 12 noon", "by 12:00"}),
        ("quantities-in-words", 1, "12 eggs", {"twelve eggs"}),
        ("write-dates", 2, "on the 3rd of May", {"on the 3rd of May"}),
        ("write-times", 1, "from 5 to 6 pm or at 9 pm", {"from 5 to 6 pm or at 9pm", "from 5 to 6 pm or at 9 PM"}),
        ("quantities-in-words", 2, "size 12 shirts", {"size 12 shirts"}),
        ("quantities-in-words", 2, "Row 12 seats", {"Row 12 seats"}),
        ("quantities-in-words", 2, "section 12 tickets", {"section 12 tickets"}),
        ("quantities-in-words", 2, "No. 3 tickets", {"No. 3 tickets"}),
        ("quantities-in-words", 2, "twenty two nights", {"twenty two nights"}),
        ("quantities-in-words", 2, "one hundred four people", {"one hundred four people"}),
        ("quantities-in-words", 2, "a hundred and two people", {"a hundred and two people"}),
        ("quantities-in-words", 2, "a dozen bottles", {"12 bottles"}),
        ("group-identifiers", 1, "order 20481937?", {"order 2048 1937?"}),
        ("group-identifiers", 2, "phone 01223 358966", {"phone 01223358966", "phone 01223-358966"}),
        ("group-identifiers", 1, "to GB29 NWBK 6016 1331 9268 19", {"to GB29NWBK60161331926819"}),
    ],
)
def test_a_value_in_its_other_forms(name: str, level: int, text: str, expected: set[str] | None) -> None:
    made = forms(name, text, level)
    if expected is None:
        assert {"by 12 November 2026", "by November 12, 2026"} <= made
        assert text not in made
    else:
        assert made == expected


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "write-thousands",
            [
                *("since 1998", "in 2026", "order 12345 came", "room 1204", "bus 1500", "#4711", "the year 1,066"),
                *("version 10.1000", "call 01223358966", "http://a.example/1000 people", "code 20000", "at 1200"),
            ],
        ),
        (
            "write-times",
            [
                "from 5 to 6 pm",
                "at 9:15",
                "5-6 pm",
                "a score of 21:14",
                "at 12 pm",
                "18:00",
                "for 14:30 minutes",
                "I am",
            ],
        ),
        (
            "write-dates",
            [
                *(
                    "on 12/11",
                    "on 12 and 13 November",
                    "March 1 to 3",
                    "may 5 people come",
                    "12.11.2026",
                    "in November",
                ),
                *("November 12-14", "version 2026-11-12-3", "they march 5 miles", "1st, 2nd and 3rd of May"),
            ],
        ),
        (
            "write-currency",
            ["5 to 10 euros", "$5-10", "20 pounds of flour", "a 20-euro note", "100", "€5/month", "3 dollar coins"],
        ),
        ("write-units", ["5 m", "4G", "2 h", "from 5 to 10 km", "5 km/h", "10 m\u00b2", "the 4l-5 model", "20 pounds"]),
        (
            "equal-quantities",
            [
                *(
                    "How many metres is 2 km?",
                    "a 2 km run",
                    "10 hours ago",
                    "2 km/h",
                    "a girl of 2 years old",
                    "10 days",
                ),
                *("convert 5 kg", "30 minutes", "8 weeks", "5 m", "a 20 cm pan", "a 90 minutes tour"),
            ],
        ),
        (
            "quantities-in-words",
            [
                *("3 to 5 days", "one or two nights", "for 20 people", "12:00-14:00", "at 12:30", "order 4 came"),
                *("How long is 90 minutes?", "a 30 minutes walk", "half an hour a day", "at 12 am", "version 2.5 kg/m"),
            ],
        ),
        (
            "group-identifiers",
            [
                *("in 20261112 days", "order 12345", "account of 500000 euros", "DE00 3704 0044 0532 0130 00"),
                *("version 1234567", "reference 2026-11-12", "order 500000%", "on 12345678"),
                *("my account 500000 euros", "an order of 20481937"),
            ],
        ),
    ],
)
def test_what_could_be_something_else_stays(name: str, texts: list[str]) -> None:
    for text in texts:
        assert forms(name, text, level=2) == {text}


@pytest.mark.parametrize(
    ("text", "names", "level", "expected"),
    [
        ("Is the Aurora Lamp here?", (), 1, {"Is the aurora lamp here?"}),
        ("The US and The Who in May", (), 1, {"The US and The Who in May"}),
        ("my air fryer", ("air fryer",), 1, {"my air fryer"}),
        ("my air fryer", ("air fryer",), 3, {"my air-fryer", "my airfryer"}),
        ("my Air-Fryer XL", ("Air-Fryer",), 3, {"my air-fryer XL", "my AirFryer XL", "my Air Fryer XL"}),
        ("DE89 and M&Ms", (), 1, {"DE89 and M&Ms"}),
        ("Green Flex or Green?", ("Green", "Green Flex"), 1, {"green flex or green?"}),
        ("is it green flex", ("Green", "Green Flex"), 3, {"is it green-flex", "is it greenflex"}),
        ("is it green flex", ("Green Flex", "Green"), 3, {"is it green-flex", "is it greenflex"}),
    ],
)
def test_names_in_other_forms(text: str, names: tuple[str, ...], level: int, expected: set[str]) -> None:
    assert forms("write-names", text, level, proper_names=names) == expected


def test_a_range_keeps_one_style() -> None:
    for made in forms("write-times", "between 6 pm and 8 pm"):
        styles = [re.sub(r"\d+", "9", part) for part in made.removeprefix("between ").split(" and ")]
        assert styles[0] == styles[1]


def test_quotations_and_addresses_stay() -> None:
    assert forms("write-thousands", 'He said "1,000 books" at www.shop.example/1,000') == {
        'He said "1,000 books" at www.shop.example/1,000'
    }


@pytest.mark.parametrize("name", ["write-thousands", "write-currency", "group-identifiers"])
def test_digits_are_never_lost(name: str) -> None:
    """Counted without the package: the digits of the text in their order, but for the zeros of "k"."""
    text = "Order 20481937 of 12,345 books for $1,250.50 or 80 euros, to DE89 3704 0044 0532 0130 00."
    for made in forms(name, text, level=2):
        assert re.sub(r"\D", "", made) == re.sub(r"\D", "", text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Was kostet die Fahrt mit 7 km?", "Was kostet die Fahrt mit 7 Kilometern?"),
        ("Liefern Sie bei 7 km Entfernung?", "Liefern Sie bei 7 Kilometer Entfernung?"),
        ("Ich wohne 7 km entfernt.", "Ich wohne 7 Kilometer entfernt."),
        ("Geht es mit 1 km?", "Geht es mit 1 Kilometer?"),
    ],
)
def test_a_unit_s_name_is_in_the_case_of_its_preposition(text: str, form: str) -> None:
    assert form in written_otherwise(text, "de")


@pytest.mark.parametrize(
    ("text", "language", "form"),
    [
        ("How long must skis be for 180 cm?", "en", "How long must skis be for 1.8 m?"),
        ("Wie lang sollen Ski bei 180 cm sein?", "de", "Wie lang sollen Ski bei 1,8 m sein?"),
    ],
)
def test_the_unit_may_change_in_a_question_for_another_quantity(text: str, language: str, form: str) -> None:
    assert form in written_otherwise(text, language)


def test_opening_hours_round_the_clock_have_no_other_form():
    assert written_otherwise("Find a shop that opens 24 hours.") == []
    assert "I need it for 1 day." in written_otherwise("I need it for 24 hours.")


def test_forms_that_differ_only_in_spacing_and_capitals_come_last():
    assert written_otherwise("Can I come at 5 pm?")[0] == "Can I come at 17:00?"
    assert written_otherwise("Is it dearer for a dog of 2 kg?")[-1] == "Is it dearer for a dog of 2kg?"
    ways = written_otherwise("Is a slot free for 45 minutes?")
    assert len({way.replace(" ", "").replace("-", "") for way in ways[:3]}) == 3
