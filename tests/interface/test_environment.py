"""The environment of searches: Gymnasium's own check, episodes, rewards, seeds, any task."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.rltest4chatbot.environment import AttackEnvironment
from mutatis.testing import ScriptedSystem

TEXT = "i need a cheap room in the north of the city for my two good friends please"


def answer(conversation: Any) -> str:
    return json.dumps({"hotel-area": "north"} if "north" in conversation.fields["utterance"] else {})


def dialogues(number: int = 2, turns: int = 2) -> list[Case]:
    return [
        Case(id=f"d/{n}", turns=tuple(Turn(fields={"utterance": f"{TEXT} {n} {t}"}, reply="ok") for t in range(turns)))
        for n in range(number)
    ]


@pytest.fixture
def environment() -> Any:
    made = AttackEnvironment(ScriptedSystem(answer), dialogues(), task="dialogue-state", reward="thesis")
    yield made
    made.close()


def test_it_passes_the_check_of_gymnasium(environment: AttackEnvironment) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it would like an environment registered by name
        check_env(environment, skip_render_check=True)


def test_an_episode_is_a_dialogue_and_a_step_edits_its_next_turn(environment: AttackEnvironment) -> None:
    environment.reset(seed=1)
    ends, turns = [], []
    for _ in range(2):
        *_, terminated, _, info = environment.step(environment.action_space.sample())
        ends.append(terminated)
        turns.append(info["trial"].site.turn)
    assert (ends, turns) == ([False, True], [0, 1])
    with pytest.raises(UsageError, match="call reset"):
        environment.step(environment.action_space.sample())


@pytest.mark.parametrize(
    ("options", "reward", "valid"),
    [
        ({"reward": "thesis", "validity": "thesis"}, 1.0, True),  # no size to divide exp(0) by
        ({"reward": "thesis"}, -99.0, False),
        ({}, -0.5, False),
    ],
)
def test_an_action_that_changes_nothing(options: dict[str, Any], reward: float, valid: bool) -> None:
    made = AttackEnvironment(ScriptedSystem(answer), dialogues(), task="dialogue-state", **options)
    made.reset(seed=1)
    _, worth, _, _, info = made.step(np.zeros(116, np.float32))
    made.close()
    assert (worth, info["valid"], info["failure"]) == (reward, valid, False)
    assert info["trial"].queries == int(valid)


def test_a_reset_in_the_middle_goes_to_the_next_dialogue(environment: AttackEnvironment) -> None:
    environment.reset(seed=1)
    first = environment.step(environment.action_space.sample())[-1]["trial"].site.source.case.id
    environment.reset()
    second = environment.step(environment.action_space.sample())[-1]["trial"].site
    assert (second.turn, second.source.case.id != first) == (0, True)


def test_the_seed_decides_which_dialogue_comes_first(environment: AttackEnvironment) -> None:
    def first(seed: int) -> str:
        environment.reset(seed=seed)
        return str(environment.step(environment.action_space.sample())[-1]["trial"].site.source.case.id)

    assert {first(seed) for seed in range(8)} == {"d/0", "d/1"}
    assert first(3) == first(3)


def test_a_system_that_breaks_is_told(environment: AttackEnvironment) -> None:
    def breaks(conversation: Any) -> str:
        raise RuntimeError("out of order")

    broken = AttackEnvironment(ScriptedSystem(breaks), dialogues(), task="dialogue-state")
    broken.reset(seed=0)
    *_, info = broken.step(broken.action_space.sample())
    assert not info["failure"]
    broken.close()


def test_any_task_will_do() -> None:
    cases = [Case(id="r/0", turns=(Turn(fields={"text": TEXT}),))]
    made = AttackEnvironment(
        ScriptedSystem({"*": "0.9"}), cases, task="sentiment", relations=["leet"], space="relations"
    )
    assert made.action_space.shape == (3,)
    made.reset(seed=0)
    *_, terminated, _, info = made.step(np.ones(3, np.float32))
    assert (terminated, info["valid"], info["failure"]) == (True, True, False)
    made.close()
