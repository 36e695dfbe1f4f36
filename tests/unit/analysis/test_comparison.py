from __future__ import annotations

from itertools import pairwise

import pytest

from mutatis.analysis.comparison import compare, finding_key, of_system, worst_outcomes
from mutatis.core.errors import UsageError
from mutatis.core.verdict import finding_id
from mutatis.records import VerdictRecord
from mutatis.records.files import make_report
from mutatis.records.report import SystemRecord
from mutatis.reports.comparison import render_comparison


def finding(source="d/1", system="bot", relation="typos", variant=("question",)):
    return {
        "id": finding_id(system, "qa", relation, source, 0, variant),
        "system": system,
        "task": "qa",
        "relation": relation,
        "variant": list(variant),
        "source": {"case": {"id": source, "turns": [{"fields": {"question": f"Who is {source}?"}}]}, "turn": 0},
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
    verdicts = [verdict("d/1", "invalid"), verdict("d/1", "satisfied"), verdict("d/2", "violated")]
    result = compare(old, new, list, lambda: verdicts)
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
    result = compare(old, new, None, lambda: [verdict("d/1", "error", system="other")])
    assert result.gone[0].elsewhere == "error"


def test_what_became_of_a_new_finding_is_looked_up_under_the_other_systems_name():
    old, new = report([], [row()]), report([finding("d/1", system="other")], [row(system="other")])
    result = compare(old, new, lambda: [verdict("d/1", "satisfied")])
    assert [c.elsewhere for c in result.came] == ["satisfied"]


KEY = ("bot", "qa", "typos", "d/1", 0, ("question",))


def test_the_worst_outcome_is_kept_whatever_the_order():
    order = ["violated", "satisfied", "error", "invalid"]
    for worse, better in pairwise(order):
        for pair in ((worse, better), (better, worse)):
            verdicts = [verdict("d/1", outcome) for outcome in pair]
            assert list(worst_outcomes(verdicts, [KEY]).values()) == [worse]


def test_a_finding_of_a_report_and_a_line_of_verdicts_have_one_key():
    [of_report] = report([finding("d/1")]).findings
    assert finding_key(of_report) == KEY
    assert list(worst_outcomes([verdict("d/1", "violated")], [KEY])) == [KEY]
    without_system = finding_key(of_report, True)
    assert without_system == ("", *KEY[1:])
    assert list(worst_outcomes([verdict("d/1", "violated")], [without_system], True)) == [without_system]


def test_intervals_that_touch_do_not_lie_apart():
    def apart(old, new):
        return compare(report([], [row(interval=old)]), report([], [row(interval=new)])).rows[0].apart

    assert not apart((0.1, 0.2), (0.2, 0.3))
    assert not apart((0.2, 0.3), (0.1, 0.2))
    assert apart((0.1, 0.2), (0.21, 0.3))
    assert apart((0.21, 0.3), (0.1, 0.2))
    assert compare(report([], [row(), row("x")]), report([], [row()])).rows[1].apart is False


def test_messages_name_what_the_runs_have():
    names = [row(name) for name in "abcde"]
    with pytest.raises(UsageError) as caught:
        compare(report([], names), report([], [row("z")]))
    assert str(caught.value) == (
        "nothing to compare: the runs have no task and relation in common (the first has qa a, qa b, "
        "qa c and 2 more; the second has qa z)"
    )
    with pytest.raises(UsageError) as caught:
        compare(report([], [row(), row(system="x")]), report([], [row(system="y"), row(system="z")]))
    assert str(caught.value) == (
        "nothing to compare: the runs tested different systems (bot, x and y, z); "
        "name the two systems to compare: --systems bot y"
    )
    with pytest.raises(UsageError, match=r"different systems \(none and none\); .*: --systems OLD NEW$"):
        compare(*[report([]).model_copy(update={"summary": []})] * 2)


def test_one_system_of_several_is_a_report_of_its_own():
    whole = report(
        [finding("d/1"), finding("d/2", system="b c"), finding("d/3")], [row(), row(system="b c"), row("case")]
    )
    run = whole.run.model_copy(update={"systems": [SystemRecord(system=name) for name in ("b c", "bot")]})
    whole = whole.model_copy(update={"run": run}).holding(whole.all_findings)
    part = of_system(whole, "bot")
    assert [system.system for system in part.run.systems] == ["bot"]
    assert [(row.system, row.relation) for row in part.summary] == [("bot", "typos"), ("bot", "case")]
    assert [finding.source.case.id for finding in part.all_findings] == ["d/1", "d/3"]
    assert part.run.id == whole.run.id
    result = compare(part, of_system(whole, "b c"))
    assert (result.old_system, result.new_system) == ("bot", "b c")
    assert [c.finding.source.case.id for c in result.gone] == ["d/1", "d/3"]
    with pytest.raises(UsageError, match="system of run r: 'bt'; did you mean 'bot'"):
        of_system(whole, "bt")


def test_rows_of_one_run_only_are_kept():
    result = compare(report([], [row("a"), row("b")]), report([], [row("b"), row("c")]))
    assert [(r.relation, r.old is None, r.new is None) for r in result.rows] == [
        ("a", False, True),
        ("b", False, False),
        ("c", True, False),
    ]
    assert not result.rows[1].apart


def test_what_differs_comes_first_and_what_tells_the_same_is_summed_up():
    def counted(relation, violated, system="bot", interval=(0.0, 1.0)):
        counts = {"satisfied": 100 - violated, "violated": violated, "rate": violated / 100}
        return {**row(relation, interval=interval, system=system), **counts}

    old = [counted(name, 10, system) for system in ("bot", "other") for name in ("same", "up", "down")]
    old.append(counted("apart", 10, interval=(0.05, 0.15)))
    new = [counted("same", 10), counted("up", 15), counted("down", 3), counted("apart", 20, interval=(0.16, 0.3))]
    new += [counted("same", 10, "other"), counted("up", 10, "other"), counted("down", 9, "other")]
    new.append(counted("only", 0, "other"))
    result = compare(report([], old), report([], new))
    listed, rest = result.listed_and_summarised(every=False)
    assert [(row.system, row.relation) for row in listed] == [
        ("bot", "apart"),
        ("bot", "down"),
        ("bot", "up"),
        ("other", "down"),
        ("other", "only"),
    ]
    assert [(row.system, row.relation) for row in rest] == [("bot", "same"), ("other", "same"), ("other", "up")]
    told = render_comparison(result)
    assert "as before: 3 relations, 3 of them violated (--all)" in told
    assert "same" not in told
    assert render_comparison(result, every=True).count("| same |") == 2
    assert result.listed_and_summarised(every=True)[1] == []


def test_nonsense_is_refused_in_one_line():
    with pytest.raises(UsageError, match="no task and relation in common"):
        compare(report([], [row("a")]), report([], [row("b")]))
    with pytest.raises(UsageError, match="different systems"):
        compare(report([], [row(), row(system="x")]), report([], [row(system="y")]))


def test_only_the_wanted_identities_are_kept():
    assert list(worst_outcomes([verdict("d/9", "satisfied"), verdict("d/1", "satisfied")], [KEY])) == [KEY]
