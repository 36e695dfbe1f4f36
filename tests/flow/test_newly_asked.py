"""A finding on a follow-up that the baseline never asked is listed apart, and fails a gate only if that is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.records.baseline import baseline_of, read_baseline, write_baseline
from mutatis.reports.gate import gate_of
from mutatis.reports.html import render_html
from mutatis.reports.markdown import render_markdown
from mutatis.reports.passing import passed, passing
from mutatis.reports.terminal import console, print_report
from support.name_exchange import name_exchange_registered

QUESTIONS = ["What does Basic cost?", "Which tariffs are there?", "Can you list the tariffs?"]
BEFORE = {"Basic": 9, "Green Flex": 12}
AFTER = {**BEFORE, "Night Saver": 9}
"""A tariff more, and it costs what Basic costs: the exchange finds that two tariffs get one answer."""


@pytest.fixture(autouse=True)
def name_exchange():
    with name_exchange_registered():
        yield


def shop(prices: dict[str, int], label: str = "shop") -> Any:
    def answer(text: str) -> str:
        if "tariffs" in text:
            return f"We have {', '.join(list(prices)[:-1])} and {list(prices)[-1]}."
        return next((f"{price} EUR a month." for name, price in prices.items() if name in text), "Sorry?")

    return mutatis.system("function", target=answer, label=label, revision=str(prices))


def run(systems: Any, questions: list[str] = QUESTIONS, *, settings: dict[str, Any] | None = None, **more: Any) -> Any:
    plain = {"judge": {"measure": "exact"}, "noise_floor": 0, **(settings or {})}
    return mutatis.run(systems, questions, ["exchange-known-name"], task="chat", settings=plain, **more)


def marks(made: Any) -> dict[str, tuple[bool | None, bool]]:
    return {
        f"{each.system}: {each.followups[0].case.turns[0].fields['message']}": (each.new, each.newly_asked)
        for each in made.report.findings
    }


@pytest.fixture
def before(tmp_path: Path) -> str:
    assert not run(shop(BEFORE), out=tmp_path / "before").report.findings
    return str(tmp_path / "before")


def test_it_is_listed_apart_and_fails_no_gate(before):
    made = run(shop(AFTER), settings={"gate": {"baseline": before}})
    assert marks(made) == {"shop: What does Night Saver cost?": (False, True)}
    assert passing(made.report).word == "passed"
    told = passed(made.report, gate_of(made.report))
    assert told.endswith(", 1 finding newly asked, on follow-ups that the baseline never asked")
    made.check(baseline=before)
    markdown = render_markdown(made.report)
    assert "Newly asked: findings on follow-ups that the baseline never asked" in markdown
    assert "Known findings" not in markdown
    assert ">newly asked</span>" in render_html(made.report)


def test_the_terminal_lists_it_apart(before, capsys):
    made = run(shop(AFTER), settings={"gate": {"baseline": before}})
    print_report(made.report, console(width=120))
    told = capsys.readouterr().out
    assert "newly asked, on follow-ups that the baseline never asked:" in told
    assert told.count("exchange-known-name") >= 1


def test_it_fails_the_gate_if_that_is_wanted(before):
    made = run(shop(AFTER), settings={"gate": {"baseline": before, "newly_asked": True}})
    assert marks(made) == {"shop: What does Night Saver cost?": (True, True)}
    assert passing(made.report).word == "violated"


def test_a_file_of_known_findings_knows_what_was_asked(before, tmp_path):
    file = write_baseline(baseline_of(mutatis.read_run(before).report), tmp_path / "known.json")
    assert read_baseline(str(file)).asked == mutatis.read_run(before).report.asked
    made = run(shop(AFTER), settings={"gate": {"baseline": str(file)}})
    # Without the dictionary beside it another name may be drawn first; what is new there is told all the same.
    assert set(marks(made).values()) == {(False, True)}
    assert passing(made.report).word == "passed"


def test_what_the_baseline_asked_and_found_right_is_new(tmp_path):
    run(shop({**BEFORE, "Night Saver": 8}), out=tmp_path / "before")
    made = run(shop(AFTER), settings={"gate": {"baseline": str(tmp_path / "before")}})
    assert marks(made) == {"shop: What does Night Saver cost?": (True, False)}
    assert passing(made.report).word == "violated"


def test_a_finding_on_a_question_that_joined_the_data_is_new(before):
    made = run(shop(AFTER), ["And what is Green Flex, or Basic?", *QUESTIONS], settings={"gate": {"baseline": before}})
    told = marks(made)
    assert told["shop: What does Night Saver cost?"] == (False, True)
    assert {mark for message, mark in told.items() if "And what is" in message} == {(True, False)}
    assert passing(made.report).word == "violated"


def test_of_two_systems_each_is_compared_with_itself(tmp_path):
    run([shop(BEFORE, "a"), shop(AFTER, "b")], out=tmp_path / "before")
    made = run([shop(AFTER, "a"), shop(AFTER, "b")], settings={"gate": {"baseline": str(tmp_path / "before")}})
    message = "What does Night Saver cost?"
    assert marks(made) == {f"a: {message}": (False, True), f"b: {message}": (False, False)}
    assert "Newly asked: findings on follow-ups that the baseline never asked" in render_markdown(made.report)


def test_answers_that_are_stored_are_judged_alike(before, tmp_path):
    asked = {"store": tmp_path / "store.db", "settings": {"gate": {"baseline": before}}}
    first, again = run(shop(AFTER), **asked), run(shop(AFTER), offline=True, **asked)
    assert again.report.run.queries.paid == 0
    assert marks(first) == marks(again) == {"shop: What does Night Saver cost?": (False, True)}


def test_what_the_baseline_knew_is_asked_first(before, tmp_path):
    """Three names for two draws: those of the baseline's dictionary come first, and stay as they were."""
    later = {"Amber": 1, **AFTER, "Zenith": 2}
    made = run(shop(later), out=tmp_path / "later", settings={"gate": {"baseline": before}})
    lines = (tmp_path / "later" / "verdicts.jsonl").read_text("utf-8")
    assert "What does Green Flex cost?" in lines
    assert made.report.asked
