"""Do a bandit's rates agree with those of a run that tries everything?

    python studies/search/rates.py --data DATA --work WORK [--only SST] [--limit 300] [--seeds 5]

Every relation's rate over all follow-ups of the first sources is the truth; the intervals that the bandit reports for
1,000 questions on the same sources should hold it in 95 of 100 cases. What all of its verdicts say
stands beside it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean

from pairs import Tables, pairs

from mutatis.api import run_config
from mutatis.config import check


def main() -> None:
    """Print how many intervals hold the truth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--only", default="SST")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=5)
    args = parser.parse_args()
    store = args.work / "answers.db"
    for name, build in pairs(args.data, args.work).items():
        if args.only.lower() not in name.lower():
            continue
        tables = first(build(), args.limit)
        every = run_config(check({**tables, "noise_floor": 0, "confirm": 0}), store=store)
        truth = {row.relation: row.rate for row in every.summary if row.rate is not None}
        held, raw = [], []
        for seed in range(args.seeds):
            search = {"search": {"type": "bandit"}, "max_queries": 1000, "seed": seed}
            for row in run_config(check({**tables, **search}), store=store).summary:
                expected = truth.get(row.relation)
                if row.interval is not None and expected is not None:
                    held.append(row.interval[0] <= expected <= row.interval[1])
                    raw.append(row.violated / row.judged - expected)
        print(f"{name}: {sum(held)} of {len(held)} intervals hold the exhaustive rate ({mean(held):.1%})")
        print(f"  all verdicts of the search taken for a sample: rates {mean(raw):+.3f} too high on average")


def first(tables: Tables, limit: int) -> Tables:
    """Return the tables of a pair on its first sources."""
    return {**tables, "data": [{**block, "limit": limit} for block in tables["data"]]}


if __name__ == "__main__":
    main()
