"""The built-in tracker: learns in a second, is weak but no guesser, gives probabilities, takes any turn."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from mutatis.campaign.measuring import uncertainty
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.datasets import read, sample
from mutatis.rltest4chatbot.dialogues import Exchange, state_case
from mutatis.rltest4chatbot.metrics import StateAccuracy, state_accuracy
from mutatis.rltest4chatbot.states import SLOTS
from mutatis.rltest4chatbot.trackers.builtin import classifiers, mentions, track, written_examples
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS
from mutatis.testing import check_system, sync


def accuracy(cases: Iterable[Case], *, empty: bool = False) -> StateAccuracy:
    pairs = []
    for case in cases:
        turns: list[tuple[str, str]] = []
        before = ""
        for turn in case.turns:
            turns.append((before, turn.fields["utterance"]))
            before = turn.reply or ""
            pairs.append((json.loads(turn.expected[0]), {} if empty else track(turns)[0]))
    return state_accuracy(pairs)


def test_it_follows_a_dialogue() -> None:
    state, decisions = track(
        [
            ("", "i need a cheap hotel in the north"),
            ("how many nights ?", "3 nights from friday for two people , with parking"),
            ("", "and a taxi from kite hill to fern bridge after 5 pm"),
        ]
    )
    assert state == {
        "hotel-area": "north",
        "hotel-bookday": "friday",
        "hotel-bookpeople": "2",
        "hotel-bookstay": "3",
        "hotel-parking": "yes",
        "hotel-pricerange": "cheap",
        "hotel-type": "hotel",
        "taxi-departure": "kite hill",
        "taxi-destination": "fern bridge",
        "taxi-leaveat": "17:00",
    }
    assert set(decisions) == set(SLOTS)
    assert all(sum(outcomes.values()) == pytest.approx(1, abs=1e-4) for outcomes in decisions.values())
    assert decisions["hotel-area"]["north"] > 0.5
    assert decisions["train-bookpeople"].get("(none)", 0) > 0.5


def test_it_is_real_and_weak_on_our_own_dialogues() -> None:
    cases = read("states", sample("bookings"))
    figures = accuracy(cases)
    assert 0.5 < figures.joint < 0.95  # measured: 40 of 57 turns
    assert figures.f1 > 0.85


def test_it_never_saw_the_sample() -> None:
    written = {user for _, _, user, _ in written_examples()}
    said = {turn.fields["utterance"].lower() for case in read("states", sample("bookings")) for turn in case.turns}
    assert not written & said


def test_every_kind_of_mention_has_a_classifier_that_fills_each_of_its_slots() -> None:
    fillable = {label for classifier in classifiers().values() for label in classifier.labels}
    assert fillable == {*SLOTS, "(none)"}


def test_real_dialogues(shared_data: Path) -> None:
    cases = read("multiwoz21", shared_data / "multiwoz21" / "test.json.xz", limit=100)
    figures, empty = accuracy(cases), accuracy(cases, empty=True)
    assert figures.joint > empty.joint + 0.1
    assert figures.f1 > 0.7


def test_as_a_system() -> None:
    system = SYSTEMS["builtin"](name="tracker")
    assert system.label == "builtin:tracker"
    case = read("states", sample("bookings"))[0]
    asked = [TASKS["dialogue-state"].converse(case, turn, [""] * turn) for turn in range(2)]
    answer = sync(system.ask(asked[1]))
    assert json.loads(answer.text)["hotel-internet"] == "yes"
    assert 0 < (uncertainty(answer) or 0) < 0.5
    sync(check_system(system, asked))
    with pytest.raises(UsageError, match="'tracker' has no option 'threshold'"):
        SYSTEMS["builtin"](name="tracker", threshold=0.5)


@pytest.mark.parametrize(
    "utterance", ["", " ", "from", "to the", "🙂", "北のホテル", "from " * 500, "((((", "at 99:99"]
)
def test_any_turn(utterance: str) -> None:
    case = state_case("x/1", [Exchange(utterance=utterance)])
    state = json.loads(sync(SYSTEMS["builtin"](name="tracker").ask(TASKS["dialogue-state"].converse(case, 0, []))).text)
    assert all(isinstance(value, str) and value for value in state.values())
    assert all(utterance.lower()[m.start : m.end].strip() for m in mentions(utterance))
