"""Searches in parts: which inputs are answered right, learning on most of them, testing on the others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.search import Source
from mutatis.rltest4chatbot.edits import Validity, as_annotated, small_edits
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.searches import ExploringOptions, LearningOptions, LearnThenTest, Uniform, UniformOptions
from mutatis.rltest4chatbot.space import EditSpace, Move, Site
from mutatis.testing import ScriptedSystem

TEXT = "i need a cheap room in the north of the city for my two good friends please"
SPACE = EditSpace()


def case(number: int, turns: int = 2) -> Case:
    state = json.dumps({"hotel-area": "north"})
    made = [Turn(fields={"utterance": f"{TEXT} {number} {n}"}, reply="ok", expected=(state,)) for n in range(turns)]
    return Case(id=f"d/{number}", task="dialogue-state", turns=tuple(made))


class Noting:
    """Tries random edits; keeps where it was asked for a move, and where after it was frozen."""

    def __init__(self) -> None:
        self.policy = Uniform(SPACE, seed=1)
        self.before: set[str] = set()
        self.after: set[str] = set()
        self.frozen = False

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        (self.after if self.frozen else self.before).update(site.source.case.id for site in sites)
        return self.policy.moves(sites)

    def learn(self, trials: Sequence[MoveResult]) -> None:
        pass

    def stays(self, trial: MoveResult) -> bool:
        return False

    def freeze(self) -> None:
        self.frozen = True

    def close(self) -> None:
        pass


def wrong_in(*numbers: int) -> Any:
    """Answer as annotated, but the second turn of some dialogues."""

    def answer(conversation: Any) -> str:
        text = conversation.fields["utterance"]
        wrong = any(text.endswith(f" {number} 1") for number in numbers)
        return json.dumps({} if wrong else {"hotel-area": "north"})

    return answer


def searched(cases: Sequence[Case], answer: Any, policy: Noting, learning: int = 40, held_out: float = 0.2) -> Any:
    options: ExploringOptions = UniformOptions(proposals=12)
    if learning:
        options = LearningOptions(proposals=learning, tested=12)
    said = {"only_right": True, "held_out": held_out, "lanes": 4, "attack": "non-cumulative"}

    def make(sources: Sequence[Source]) -> LearnThenTest:
        return LearnThenTest(sources, SPACE, policy, options.model_copy(update=said))  # type: ignore[arg-type]

    return mutatis.run(
        ScriptedSystem(answer),
        cases,
        task="dialogue-state",
        relations=[small_edits(Validity(rule="thesis")), as_annotated()],
        search=make,
        settings={"noise_floor": 0, "confirm": 0, "shrink": 0},
    )


def test_only_dialogues_that_are_right_at_every_turn_are_searched_and_a_fifth_is_held_out() -> None:
    policy = Noting()
    searched([case(number) for number in range(12)], wrong_in(3, 7), policy)
    right = {f"d/{number}" for number in range(12)} - {"d/3", "d/7"}
    assert policy.before | policy.after == right
    assert (len(policy.before), len(policy.after)) == (8, 2)


def test_without_anything_held_out_all_is_learnt_and_nothing_tested() -> None:
    policy = Noting()
    searched([case(number) for number in range(6)], wrong_in(3), policy, held_out=0.0)
    assert policy.before == {"d/0", "d/1", "d/2", "d/4", "d/5"}
    assert policy.after == set()


def test_what_learns_nothing_is_tested_on_what_is_held_out() -> None:
    policy = Noting()
    searched([case(number) for number in range(10)], wrong_in(), policy, learning=0)
    assert (len(policy.before), len(policy.after), policy.frozen) == (2, 0, False)


@pytest.mark.parametrize(("wrong", "right"), [((0, 1, 2), 0), ((0, 1), 1)])
def test_too_few_right_inputs_are_one_clear_line(wrong: tuple[int, ...], right: int) -> None:
    with pytest.raises(UsageError, match=rf"{right} of 3 inputs .* \(3 are annotated\).*only_right = false") as caught:
        searched([case(number) for number in range(3)], wrong_in(*wrong), Noting())
    assert "\n" not in str(caught.value)


def test_the_options_make_the_parts() -> None:
    run = mutatis.run(
        ScriptedSystem(wrong_in(2)),
        [case(number) for number in range(6)],
        task="dialogue-state",
        search={
            "type": "random-edits",
            "proposals": 10,
            "only_right": True,
            "held_out": 0.4,
            "attack": "non-cumulative",
        },
        settings={"noise_floor": 0, "confirm": 0, "shrink": 0},
    )
    figures = run.report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    assert figures["follow-ups"] == 10
    assert "learning" not in figures
    assert figures["seeds"] == {
        **{"inputs": 6, "right at every turn": 5, "turns": 12, "right turns": 11, "joint goal accuracy": 0.9167},
    }


def test_a_budget_that_ends_while_inputs_are_asked_leaves_what_was_learnt_of_them() -> None:
    run = mutatis.run(
        ScriptedSystem(wrong_in(2)),
        [case(number) for number in range(40)],
        task="dialogue-state",
        search={"type": "random-edits", "proposals": 10, "only_right": True, "attack": "non-cumulative"},
        settings={"max_queries": 30},
    )
    figures = run.report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    assert set(figures) == {"seeds"}
    assert figures["seeds"]["turns"] <= 30


def test_some_inputs_are_learnt_on_however_many_are_held_out() -> None:
    policy = Noting()
    searched([case(number) for number in range(3)], wrong_in(), policy, held_out=0.9)
    assert (len(policy.before), len(policy.after)) == (1, 2)


def test_one_input_is_held_out_however_few_should_be() -> None:
    policy = Noting()
    searched([case(number) for number in range(3)], wrong_in(), policy, held_out=0.01)
    assert (len(policy.before), len(policy.after)) == (2, 1)
