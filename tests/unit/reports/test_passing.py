"""What a run comes to: passed, violated, misused or untested, and the lines that say why."""

from __future__ import annotations

from typing import Any

import pytest

import mutatis.relations  # noqa: F401 - a gate knows the relations by name
from mutatis.core.errors import UsageError
from mutatis.records.files import make_report
from mutatis.records.report import Report
from mutatis.reports.gate import Gate
from mutatis.reports.passing import (
    IN_PYTHON,
    REMEDIES,
    accepted_endpoints,
    misused,
    passed,
    passing,
    silent_rows,
    untested,
    violations,
)


def row(satisfied: int = 0, violated: int = 0, **counts: Any) -> dict[str, Any]:
    judged = satisfied + violated
    names = {"system": "bot", "task": "sentiment", "relation": "upper-case"}
    numbers = {"satisfied": satisfied, "violated": violated, "invalid": 0, "error": 0}
    return {**names, **numbers, "rate": violated / judged if judged else None, **counts}


def unfit(relation: str = "leet", number: int = 3, **counts: Any) -> dict[str, Any]:
    """Return a row of a relation that applies to none of the inputs."""
    return row(relation=relation, invalid=number, not_applicable=number, **counts)


def report(*rows: dict[str, Any], examples: Any = (), health: Any = (), **run: Any) -> Report:
    told = {"run": {"id": "r", **run}, "summary": list(rows), "findings": [], "health": list(health), "metrics": {}}
    return make_report({**told, "examples": list(examples)})


def example(reason: str, relation: str = "leet", outcome: str = "invalid") -> dict[str, Any]:
    source = {"case": {"id": "c", "turns": [{"fields": {"text": "x"}}]}}
    names = {"id": "f", "system": "bot", "task": "sentiment", "relation": relation}
    return {**names, "source": source, "followups": [], "outcome": outcome, "reason": reason}


def test_each_word_has_its_code_and_its_reasons():
    results = {
        "passed": passing(report(row(5))),
        "violated": passing(report(row(4, 1)), Gate(max_rate=0.1)),
        "misused": passing(report(unfit())),
        "untested": passing(report(row(error=5))),
    }
    assert {word: result.word for word, result in results.items()} == {word: word for word in results}
    assert [result.code for result in results.values()] == [0, 1, 2, 3]
    assert [len(result.reasons) for result in results.values()] == [0, 1, 1, 1]


def test_the_cause_is_that_of_the_system_and_of_its_errors():
    health = [
        {"name": "invalid", "subject": "bot on sentiment", "message": "many are invalid"},
        {"name": "errors", "subject": "other on sentiment", "message": "HTTP 404"},
        {"name": "not-parsed", "subject": "bot on sentiment", "message": "3 answers are no numbers"},
    ]
    [told] = untested(report(row(error=3), health=health))
    assert told.endswith("; 3 answers are no numbers")
    examples = [example("too long"), example("timed out", outcome="error")]
    [told] = untested(report(row(error=3), examples=examples))
    assert told.endswith("; for example: timed out")


def test_a_helper_that_failed_is_the_cause_with_its_counts_and_most_common_reason():
    helper = {"label": "judge", "asked": 9, "failed": 2, "unusable": 1, "reasons": {"no number": 1, "timed out": 2}}
    [told] = untested(report(row(error=3), helper=helper))
    assert told.endswith("; the helper judge had no usable answer to 3 of 9 questions, most often: timed out")


def test_a_relation_selected_by_name_that_judged_nothing_is_told_once_under_a_gate():
    told = report(
        row(5), unfit(), unfit("no-change"), examples=[example("no digit in it")], named=["leet", "no-change"]
    )
    assert untested(told) == []
    [line] = misused(told, Gate(max_rate=0.5)) + untested(told, Gate(max_rate=0.5))
    assert line.startswith("leet was selected by name but judged nothing of bot: no digit in it; choose inputs")
    limited = Gate(max_rate=0.5, relations={"leet": 0.1})
    assert [line.split(" ")[0] for line in misused(told, limited) + untested(told, limited)] == ["[gate.relations]"]


def test_one_reply_to_two_questions_is_no_answer_where_the_budget_ended_the_run_early():
    replies = {"system": "bot", "task": "sentiment", "others": []}
    shared = [{"reply": "Try later.", "questions": {"h1": "a", "h2": "b"}}]
    whole = {**report(row(5)).model_dump(mode="json"), "replies": [{**replies, "shared": shared}]}
    ended = {**whole, "health": [{"name": "budget", "message": "the budget ended the run"}]}
    gate = Gate(max_rate=0.5)
    assert passing(make_report(whole), gate).word == "passed"
    assert passing(make_report(ended), gate).word == "untested"


def test_relations_that_change_nothing_are_named_with_what_to_do():
    misfit = unfit(unchanged=3)
    assert misused(report(misfit)) == [
        "leet changes nothing in the inputs of sentiment (3 follow-ups, each equal to its source); choose inputs that "
        "it changes, or fix the transformation"
    ]
    several = [unfit(f"own-{n}", 1, unchanged=1) for n in range(8)]
    [told] = misused(report(*several))
    assert told.startswith(
        "own-0, own-1, own-2, own-3, own-4, own-5 and 2 more change nothing in the inputs of sentiment (8"
    )
    assert "choose inputs that they change" in told


def test_relations_that_apply_to_nothing_are_told_with_a_reason_each():
    examples = [example("no digit in it"), example("no name in it", "own-1")]
    [told] = misused(report(unfit(), unfit("own-1"), *(unfit(f"own-{n}") for n in range(2, 8)), examples=examples))
    assert told == (
        "no relation applies to the inputs of sentiment (leet: no digit in it; own-1: no name in it; "
        "own-2, own-3, own-4, own-5, own-6, own-7: 3 invalid); choose other inputs, or other relations"
    )
    language = {"name": "language", "message": "5 cases", "reason": "5 cases are German"}
    assert "(leet: 5 cases are German)" in misused(report(unfit(), health=[language]))[0]
    assert misused(report(row(1), unfit())) == []  # another relation judged


def test_a_limit_that_nothing_was_judged_under_is_misuse_or_a_system_that_failed():
    gate = Gate(relations={"leet": 0.1})
    where = "[gate.relations] limits leet, but nothing was judged under it"
    assert misused(report(row(5)), gate) == [
        f"{where}: the search proposed no follow-up for it; choose one that does, or leave it out"
    ]
    [told] = misused(report(row(5), unfit(), examples=[example("no digit in it")]), gate)
    assert told == (
        f"{where} of bot: no relation applies to the inputs (leet: no digit in it); choose other inputs, or other "
        "relations, or leave the limit out"
    )
    assert untested(report(row(5), unfit()), gate) == []
    failed = report(row(95), row(relation="leet", error=3), examples=[example("timed out", outcome="error")])
    assert untested(failed, gate) == [f"{where} of bot: timed out"]
    assert misused(failed, gate) == []
    assert (
        untested(report(row(5), row(1, relation="leet")), gate)
        == misused(report(row(5), row(1, relation="leet")), gate)
        == []
    )


def test_min_judged_wants_every_relation_to_fit():
    fits = report(row(20), unfit(), unfit("no-change"), examples=[example("no digit in it")])
    assert misused(fits) == []
    assert misused(fits, Gate(min_judged=5)) == [
        "min_judged: no relation applies to the inputs of sentiment (leet: no digit in it); choose other inputs, or "
        "other relations"
    ]


STORED = {"system": "bot", "endpoint": True, "current": False, "stored": 9, "newest": "2026-05-01T09:00:00+00:00"}
STARTED = "2026-05-01T12:00:00+00:00"


def test_an_endpoint_that_was_asked_nothing_is_untested_under_a_gate():
    idle = report(row(9), started=STARTED, systems=[STORED])
    told = "bot: nothing was asked: all 9 answers were stored, the newest 3 h old"
    assert untested(idle, Gate(max_rate=0.5)) == [f"{told}; {REMEDIES}"]
    assert untested(idle, Gate(max_rate=0.5), IN_PYTHON) == [f"{told}; {IN_PYTHON}"]
    assert untested(idle, Gate(max_rate=0.5, max_age="2h")) != []
    assert untested(idle, Gate(max_rate=0.5, max_age="3h")) == untested(idle) == []
    gated = report(row(9), started=STARTED, systems=[STORED], config={"gate": {"max_rate": 0.5, "max_age": "4h"}})
    assert accepted_endpoints(gated) == {"bot": f'{told} (max_age = "4h")'}
    assert accepted_endpoints(idle) == {"bot": told}


def test_rows_that_say_nothing_have_a_reason():
    idle = report(row(9), started=STARTED, systems=[STORED])
    [(named, told)] = silent_rows(idle, Gate(max_rate=0.5)).items()
    assert named == ("bot", "sentiment", "upper-case")
    assert told.startswith("bot: nothing was asked")
    failing = report(row(50), row(1, error=20, relation="leet"))
    assert silent_rows(failing, Gate()) == {
        ("bot", "sentiment", "leet"): "bot on sentiment: 20 of 71 verdicts are ERROR (28.2%), more than 10.0%"
    }
    assert silent_rows(report(row(50), unfit()), Gate()) == {}
    wanted = silent_rows(report(row(50), unfit(), examples=[example("no digit in it")]), Gate(min_judged=5))
    misfit = "no relation applies to the inputs of sentiment (leet: no digit in it)"
    assert wanted == {("bot", "sentiment", "leet"): f"min_judged: {misfit}; choose other inputs, or other relations"}


def test_what_is_flaky_is_left_out_and_said():
    judged = report(row(6, 4, distinct=3, flaky=2), row(5, 5, relation="no-change", distinct=5, flaky=5))
    assert passed(judged, Gate(max_rate=0.5)) == "gate: passed (at most 50.0 %); 2 FLAKY findings left out"


def test_a_flaky_finding_is_none_for_a_gate_that_counts_them_whether_the_baseline_knows_it_or_not(builder):
    states = {"held": (True, True), "untried": (None, True), "flaky": (False, True), "known": (False, False)}
    findings = [
        builder.question_finding(name, confirmed=confirmed, new=new) for name, (confirmed, new) in states.items()
    ]
    rows = [builder.row("bot", "sentiment", "upper-case", 6, 4, distinct=4, flaky=2)]
    seen = builder.typed({**builder.sample(), "summary": rows, "findings": findings})
    assert violations(seen, Gate(max_findings=2)) == []
    # The two that count share a wrong answer to one question: one fault, told by its clearest finding.
    assert violations(seen, Gate(max_findings=1)) == []
    assert violations(seen, Gate(max_findings=0)) == ["1 fault (2 findings), more than 0"]
    [told] = violations(seen, Gate(max_findings=2, baseline="known.json"))
    assert told.startswith(f"new fault {findings[0]['id']}: ")
    assert told.endswith("(not in the baseline known.json); and 1 more finding of the same fault")
    # The rate keeps what was not there again, and the line says so.
    assert violations(seen, Gate(max_rate=0.3)) == [
        "upper-case on bot, sentiment: violation rate 40.0% is above 30.0% (2 of 4 findings FLAKY)"
    ]


def test_the_limits_of_a_gate_are_those_of_relations_of_the_run():
    gate = Gate(relations={"leet": 0.1})
    assert gate.of_run(["upper-case", "leet"]).relations == {"leet": 0.1}
    with pytest.raises(
        UsageError, match=r"limits 'leet', which is not in this run; add it to `relations`, or limit one"
    ):
        gate.of_run(["upper-case"])
    with pytest.raises(UsageError, match=r"limits 'leet', which is not in this run \(leet needs a helper\)"):
        gate.of_run(["upper-case"], ["leet needs a helper", "others do not"])
    with pytest.raises(UsageError, match=r"relation in \[gate.relations\]: 'uper-case'; did you mean 'upper-case'"):
        Gate(relations={"uper-case": 0.1}).of_run(["upper-case"])
    with pytest.raises(UsageError, match="limits 'no-change', which is never gated"):
        Gate(relations={"no-change": 0.1}).of_run(["no-change"])


def test_where_the_budget_ended_before_an_answer_what_does_not_fit_is_nobody_s_fault():
    cut = {"name": "budget", "message": "the budget of 7 queries is spent"}
    result = passing(report(unfit(), health=[cut]))
    assert result.code == 3
    assert result.reasons[-1] == "the budget of 7 queries is spent"
