"""The five perturbations as orders of seed turns, until the library's own are used here."""

from __future__ import annotations

import random
from collections.abc import Callable

REDUCTION = 0.30
DUPLICATION = 0.20


def shuffled(order: list[int], rng: random.Random) -> list[int]:
    """Return `order` shuffled; two or more turns never keep their order."""
    if len(set(order)) < 2:
        return list(order)
    while True:
        result = rng.sample(order, len(order))
        if result != order:
            return result


def reduced(order: list[int], rng: random.Random, ratio: float = REDUCTION) -> list[int]:
    """Drop floor(ratio * n) random turns, order kept."""
    dropped = set(rng.sample(range(len(order)), int(ratio * len(order) + 1e-9)))
    return [turn for place, turn in enumerate(order) if place not in dropped]


def duplicated(order: list[int], rng: random.Random, ratio: float = DUPLICATION) -> list[int]:
    """Insert floor(ratio * n) distinct random turns once more, each at a uniformly random gap of the originals."""
    chosen = rng.sample(range(len(order)), int(ratio * len(order) + 1e-9))
    gaps: dict[int, list[int]] = {}
    for place in chosen:
        gaps.setdefault(rng.randint(0, len(order)), []).append(order[place])
    result: list[int] = []
    for place in range(len(order) + 1):
        result += gaps.get(place, [])
        result += order[place : place + 1]
    return result


PERTURBATIONS: dict[str, Callable[[list[int], random.Random], list[int]]] = {
    "DRS": shuffled,
    "DRR": reduced,
    "DRD": duplicated,
    "DSR": lambda order, rng: shuffled(reduced(order, rng), rng),
    "DSD": lambda order, rng: shuffled(duplicated(order, rng), rng),
}


def order_of(perturbation: str, dialogue: str, turns: int, *, draw: int = 0, seed: int = 0) -> list[int]:
    """Return the order of seed turns that a perturbation makes of a dialogue: the same for the same arguments."""
    rng = random.Random(f"{seed}/{perturbation}/{dialogue}/{draw}")
    return PERTURBATIONS[perturbation](list(range(turns)), rng)
