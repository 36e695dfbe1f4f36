"""Multi-PDQN: its parts, learning on a toy, checkpoints, resuming, and what the thesis' code had wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.search import Measurements, Proposal, Reading, Source
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import Validity, small_edits
from mutatis.rltest4chatbot.explore import Explorer
from mutatis.rltest4chatbot.learning.agent import (
    FORMAT,
    Agent,
    Replay,
    Shape,
    importances,
    inverted,
    load_agent,
)
from mutatis.rltest4chatbot.learning.options import AgentOptions
from mutatis.rltest4chatbot.learning.policy import BUCKETS, DIMENSIONS, SCALE, MultiPdqn, state_rows
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.searches import Uniform
from mutatis.rltest4chatbot.space import EditSpace, Site
from mutatis.testing import ScriptedSystem

WORDS = "i need a cheap room in the north of the city for my two good friends please"
SMALL = Shape(state=3, widths=(2, 1), combined=1)
QUICK = AgentOptions(seed=1, start=32, batch=32, epsilon_over=40, rate_parameters=1e-3, updates=2, gamma=0.0, noise=0.2)


def quick(**more: Any) -> AgentOptions:
    return QUICK.model_copy(update=more)


def sources(number: int, turns: int = 1) -> list[Source]:
    relation = small_edits(Validity(rule="thesis"))
    return [
        Source(
            case=Case(
                id=f"d/{n}",
                task="dialogue-state",
                turns=tuple(Turn(fields={"utterance": f"{WORDS} {n} {t}"}, reply="ok") for t in range(turns)),
            ),
            relations=(relation,),
        )
        for n in range(number)
    ]


def site(text: str = WORDS, **more: Any) -> Site:
    case = Case(id="d/0", task="dialogue-state", turns=(Turn(fields={"utterance": text}),))
    return Site(source=Source(case=case, relations=()), **{"turn": 0, "variant": ("utterance",), **more})


def drive(search: Explorer) -> list[Proposal]:
    asked = []
    while batch := search.ask():
        for proposal in batch:
            search.tell(proposal, [], Measurements(valid=True))
            asked += [] if proposal.looks else [proposal]
    return asked


# A toy with a known optimum.


def worth(trial: MoveResult) -> float:
    """One for each char-drop, less one for any other edit: four char-drops alone are the best, 4 of 4."""
    return sum(1.0 if step.transformation == "char-drop" else -1.0 for step in trial.move.steps) / 4


def mean_worth(policy: Any, space: EditSpace, proposals: int) -> float:
    class Watched:
        kept: list[float] = []  # noqa: RUF012 - one per call

        def moves(self, sites: Sequence[Site]) -> Any:
            return policy.moves(sites)

        def learn(self, trials: Sequence[MoveResult]) -> None:
            self.kept = [*self.kept, *map(worth, trials)]
            policy.learn(trials)

        def stays(self, trial: MoveResult) -> bool:
            return False

        def close(self) -> None:
            policy.close()

    watched = Watched()
    drive(Explorer(sources(20), space, watched, proposals=proposals))
    return float(np.mean(watched.kept))


def test_the_agent_learns_a_toy_with_a_known_optimum_where_random_fails():
    space = EditSpace(combined=1)
    policy = MultiPdqn(space, quick(seed=2), lambda trial: worth(trial) / SCALE)
    mean_worth(policy, space, 350)
    policy.frozen = True
    assert mean_worth(policy, space, 60) > 0.7
    assert mean_worth(Uniform(space, seed=1), space, 60) < 0.1


# Parts.


def test_gradients_shrink_towards_the_bounds_and_point_back_beyond_them():
    parameters = torch.tensor([0.9, 0.9, 1.2, -0.2, 0.5])
    gradient = torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0])
    assert inverted(gradient, parameters).tolist() == pytest.approx([0.1, -0.9, -0.2, 0.2, 0.5])


def test_the_k_best_arms_are_used_and_the_best_has_importance_one():
    values = np.array([[1.0, 3.0, 2.0], [1.0, 3.0, 2.0]])
    weights = importances(values, np.array([[True, True, True], [True, False, True]]), 2)
    e = math.exp(-1)
    assert weights == pytest.approx(np.array([[0.0, 1.0, e], [e, 0.0, 1.0]]))


def test_targets_follow_softly():
    agent = Agent(SMALL, AgentOptions(start=1, batch=1, seed=1))
    row = {"state": 0.1, "parameters": 0.5, "used": 1.0, "reward": 5.0, "following": 0.2, "mask_next": 1.0}
    agent.replay.add({**row, "open_next": 1.0, "end": 0.0, "mask": 1.0})
    before = {name: old.clone() for name, old in agent.target_values.state_dict().items()}
    agent.learn()
    for name, old in before.items():
        new, goal = agent.target_values.state_dict()[name], agent.values.state_dict()[name]
        assert torch.allclose(new, old + 0.01 * (goal - old))
        assert not torch.equal(goal, old)


def weigh(agent: Agent, *, value: float, parameter: float, target_value: float, target_parameter: float) -> None:
    """Set networks by hand: each arm is worth its own weight, times what the parameter network says to arm 0."""
    for values, weight in ((agent.values, value), (agent.target_values, target_value)):
        first, _, last = values.layers
        for layer in (first, last):
            torch.nn.init.zeros_(layer.weight)
            torch.nn.init.zeros_(layer.bias)
        with torch.no_grad():
            first.weight[0, SMALL.state] = 1.0  # the first unit of the hidden layer is the first parameter
            last.weight[:, 0] = torch.tensor([weight, weight / 2])
    for parameters, said in ((agent.parameters, parameter), (agent.target_parameters, target_parameter)):
        torch.nn.init.zeros_(parameters.layers[-1].weight)
        torch.nn.init.constant_(parameters.layers[-1].bias, said)


@pytest.mark.parametrize(
    ("gamma", "end", "open_next", "goal"),
    [
        (0.9, 0.0, (1.0, 1.0), 1.0 + 0.9 * 10 * 0.5),  # the best arm's value, of the targets of both networks
        (0.9, 0.0, (0.0, 1.0), 1.0 + 0.9 * 5 * 0.5),  # arm 0 is not possible there
        (0.9, 0.0, (0.0, 0.0), 1.0),  # nor is any
        (0.9, 1.0, (1.0, 1.0), 1.0),  # nothing follows
        (0.0, 0.0, (1.0, 1.0), 1.0),
    ],
)
def test_an_arm_learns_its_reward_and_the_targets_value_of_what_follows(gamma, end, open_next, goal):
    agent = Agent(SMALL, AgentOptions(start=1, batch=1, gamma=gamma, seed=1))
    weigh(agent, value=2.0, parameter=0.1, target_value=10.0, target_parameter=0.5)
    row = {"state": 0.1, "parameters": 0.5, "used": (1.0, 0.0), "reward": 1.0, "following": 0.2, "mask_next": 1.0}
    agent.replay.add({**row, "open_next": open_next, "end": end, "mask": 1.0})
    told = 2.0 * 0.5  # what the network itself says of arm 0
    assert agent.learn()["values"] == pytest.approx((goal - told) ** 2)  # the squared loss of P-DQN


class Drawn:
    """A generator whose normal numbers are given, and whose uniform ones are never small enough for a random choice."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def random(self, size: Any) -> Any:
        return np.ones(size)

    def normal(self, size: Any) -> Any:
        return np.zeros(size)

    def standard_normal(self, size: int) -> Any:
        return np.full(size, self.numbers.pop(0))


def test_each_network_learns_at_its_own_rate() -> None:
    agent = Agent(SMALL, AgentOptions(rate_values=0.25, rate_parameters=0.125))
    rates = {name: optimiser.param_groups[0]["lr"] for name, optimiser in agent.optimisers.items()}
    assert rates == {"values": 0.25, "parameters": 0.125}


def test_ornstein_uhlenbeck_noise_drifts_on_the_parameters_of_the_chosen_arm():
    agent = Agent(SMALL, AgentOptions(noise=0.1, seed=1))
    weigh(agent, value=2.0, parameter=0.5, target_value=2.0, target_parameter=0.5)
    agent.episodes = 10_000
    states, masks = np.zeros((3, 3), np.float32), np.ones((3, 3), np.float32)
    drawn: Any = Drawn(1.0, 1.0, -2.0)
    _, parameters = agent.act(states, [(True, True)] * 3, masks, drawn)
    # By hand, with pull 0.15: 0.1; 0.1 * 0.85 + 0.1 = 0.185; 0.185 * 0.85 - 0.2 = -0.04275. Arm 0 is worth more.
    assert parameters[:, 0] == pytest.approx([0.6, 0.685, 0.45725])
    assert parameters[:, 1] == pytest.approx([0.6, 0.685, 0.45725])
    assert parameters[:, 2].tolist() == [0.5, 0.5, 0.5]  # of the arm that was not chosen
    _, still = agent.act(states, [(True, True)] * 3, masks, None)
    assert (still == 0.5).all()


def test_settings_name_the_noise_that_p_dqn_published():
    assert AgentOptions().noise == 1e-4


def test_the_replay_forgets_the_oldest():
    replay = Replay(2, 1, 1, 1)
    for number in range(3):
        replay.add({"state": float(number), "reward": float(number)})
    assert (len(replay), sorted(replay.rows["state"][:, 0].tolist())) == (2, [1.0, 2.0])


def test_epsilon_falls_over_episodes():
    agent = Agent(SMALL, AgentOptions())
    epsilons = []
    for agent.episodes in (0, 500, 1000, 5000):
        epsilons.append(agent.epsilon)
    assert epsilons == pytest.approx([1.0, 0.525, 0.05, 0.05])


# What the thesis' code had wrong (section 7 of its specification).


def test_the_state_holds_the_words_of_the_turn_and_of_the_dialogue_and_the_clean_answer():
    reading = Reading(uncertainty=0.3, features=(0.3, 1.0, 0.4, 0.5, 0.6))
    turns = tuple(Turn(fields={"utterance": text}) for text in ("hello there", WORDS))
    dialogue_source = Source(case=Case(id="d/0", task="dialogue-state", turns=turns), relations=())
    later = Site(source=dialogue_source, turn=1, variant=("utterance",))
    rows = state_rows([site(), site("another text"), later, site(clean=(reading,)), site(tries=2)])
    assert rows.shape == (5, DIMENSIONS)
    turn, dialogue = slice(0, BUCKETS), slice(BUCKETS, 2 * BUCKETS)
    assert not np.array_equal(rows[0, turn], rows[1, turn])
    assert np.array_equal(rows[0, turn], rows[2, turn])
    assert not np.array_equal(rows[0, dialogue], rows[2, dialogue])
    assert rows[3, -5:].tolist() == pytest.approx([0.3, 1.0, 0.4, 0.5, 0.6])


def test_a_family_is_applied_several_times_and_triggers_decide():
    policy = MultiPdqn(EditSpace(), QUICK, worth)
    vector = policy._vector(np.ones(6), np.ones(110, dtype=np.float32))
    everything = EditSpace().move(site(), vector)
    assert len(everything.steps) == 6 * 4  # a quarter of 17 words, for each of six families
    parameters = np.ones(110, dtype=np.float32)
    parameters[0:20:4] = 0.0  # the triggers of word-insert
    without = EditSpace().move(site(), policy._vector(np.ones(6), parameters))
    assert "word-insert" not in {step.transformation for step in without.steps}


def test_parameters_are_explored_in_training_and_nothing_is_at_evaluation():
    policy = MultiPdqn(EditSpace(), quick(epsilon_end=0.0, noise=0.5), worth)
    policy.agent.episodes = QUICK.epsilon_over
    assert policy.agent.epsilon == 0.0
    shaken = {policy.moves([site(episode=n)])[0].vector for n in range(5)}
    policy.frozen = True
    still = {policy.moves([site(episode=n)])[0].vector for n in range(5)}
    assert len(still) == 1
    assert len(shaken) > 1


def test_random_choices_end_at_evaluation():
    policy = MultiPdqn(EditSpace(), QUICK, worth)
    assert policy.agent.epsilon == 1.0
    policy.frozen = True
    moves = policy.moves([site(episode=n) for n in range(20)])
    assert len({move.vector for move in moves}) == 1


def test_a_frozen_agent_learns_nothing():
    policy = MultiPdqn(EditSpace(), QUICK, worth)
    policy.frozen = True
    before = [parameter.clone() for parameter in policy.agent.values.parameters()]
    drive(Explorer(sources(4), EditSpace(), policy, proposals=80))
    assert all(torch.equal(old, new) for old, new in zip(before, policy.agent.values.parameters(), strict=True))
    assert len(policy.agent.replay) == 0


def test_transitions_go_from_turn_to_turn_and_end_with_the_dialogue():
    policy = MultiPdqn(EditSpace(), quick(start=1000), lambda trial: float(trial.site.turn))
    drive(Explorer(sources(1, turns=3), EditSpace(), policy, proposals=3, lanes=1))
    rows = policy.agent.replay.rows
    assert rows["reward"][:3, 0].tolist() == pytest.approx([0.0, SCALE, 2 * SCALE])
    assert rows["end"][:3, 0].tolist() == [0.0, 0.0, 1.0]
    assert np.array_equal(rows["following"][0], rows["state"][1])


# Checkpoints.


def trained(path: Path | None = None, **more: Any) -> MultiPdqn:
    policy = MultiPdqn(EditSpace(), quick(save=path and str(path), **more), worth)
    drive(Explorer(sources(6), EditSpace(), policy, proposals=60))
    return policy


def test_a_checkpoint_brings_everything_back_and_training_goes_on_the_same(tmp_path: Path):
    first = trained(tmp_path / "agent.safetensors")
    again = MultiPdqn(EditSpace(), quick(resume=str(tmp_path / "agent.safetensors")), worth)
    assert (again.agent.updates, again.agent.episodes) == (first.agent.updates, first.agent.episodes)
    assert first.agent.updates > 0
    for _ in range(3):
        assert first.agent.learn() == again.agent.learn()
    for here, other in zip(first.agent.values.parameters(), again.agent.values.parameters(), strict=True):
        assert torch.equal(here, other)


def test_a_foreign_or_damaged_checkpoint_is_one_clear_line(tmp_path: Path):
    good, torn, foreign, pickled = (tmp_path / name for name in ("good", "torn", "foreign", "pickled"))
    trained(good)
    torn.write_bytes(good.read_bytes()[: len(good.read_bytes()) // 2])
    save_file({"x": torch.ones(1)}, foreign, metadata={"format": "something"})
    torch.save({"x": torch.ones(1)}, pickled)
    for path, message in {
        tmp_path / "none": "no such file",
        torn: "cannot be read",
        pickled: "cannot be read",
        foreign: "the wrong kind of file \\(something\\)",
    }.items():
        with pytest.raises(UsageError, match=message) as caught:
            MultiPdqn(EditSpace(), quick(resume=str(path)), worth)
        assert "\n" not in str(caught.value)
    other = EditSpace(combined=2)
    with pytest.raises(UsageError, match="this agent was trained with the shape"):
        MultiPdqn(other, quick(resume=str(good)), worth)
    with pytest.raises(UsageError, match="a different size"):
        MultiPdqn(EditSpace(), quick(hidden=16, resume=str(good)), worth)


def test_a_checkpoint_with_missing_tensors_is_one_clear_line(tmp_path: Path):
    agent = Agent(SMALL, AgentOptions())
    known = {
        "shape": {"state": 3, "widths": [2, 1], "combined": 1},
        "space": "x",
        "settings": {"hidden": 128, "passes": False},  # as before the multi-pass variant was gone
    }
    path = tmp_path / "agent"
    save_file({"x": torch.ones(1)}, path, metadata={"format": FORMAT, "agent": json.dumps(known)})
    with pytest.raises(UsageError, match="the checkpoint is damaged"):
        load_agent(agent, path, "x")


def test_a_checkpoint_of_what_is_gone_is_one_clear_line_and_others_of_before_load(tmp_path: Path):
    path = tmp_path / "agent.safetensors"
    trained(path)
    with safe_open(path, framework="pt") as file:
        tensors, metadata = {name: file.get_tensor(name) for name in file.keys()}, file.metadata()  # noqa: SIM118
    known = json.loads(metadata["agent"])
    known["settings"] |= {"noise_kind": "gaussian", "loss": "smooth-l1"}
    for passes in (False, True):
        known["settings"]["passes"] = passes
        save_file(tensors, path, metadata={**metadata, "agent": json.dumps(known)})
        if passes:
            with pytest.raises(
                UsageError, match="this agent is of the multi-pass variant, which was removed; train it again"
            ):
                MultiPdqn(EditSpace(), quick(resume=str(path)), worth)
        else:
            assert MultiPdqn(EditSpace(), quick(resume=str(path)), worth).agent.updates > 0


# As users run it.


CASES = [source.case for source in sources(6, turns=2)]
SEARCH = {"type": "multi-pdqn", "proposals": 60, "start": 16, "batch": 16, "epsilon_over": 10}


def ran(store: Path, bot: Any, **more: Any) -> Any:
    chosen = {**SEARCH, **more}
    return mutatis.run(
        bot,
        CASES,
        task="dialogue-state",
        search=chosen,
        settings={"noise_floor": 0, "confirm": 0},
        store=store,
        out=store.parent / "out",
    )


def answer(conversation: Any) -> str:
    return json.dumps({"hotel-area": "north"} if "room" in conversation.fields["utterance"] else {})


def test_a_killed_search_resumes_to_the_same_proposals_and_verdicts(tmp_path: Path):
    whole = tmp_path / "whole"
    whole.mkdir()
    ran(whole / "s.db", ScriptedSystem(answer))
    killed = tmp_path / "killed"
    killed.mkdir()
    asked = 0

    def dies(conversation: Any) -> str:
        nonlocal asked
        asked += 1
        if asked > 30:
            raise KeyboardInterrupt
        return answer(conversation)

    with pytest.raises(KeyboardInterrupt):
        ran(killed / "s.db", ScriptedSystem(dies))
    again = ScriptedSystem(answer)
    ran(killed / "s.db", again)
    assert again.count < 60
    files = [folder / "out" / "verdicts.jsonl" for folder in (whole, killed)]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_search_writes_a_checkpoint_and_a_log_and_evaluates(tmp_path: Path):
    saved, log = tmp_path / "agent.safetensors", tmp_path / "log"
    ran(tmp_path / "s.db", ScriptedSystem(answer), save=str(saved), log=str(log))
    assert saved.exists()
    [events] = log.glob("events.out.tfevents.*")
    assert b"reward" in events.read_bytes()
    assert b"loss/values" in events.read_bytes()
    ran(tmp_path / "s.db", ScriptedSystem(answer), resume=str(saved), evaluate=True)


def test_evaluation_needs_something_learnt(tmp_path: Path):
    with pytest.raises(UsageError, match="name its checkpoint"):
        ran(tmp_path / "s.db", ScriptedSystem(answer), evaluate=True)


@pytest.mark.parametrize(
    ("option", "value", "successor"),
    [
        ("reward", "failures", 'or take type = "evolutionary", or type = "random-edits" with within = "filled"'),
        ("fit", True, 'or take type = "evolutionary", or type = "random-edits" with within = "filled"'),
        ("noise_kind", "gaussian", "leave it out, for the agent is the thesis' alone"),
        ("loss", "smooth-l1", "leave it out, for the agent is the thesis' alone"),
        ("passes", True, "leave it out, for the agent is the thesis' alone"),
    ],
)
def test_an_option_of_our_own_agent_names_its_successor(tmp_path: Path, option: str, value: object, successor: str):
    with pytest.raises(UsageError) as caught:
        ran(tmp_path / "s.db", ScriptedSystem(answer), **{option: value})
    assert str(caught.value).startswith(f"option {option!r} of search 'multi-pdqn' was removed; leave it out")
    assert str(caught.value).endswith(successor)
    assert "\n" not in str(caught.value)


def test_a_missing_extra_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name in ("tensorboardX", "cma") else real(name, *a)
    )
    for name in ("multi-pdqn", "evolutionary"):
        with pytest.raises(mutatis.MutatisError, match=r"mutatis\[rl\]") as caught:
            mutatis.run(ScriptedSystem(answer), CASES, task="dialogue-state", search=name)
        assert "\n" not in str(caught.value)


def test_every_family_has_its_parameters():
    policy = MultiPdqn(EditSpace(), QUICK, worth)
    assert policy.agent.shape.widths == tuple(5 * (1 + len(parameters)) for parameters in FAMILIES.values())


def test_parameters_beyond_the_bounds_are_cut_at_them():
    agent = Agent(SMALL, QUICK)
    for wanted, cut in ((2.0, 1.0), (-2.0, 0.0)):
        with torch.no_grad():
            for weights in agent.parameters.parameters():
                weights.zero_()
            list(agent.parameters.parameters())[-1].fill_(wanted)
        _, parameters = agent.act(np.zeros((1, 3), np.float32), [[True, True]], np.ones((1, 3), np.float32), None)
        assert parameters.tolist() == [[cut] * 3]
