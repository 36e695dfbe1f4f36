"""Is the run worth believing: each check fires where it should, not where it should not, and can be silenced."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest

from mutatis.campaign.health import FEWEST, FEWEST_ANSWERS, OLD, health_warnings
from mutatis.campaign.tally import Outputs, Tally
from mutatis.query import Counts

ROW = ("s", "t", "upper-case")
NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def at_this_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mutatis.campaign.health.time", SimpleNamespace(time=lambda: NOW))


def tally(*, outcomes: dict[str, int] | None = None, answers: dict[str, int] | None = None, errors=None) -> Tally:
    made = Tally()
    if outcomes is not None:
        made.outcomes[ROW] = Counter(outcomes)
        made.reasons[ROW] = Counter({"why": outcomes.get("invalid", 0)})
    if answers is not None or errors:
        counted = Counter(errors or {})
        made.outputs["s", "t"] = Outputs(
            answers=Counter(answers or {}),
            errors=counted,
            answered=sum((answers or {}).values()),
            total=sum((answers or {}).values()) + sum(counted.values()),
        )
    return made


FINE = {"satisfied": 50, "violated": 5}
SITUATIONS = {
    "constant-output": ({"tally": tally(answers={"yes": 19, "no": 1})}, {"tally": tally(answers={"yes": 18, "no": 2})}),
    "not-parsed": (
        {"tally": tally(answers={"a": 50, "b": 45}, errors={"answer not parsed: no number": 5})},
        {"tally": tally(answers={"a": 50, "b": 46}, errors={"answer not parsed: no number": 4})},
    ),
    "errors": (
        {"tally": tally(answers={"a": 50, "b": 45}, errors={"HTTP 500": 5})},
        {"tally": tally(answers={"a": 50, "b": 46}, errors={"HTTP 500": 4})},
    ),
    "unchanged": (
        {"tally": tally(outcomes={"satisfied": 10, "invalid": 10, "unchanged": 10})},
        {"tally": tally(outcomes={"satisfied": 11, "invalid": 9, "unchanged": 9})},
    ),
    "invalid": (
        {"tally": tally(outcomes={"satisfied": 4, "invalid": 16})},
        {"tally": tally(outcomes={"satisfied": 5, "invalid": 15})},
    ),
    "never-matched": ({"tally": tally(outcomes={"invalid": 3})}, {"tally": tally(outcomes={"satisfied": 1})}),
    "not-deterministic": ({"noise": {("s", "t"): 0.02}}, {"noise": {("s", "t"): 0.0}}),
    "old-answers": (
        {"counts": {"s": Counts(stored=3, oldest=NOW - OLD - 1)}},
        {"counts": {"s": Counts(stored=3, oldest=NOW - OLD)}},
    ),
}


def warnings(*, silence=(), **parts):
    checks = health_warnings(
        parts.get("tally", tally(outcomes=FINE)),
        parts.get("noise", {}),
        parts.get("counts", {}),
        unmatched=parts.get("unmatched", ()),
        no_change="no-change",
        silence=silence,
    )
    return {check["name"]: check for check in checks}


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_check_fires_from_its_limit_on(name):
    bad, good = SITUATIONS[name]
    assert name in warnings(**bad)
    assert name not in warnings(**good)


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_warning_says_what_to_do_and_how_to_silence_it(name):
    bad, _ = SITUATIONS[name]
    warning = warnings(**bad)[name]
    assert all(warning[key] for key in ("subject", "message", "remedy"))
    assert warning["silence"] == f'silence = ["{name}"]'
    others = warnings(**bad).keys() - {name}
    assert warnings(**bad, silence=[name]).keys() == others


def test_few_observations_say_nothing():
    few = {"invalid": FEWEST - 2, "unchanged": FEWEST - 2, "satisfied": 1}
    assert warnings(tally=tally(outcomes=few, answers={"yes": FEWEST_ANSWERS - 1})) == {}


@pytest.mark.parametrize(
    ("sources", "follow_ups", "constant"),
    [
        ({"yes": 1}, {"yes": 4}, True),
        ({"yes": 1}, {"yes": 3}, False),
        ({"yes": 5}, {}, True),
        ({"yes": 1, "no": 1}, {"yes": 17}, False),  # 18 of 19: below twenty it is all of them
        ({"yes": 1, "no": 1}, {"yes": 18}, True),
        ({"yes": 40}, {"no": 3}, False),
        ({}, {"yes": 9}, True),
    ],
)
def test_answers_to_follow_ups_tell_whether_a_system_always_says_the_same(sources, follow_ups, constant):
    made = tally(outcomes=FINE, answers=sources)
    made.outputs["s", "t"].follow_ups, made.outputs["s", "t"].followed = Counter(follow_ups), sum(follow_ups.values())
    assert ("constant-output" in warnings(tally=made)) is constant


def test_the_identity_relation_may_be_unchanged():
    made = Tally()
    made.outcomes["s", "t", "no-change"] = Counter({"satisfied": 5, "invalid": 15, "unchanged": 15})
    assert "unchanged" not in warnings(tally=made)


def told(name, **parts):
    [warning] = warnings(**parts).values()
    assert warning["name"] == name
    return warning["subject"], warning["message"], warning["remedy"]


def test_what_is_told_word_by_word():
    assert told("constant-output", tally=tally(answers={"yes": 19, "no": 1})) == (
        "s on t",
        "19 of 20 source answers are 'yes': a system with a constant answer satisfies every equality",
        "check the prompt and the parser, or test a system that answers",
    )
    assert told("not-parsed", tally=tally(answers={"a": 9, "b": 9}, errors={"answer not parsed: no number": 2})) == (
        "s on t",
        "2 of 20 source answers could not be read, most often: no number",
        "look at them in verdicts.jsonl; ask for the plain answer in the prompt, or choose another task",
    )
    before = "all 8 questions and follow-ups that were asked failed alike"
    given_up = {f"not asked: {before}: {reason}": 2 for reason in "xyz"}
    assert told("errors", tally=tally(errors={"HTTP 422": 8, **given_up})) == (
        "s on t",
        "14 of 14 source questions have no answer: 8 failed, 6 were not asked: "
        "all 8 questions and follow-ups that were asked failed alike: x",
        "fix the system or its limits and repeat the command: stored answers are reused",
    )
    assert told("errors", tally=tally(errors=given_up))[1] == (
        "6 of 6 source questions have no answer: all 8 questions and follow-ups that were asked failed alike: x"
    )
    later_turns = {"HTTP 500": 1, "history broken: turn 1 failed": 2}
    assert told("errors", tally=tally(errors=later_turns))[1] == (
        "3 of 3 source questions have no answer: 1 failed, 2 were not asked: HTTP 500"
    )
    failures = {"answer not parsed: x": 1, "HTTP 500": 2, "HTTP 429": 3}
    assert warnings(tally=tally(answers={"a": 50, "b": 44}, errors=failures))["errors"] == {
        "name": "errors",
        "subject": "s on t",
        "message": "5 of 100 source questions failed, most often: HTTP 429",
        "remedy": "fix the system or its limits and repeat the command: stored answers are reused",
        "silence": 'silence = ["errors"]',
        "reason": "HTTP 429",
    }
    remedy = "; say it: --set system.response=result.reply"
    assert told("errors", tally=tally(errors={"x " * 200 + remedy: 5}))[1].endswith(remedy)
    assert told("unchanged", tally=tally(outcomes={"satisfied": 10, "invalid": 10, "unchanged": 10})) == (
        "upper-case on s, t",
        "10 of 20 follow-ups equal their source",
        "the transformation does not fit these inputs; choose another or raise its parameter",
    )
    assert told("invalid", tally=tally(outcomes={"satisfied": 4, "invalid": 16})) == (
        "upper-case on s, t",
        "16 of 20 verdicts are INVALID, most often: why",
        "choose inputs that meet the precondition, or leave the relation out",
    )
    assert told("never-matched", tally=tally(outcomes={"invalid": 3, "error": 1})) == (
        "upper-case on s, t",
        "none of 4 follow-ups could be judged, most often: why",
        "see the reasons in verdicts.jsonl; the rate of this relation is meaningless",
    )
    lost = {"satisfied": 14, "violated": 6, "lost": 5, "lost_violated": 1}
    assert told("lost-mentions", tally=tally(outcomes=lost)) == (
        "upper-case on s, t",
        "1 of 6 violations lost a marked entity, which changes the task; of those that keep all, 5 of 15 are violated",
        'set protect = "entities" to leave them alone',
    )
    slots = tally(outcomes=lost)
    slots.marks[ROW] = "values"
    assert told("lost-mentions", tally=slots)[1].startswith("1 of 6 violations lost a marked slot value, which")
    assert told("lost-mentions", tally=slots)[2] == 'set protect = "values" to leave them alone'
    assert told("vacuous", tally=tally(outcomes={"satisfied": 15, "violated": 5, "vacuous": 1})) == (
        "s on t",
        "follow-ups that are the same input to the system as their source: upper-case 1 of 20; its tokenizer removes "
        "the change, or truncates the text before it",
        "read these rates without them (they are no evidence for a region), or choose other relations",
    )
    assert told("not-deterministic", noise={("s", "t"): 0.0214}) == (
        "s on t",
        "asked again, a question gets a different answer in 2.1% of cases (the noise floor)",
        "set temperature = 0 and a seed, or read every rate against the noise floor",
    )
    assert told("old-answers", counts={"s": Counts(stored=3, oldest=NOW - 40.4 * 86400), "t": Counts(stored=3)}) == (
        "s",
        "3 answers came from the store, the oldest 40 days old",
        "if the system was redeployed, set its revision or run with --fresh",
    )
    assert told("never-proposed", unmatched=["leet"]) == (
        "leet",
        "the search proposed no follow-up of this relation, so it was not tested",
        "choose a search that proposes its transformations, or leave the relation out",
    )


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("vacuous", {"satisfied": 18, "violated": 1, "vacuous": 19}),
        ("vacuous", {"satisfied": 30, "violated": 11, "vacuous": 2}),
        ("lost-mentions", {"satisfied": 13, "violated": 6, "lost": 6, "lost_violated": 6}),
        ("lost-mentions", {"satisfied": 20, "violated": 11, "lost": 6, "lost_violated": 1}),
        ("invalid", {"satisfied": 3, "invalid": 16}),
        ("invalid", {"satisfied": 4, "invalid": 16, "unchanged": 1}),
        ("unchanged", {"satisfied": 9, "unchanged": 10, "invalid": 10}),
    ],
)
def test_one_below_a_limit_nothing_is_said(name, good):
    assert name not in warnings(tally=tally(outcomes=good))


def test_a_relation_that_judged_nothing_is_told_once():
    for outcomes in ({"invalid": 20, "unchanged": 20}, {"invalid": 20}):
        assert set(warnings(tally=tally(outcomes=outcomes))) == {"never-matched"}


def test_many_relations_that_judged_nothing_are_counted_and_the_commonest_reason_is_that_of_all():
    made = Tally()
    for name, number in (("leet", 3), ("upper-case", 2), ("tense", 2), ("voice", 1)):
        made.outcomes["s", "t", name] = Counter({"invalid": number})
        made.reasons["s", "t", name] = Counter({"why" if name == "leet" else "how": number})
    note = warnings(tally=made)["never-matched"]
    assert note["subject"] == "leet, upper-case, tense and 1 more on s, t"
    assert note["message"] == "none of 8 follow-ups could be judged, most often: how"


def test_vacuous_relations_are_told_together():
    made = Tally()
    for name in ("leet", "upper-case"):
        made.outcomes["s", "t", name] = Counter({"satisfied": 20, "vacuous": 1})
    assert "as their source: leet 1 of 20, upper-case 1 of 20; its" in warnings(tally=made)["vacuous"]["message"]


def test_what_a_broken_system_left_unjudged_is_no_matter_of_the_inputs():
    failing = {"errors": {"HTTP 404": 5}}
    assert list(warnings(tally=tally(outcomes={"error": 5}, **failing))) == ["errors"]
    assert "never-matched" in warnings(tally=tally(outcomes={"invalid": 5}, **failing))
    answering = {"answers": {"a": 50, "b": 50}}
    assert list(warnings(tally=tally(outcomes={"error": 5}, **answering))) == ["never-matched"]
