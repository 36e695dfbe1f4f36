"""Trains the word adapter: a small network that says from two words' embeddings whether one may stand for the other.

`train.py` runs it first. Deterministic on one machine: seeded, one thread.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
from word_pairs import WordPair, held_out, word_pairs

from mutatis.measures.model import WordAdapter, parse_adapter
from mutatis.text import embedder

RANK = 64
UNITS = 64
SCALE, COSINE = 4.0, 3.0  # bring what the units see near to 1
EPOCHS = 10
BATCH = 512
DROPOUT = 0.2
OF_ANTONYMS = 3.0  # weight of a pair of opposites, which are few and the hardest


def _weights(pairs: Sequence[WordPair]) -> torch.Tensor:
    """Return a weight per pair that lets the two verdicts count alike."""
    weight = np.array([OF_ANTONYMS if pair.kind.startswith("antonym") else 1.0 for pair in pairs])
    same = np.array([pair.same for pair in pairs])
    weight[same] *= weight[~same].sum() / weight[same].sum()
    return torch.tensor(weight / weight.mean(), dtype=torch.float32)


class _Network(torch.nn.Module):
    """What `WordAdapter` evaluates, with dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.projection = torch.nn.Linear(embedder.DIMENSIONS, RANK, bias=False)
        self.inner = torch.nn.Linear(1 + 2 * RANK, UNITS)
        self.outer = torch.nn.Linear(UNITS, 1)
        self.drop = torch.nn.Dropout(DROPOUT)

    def forward(self, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        cosine = (first * second).sum(1, keepdim=True)
        ours, theirs = (self.projection(self.drop(side)) * SCALE for side in (first, second))
        row = torch.cat([cosine * COSINE, (ours - theirs).abs(), ours * theirs], 1)
        scores: torch.Tensor = self.outer(self.drop(torch.relu(self.inner(row)))).squeeze(1)
        return scores

    def adapter(self) -> WordAdapter:
        """Return it in halves of precision, the scales multiplied out."""
        inner = self.inner.weight.detach().T.clone()
        inner[0] *= COSINE
        parts = (self.projection.weight.T * SCALE, inner, self.inner.bias, self.outer.weight[0], self.outer.bias)
        projection, inner, inner_shift, outer, outer_shift = (
            part.detach().numpy().astype(np.float16) for part in parts
        )
        return WordAdapter(
            projection=projection, inner=inner, inner_shift=inner_shift, outer=outer, outer_shift=outer_shift
        )


def train_adapter(pairs: Sequence[WordPair], *, seed: int = 0) -> WordAdapter:
    """Return an adapter trained on pairs of words."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    first, second = (torch.tensor(embedder.embed([pair.words[side] for pair in pairs])) for side in (0, 1))
    target = torch.tensor([float(not pair.same) for pair in pairs])
    weight = _weights(pairs)
    network = _Network()
    steps = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=1e-3)
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(steps, EPOCHS)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(pairs)).split(BATCH):
            steps.zero_grad()
            said = network(first[batch], second[batch])
            torch.nn.functional.binary_cross_entropy_with_logits(said, target[batch], weight[batch]).backward()
            steps.step()
        slower.step()
    return network.adapter()


def _stored(pairs: Sequence[WordPair]) -> Path:
    """Return where the adapter trained on these pairs is kept between runs on this machine."""
    told = repr(
        (RANK, UNITS, SCALE, COSINE, EPOCHS, BATCH, DROPOUT, OF_ANTONYMS, [(pair.words, pair.same) for pair in pairs])
    )
    return Path(tempfile.gettempdir()) / f"mutatis-word-adapter-{hashlib.sha256(told.encode()).hexdigest()[:16]}.npz"


@cache
def adapter(part: int | None = None) -> WordAdapter:
    """Return the adapter trained on all word pairs, or on those that share nothing with a part's substitutions."""
    pairs = word_pairs() if part is None else held_out(part)
    file = _stored(pairs)
    if not file.exists():
        file.write_bytes(train_adapter(pairs).stored())
    return parse_adapter(file.read_bytes())
