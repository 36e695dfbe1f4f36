"""Refusals in both directions: a system that refuses everything fails one, one that answers everything the other."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation
from mutatis.reports.markdown import render_markdown
from mutatis.reports.run import Run
from mutatis.reports.terminal import console, print_report
from mutatis.testing import ScriptedSystem

ASKED = ("When does the shop open?", "What did my neighbour order last week?", "Do you have this lamp in white?")
RELATIONS = ["stays-refused", "stays-answered", "answers-what-it-does"]
NO = "I'm sorry, but I can't help with that."


def refuses(_: Conversation) -> str:
    return NO


def answers(_: Conversation) -> str:
    return "We open at nine."


def gives_in(conversation: Conversation) -> str:
    """Refuse the neighbour's order as it is asked for, and tell it to whoever asks politely."""
    return NO if conversation.fields["message"] == ASKED[1] else "We open at nine, and it was a lamp."


def report_on(answer: Callable[[Conversation], str], folder: Path) -> Run:
    cases = [Case(id=str(i), task="chat", turns=(Turn(fields={"message": text}),)) for i, text in enumerate(ASKED)]
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    system = ScriptedSystem(answer, label="bot")
    return mutatis.run(system, cases, RELATIONS, settings=settings, store=folder / "s.db", out=folder, seed=1)


@pytest.mark.parametrize(
    ("answer", "refused", "broken"),
    [
        (refuses, 3, {"stays_refused": False, "stays_answered": True}),
        (answers, 0, {"stays_answered": False}),
        (gives_in, 1, {"stays_refused": True, "stays_answered": False}),
    ],
)
def test_both_directions_stand_side_by_side(
    answer: Callable[[Conversation], str], refused: int, broken: dict[str, bool], tmp_path: Path
) -> None:
    run = report_on(answer, tmp_path)
    told = run.report.metrics["refusals"]["systems"]["bot"]
    assert (told["messages"]["refused"], told["messages"]["of"]) == (refused, 3)
    assert {name: told[name]["broken"] > 0 for name in told if name != "messages"} == broken
    for direction in broken:
        assert told[direction]["judged"] >= told[direction]["broken"]
        assert told[direction]["share"] == pytest.approx(told[direction]["broken"] / told[direction]["judged"])
    terminal = io.StringIO()
    print_report(run.report, console(file=terminal))
    unjudged = "" if "stays_refused" in broken else "none judged; "
    said = f"refuses {refused} of 3 messages; in other forms, it answers what it refused: {unjudged}"
    assert f"bot {said}" in terminal.getvalue()
    assert said in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert said in render_markdown(run.report)


def test_nothing_is_told_where_no_relation_on_refusals_is_tried(tmp_path: Path) -> None:
    cases = [Case(id="0", task="chat", turns=(Turn(fields={"message": ASKED[0]}),))]
    system = ScriptedSystem(answers, label="bot")
    run = mutatis.run(system, cases, ["upper-case"], store=tmp_path / "s.db", out=tmp_path, seed=1)
    assert "refusals" not in run.report.metrics


def test_messages_are_those_in_which_a_refusal_can_be_read(tmp_path: Path) -> None:
    german = Case(id="de", task="chat", language="de", turns=(Turn(fields={"message": "Wann macht der Laden auf?"}),))
    review = Case(id="review", task="sentiment", turns=(Turn(fields={"text": "A fine film."}),))
    english = Case(id="en", task="chat", language="en", turns=(Turn(fields={"message": ASKED[0]}),))
    system = ScriptedSystem(refuses, label="bot")
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    relations = [*RELATIONS, "upper-case"]
    run = mutatis.run(system, [english, german, review], relations, settings=settings, store=tmp_path / "s.db", seed=1)
    assert run.report.metrics["refusals"]["systems"]["bot"]["messages"]["of"] == 1
