"""Which search finds most for 500, 1,000 and 3,000 questions: `once`, `random` and `bandit` on four pairs.

    python studies/search/study.py --data DATA --work WORK [--budgets 1000] [--seeds 5] [--only CoQA]

Answers are stored in WORK and served again; a budget counts stored questions like paid ones, so a second run is the
same and cheap. Prints a table and writes it to WORK/results.json, beside what other calls found.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pairs import pairs

from mutatis.api import Run, run_config
from mutatis.config import check
from mutatis.core.cases import Case
from mutatis.core.search import Search, Source
from mutatis.search import SEARCHES, OnceOptions, Setting
from mutatis.search.arms import kind_of

COMPARED = ("once", "file-order", "random", "bandit")


@SEARCHES.register("file-order")
class FileOrder(OnceOptions):
    """The plain run as it is without a budget: source by source, in the order of the file."""

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Return the search, whatever the budget is."""
        return self.build(sources)


def main() -> None:
    """Run what is asked for and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--budgets", type=int, nargs="+", default=[500, 1000, 3000])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--searches", nargs="+", default=COMPARED)
    parser.add_argument("--only", default="")
    parser.add_argument("--set", dest="options", type=json.loads, default={}, help="options of the bandit, as JSON")
    args = parser.parse_args()
    file = args.work / "results.json"
    results = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    for name, build in pairs(args.data, args.work).items():
        if args.only.lower() not in name.lower():
            continue
        tables = build()
        for budget in args.budgets:
            rows = {}
            for search in args.searches:
                started = time.perf_counter()
                options = args.options if search == "bandit" else {}
                counts = [search_once(tables, search, options, budget, seed, args.work) for seed in range(args.seeds)]
                rows[search] = {key: [row[key] for row in counts] for key in counts[0]}
                rows[search]["seconds"] = round(time.perf_counter() - started, 1)
            results = [result for result in results if (result["pair"], result["budget"]) != (name, budget)]
            results.append({"pair": name, "budget": budget, "searches": rows})
            print(shown(results[-1]), flush=True)
            args.work.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(results, indent=1), encoding="utf-8")


def search_once(
    tables: dict[str, Any], search: str, options: dict[str, Any], budget: int, seed: int, work: Path
) -> dict[str, float]:
    """Run one campaign and return what it found."""
    config = check({**tables, "search": {"type": search, **options}, "max_queries": budget, "seed": seed})
    run = run_config(config, store=work / "answers.db", out=work / "runs" / f"{search}-{budget}-{seed}")
    return figures(run)


def figures(run: Run) -> dict[str, float]:
    """Return the distinct findings and pairs of a run, those that did not hold taken out in proportion."""
    checked = [finding for finding in run.findings if finding.confirmed is not None]
    held = sum(finding.confirmed is True for finding in checked) / len(checked) if checked else 1.0
    kinds = {(f.relation, kind_of(Case.from_record(f.source.case.to_json()), f.source.turn)) for f in run.findings}
    rows = [row for row in run.summary if row.judged >= 5]
    rates = [row.violated / row.judged for row in rows]
    judged = sum(row.judged for row in run.summary)
    return {
        "findings": round(len(run.findings) * held, 1),
        "held": round(held, 3),
        "pairs": len(kinds),
        "relations": len({finding.relation for finding in run.findings}),
        "judged": judged,
        "invalid": sum(row.invalid for row in run.summary),
        "sources": len({finding.source.case.id for finding in run.findings}),
        "rate": round(sum(row.violated for row in run.summary) / max(1, judged), 3),
        "best": round(max(rates, default=0.0), 3),
        "asked": sum(run.report.run.queries.phases.values()),
        "search": run.report.run.queries.phases.get("search", 0),
        "shrunk": sum(finding.shrunk is not None for finding in run.findings),
    }


def shown(result: dict[str, Any]) -> str:
    """Return the lines of one pair and budget: means over seeds, and the ratio to `once`."""
    lines = [f"{result['pair']}, {result['budget']:,} questions"]
    base = result["searches"].get("once")
    for search, row in result["searches"].items():
        means = Counter({key: statistics.mean(value) for key, value in row.items() if key != "seconds"})
        ratio = ""
        if base and search != "once":
            ratios = [means[key] / max(1e-9, statistics.mean(base[key])) for key in ("findings", "pairs")]
            ratio = f"  x {ratios[0]:.2f} findings, x {ratios[1]:.2f} pairs"
        figures = ", ".join(f"{key} {value:.4g}" for key, value in means.items())
        lines.append(f"  {search:7} {figures}{ratio}  [{row['seconds']} s]")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
