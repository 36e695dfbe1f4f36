"""A system that answers in another language than it is asked in is named by the report."""

from __future__ import annotations

import mutatis
from support.languages import OTHERS

RELATIONS = ["lower-case", "polite-words"]
QUIET = {"noise_floor": 0, "confirm": 0}


def told(reply: str) -> list[str]:
    run = mutatis.run(lambda message: reply, OTHERS["de"][:8], RELATIONS, settings=QUIET)
    return [check.message for check in run.report.health if check.name == "language"]


def test_a_bot_that_speaks_english_only_is_named() -> None:
    [said] = told("Sorry, I can only help you in English, please write again.")
    assert said == "8 of 8 replies to questions in German are in English: it does not seem to speak German"


def test_a_bot_that_speaks_german_is_not() -> None:
    assert told("Bitte schreiben Sie uns, wir helfen Ihnen gerne weiter mit Ihrer Bestellung.") == []


def test_replies_too_short_for_a_language_are_no_sign() -> None:
    assert told("42") == []
