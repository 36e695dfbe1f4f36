"""The thesis' tables beside ours, and its figures, from the runs that `search.py` wrote.

python studies/rltest4chatbot/tables.py runs.jsonl --figures figures
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mutatis.analysis.intervals import Rate, exceeds, violation_rate, wilson

RUNS = list[dict[str, Any]]

SINGLE = {("TRADE", "2.1"): 7.51, ("TRADE", "2.2"): 7.14, ("SimpleTOD", "2.1"): 7.79, ("SimpleTOD", "2.2"): 5.29}
SIZES = {("TRADE", "2.1"): (315, 78), ("TRADE", "2.2"): (310, 77), ("SimpleTOD", "2.1"): (410, 102)}
SIZES |= {("SimpleTOD", "2.2"): (349, 86)}
INERTIA = {
    "SimpleTOD": ((1.482, 1.601, 1.768, 1.65, 2.18, 1.49), (3.36, 3.35, 3.36, 3.36, 3.34, 3.35)),
    "TRADE": ((1.88, 1.57, 1.49, 1.66, 2.017, 2.057), (3.35, 3.35, 3.36, 3.37, 3.36, 3.36)),
}
DIALTEST = {"TRADE": (23.5, 99.14, 33.33, 70.08), "SimpleTOD": (23.34, 98.21, 45.0, 71.76)}
"""Failure and valid rate of the thesis' RL, then of DialTest. Its own header has the columns in another order."""

APPENDIX: Mapping[tuple[str, str, str], tuple[tuple[float, ...], tuple[float, ...]]] = {
    ("SimpleTOD", "2.1", "RL"): ((5.62, 12.5, 18.8, 11.41, 23.93, 23.34), (95.609, 96.26, 92.52, 93.98, 84.22, 98.21)),
    ("SimpleTOD", "2.2", "RL"): ((7.97, 14.34, 11.52, 14.62, 19.34, 28.94), (99.41, 98.45, 99.03, 88.58, 98.83, 80.35)),
    ("SimpleTOD", "2.1", "RS"): ((7.91, 13.59, 16.24, 22.92, 30.57, 33.12), (96.58, 80.18, 51.05, 51.05, 51.05, 51.05)),
    ("SimpleTOD", "2.2", "RS"): ((5.52, 11.19, 17.32, 23.46, 28.88, 35.01), (98.06, 81.23, 53.57, 53.57, 53.57, 53.57)),
    ("TRADE", "2.1", "RL"): ((8.2, 17.17, 16.34, 20.215, 20.215, 23.5), (96, 98.29, 99.35, 99.35, 99.35, 99.14)),
    ("TRADE", "2.2", "RL"): ((10.022, 14.49, 19.66, 18.06, 23.51, 30.05), (99.54, 92.29, 93.424, 89.115, 99.31, 98.86)),
}
"""Tables A.1 to A.9: failure rate and valid rate for k = 1 to 6. The thesis prints no random search on TRADE."""

NOT_RUN = {
    "2.2": "not run: no MultiWOZ 2.2 dialogues at hand; give --data and --format multiwoz22",
    "SimpleTOD": "not run: no fine-tuned weights at hand; give --tracker simpletod:FOLDER",
}


def share(successes: int, total: int) -> str:
    """Return a share with its 95 % interval (Wilson)."""
    if not total:
        return "-"
    low, high = wilson(successes, total)
    return f"{successes / total:.1%} ({low:.1%} to {high:.1%})"


def per_thousand(runs: RUNS, unit: int = 1) -> Rate:
    """Return distinct failures per proposal (`unit` 1), the follow-ups of a dialogue and a seed taken for alike."""
    return violation_rate([(counts[0], max(counts[0], counts[unit])) for run in runs for counts in run["by dialogue"]])


def shown(rate: Rate) -> str:
    """Return a rate per 1,000 with its interval."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return "-"
    return f"{1000 * rate.rate:.0f} ({1000 * rate.low:.0f} to {1000 * rate.high:.0f})"


def row(runs: RUNS) -> list[str]:
    """Return the numbers of one method: valid, failures, inherited, distinct, per 1,000, inertia."""
    total = {name: sum(run[name] for run in runs) for name in ("places", "valid", "failures", "inherited", "distinct")}
    total |= {name: sum(run[name] for run in runs) for name in ("calls", "distinct turns", "wrong by labels")}
    inertia = [run["inertia"] / run["dimensions"] for run in runs if run["inertia"] is not None]
    sums = [run["inertia"] for run in runs if run["inertia"] is not None]
    return [
        str(len(runs)),
        share(total["valid"], total["places"]),
        share(total["failures"], total["valid"]),
        f"{total['inherited']}",
        f"{total['wrong by labels']}",
        f"{total['distinct']} / {total['distinct turns']}",
        shown(per_thousand(runs)),
        f"{1000 * total['distinct'] / max(1, total['calls']):.0f}",
        f"{sum(sums) / len(sums):.2f} / {sum(inertia) / len(inertia):.3f}" if sums else "-",
    ]


COLUMNS = ("runs", "valid", "failures of valid", "inherited", "wrong by labels", "distinct texts / turns")
COLUMNS = (*COLUMNS, "distinct per 1,000 proposals", "per 1,000 calls", "inertia / per dimension")


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    print(f"\n### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for cells in rows:
        print(f"| {' | '.join(cells)} |")


def chosen(runs: RUNS, **wanted: Any) -> RUNS:
    """Return the runs with these values; the attack is hybrid and the validity the thesis' unless named."""
    given = {"attack": "hybrid", "validity": "thesis", **wanted}
    return [run for run in runs if all(run[name] == value for name, value in given.items())]


def searches(runs: RUNS, trackers: Sequence[str]) -> None:
    """Print every method at every k, by the thesis' validity and by ours."""
    for validity in ("thesis", "strict"):
        for tracker in trackers:
            rows = []
            for k in range(1, 7):
                own = chosen(runs, tracker=tracker, k=k, validity=validity)
                for method in dict.fromkeys(run["method"] for run in own):
                    rows.append([str(k), method, *row([run for run in own if run["method"] == method])])
            if rows:
                table(f"{tracker}, validity {validity}", ("k", "search", *COLUMNS), rows)


def attacks(runs: RUNS, trackers: Sequence[str]) -> None:
    """Print the three attacks at k = 3."""
    rows = []
    for tracker in trackers:
        for attack in ("hybrid", "cumulative", "non-cumulative"):
            for method in ("random", "multi-pdqn"):
                own = [
                    run for run in chosen(runs, tracker=tracker, k=3, attack=attack, method=method) if not run["seed"]
                ]
                rows += [[tracker, attack, method, *row(own)]] if own else []
    table("Attacks at k = 3, seed 0", ("tracker", "attack", "search", *COLUMNS), rows)


def goal(runs: RUNS, trackers: Sequence[str]) -> None:
    """Print whether Multi-PDQN keeps 90 % valid and finds more than each other search, intervals apart."""
    rows = []
    for tracker in trackers:
        for k in range(1, 7):
            own = chosen(runs, tracker=tracker, k=k, method="multi-pdqn")
            for other in ("random", "rejection", "scaled", "filled", "evolutionary", "dialtest"):
                beside = chosen(runs, tracker=tracker, k=k, method=other)
                if own and beside:
                    first, second = per_thousand(own), per_thousand(beside)
                    verdict = "more" if exceeds(first, second) else "less" if exceeds(second, first) else "as many"
                    rows.append([tracker, str(k), other, shown(first), shown(second), verdict])
    columns = ("tracker", "k", "beside", "Multi-PDQN per 1,000", "it per 1,000", "Multi-PDQN finds")
    table("Does learning find more distinct valid failures?", columns, rows)


def published(runs: RUNS, trackers: Sequence[str]) -> None:
    """Print Tables 4.2 to 4.7 and A.1 to A.9 beside ours."""
    rows = [[f"{model}, MultiWOZ {data}", f"{a} / {b}", _gap(model, data)] for (model, data), (a, b) in SIZES.items()]
    rows += [
        [f"ours: {tracker}", next(run["seeds"] for run in runs if run["tracker"] == tracker), ""]
        for tracker in trackers
    ]
    table("Table 4.2: seeds", ("tracker", "train / test", ""), rows)
    rows = [[f"{model}, MultiWOZ {data}", f"{rate} %", _gap(model, data)] for (model, data), rate in SINGLE.items()]
    for tracker in trackers:
        own = chosen(runs, tracker=tracker, method="single")
        rows += [[f"ours: {tracker}", row(own)[2], ""]] if own else []
    table("Tables 4.3, 4.4: one random edit", ("tracker", "failures", ""), rows)
    rows = []
    for k in range(1, 7):
        cells = [str(k)]
        for model in ("SimpleTOD", "TRADE"):
            cells += [str(INERTIA[model][0][k - 1]), str(INERTIA[model][1][k - 1])]
        for tracker in trackers:
            cells += [_inertia(chosen(runs, tracker=tracker, k=k, method=name)) for name in ("multi-pdqn", "random")]
        rows.append(cells)
    names = [f"{tracker} {name}" for tracker in trackers for name in ("Multi-PDQN", "random")]
    columns = ("k", "SimpleTOD RL", "SimpleTOD RS", "TRADE RL", "TRADE RS", *names)
    table("Tables 4.5, 4.6: inertia", columns, rows)
    rows = [[model, *(f"{value} %" for value in values)] for model, values in DIALTEST.items()]
    for tracker in trackers:
        cells = [row(own)[place] for own in _best(runs, tracker) for place in (2, 1)]
        rows.append([f"ours: {tracker}", *cells])
    table("Table 4.7: DialTest", ("tracker", "RL failures", "RL valid", "DialTest failures", "DialTest valid"), rows)
    _appendix(runs, trackers)


def _best(runs: RUNS, tracker: str) -> list[RUNS]:
    own = chosen(runs, tracker=tracker, method="multi-pdqn")
    largest = max((run["k"] for run in own), default=0)
    return [[run for run in own if run["k"] == largest], chosen(runs, tracker=tracker, method="dialtest")]


def _appendix(runs: RUNS, trackers: Sequence[str]) -> None:
    rows = []
    for (model, data, search), (failures, valid) in APPENDIX.items():
        cells = [f"{a} / {b} %" for a, b in zip(failures, valid, strict=True)]
        rows.append([f"{model}, MultiWOZ {data}", search, *cells])
    for tracker in trackers:
        for search, method in (("RL", "multi-pdqn"), ("RS", "random")):
            found = [row(chosen(runs, tracker=tracker, k=k, method=method)) for k in range(1, 7)]
            cells = [
                f"{one[2].split(' ')[0]} / {one[1].split(' ')[0]}" if one[0] != "0" else "not run" for one in found
            ]
            rows.append([f"ours: {tracker}", search, *cells])
    rows += [[f"ours: {name}", "", NOT_RUN[name], *[""] * 5] for name in ("SimpleTOD", "2.2")]
    table("Tables A.1 to A.9: failures / valid", ("tracker", "search", *(f"k = {k}" for k in range(1, 7))), rows)


def _gap(model: str, data: str) -> str:
    return NOT_RUN.get(model, NOT_RUN.get(data, ""))


def _inertia(runs: RUNS) -> str:
    return row(runs)[-1] if runs else "not run"


def families(runs: RUNS, trackers: Sequence[str]) -> None:
    """Print how often each family and kind of edit was part of a failure, of all valid edits that used it."""
    for tracker in trackers:
        used: dict[str, int] = defaultdict(int)
        failed: dict[str, int] = defaultdict(int)
        for run in chosen(runs, tracker=tracker, method="single"):
            for name, count in run["edits"].items():
                used[name] += count
            for name, count in run["edits of failures"].items():
                failed[name] += count
        if used:
            rows = [[name, share(failed[name], used[name])] for name in sorted(used)]
            table(f"One random edit on {tracker}: failures by family and kind", ("edit", "failures of valid"), rows)


def figures(runs: RUNS, trackers: Sequence[str], folder: Path) -> None:
    """Draw Figures 4.1 and 4.2: valid rate and failure rate over k."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    names = {"multi-pdqn": "Multi-PDQN", "random": "random", "scaled": "random, scaled", "evolutionary": "CMA-ES"}
    for number, (title, of, over) in {
        "4.1": ("valid edits", "valid", "places"),
        "4.2": ("failures of valid edits", "failures", "valid"),
    }.items():
        figure, axes = pyplot.subplots(1, len(trackers), figsize=(5 * len(trackers), 4), squeeze=False, sharey=True)
        for axis, tracker in zip(axes[0], trackers, strict=True):
            for method, label in names.items():
                own = {k: chosen(runs, tracker=tracker, k=k, method=method) for k in range(1, 7)}
                points = {
                    k: sum(r[of] for r in found) / max(1, sum(r[over] for r in found))
                    for k, found in own.items()
                    if found
                }
                axis.plot(list(points), list(points.values()), marker="o", label=label)
            axis.set(title=tracker.partition(":")[0], xlabel="families combined (k)", xlim=(0.7, 6.3), ylim=(0, 1.02))
        axes[0][0].set_ylabel(title)
        axes[0][0].legend()
        figure.tight_layout()
        figure.savefig(folder / f"figure-{number}.png", dpi=120)
        print(f"\nfigure {number}: {folder / f'figure-{number}.png'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--figures", type=Path)
    given = parser.parse_args()
    runs = [json.loads(line) for line in given.runs.read_text().splitlines()]
    trackers = list(dict.fromkeys(run["tracker"] for run in runs))
    published(runs, trackers)
    searches(runs, trackers)
    goal(runs, trackers)
    attacks(runs, trackers)
    families(runs, trackers)
    if given.figures is not None:
        figures(runs, trackers, given.figures)


if __name__ == "__main__":
    main()
