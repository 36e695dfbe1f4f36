"""Is the run worth believing: each check fires where it should, not where it should not, and can be silenced."""

from __future__ import annotations

from collections import Counter

import pytest

from mutatis.campaign.events import FollowUpMade
from mutatis.campaign.health import FEWEST, OLD, Repetition, check
from mutatis.campaign.tally import Outputs, Tally
from mutatis.core.cases import Case, Turn
from mutatis.query import Counts

ROW = ("s", "t", "upper-case")
NOW = 1_800_000_000.0


def tally(*, outcomes: dict[str, int] | None = None, answers: dict[str, int] | None = None, errors=None) -> Tally:
    made = Tally()
    if outcomes is not None:
        made.outcomes[ROW] = Counter(outcomes)
        made.reasons[ROW] = Counter({"why": outcomes.get("invalid", 0)})
    if answers is not None or errors:
        counted = Counter(errors or {})
        made.outputs["s", "t"] = Outputs(
            answers=Counter(answers or {}), errors=counted, total=sum((answers or {}).values()) + sum(counted.values())
        )
    return made


def repeats(number: int, different: int) -> Repetition:
    repetition = Repetition()
    source = Case(id="a/0", turns=(Turn(fields={"text": "x"}),))
    for i in range(number):
        case = Case(id=f"a/0~{i % different}", turns=source.turns)
        repetition(FollowUpMade(source=source, case=case))
    return repetition


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
    "search-repeats": ({"repetition": repeats(20, 14)}, {"repetition": repeats(20, 15)}),
    "old-answers": (
        {"counts": {"s": Counts(stored=3, oldest=NOW - OLD - 1)}},
        {"counts": {"s": Counts(stored=3, oldest=NOW - OLD)}},
    ),
}


def warnings(*, silence=(), **given):
    found = check(
        given.get("tally", tally(outcomes=FINE)),
        given.get("repetition", Repetition()),
        given.get("noise", {}),
        given.get("counts", {}),
        no_change="no-change",
        silence=silence,
        now=NOW,
    )
    return {one["name"]: one for one in found}


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
    few = tally(outcomes={"invalid": FEWEST - 2, "unchanged": FEWEST - 2, "satisfied": 1}, answers={"yes": FEWEST - 1})
    assert warnings(tally=few) == {}


def test_the_identity_relation_may_be_unchanged():
    made = Tally()
    made.outcomes["s", "t", "no-change"] = Counter({"satisfied": 5, "invalid": 15, "unchanged": 15})
    assert "unchanged" not in warnings(tally=made)
