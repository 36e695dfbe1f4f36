"""Options of the agent of Multi-PDQN, which are also options of its search."""

from __future__ import annotations

import pydantic

from mutatis.extending import FileName, Options, OutputName


class AgentOptions(Options):
    """Hyperparameters of an agent, with the defaults of P-DQN, and the files that it reads and writes.

    Attributes:
        gamma: discount factor for the value of the next turn.
        batch, replay, start: number of transitions per update, in the replay memory, and before the first update.
        hidden: number of units in the hidden layer.
        rate_values, rate_parameters: learning rates of the agent's two networks.
        noise: standard deviation of the Ornstein-Uhlenbeck noise on the parameters of the chosen arms.
        updates: number of updates per move.
        epsilon_end, epsilon_over: final probability of a random choice, and number of episodes over which it falls.
        evaluate: whether to use the networks from `resume` without learning and with epsilon 0.
        resume: a checkpoint to continue from.
        save: path of the checkpoint to write.
        log: a folder for TensorBoard logs.
        seed: seed for the networks and for exploration.
    """

    gamma: float = pydantic.Field(default=0.9, ge=0, lt=1)
    batch: int = pydantic.Field(default=64, ge=1)
    replay: int = pydantic.Field(default=10_000, ge=1)
    start: int = pydantic.Field(default=500, ge=1)
    hidden: int = pydantic.Field(default=128, ge=1)
    rate_values: float = pydantic.Field(default=1e-3, gt=0)
    rate_parameters: float = pydantic.Field(default=1e-4, gt=0)
    noise: float = pydantic.Field(default=1e-4, ge=0)
    updates: int = pydantic.Field(default=1, ge=1)
    epsilon_end: float = pydantic.Field(default=0.05, ge=0, le=1)
    epsilon_over: int = pydantic.Field(default=1000, ge=1)
    evaluate: bool = False
    resume: FileName | None = None
    save: OutputName | None = None
    log: OutputName | None = None
    seed: int = 0
