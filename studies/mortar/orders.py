"""The five perturbations under the papers' names, as orders of seed turns; reproducible from the dialogue's id."""

from __future__ import annotations

import random

from mutatis.transformations.dialogue import (
    round_duplication,
    round_reduction,
    round_shuffle,
    round_shuffle_duplication,
    round_shuffle_reduction,
)

PERTURBATIONS = {
    "DRS": round_shuffle,
    "DRR": round_reduction,
    "DRD": round_duplication,
    "DSR": round_shuffle_reduction,
    "DSD": round_shuffle_duplication,
}


def order_of(perturbation: str, dialogue: str, turns: int, *, draw: int = 0, seed: int = 0) -> list[int]:
    """Return the order of seed turns that a perturbation makes of a dialogue: the same for the same arguments."""
    rng = random.Random(f"{seed}/{perturbation}/{dialogue}/{draw}")
    return list(PERTURBATIONS[perturbation](tuple(range(turns)), rng))
