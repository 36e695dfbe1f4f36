"""The two networks of P-DQN, and its multi-pass variant (Xiong et al. 2018; Bester et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn


def _layers(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class Parameters(nn.Module):  # type: ignore[misc]
    """Maps a state to the parameters of all arms; they start at 0.5, and their gradients keep them in 0 to 1."""

    def __init__(self, state: int, parameters: int, hidden: int) -> None:
        super().__init__()
        self.layers = _layers(state, hidden, parameters)
        last = self.layers[-1]
        assert isinstance(last, nn.Linear)
        nn.init.normal_(last.weight, std=1e-3)
        nn.init.constant_(last.bias, 0.5)

    def forward(self, state: Tensor) -> Tensor:
        """Return parameters, (batch, parameters)."""
        return self.layers(state)


class Values(nn.Module):  # type: ignore[misc]
    """Maps a state and parameters to one value per arm.

    With `passes`, each arm's value is computed with the parameters of this arm alone: elsewhere an arm's value depends
    on parameters that it does not have.
    """

    def __init__(self, state: int, widths: Sequence[int], hidden: int, *, passes: bool = False) -> None:
        super().__init__()
        self.layers = _layers(state + sum(widths), hidden, len(widths))
        columns = torch.zeros(len(widths), sum(widths))
        start = 0
        for arm, width in enumerate(widths):
            columns[arm, start : start + width] = 1.0
            start += width
        self.register_buffer("columns", columns, persistent=False)
        self.passes = passes

    def forward(self, state: Tensor, parameters: Tensor) -> Tensor:
        """Return values, (batch, arms)."""
        if not self.passes:
            return self.layers(torch.cat([state, parameters], dim=1))
        columns: Tensor = self.get_buffer("columns")
        arms = columns.shape[0]
        alone = (parameters.unsqueeze(1) * columns).flatten(0, 1)
        every = self.layers(torch.cat([state.repeat_interleave(arms, dim=0), alone], dim=1))
        return every.view(-1, arms, arms).diagonal(dim1=1, dim2=2)


def inverted(gradient: Tensor, parameters: Tensor) -> Tensor:
    """Return gradients that shrink towards the bounds 0 and 1 and point back beyond them (Hausknecht and Stone 2016).

    `gradient` is the direction in which values grow.

    >>> inverted(torch.tensor([1.0, 1.0, -1.0]), torch.tensor([0.25, 1.5, 0.25])).tolist()
    [0.75, -0.5, -0.25]
    """
    room = torch.where(gradient > 0, 1.0 - parameters, parameters)
    return gradient * room
