"""How often the interval of a violation rate holds the truth, over a grid of what campaigns look like.

    python studies/statistics/coverage.py [--runs 1000] [--worst 12]

Each seed draws its own chance from a beta distribution of the given mean and intraclass correlation, and its follow-ups
from that chance. Printed: coverage per intraclass correlation and number of seeds (the lowest over rates and numbers of
follow-ups per seed), the worst cells, and how wide the intervals are. Exit code 1 where a cell is below 93 %.
"""

from __future__ import annotations

import argparse
import itertools
import sys

import numpy as np
from numpy.typing import NDArray

from mutatis.analysis.intervals import violation_rate

SEEDS = (5, 10, 20, 50, 100, 300)
RATES = (0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 0.6)
LIKENESS = (0.0, 0.05, 0.1, 0.3, 0.6, 1.0)
SIZES = (2, 5, 20, 0)
"""Follow-ups per seed; 0 is a different number for each, from 1 to 20."""
GOAL = 0.93


def draw(
    generator: np.random.Generator, seeds: int, size: int, rate: float, icc: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    sizes = generator.integers(1, 21, seeds) if size == 0 else np.full(seeds, size)
    if icc == 0:
        chances = np.full(seeds, rate)
    elif icc == 1:
        chances = generator.binomial(1, rate, seeds).astype(float)
    else:
        chances = generator.beta(rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc, seeds)
    return generator.binomial(sizes, chances), sizes


def cell(seeds: int, size: int, rate: float, icc: float, runs: int) -> tuple[float, float]:
    """Return coverage and mean width of one cell of the grid."""
    generator = np.random.default_rng([seeds, size, int(rate * 1000), int(icc * 100)])
    held, width = 0, 0.0
    for _ in range(runs):
        violated, sizes = draw(generator, seeds, size, rate, icc)
        interval = violation_rate(list(zip(violated.tolist(), sizes.tolist(), strict=True)))
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= rate <= interval.high
        width += interval.high - interval.low
    return held / runs, width / runs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--worst", type=int, default=12)
    args = parser.parse_args()
    grid = itertools.product(LIKENESS, SEEDS, SIZES, RATES)
    shares = {key: cell(key[1], key[2], key[3], key[0], args.runs) for key in grid}
    print(f"lowest coverage over {len(SIZES)} numbers of follow-ups and {len(RATES)} rates, {args.runs} runs a cell")
    print("icc \\ seeds " + "".join(f"{seeds:>9}" for seeds in SEEDS))
    for icc in LIKENESS:
        lowest = [min(v[0] for k, v in shares.items() if k[:2] == (icc, seeds)) for seeds in SEEDS]
        print(f"{icc:<12}" + "".join(f"{share:>9.1%}" for share in lowest))
    print("\nworst cells: icc, seeds, follow-ups (0: mixed), rate, coverage, mean width")
    for key, (share, width) in sorted(shares.items(), key=lambda item: item[1][0])[: args.worst]:
        print(f"  {key[0]:<5} {key[1]:<4} {key[2]:<3} {key[3]:<6} {share:.1%} {width:.3f}")
    below = sum(share < GOAL for share, _ in shares.values())
    print(f"\n{below} of {len(shares)} cells below {GOAL:.0%}")
    return int(below > 0)


if __name__ == "__main__":
    sys.exit(main())
