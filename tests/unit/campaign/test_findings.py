"""Findings of a run: written down as they are found, few of them in memory."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mutatis.campaign.events import SourceClosed
from mutatis.campaign.findings import FindingLog
from mutatis.campaign.verdict_file import VerdictFile
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS, Group, Observation
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.relations import relation  # noqa: F401 - fills the registry

CASE = Case(id="a/0", task="sentiment", turns=(Turn(fields={"text": "x"}),))


def reached(source: int, outcome: Outcome = Outcome.VIOLATED, *, name: str = "upper-case", reason: str = "") -> Verdict:
    case = replace(CASE, id=f"a/{source}", key=f"question-{source}")
    observation = Observation(case=case, turn=0, response=Response(text="0.5"))
    return Verdict(
        system="s",
        relation=RELATIONS[name],
        source=case,
        turn=0,
        group=Group(source=observation, members=(observation,)),
        decision=Decision(outcome=outcome, reason=reason),
    )


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(Outcome)), max_size=40), st.integers(0, 3))
def test_each_violation_is_one_finding_with_its_number_and_its_first_evidence(events, held):
    with FindingLog(most_held=held) as log:
        for number, (source, outcome) in enumerate(events):
            log(reached(source, outcome, reason=f"number {number}"))
        first, every = log.finish()
    expected = Counter(source for source, outcome in events if outcome is Outcome.VIOLATED)
    assert [(record.source.case.id, record.count) for record in every] == [(f"a/{s}", n) for s, n in expected.items()]
    evidence = {s: f"number {events.index((s, Outcome.VIOLATED))}" for s in expected}
    assert [record.reason for record in every] == list(evidence.values())
    assert log.distinct.total() == len(every) == len(expected)
    assert [json.loads(line) for line in every.lines()] == first
    assert len(log.held) == min(held, len(expected))


def test_what_is_known_of_a_closed_source_is_forgotten():
    with FindingLog(most_held=1) as log:
        for source in range(3):
            log(reached(source))
            log(reached(source))
            log(SourceClosed(case=reached(source).source))
            assert not log._known
        _, every = log.finish()
    assert [record.count for record in every] == [2, 2, 2]


def test_what_was_confirmed_is_written_and_counted():
    with FindingLog(most_held=2) as log:
        for source in range(4):
            log(reached(source))
        log.held[1].confirmed = False
        assert log.confirmed["s", "sentiment", "upper-case"].flaky == 1
        _, every = log.finish()
    assert [record.confirmed for record in every] == [None, False, None, None]


def test_a_report_holds_the_first_of_each_row_in_turn(monkeypatch, tmp_path):
    monkeypatch.setattr("mutatis.campaign.findings.SHOWN", 5)
    with FindingLog(tmp_path) as log:
        for source in range(6):
            log(reached(source))
        for source in range(2):
            log(reached(source, name="add-spaces"))
        first, every = log.finish()
    told = [(record["relation"], record["source"]["case"]["id"]) for record in first]
    assert told == [("upper-case", f"a/{n}") for n in range(3)] + [("add-spaces", f"a/{n}") for n in range(2)]
    assert len(every) == 8
    assert [path.name for path in tmp_path.iterdir()] == ["findings.jsonl"]
    assert (tmp_path / "findings.jsonl").stat().st_size == every.file.size


def test_a_run_that_fails_leaves_nothing_behind(tmp_path):
    def failing() -> None:
        with FindingLog(tmp_path) as log:
            log(reached(0))
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_told(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match="cannot be written"), VerdictFile(tmp_path / "out"):
        pass  # a run opens it before the file of its findings
