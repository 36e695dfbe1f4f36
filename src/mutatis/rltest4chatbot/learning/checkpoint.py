"""Saves an agent as a safetensors file, which contains only tensors and numbers, so that loading it runs no code."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from mutatis.extending import UsageError
from mutatis.rltest4chatbot.learning.agent import Agent

FORMAT = "mutatis-multi-pdqn-1"
_NETWORKS = ("parameters", "values", "target_parameters", "target_values")


def save(agent: Agent, path: Path, space: str) -> None:
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
    record: dict[str, Any] = {"shape": asdict(agent.shape), "settings": asdict(agent.settings), "space": space}
    record |= {"updates": agent.updates, "episodes": agent.episodes, "count": agent.replay.count, "seed": agent.seed}
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
    if record["settings"]["hidden"] != agent.settings.hidden:
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
    if "drift" in tensors:  # checkpoints from before there was such noise lack it
        agent.drift = tensors["drift"].numpy()
    agent.updates, agent.episodes = record["updates"], record["episodes"]
    agent.replay.count = min(record["count"], len(tensors["replay.state"]))
