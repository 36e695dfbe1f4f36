"""A system that answers in another language than it is asked in is named by the report."""

from __future__ import annotations

import io
from pathlib import Path

import mutatis
from mutatis.core.cases import Case
from mutatis.reports.markdown import render_markdown
from mutatis.reports.notes import notes
from mutatis.reports.terminal import console, print_report
from support.languages import ENGLISH, OTHERS

RELATIONS = ["lower-case", "polite-words"]
QUIET = {"noise_floor": 0, "confirm": 0}


def told(reply: str) -> list[str]:
    run = mutatis.run(lambda message: reply, OTHERS["de"][:8], RELATIONS, settings=QUIET)
    return [check.message for check in run.report.health if check.name == "reply-language"]


def test_a_bot_that_speaks_english_only_is_named() -> None:
    [said] = told("Sorry, I can only help you in English, please write again.")
    assert said == "8 of 8 replies to questions in German are in English: it does not seem to speak German"


def test_a_bot_that_speaks_german_is_not() -> None:
    assert told("Bitte schreiben Sie uns, wir helfen Ihnen gerne weiter mit Ihrer Bestellung.") == []


def test_replies_too_short_for_a_language_are_no_sign() -> None:
    assert told("42") == []


def test_of_several_languages_the_one_that_is_not_spoken_is_named() -> None:
    """Two thirds of the questions are in languages that the bot speaks."""
    german, spanish, english = OTHERS["de"][:8], OTHERS["es"][:8], ENGLISH[:8]
    cases = [case for texts, code in ((german, "de"), (spanish, "es"), (english, "en")) for case in _cases(texts, code)]

    def bot(message: str) -> str:
        if message in spanish:
            return "Por favor, escríbanos y le ayudaremos con mucho gusto con su pedido."
        return "Please write to us again, and we will gladly help you with your order."

    run = mutatis.run(bot, cases, RELATIONS, settings=QUIET)
    said = [check.message for check in run.report.health if check.name == "reply-language"]
    assert said == ["8 of 8 replies to questions in German are in English: it does not seem to speak German"]


def _cases(texts: list[str], code: str) -> list[Case]:
    records = [{"message": text, "number": f"{number}"} for number, text in enumerate(texts)]
    fields = {"message": "message", "parallel": "number"}
    return mutatis.cases(records, task="chat", name=code, fields=fields, language=code)


def test_it_is_the_first_that_the_report_says(tmp_path: Path) -> None:
    reply = "Sorry, I can only help you in English, please write again."
    run = mutatis.run(lambda message: reply, OTHERS["de"][:8], RELATIONS, settings=QUIET)
    said = "8 of 8 replies to questions in German are in English: it does not seem to speak German"
    page = run.save(tmp_path / "report.html").read_text(encoding="utf-8")
    top = page[page.index('<section id="summary"') : page.index('<section id="rates"')]
    assert said in top
    first, *_ = notes(run.report.health)
    assert said in first.text
    out = io.StringIO()
    print_report(run.report, console(width=300, file=out))
    for form in (out.getvalue(), render_markdown(run.report), run.table()):
        [line] = [number for number, text in enumerate(form.splitlines()) if said in text]
        assert line <= 2, form
