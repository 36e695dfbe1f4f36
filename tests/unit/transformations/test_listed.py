"""Things that a reply lists are asked for one by one, and must not be denied."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutatis
from mutatis.core.dictionary import Dictionary
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import RELATIONS
from mutatis.records import read_verdicts
from mutatis.text.values import vocabulary
from mutatis.transformations.lists import _listed_choices


@pytest.mark.parametrize(
    ("question", "reply", "asked"),
    [
        (
            "Which insurers can you claim from directly?",
            "Thanks for asking. Direct claims are possible with Petly, PawSure and Furly.",
            [f"Can you claim from {name} directly?" for name in ("Petly", "PawSure", "Furly")],
        ),
        (
            "Which papers do I have to bring?",
            "Please bring your passport, your licence and a credit card.",
            ["Do I have to bring my licence?", "Do I have to bring a credit card?"],
        ),
        (
            "Which documents do I need to apply?",
            "To apply you need an ID card, a photo and proof of address.",
            ["Do I need a photo to apply?"],
        ),
        (
            "When are you open?",
            "Tuesday to Thursday 11:00 to 19:00, Sunday 12:00 to 17:00. On Monday we are closed.",
            [f"When are you open on {day}?" for day in ("Tuesday", "Wednesday", "Thursday", "Sunday")],
        ),
        ("Which languages do you speak?", "English and German.", ["Do you speak English?", "Do you speak German?"]),
    ],
)
def test_each_listed_thing_is_asked_for(question: str, reply: str, asked: list[str]) -> None:
    assert [choice["text"] for choice in _listed_choices(question, reply, Dictionary())] == asked


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Which cards do you accept?", "We do not accept Visa, Amex and Maestro."),
        ("Which papers do I need?", "You need a passport, a licence or an ID card."),
        ("Which papers do I need for a permit?", "For a visa we need a form, a photo and a letter."),
        ("Which documents do I need?", "To register you need a form, a photo and a letter."),
        ("Which days are you open?", "We are open on Monday, Tuesday and Friday."),
        ("What vehicles do you take?", "Sorry, I did not understand that. I know about fares, vehicles and rules."),
        ("When are you open?", "Closed on Monday, Tuesday and Friday, other days 9:00 to 18:00."),
        ("When are you open on Friday?", "Monday to Friday 9:00 to 18:00."),
        ("What are your opening hours during the week?", "Monday to Friday 9:00 to 18:00."),
        ("Where are you?", "Between Oslo, Bergen and Moss."),
    ],
)
def test_other_replies_list_nothing_to_ask_for(question: str, reply: str) -> None:
    with pytest.raises(UnusableFollowUp):
        _listed_choices(question, reply, Dictionary())


def outcomes_in(folder: Path) -> set[str]:
    """Return the outcomes of all verdicts on follow-ups, without those of draws beyond the last item of a list."""
    verdicts = read_verdicts(folder / "verdicts.jsonl")
    return {verdict.outcome for verdict in verdicts if "no further change" not in verdict.reason}


@pytest.mark.parametrize(
    ("furly", "outcomes"),
    [
        ("Sorry, no, we don't claim from Furly.", {"violated", "satisfied"}),
        ("Sorry, we don't claim from Furly.", {"violated", "satisfied"}),
        ("Yes, with Furly, too.", {"satisfied"}),
        ("Sorry, no direct claims with Furly: please pay first.", {"violated", "satisfied"}),
        ("Don't forget your papers of Furly.", {"satisfied", "invalid"}),
        ("The papers of Furly may not be older than a year.", {"satisfied", "invalid"}),
        ("We claim from Petly, PawSure and Furly.", {"satisfied"}),
        ("That's beyond me, I'm afraid.", {"satisfied", "invalid"}),
    ],
)
def test_a_bot_that_denies_what_it_lists_is_found(furly: str, outcomes: set[str], tmp_path: Path) -> None:
    def bot(text: str) -> str:
        if "Furly" in text:
            return furly
        listed = "We claim directly from Petly, PawSure and Furly."
        return listed if text.startswith("Which") else "Yes, we do."

    question = "Which insurers can you claim from directly?"
    mutatis.run(bot, [question], ["ask-for-listed"], task="chat", out=tmp_path, store=tmp_path / "store.db")
    assert outcomes_in(tmp_path) == outcomes
    assert "logic" in RELATIONS["ask-for-listed"].tags


@pytest.mark.parametrize(
    ("thursday", "outcomes"),
    [
        ("On Thursday we open at 11 am and close at 5 pm.", {"violated", "satisfied"}),
        ("On Thursday we are closed.", {"violated", "satisfied"}),
        ("On Thursday it is open from 11 to 7 pm.", {"satisfied", "invalid"}),
        ("We open at 11:00 and close at 19:00 on Thursday.", {"satisfied"}),
        ("Monday to Friday 11:00 to 19:00, Saturday 12:00 to 21:00.", {"satisfied"}),
        ("On Friday we close at 17:00.", {"satisfied", "invalid"}),
    ],
)
def test_a_bot_that_gives_a_day_other_hours_than_its_range_is_found(
    thursday: str, outcomes: set[str], tmp_path: Path
) -> None:
    def bot(text: str) -> str:
        week = "Monday to Friday 11:00 to 19:00, Saturday 12:00 to 21:00."
        return thursday if "Thursday" in text else week

    mutatis.run(bot, ["When are you open?"], ["ask-for-listed"], task="chat", out=tmp_path, store=tmp_path / "store.db")
    assert outcomes_in(tmp_path) == outcomes


def test_each_day_of_a_week_is_asked_for(tmp_path: Path) -> None:
    asked: list[str] = []

    def bot(text: str) -> str:
        asked.append(text)
        return "Monday to Friday 11:00 to 19:00, Saturday 12:00 to 21:00, Sunday 9:00 to 17:00."

    mutatis.run(bot, ["When are you open?"], ["ask-for-listed"], task="chat", out=tmp_path, store=tmp_path / "store.db")
    assert {text for text in asked if "day" in text} == {
        f"When are you open on {day}?" for day in vocabulary().weekdays
    }
