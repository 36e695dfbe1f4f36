"""The gate: what cannot pass whatever is given, and what passes only where it is asked for."""

from __future__ import annotations

import pytest

import mutatis.relations  # noqa: F401 - a gate knows the relations by name
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.records.files import make_report
from mutatis.reports.gate import Gate, gate_of
from mutatis.reports.passing import passed, untested, violations
from support import report_builder


def row(
    satisfied=0, violated=0, *, invalid=0, error=0, relation="upper-case", system="bot", task="sentiment", **counts
):
    return report_builder.row(system, task, relation, satisfied, violated, invalid=invalid, error=error, **counts)


def finding(relation):
    source = {"case": {"id": "c", "turns": [{"fields": {"text": "x"}}]}}
    return {"id": "f", "system": "bot", "task": "sentiment", "relation": relation, "source": source, "followups": []}


def report(*rows, findings=0, health=(), relation="upper-case", config=None):
    return make_report(
        {
            "run": {"id": "r", "config": config or {}},
            "summary": [{**each, "distinct": findings if each["relation"] == relation else 0} for each in rows],
            "findings": [finding(relation)] * findings,
            "health": list(health),
            "metrics": {},
        }
    )


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "nothing was asked"),
        ([row(error=5)], "bot on sentiment: no answer could be judged: 5 error verdicts (100 % of those asked)"),
        ([row(invalid=5)], "no answer could be judged: 5 invalid"),
        ([row(89, error=10), row(error=1, relation="leet")], "11 of 100 verdicts are ERROR (11.0%), more than 10.0%"),
        ([row(100), row(error=1, system="other")], "other on sentiment"),
        ([row(100), row(error=1, task="inference")], "bot on inference"),
    ],
)
def test_what_was_not_tested_is_told_whatever_the_gate(rows, why):
    [line, *_] = untested(report(*rows), Gate(max_rate=1.0))
    assert why in line


def test_what_failed_is_told_with_an_example():
    failed = report(row(80, error=20), row(error=1, system="other"))
    example = {**finding("leet"), "outcome": "error", "reason": "the helper said\nnothing"}
    first, second = untested(make_report({**failed.to_json(), "examples": [example]}))
    assert first.endswith("more than 10.0%; for example: the helper said⏎nothing")
    assert second.endswith("judged: 1 error verdict (100 % of those asked)")


def test_errors_are_a_share_of_all_that_was_asked_and_a_tenth_is_the_last_that_passes():
    assert untested(report(row(90, error=10))) == []
    assert untested(report(row(89, error=11))) != []
    # nothing was asked for what does not fit the input; pairs that the judge cannot tell were asked, and did not fail
    assert untested(report(row(89, error=11, invalid=1000, not_applicable=1000))) != []
    assert untested(report(row(20, error=10, invalid=70, open=70))) == []
    [told] = untested(report(row(20, error=11, invalid=70, open=69, not_applicable=1)))
    assert "11 of 100 verdicts are ERROR (11.0%)" in told
    assert untested(report(row(89, error=11)), Gate(max_errors=0.11)) == []


def test_why_answers_failed_is_told_of_the_system_that_failed():
    failed = {"name": "errors", "subject": "bot on sentiment", "message": "5 of 5 source questions failed: HTTP 404"}
    rows = [row(error=5), row(error=5, system="other"), row(5, error=5, task="inference")]
    assert untested(report(*rows, health=[failed, {**failed, "name": "invalid"}])) == [
        "bot on sentiment: no answer could be judged: 5 error verdicts (100 % of those asked); "
        "5 of 5 source questions failed: HTTP 404",
        "other on sentiment: no answer could be judged: 5 error verdicts (100 % of those asked)",
        "bot on inference: 5 of 10 verdicts are ERROR (50.0%), more than 10.0%",
    ]


def test_a_budget_that_ended_before_anything_was_judged_is_named():
    stopped = {"name": "budget", "message": "the run is not complete: 5 queries are spent"}
    assert untested(report(row(invalid=1), health=[stopped]))[-1].endswith("5 queries are spent")


def test_violations_gate_only_where_a_limit_is_given():
    violated = report(row(1, 9), findings=9)
    assert violations(violated, Gate()) == []
    assert violations(violated, Gate(max_rate=0.9)) == []
    assert violations(violated, Gate(max_rate=0.89)) == [
        "upper-case on bot, sentiment: violation rate 90.0% is above 89.0%"
    ]
    assert violations(violated, Gate(max_findings=9)) == []
    assert violations(violated, Gate(max_findings=8)) == ["9 faults, more than 8"]
    assert violations(violated, Gate(max_rate=0.5, relations={"upper-case": 0.9})) == []
    assert violations(violated, Gate(relations={"upper-case": 0.8})) != []
    assert violations(violated, Gate(relations={"leet": 0.0})) == []


def test_the_relation_that_asks_the_same_again_is_exempt():
    noisy = report(row(0, 10, relation="no-change"), findings=1, relation="no-change")
    assert violations(noisy, Gate(max_rate=0.0, max_findings=0, min_judged=11)) == []


def test_a_row_with_too_few_verdicts_fails_a_gate_that_wants_more():
    assert violations(report(row(6, 4)), Gate(min_judged=10)) == []
    [line] = violations(report(row(6, 4)), Gate(min_judged=11))
    assert "10 verdicts were judged, fewer than 11" in line


def test_the_gate_of_a_report_is_the_one_it_was_configured_with():
    assert gate_of(report(row(1))) == Gate()
    assert gate_of(report(row(1), config={"gate": {"max_rate": 0.25}})) == Gate(max_rate=0.25)


def test_a_search_that_is_no_estimate_is_gated_by_its_findings():
    searched = {**row(5, 3), "rate": None, "estimate": "none"}
    [line] = violations(report(searched, findings=3), Gate(max_rate=0.5))
    assert line.startswith(
        "upper-case on bot, sentiment: 3 findings of a search, not an estimate, so there is no rate to "
        "compare with a limit"
    )
    assert violations(report(searched, findings=0), Gate(max_rate=0.5)) == []
    assert violations(report(searched, findings=3), Gate(max_findings=3)) == []


def test_a_rate_of_few_even_verdicts_is_no_rate_to_hold_against_a_limit():
    def searched(estimated, rate):
        return {**row(60, 40), "rate": rate, "estimate": "even", "estimated": estimated}

    passes = Gate(max_rate=0.5)
    assert violations(report(searched(10, 0.2), findings=3), passes) == []
    [line] = violations(report(searched(1, 0.0), findings=3), passes)
    assert "3 findings of a search, whose even share has 1 of the 10 verdicts" in line
    assert violations(report(searched(0, None), findings=3), passes) != []
    assert violations(report(searched(1, 0.0), findings=0), passes) == []
    assert violations(report(searched(1, 1.0), findings=3), passes) == [
        "upper-case on bot, sentiment: violation rate 100.0% is above 50.0%"
    ]
    # `min_judged` counts what the rate rests on, and decides how few is too few.
    assert violations(report(searched(5, 0.2), findings=3), Gate(max_rate=0.5, min_judged=5)) == []
    few = violations(report(searched(4, 0.2), findings=3), Gate(max_rate=0.5, min_judged=5))
    assert [line.partition(": ")[2] for line in few] == [
        "3 findings of a search, whose even share has 4 of the 5 verdicts that a rate needs to be compared with a "
        "limit; "
        "set max_findings instead of 50.0%",
        "4 verdicts were in the even share, fewer than 5",
    ]


def test_a_run_that_passed_says_within_what():
    judged = report(row(6, 4), findings=2)
    assert passed(judged, Gate()) == ""
    assert passed(judged, Gate(max_rate=0.5, max_findings=2)) == "gate: passed (at most 50.0 %, at most 2 faults)"
    same = report(row(6, 4), health=[{"name": "constant-output", "subject": "bot on sentiment", "message": "9 of 9"}])
    assert passed(same, Gate(max_rate=0.5)).endswith("; but bot on sentiment: nearly every answer is the same")
    known = judged.model_copy(
        update={"findings": [listed.model_copy(update={"new": False}) for listed in judged.findings]}
    )
    assert passed(known, Gate(baseline="runs/one")) == "gate: passed; 0 new faults, 2 known from one"
    large = make_report({**known.to_json(), "findings": known.to_json()["findings"][:1]}, known.findings)
    assert passed(large, Gate(baseline="runs/one")) == "gate: passed; 0 new faults, 2 findings known from one"
    told = passed(known, Gate(baseline="known.json", relations={"leet": 0.5}))
    assert told == "gate: passed (leet at most 50.0 %); 0 new faults, 2 known from known.json"


def test_limits_of_a_run_are_for_its_relations_by_name_or_published_id():
    published = RELATIONS.resolve("llmorph/mr-5")
    gate = Gate(relations={"upper-case": 0.5, "llmorph/mr-5": 0.25}).of_run(("upper-case", published))
    assert gate.relations == {"upper-case": 0.5, published: 0.25}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("upper-cas", "unknown relation in .gate.relations.: 'upper-cas'; did you mean 'upper-case'"),
        ("lower-case", "limits 'lower-case', which is not in this run; did you mean 'upper-case'"),
        ("no-change", "never gated .*; leave it out"),
    ],
)
def test_a_limit_without_effect_is_refused_with_the_nearest_relation(name, why):
    with pytest.raises(UsageError, match=why):
        Gate(relations={name: 0.5}).of_run(("upper-case", "leet"))
