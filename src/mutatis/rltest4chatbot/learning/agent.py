"""The agent of Multi-PDQN, which is P-DQN with the k best arms instead of one (RLTest4Chatbot, 2.2.2).

A parameter network maps the state to the parameters of all arms, and a Q network maps state and parameters to a value
for each arm. The action consists of the k arms with the highest values. Their importance is the softmax of the k
values, scaled so that the largest is 1. The thesis does not specify how values are learnt. Here, the target of each arm
in an action is the reward of the action plus the mean value of the k best arms at the next turn, discounted by `gamma`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from mutatis.extending import UsageError
from mutatis.rltest4chatbot.learning.options import AgentOptions

Numbers = NDArray[np.float32]

PULL = 0.15
"""Share of its distance from 0 that Ornstein-Uhlenbeck noise loses at each step, as in P-DQN."""


TAU_VALUES, TAU_PARAMETERS = 0.01, 0.001
"""Soft update rates of the two target networks, as in P-DQN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Dimensions of an agent: the length of a state, the number of parameters of each arm, and k."""

    state: int
    widths: tuple[int, ...]
    combined: int


class Replay:
    """Replay memory: a ring buffer with the last `size` transitions of an agent, one table per part of a transition.

    `used` marks the arms that the action used, and `open_next` the arms that were possible after it.
    """

    def __init__(self, size: int, state: int, parameters: int, arms: int) -> None:
        widths = {"state": state, "parameters": parameters, "used": arms, "reward": 1, "following": state}
        widths |= {"mask_next": parameters, "open_next": arms, "end": 1, "mask": parameters}
        self.rows: dict[str, Numbers] = {name: np.zeros((size, width), np.float32) for name, width in widths.items()}
        self.size, self.count = size, 0

    def __len__(self) -> int:
        return min(self.count, self.size)

    def add(self, transition: Mapping[str, Numbers | float]) -> None:
        """Store a transition, replacing the oldest one if the buffer is full."""
        for name, value in transition.items():
            self.rows[name][self.count % self.size] = value
        self.count += 1

    def sample(self, rng: np.random.Generator, size: int) -> dict[str, Numbers]:
        """Return random transitions, drawn with replacement."""
        chosen = rng.integers(len(self), size=size)
        return {name: rows[chosen] for name, rows in self.rows.items()}


class Agent:
    """An agent: its networks, their target networks and optimisers, and the replay memory."""

    def __init__(self, shape: Shape, options: AgentOptions) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(options.seed)
            self.parameters = Parameters(shape.state, sum(shape.widths), options.hidden)
            self.values = Values(shape.state, shape.widths, options.hidden)
        self.shape, self.options = shape, options
        self.target_parameters, self.target_values = deepcopy(self.parameters), deepcopy(self.values)
        self.optimisers = {
            "values": torch.optim.Adam(self.values.parameters(), lr=options.rate_values),
            "parameters": torch.optim.Adam(self.parameters.parameters(), lr=options.rate_parameters),
        }
        self.replay = Replay(options.replay, shape.state, sum(shape.widths), len(shape.widths))
        self.updates = self.episodes = 0
        self.drift: Numbers = np.zeros(sum(shape.widths), np.float32)

    @property
    def epsilon(self) -> float:
        """Probability of a random choice, which decreases from 1 as more episodes are seen."""
        return 1 - (1 - self.options.epsilon_end) * min(1.0, self.episodes / self.options.epsilon_over)

    def act(
        self, states: Numbers, possible: Sequence[Sequence[bool]], masks: Numbers, rng: np.random.Generator | None
    ) -> tuple[Numbers, Numbers]:
        """Return the importances (rows, arms) and parameters (rows, parameters) for a batch of states.

        Without `rng`, nothing is explored.
        """
        with torch.no_grad():
            wanted = self.parameters(torch.from_numpy(states))
            parameters = wanted.clamp(0, 1).numpy() * masks
            values = self.values(torch.from_numpy(states), torch.from_numpy(parameters)).numpy()
        if rng is not None:
            drawn = rng.random(len(values)) < self.epsilon
            values = np.where(drawn[:, None], rng.normal(size=values.shape), values).astype(np.float32)
        weights = importances(values, np.asarray(possible, dtype=bool), self.shape.combined)
        if rng is not None:
            parameters = np.clip(parameters + self._drifted(weights > 0, rng), 0, 1) * masks
        return weights, parameters

    def _drifted(self, chosen: NDArray[np.bool_], rng: np.random.Generator) -> Numbers:
        """Return Ornstein-Uhlenbeck noise for the parameters of the chosen arms, one time step per row."""
        steps = np.empty((len(chosen), len(self.drift)), np.float32)
        for row in range(len(chosen)):
            step = self.options.noise * rng.standard_normal(len(self.drift))
            self.drift = ((1 - PULL) * self.drift + step).astype(np.float32)
            steps[row] = self.drift
        return steps * np.repeat(chosen, self.shape.widths, axis=1)

    def learn(self) -> dict[str, float]:
        """Make one update and return the losses, if the replay memory contains enough transitions."""
        if len(self.replay) < min(self.options.start, self.options.replay):
            return {}
        rng = np.random.default_rng([self.options.seed, self.updates])
        rows = self.replay.sample(rng, self.options.batch)
        batch = {name: torch.from_numpy(values) for name, values in rows.items()}
        losses = {"values": self._learn_values(batch), "parameters": self._learn_parameters(batch)}
        _follow(self.target_values, self.values, TAU_VALUES)
        _follow(self.target_parameters, self.parameters, TAU_PARAMETERS)
        self.updates += 1
        return losses

    def _learn_values(self, batch: Mapping[str, Tensor]) -> float:
        """Update the Q network towards the targets, and return the loss. Only arms that an action used are compared."""
        following, used = batch["following"], batch["used"]
        with torch.no_grad():
            later = self.target_parameters(following).clamp(0, 1) * batch["mask_next"]
            best = self.target_values(following, later).masked_fill(batch["open_next"] == 0, -torch.inf)
            best = best.topk(self.shape.combined, dim=1).values
            # The mean of the possible arms only, or 0 if none is possible.
            mean = torch.where(best.isinf(), torch.nan, best).nanmean(dim=1, keepdim=True).nan_to_num()
            target = batch["reward"] + self.options.gamma * (1 - batch["end"]) * mean
        errors = (self.values(batch["state"], batch["parameters"]) - target) ** 2 * used
        loss = errors.sum() / used.sum().clamp(min=1)
        self._step("values", loss, self.values)
        return float(loss.detach())

    def _learn_parameters(self, batch: Mapping[str, Tensor]) -> float:
        """Update the parameter network so that the values grow, and return the negative mean value.

        The gradients of the values are inverted before they reach the network, so they are computed on a copy of its
        output.
        """
        state, mask = batch["state"], batch["mask"]
        output = self.parameters(state)
        copy = output.detach().clone().requires_grad_(True)
        value = self.values(state, copy * mask).sum()
        [gradient] = torch.autograd.grad(value, copy)
        direction = inverted(gradient, copy.detach()) * mask
        loss = -(output * direction).sum() / len(state)
        self._step("parameters", loss, self.parameters)
        return float(-value.detach() / len(state))

    def _step(self, name: str, loss: Tensor, network: nn.Module) -> None:
        self.optimisers[name].zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        self.optimisers[name].step()


def importances(values: Numbers, possible: NDArray[np.bool_], combined: int) -> Numbers:
    """Return the importance of each arm.

    For the k best possible arms, it is the softmax of their values, scaled so that the largest is 1. For other arms, it
    is 0.

    >>> (importances(np.array([[0.0, 1.0, -5.0]]), np.array([[True, True, True]]), 2) * 1000).round().tolist()
    [[368.0, 1000.0, 0.0]]
    """
    weights = np.zeros_like(values)
    for row, (row_values, is_open) in enumerate(zip(values, possible, strict=True)):
        order = [arm for arm in np.argsort(-row_values, kind="stable") if is_open[arm]][:combined]
        if order:
            weights[row, order] = np.exp(row_values[order] - row_values[order[0]])  # softmax over its largest
    return weights


def _follow(target: nn.Module, source: nn.Module, tau: float) -> None:
    with torch.no_grad():
        for old, new in zip(target.parameters(), source.parameters(), strict=True):
            old.lerp_(new, tau)


# The two networks of P-DQN (Xiong et al. 2018).


def _layers(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class Parameters(nn.Module):  # type: ignore[misc]
    """Network that maps a state to the parameters of all arms.

    The parameters start at 0.5, and their gradients are inverted to keep them between 0 and 1.
    """

    def __init__(self, state: int, parameters: int, hidden: int) -> None:
        super().__init__()
        self.layers = _layers(state, hidden, parameters)
        last = self.layers[-1]
        assert isinstance(last, nn.Linear)
        nn.init.normal_(last.weight, std=1e-3)
        nn.init.constant_(last.bias, 0.5)

    def forward(self, state: Tensor) -> Tensor:
        """Return the parameters of all arms, of shape (batch, parameters)."""
        return self.layers(state)


class Values(nn.Module):  # type: ignore[misc]
    """Network that maps a state and the parameters of all arms to one value per arm."""

    def __init__(self, state: int, widths: Sequence[int], hidden: int) -> None:
        super().__init__()
        self.layers = _layers(state + sum(widths), hidden, len(widths))

    def forward(self, state: Tensor, parameters: Tensor) -> Tensor:
        """Return the values of all arms, of shape (batch, arms)."""
        return self.layers(torch.cat([state, parameters], dim=1))


def inverted(gradient: Tensor, parameters: Tensor) -> Tensor:
    """Return gradients that shrink towards the bounds 0 and 1 and change sign beyond them.

    `gradient` is the direction of growing values (Hausknecht and Stone 2016).

    >>> inverted(torch.tensor([1.0, 1.0, -1.0]), torch.tensor([0.25, 1.5, 0.25])).tolist()
    [0.75, -0.5, -0.25]
    """
    room = torch.where(gradient > 0, 1.0 - parameters, parameters)
    return gradient * room


FORMAT = "mutatis-multi-pdqn-1"
_NETWORKS = ("parameters", "values", "target_parameters", "target_values")


def save_agent(agent: Agent, path: Path, space: str) -> None:
    """Write an agent's networks, optimisers, replay memory and counters atomically.

    `space` is the name of the action space used in training.
    """
    tensors: dict[str, torch.Tensor] = {}
    for name in _NETWORKS:
        tensors |= {f"{name}.{key}": value for key, value in getattr(agent, name).state_dict().items()}
    for name, optimiser in agent.optimisers.items():
        for number, moments in optimiser.state_dict()["state"].items():
            tensors |= {f"adam.{name}.{number}.{key}": value for key, value in moments.items()}
    filled = len(agent.replay)
    tensors["drift"] = torch.from_numpy(agent.drift)
    tensors |= {f"replay.{name}": torch.from_numpy(rows[:filled]) for name, rows in agent.replay.rows.items()}
    record: dict[str, Any] = {"shape": asdict(agent.shape), "settings": {"hidden": agent.options.hidden}}
    record |= {"space": space, "updates": agent.updates, "episodes": agent.episodes, "count": agent.replay.count}
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    save_file(
        {name: tensor.detach().contiguous().clone() for name, tensor in tensors.items()},
        unfinished,
        metadata={"format": FORMAT, "agent": json.dumps(record)},
    )
    unfinished.replace(path)


def load_agent(agent: Agent, path: Path, space: str) -> None:
    """Restore an agent from a checkpoint.

    Raises:
        UsageError: the file does not exist, is not an agent's checkpoint, or was made for a different space, size or k.
    """
    record, tensors = _read(path)
    expected = {"shape": json.loads(json.dumps(asdict(agent.shape))), "space": space}  # tuples are lists in JSON
    for name, value in expected.items():
        if record.get(name) != value:
            raise UsageError(
                f"{path}: this agent was trained with the {name} {record.get(name)}, but the search has {value}; train "
                "an agent with the options of this search"
            )
    if record["settings"]["hidden"] != agent.options.hidden:
        raise UsageError(f"{path}: the networks have a different size; set hidden to the value used in training")
    if record["settings"].get("passes"):
        raise UsageError(f"{path}: this agent is of the multi-pass variant, which was removed; train it again")
    try:
        _fill(agent, record, tensors)
    except (KeyError, RuntimeError, ValueError) as error:
        raise UsageError(
            f"{path}: the checkpoint is damaged: {str(error).splitlines()[0]}; train the agent again"
        ) from None


def _read(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """Return the record and the tensors of a checkpoint."""
    expected = "expected a checkpoint that the search multi-pdqn saved (safetensors)"
    if not path.is_file():
        raise UsageError(f"{path}: no such file; {expected}")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no mapping
    except (SafetensorError, OSError) as error:
        raise UsageError(f"{path}: cannot be read ({str(error).splitlines()[0]}); {expected}") from None
    if metadata.get("format") != FORMAT:
        raise UsageError(f"{path} is the wrong kind of file ({metadata.get('format', 'no format named')}); {expected}")
    return json.loads(metadata["agent"]), tensors


def _fill(agent: Agent, record: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
    """Set an agent's networks, optimisers, replay memory and counters."""
    for name in _NETWORKS:
        weights = {
            key.removeprefix(f"{name}."): tensor for key, tensor in tensors.items() if key.startswith(f"{name}.")
        }
        getattr(agent, name).load_state_dict(weights)
    for name, optimiser in agent.optimisers.items():
        state: dict[int, dict[str, torch.Tensor]] = {}
        for key, tensor in tensors.items():
            if key.startswith(f"adam.{name}."):
                number, field = key.removeprefix(f"adam.{name}.").split(".")
                state.setdefault(int(number), {})[field] = tensor
        optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
    for name, rows in agent.replay.rows.items():
        saved = tensors[f"replay.{name}"].numpy()[: agent.replay.size]  # this agent's memory may be smaller
        rows[: len(saved)] = saved
    if "drift" in tensors:  # the state of the noise added to parameters, which older checkpoints lack
        agent.drift = tensors["drift"].numpy()
    agent.updates, agent.episodes = record["updates"], record["episodes"]
    agent.replay.count = min(record["count"], len(tensors["replay.state"]))
