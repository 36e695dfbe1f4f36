"""Transformations of the order of rounds in a dialogue (MORTAR, section 2): shuffling, reduction, duplication.

Each takes the indices of the rounds and returns them in a new order. The random draw does not depend on the ratio, so a
smaller ratio affects a subset of the rounds that a larger one affects.
"""

from __future__ import annotations

from random import Random

from mutatis.core.languages import EVERY
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.transformations.pieces import picks, whole_part

Rounds = tuple[int, ...]


@transformation("identity-order", level="dialogue", capability="expected answers", languages=EVERY)
def identity_order(rounds: Rounds) -> Rounds:
    """Keep all rounds in order.

    >>> identity_order((0, 1, 2))
    (0, 1, 2)
    """
    return rounds


@transformation("round-shuffle", level="dialogue", capability="memory", languages=EVERY)
def round_shuffle(rounds: Rounds, rng: Random) -> Rounds:
    """Shuffle all rounds into a different order (MORTAR's DRS).

    >>> round_shuffle((0, 1, 2, 3, 4), Random(1))
    (0, 3, 2, 4, 1)
    """
    order = rounds
    while order == rounds and len(set(rounds)) > 1:
        order = tuple(rounds[i] for i in picks(rng, len(rounds)))
    return order


@transformation("round-reduction", level="dialogue", capability="memory", languages=EVERY)
def round_reduction(rounds: Rounds, rng: Random, *, ratio: Share = 0.3) -> Rounds:
    """Drop a share of the rounds at random, rounded down, and keep the others in order (MORTAR's DRR).

    >>> round_reduction((0, 1, 2, 3, 4, 5, 6), Random(1))
    (1, 2, 3, 4, 6)
    """
    dropped = _drawn(rounds, rng, ratio)
    return tuple(number for place, number in enumerate(rounds) if place not in dropped)


@transformation("round-duplication", level="dialogue", capability="memory", languages=EVERY)
def round_duplication(rounds: Rounds, rng: Random, *, ratio: Share = 0.2) -> Rounds:
    """Repeat a share of the rounds, rounded down, each at a random position (MORTAR's DRD).

    >>> round_duplication((0, 1, 2, 3, 4), Random(1))
    (0, 1, 2, 0, 3, 4)
    """
    longer = list(rounds)
    for place in _drawn(rounds, rng, ratio):
        longer.insert(rng.randrange(len(longer) + 1), rounds[place])
    return tuple(longer)


@transformation("round-shuffle-reduction", level="dialogue", capability="memory", languages=EVERY)
def round_shuffle_reduction(rounds: Rounds, rng: Random, *, ratio: Share = 0.3) -> Rounds:
    """Drop a share of the rounds and shuffle the rest (MORTAR's DSR).

    >>> round_shuffle_reduction((0, 1, 2, 3, 4, 5, 6), Random(1))
    (6, 3, 1, 2, 4)
    """
    dropped = _drawn(rounds, rng, ratio)
    kept = tuple(number for place, number in enumerate(rounds) if place not in dropped)
    order = kept
    while order == kept and len(set(kept)) > 1:
        order = tuple(rounds[place] for place in picks(rng, len(rounds)) if place not in dropped)
    return order


@transformation("round-shuffle-duplication", level="dialogue", capability="memory", languages=EVERY)
def round_shuffle_duplication(rounds: Rounds, rng: Random, *, ratio: Share = 0.2) -> Rounds:
    """Repeat a share of the rounds, then shuffle all of them (MORTAR's DSD).

    >>> round_shuffle_duplication((0, 1, 2, 3, 4), Random(1))
    (4, 3, 0, 1, 2, 0)
    """
    longer = (*rounds, *(rounds[place] for place in _drawn(rounds, rng, ratio)))
    copies_beside_originals = tuple(sorted(longer, key=rounds.index))
    order = copies_beside_originals
    while order in {copies_beside_originals, longer} and len(set(longer)) > 1:
        # With a key for every copy that a larger ratio could add, the order of the others does not depend on the ratio.
        keys = [rng.random() for _ in range(2 * len(rounds))]
        order = tuple(longer[i] for i in sorted(range(len(longer)), key=keys.__getitem__))
    return order


def _drawn(rounds: Rounds, rng: Random, ratio: float) -> list[int]:
    """Return the places of a share of the rounds, rounded down, in random order."""
    order = list(picks(rng, len(rounds)))  # all are drawn, so that the generator goes on alike for every ratio
    return order[: whole_part(ratio, len(rounds))]
