"""Checks the probabilities that systems return: single probabilities and complete distributions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypedDict

from mutatis.core.errors import SystemFailure

ROUNDING = 0.005
"""Maximum rounding error of a probability, allowing for two decimals, the coarsest rounding in common use."""

LEAST, MOST = 0.01, 0.05
"""Smallest and largest tolerance for the sum of a distribution, which grows with the number of labels.

Rounding to two decimals shifts the sum by up to 0.03 (20 labels), and rounding to three by up to 0.05 (1,000 labels).
"""


EPSILON = 1e-6
"""Tolerance below zero for a probability. Rounding may make 1 - p slightly negative."""


class Chances(TypedDict):
    """The probabilities in a `Response`: of one decision between labels, or of one yes-or-no decision per label."""

    probabilities: dict[str, float] | None
    decisions: dict[str, dict[str, float]] | None


def sums_to_one(chances: Mapping[str, float]) -> bool:
    """Return True if probabilities form a complete distribution, up to rounding.

    >>> sums_to_one({"a": 0.33, "b": 0.33, "c": 0.33}), sums_to_one({"a": 0.9, "b": 0.6}), sums_to_one({"a": 0.9})
    (True, False, False)
    """
    return abs(sum(chances.values()) - 1.0) <= _tolerance(chances)


def as_chances(chances: Mapping[str, float]) -> Chances:
    """Return a classifier's probabilities by label. Labels scored separately become separate yes-or-no decisions.

    >>> as_chances({"spam": 0.75})["probabilities"]
    {'spam': 0.75, 'not spam': 0.25}
    >>> as_chances({"rude": 0.75, "loud": 0.5})["decisions"]
    {'rude': {'yes': 0.75, 'no': 0.25}, 'loud': {'yes': 0.5, 'no': 0.5}}
    """
    if sums_to_one(chances):
        return Chances(probabilities=dict(chances), decisions=None)
    if len(chances) == 1:
        [(label, chance)] = chances.items()
        return Chances(probabilities={label: chance, f"not {label}": 1.0 - chance}, decisions=None)
    return Chances(probabilities=None, decisions={name: {"yes": p, "no": 1.0 - p} for name, p in chances.items()})


def check_chances(chances: Mapping[str, float], what: str, *, whole: bool = True) -> None:
    """Raise SystemFailure if the values are not probabilities. If `whole` is true, they must also sum to one.

    >>> try: check_chances({"yes": 0.9, "no": 0.9}, "the answer's probabilities")
    ... except SystemFailure as error: print(error)
    the answer's probabilities sum to 1.8; expected 1
    """
    if not isinstance(chances, Mapping) or not all(isinstance(name, str) for name in chances):
        raise SystemFailure(f"{what} do not map labels to numbers")
    for name, chance in chances.items():
        if not isinstance(chance, int | float):
            raise SystemFailure(f"{what} do not map labels to numbers")
        if not math.isfinite(chance) or not -EPSILON <= chance <= 1.0 + LEAST:
            raise SystemFailure(f"{what}: {name[:60]!r} has {chance:g}; expected a number from 0 to 1")
    total = sum(chances.values())
    if chances and (total > 1.0 + _tolerance(chances) or (whole and not sums_to_one(chances))):
        raise SystemFailure(f"{what} sum to {total:.6g}; expected {'1' if whole else 'at most 1'}")


def _tolerance(chances: Mapping[str, float]) -> float:
    return min(MOST, max(LEAST, ROUNDING * len(chances)))
