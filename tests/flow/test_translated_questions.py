"""Questions that a helper translates: asked if nothing is lost, judged by their values, stored, and planned."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mutatis.api import run_config
from mutatis.assembly.campaign import assemble
from mutatis.campaign.cost import HELPER
from mutatis.campaign.plan import estimate
from mutatis.config import Config, check
from mutatis.core.errors import UsageError
from mutatis.core.languages import language_name
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.measures.by_folder import languages_read
from mutatis.query import Store
from support.loopback import loopback

TRANSLATIONS = {
    "When do you open on 5 March?": "Wann öffnen Sie am 5. März?",
    "Can I come without a ticket at 9 am?": "Kann ich um 9 Uhr ohne Karte kommen?",
    "How much is it for 3 children?": "Was kostet es für 4 Kinder?",
    "Is there no lift?": "Gibt es einen Aufzug?",
    "Where is the Nova desk?": "Wo ist der Schalter von Nova?",
}
LOST = {"How much is it for 3 children?", "Is there no lift?"}
"""Questions that lose a number or a negation."""

BOT = """
REPLIES = {
    "When do you open on 5 March?": "On 5 March we open at 10 am.",
    "Wann \\u00f6ffnen Sie am 5. M\\u00e4rz?": "Am 5. M\\u00e4rz \\u00f6ffnen wir um 11 Uhr f\\u00fcr alle.",
    "Can I come without a ticket at 9 am?": "No, you need a ticket at 9 am.",
    "Kann ich um 9 Uhr ohne Karte kommen?": "Nein, um 9 Uhr brauchen Sie eine Karte.",
    "Where is the Nova desk?": "It is in Hall 7, beside the door.",
    "Wo ist der Schalter von Nova?": "It is in Hall 7, right beside the main door.",
}
def answer(message):
    return REPLIES.get(message, "We are glad to help.")
"""


class Translator:
    """Translates what it knows, and counts how often it is asked."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def __call__(self, body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        self.prompts.append(prompt)
        material = prompt.split("Now this material:")[1]
        return json.dumps({"text": next(made for text, made in TRANSLATIONS.items() if text in material)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "questions.txt").write_text("\n".join(TRANSLATIONS), encoding="utf-8")
    return tmp_path


def configured(folder: Path, url: str, **more: Any) -> Config:
    tables = {
        "relations": ["translate-question", "answer-in-the-new-language"],
        "system": {"type": "function", "target": "bot.py:answer"},
        "data": {"format": "lines", "path": "questions.txt", "language": "en"},
        "helper": {"type": "openai", "model": "m", "base_url": url, "retries": 0},
        "noise_floor": 0,
        "confirm": 0,
        **more,
    }
    return check(tables, folder)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]


def outcomes(folder: Path, relation: str) -> dict[str, str]:
    made = (line for line in lines(folder) if line["relation"] == relation)
    return {line["source_input"]["message"]: line["outcome"] for line in made}


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every question be translated into German: the draw among languages is another test's."""
    monkeypatch.setattr("mutatis.transformations.translations._READABLE", ("English", "German"))


@pytest.mark.usefixtures("german")
def test_translations_are_checked_asked_and_judged(folder: Path) -> None:
    model = Translator()
    with loopback(answer=model) as server:
        run_config(configured(folder, server.url), out=folder / "out", store=folder / "s.db")
        asked = len(model.prompts)
        run_config(configured(folder, server.url), out=folder / "again", store=folder / "s.db")
        assert len(model.prompts) == asked + len(LOST)  # what was used is stored; what was not is asked for again
    assert outcomes(folder / "out", "translate-question") == {
        "When do you open on 5 March?": "violated",
        "Can I come without a ticket at 9 am?": "satisfied",
        "How much is it for 3 children?": "invalid",
        "Is there no lift?": "invalid",
        "Where is the Nova desk?": "satisfied",
    }
    told = outcomes(folder / "out", "answer-in-the-new-language")
    assert told["Where is the Nova desk?"] == "violated"
    assert told["When do you open on 5 March?"] == told["Can I come without a ticket at 9 am?"] == "satisfied"
    reasons = {line["reason"] for line in lines(folder / "out") if line["source_input"]["message"] in LOST}
    assert reasons == {"the language model changed more than the language"}


def test_the_plan_counts_the_translations(folder: Path) -> None:
    with Store(None) as store:
        campaign = assemble(configured(folder, "http://127.0.0.1:9/v1"), store)
        planned = asyncio.run(estimate(campaign, store)).kinds
    expected, most = planned[HELPER]
    assert expected == len(TRANSLATIONS)
    assert most >= expected


def test_without_a_helper_it_says_what_is_missing(folder: Path) -> None:
    tables = {"relations": ["translate-question"], "system": {"type": "function", "target": "bot.py:answer"}}
    data = {"format": "lines", "path": "questions.txt"}
    with pytest.raises(UsageError, match=r"'translate-question' needs a language model; add \[helper\]"):
        run_config(check({**tables, "data": data}, folder))


def test_another_language_is_drawn_for_each_question(folder: Path) -> None:
    """The languages of the prompts follow from the questions alone."""
    wanted: list[list[str]] = []
    for name in ("first", "second"):
        model = Translator()
        with loopback(answer=model) as server:
            run_config(configured(folder, server.url, concurrency=4), out=folder / name)
        wanted.append(sorted(prompt.splitlines()[0] for prompt in model.prompts))
    assert wanted[0] == wanted[1]
    assert len(Counter(wanted[0])) > 1


def test_questions_are_translated_into_every_language_whose_answers_are_read() -> None:
    [language] = [p for p in TRANSFORMATIONS["translate-question"].parameters if p.name == "language"]
    assert set(language.choices) == {"any", *(language_name(code) for code in languages_read())}
