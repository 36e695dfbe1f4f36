"""Planted bugs: each is found by the relation that is meant for it; a system that is right by the gold has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mutatis.api import read_cases
from mutatis.context import ContextCheck
from mutatis.core.cases import Case
from support import dialogues as D

MR = {"mr1": "context-preserving", "mr2": "context-altering", "mr3": "inner-consistency", "mr4": "inter-divergence"}
Bug = Callable[[str, Sequence[tuple[str, str]], str], str]


def violated(report) -> dict[str, int]:
    rows = D.rows(report)
    return {key: rows[name]["violated"] for key, name in MR.items()}


def run(bug: Bug | None, number: int = 6, **more):
    cases = D.talks(number)
    return D.campaign(D.oracle(cases, bug), cases, check=ContextCheck(extractor="gold"), **more)


def ignores_history(question: str, history: Sequence[tuple[str, str]], right: str) -> str:
    return "unknown" if _leans(question) else right


def _leans(question: str) -> bool:
    return any(word in question.split() for word in ("she", "her", "it", "its"))


def guesses(question: str, history: Sequence[tuple[str, str]], right: str) -> str:
    templates = {plot[0].partition("{")[0]: plot[2] for plot in D.PLOT}
    return next(answer for start, answer in templates.items() if question.startswith(start))


def changes_its_mind(question: str, history: Sequence[tuple[str, str]], right: str) -> str:
    again = any(question == earlier for earlier, _ in history)
    return "as I said before" if again and right != "unknown" else right


def leaks(question: str, history: Sequence[tuple[str, str]], right: str) -> str:
    out_of_place = bool(history) and _number(question) not in (_number(history[-1][0]) + 1,)
    return history[-1][1] if out_of_place else right


def _number(question: str) -> int:
    return next(i for i, plot in enumerate(D.PLOT) if question.startswith(plot[0].partition("{")[0]))


def test_a_system_that_is_right_by_the_gold_yields_nothing() -> None:
    report = run(None)
    assert violated(report) == {"mr1": 0, "mr2": 0, "mr3": 0, "mr4": 0}
    assert report["findings"] == []
    metrics = report["metrics"]["mortar"]["systems"]["oracle"]
    assert metrics["nbugs"] == 0
    assert metrics["levels"] == {"l1": 0, "l2": 0, "l3": 0, "unlevelled": 0}
    assert min(metrics["detections"].values()) > 0  # every relation had something to say


def test_ignoring_the_history_is_found_by_mr1() -> None:
    report = run(ignores_history)
    counts = violated(report)
    assert counts["mr1"] > 0
    assert counts["mr2"] == counts["mr3"] == 0
    asked = {
        finding["followups"][0]["case"]["turns"][-1]["fields"]["question"]
        for finding in report["findings"]
        if finding["relation"] == MR["mr1"]
    }
    assert all(_leans(question) for question in asked)
    # What it says is wrong in the unperturbed dialogue too: level 1.
    levels = report["metrics"]["mortar"]["systems"]["oracle"]["levels"]
    assert levels["l1"] == report["metrics"]["mortar"]["systems"]["oracle"]["nbugs"] > 0


def test_guessing_instead_of_unknown_is_found_by_mr2_and_mr4() -> None:
    report = run(guesses)
    counts = violated(report)
    assert counts["mr2"] > 0
    assert counts["mr4"] > 0
    assert counts["mr1"] == counts["mr3"] == 0
    rows = D.rows(report)
    assert rows[MR["mr2"]]["satisfied"] == rows[MR["mr4"]]["satisfied"] == 0
    # Every answer to the unperturbed dialogues is right: these bugs are invisible to reference-based testing.
    metrics = report["metrics"]["mortar"]["systems"]["oracle"]
    assert metrics["levels"]["l3"] == metrics["nbugs"]


def test_another_answer_at_the_second_asking_is_found_by_mr3() -> None:
    report = run(changes_its_mind, shrink=16, confirm=20)
    counts = violated(report)
    assert counts["mr3"] > 0
    assert counts["mr2"] == counts["mr4"] == 0
    for finding in (f for f in report["findings"] if f["relation"] == MR["mr3"]):
        assert len(finding["followups"]) == 2  # the worst pair
        assert sorted(f["response"]["text"] == "as I said before" for f in finding["followups"]) == [False, True]
        assert finding["confirmed"] is True


def test_leaking_the_previous_answer_is_found_by_mr1_and_mr3() -> None:
    report = run(leaks)
    counts = violated(report)
    assert counts["mr1"] > 0
    assert counts["mr3"] > 0
    assert report["metrics"]["mortar"]["systems"]["oracle"]["levels"]["l1"] == 0
    assert D.rows(report)["reference-based"]["violated"] == 0


@pytest.mark.parametrize("reference", ["annotated", "source"])
def test_a_planted_bug_is_found_without_annotations(reference: str) -> None:
    cases = D.talks(3)
    system = D.oracle(cases, leaks)
    bare = [_without_answers(case) for case in cases] if reference == "source" else cases
    report = D.campaign(system, bare, check=ContextCheck(extractor="gold"))
    metrics = report["metrics"]["mortar"]["systems"]["oracle"]
    assert violated(report)["mr1"] > 0
    assert (metrics["levels"] is None) == (reference == "source")
    assert (metrics["cv"] is None) == (reference == "source")
    assert metrics["detections"]["total"] > 0


def _without_answers(case: Case) -> Case:
    turns = tuple(
        replace(t, expected=(), annotations={k: v for k, v in t.annotations.items() if k != "answerable"})
        for t in case.turns
    )
    return replace(case, turns=turns)


def test_what_the_offline_checks_errors_cost_in_false_alarms(shared_data: Path, capsys: pytest.CaptureFixture) -> None:
    """A system perfect by the gold rewrites of CANARD, judged with the offline check: all its bugs are false alarms."""
    read = read_cases("canard", shared_data / "canard" / "dev.json.xz")
    cases = [case for case in read if _usable(case)][:60]
    assert len(cases) == 60
    gold = D.campaign(D.oracle(cases), cases, check=ContextCheck(extractor="gold", dataset_check="off"))
    assert violated(gold) == {"mr1": 0, "mr2": 0, "mr3": 0, "mr4": 0}
    report = D.campaign(D.oracle(cases), cases, check=ContextCheck(extractor="offline", dataset_check="off"))
    metrics = report["metrics"]["mortar"]["systems"]["oracle"]
    wrong, detections = violated(report), metrics["detections"]
    rates = {key: wrong[key] / detections[key] for key in MR}
    with capsys.disabled():
        shares = ", ".join(f"{key} {wrong[key]}/{detections[key]} = {rate:.1%}" for key, rate in rates.items())
        print(f"\nfalse alarms of the offline check: {shares}; left out {metrics['undecided_context']} turns")
    # Measured: 0.3, 3.6, 1.3, 8.3 % (1 of 28, 1 of 12); before "altered" had a bound of its own 1.6, 32, 4.1, 42 %.
    assert rates["mr1"] <= 0.05
    assert rates["mr3"] <= 0.05
    assert rates["mr2"] <= 0.10
    assert rates["mr4"] <= 0.10
    assert min(detections[key] for key in MR) > 0
    assert metrics["undecided_context"] < 0.45 * metrics["turns"]


def _usable(case: Case) -> bool:
    """Whether the questions tell which turn is asked, and every turn has an answer."""
    texts = [turn.fields["question"] for turn in case.turns]
    return len(set(texts)) == len(texts) and all(turn.expected for turn in case.turns[:-1])
