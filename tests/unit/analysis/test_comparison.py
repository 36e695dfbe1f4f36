from __future__ import annotations

import pytest

from mutatis.analysis.comparison import compare, worst_outcomes
from mutatis.core.errors import UsageError
from mutatis.core.verdict import finding_id
from mutatis.records import VerdictRecord
from mutatis.records.files import make_report


def finding(source="d/1", system="bot", relation="typos", variant=("question",)):
    return {
        "id": finding_id(system, "qa", relation, source, 0, variant),
        "system": system,
        "task": "qa",
        "relation": relation,
        "variant": list(variant),
        "source": {"case": {"id": source, "turns": [{"fields": {"question": "Who?"}}]}, "turn": 0},
        "followups": [],
    }


def row(relation="typos", rate=0.5, interval=(0.4, 0.6), system="bot"):
    counts = {"satisfied": 5, "violated": 5, "invalid": 0, "error": 0}
    return {"system": system, "task": "qa", "relation": relation, "rate": rate, "interval": list(interval), **counts}


def report(findings, rows=None):
    told = {"run": {"id": "r"}, "summary": rows or [row()], "findings": findings, "health": [], "metrics": {}}
    return make_report(told)


def verdict(source, outcome, system="bot", relation="typos", variant=("question",)):
    return VerdictRecord(
        system=system, task="qa", relation=relation, source=source, turn=0, variant=list(variant), outcome=outcome
    )


def test_findings_come_and_go():
    old, new = report([finding("d/1"), finding("d/2")]), report([finding("d/2"), finding("d/3")])
    outcomes = worst_outcomes([verdict("d/1", "invalid"), verdict("d/1", "satisfied"), verdict("d/2", "violated")])
    result = compare(old, new, old_outcomes={}, new_outcomes=outcomes)
    assert [(c.finding.source.case.id, c.elsewhere) for c in result.came] == [("d/3", "not tested")]
    assert [(c.finding.source.case.id, c.elsewhere) for c in result.gone] == [("d/1", "satisfied")]
    assert [f.source.case.id for f in result.common] == ["d/2"]


def test_without_verdicts_nobody_claims_to_know():
    result = compare(report([finding("d/1")]), report([]))
    assert result.gone[0].elsewhere == "unknown"


def test_one_system_each_is_compared_under_any_label():
    old = report([finding("d/1")])
    new = report([finding("d/1", system="other")], [row(system="other", rate=0.9, interval=(0.8, 0.95))])
    result = compare(old, new)
    assert (result.old_system, result.new_system) == ("bot", "other")
    assert len(result.common) == 1
    assert result.rows[0].apart


def test_outcomes_follow_when_the_systems_differ():
    old, new = report([finding("d/1")]), report([], [row(system="other")])
    result = compare(old, new, new_outcomes=worst_outcomes([verdict("d/1", "error", system="other")], old.findings))
    assert result.gone[0].elsewhere == "error"


def test_rows_of_one_run_only_are_kept():
    result = compare(report([], [row("a"), row("b")]), report([], [row("b"), row("c")]))
    assert [(r.relation, r.old is None, r.new is None) for r in result.rows] == [
        ("a", False, True),
        ("b", False, False),
        ("c", True, False),
    ]
    assert not result.rows[1].apart


def test_nonsense_is_refused_in_one_line():
    with pytest.raises(UsageError, match="no task and relation in common"):
        compare(report([], [row("a")]), report([], [row("b")]))
    with pytest.raises(UsageError, match="different systems"):
        compare(report([], [row(), row(system="x")]), report([], [row(system="y")]))


def test_only_the_wanted_identities_are_kept():
    outcomes = worst_outcomes(
        [verdict("d/1", "satisfied"), verdict("d/9", "satisfied")], report([finding("d/1")]).findings
    )
    assert [key[3] for key in outcomes] == ["d/1"]
