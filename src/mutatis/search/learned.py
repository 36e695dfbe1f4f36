"""A bandit's estimates for arms, sources and kinds of finding: Gamma-Poisson rates, pooled if data is scarce.

Counts and numbers only. Independent of the proposals.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mutatis.search.arms import Arm

Numbers = NDArray[np.float64]

PRIOR = 4.0
"""Weight, in verdicts, of the overall estimate for a relation, and of a relation's estimate for one of its arms."""

SPREAD, FIRM, WIDEST = 0.5, 1.0, 10.0
"""Prior variance of fragility, its weight in squared expected violations, and the largest variance."""


@dataclass(slots=True)
class Fragility:
    """How a source fares: violations, and how many its arms would give on the average source."""

    violated: float = 0.0
    expected: float = 0.0


@dataclass(slots=True)
class Learned:
    """Everything that verdicts have shown so far.

    Attributes:
        arms, relations, kinds: numbers by name, in the order they were met.
        findings: distinct findings per number of relation and kind of input.
    """

    arms: dict[Arm, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    findings: Counter[tuple[int, int]] = field(default_factory=Counter)
    _named: list[Arm] = field(default_factory=list)
    _relation: list[int] = field(default_factory=list)
    _strength: list[float] = field(default_factory=list)
    _violated: list[float] = field(default_factory=list)
    _exposed: list[float] = field(default_factory=list)
    _spread: list[float] = field(default_factory=lambda: [SPREAD * FIRM, FIRM])

    def arm(self, arm: Arm) -> int:
        """Return the number of an arm."""
        if arm not in self.arms:
            self.arms[arm] = len(self.arms)
            self._named.append(arm)
            self._relation.append(self.relation(arm.relation))
            self._strength.append(arm.strength)
            self._violated.append(0.0)
            self._exposed.append(0.0)
        return self.arms[arm]

    def named(self, number: int) -> Arm:
        """Return an arm by its number."""
        return self._named[number]

    def relation(self, name: str) -> int:
        """Return the number of a relation."""
        return self.relations.setdefault(name, len(self.relations))

    def kind(self, name: str) -> int:
        """Return the number of a kind of input."""
        return self.kinds.setdefault(name, len(self.kinds))

    def judged(self, arm: int, source: Fragility, *, violated: int, judged: int) -> None:
        """Learn an arm's result on a source."""
        expected = judged * float(self.means()[arm])
        self._violated[arm] += violated
        self._exposed[arm] += judged * self.fragility(source)
        self._spread_by(source, -1.0)
        source.violated += violated
        source.expected += expected
        self._spread_by(source, 1.0)

    def fragility(self, source: Fragility) -> float:
        """Return how much more often than the average source this one violates, as far as it showed."""
        return (self.doubt + source.violated) / (self.doubt + source.expected)

    @property
    def doubt(self) -> float:
        """Expected violations needed to believe half of a source's record: one over the variance of fragility.

        Learned by moments: beyond chance, (violated - expected)^2 - expected grows with expected^2.
        """
        above, squares = self._spread
        return 1 / min(WIDEST, max(1 / WIDEST, above / squares))

    def _spread_by(self, source: Fragility, sign: float) -> None:
        self._spread[0] += sign * ((source.violated - source.expected) ** 2 - source.expected)
        self._spread[1] += sign * source.expected**2

    def means(self) -> Numbers:
        """Return the expected violations per verdict of each arm on the average source."""
        shape, exposed = self._posterior()
        return shape / exposed

    def drawn(self, draws: np.random.Generator) -> Numbers:
        """Return one draw of the same from the posterior."""
        shape, exposed = self._posterior()
        return draws.gamma(shape) / exposed

    def worth(self, pending: Counter[tuple[int, int]], novelty: float) -> Numbers:
        """Return the worth of a finding, kinds x arms. Findings already made, or still pending, lower it."""
        counts = np.zeros((len(self.kinds), len(self.relations)))
        for known in (self.findings, pending):
            for (relation, kind), number in known.items():
                counts[kind, relation] += number
        return ((1.0 + counts) ** -novelty)[:, self._relation]

    def _posterior(self) -> tuple[Numbers, Numbers]:
        violated, exposed = np.array(self._violated), np.array(self._exposed)
        of, strength = np.array(self._relation), np.array(self._strength)
        size = len(self.relations)
        # A weaker follow-up changes a part of what the whole one does: before it is tried it promises less by as much.
        whole = exposed * strength
        by_relation = np.bincount(of, violated, size), np.bincount(of, whole, size)
        overall = (violated.sum() + 1) / (whole.sum() + PRIOR)
        relation = (by_relation[0] + PRIOR * overall) / (by_relation[1] + PRIOR)
        return PRIOR * relation[of] * strength + violated, PRIOR + exposed
