"""What runs come to: shares, rates per 1,000 with intervals, and the cells of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mutatis.analysis.intervals import Rate, violation_rate, wilson

Runs = list[dict[str, Any]]

PROPOSALS, CALLS = 1, 2
"""Where the counts of a dialogue hold these; its distinct failures come first."""

COLUMNS = (
    *("runs", "valid", "failures of valid", "inherited", "against labels", "distinct texts / turns"),
    *("distinct per 1,000 proposals", "per 1,000 calls", "inertia / per dimension", "learnt from / tested on, per run"),
)


def chosen(runs: Runs, **wanted: Any) -> Runs:
    """Return the runs with these values; the attack is hybrid unless named."""
    criteria = {"attack": "hybrid", **wanted}
    return [run for run in runs if all(run[name] == value for name, value in criteria.items())]


def operators_of(runs: Runs) -> list[str]:
    """Return what words were edited with, the fewest kinds first."""
    return sorted({run["operators"] for run in runs}, key=lambda name: (len(name.split(", ")), name))


def by_rule(runs: Runs, validity: str, operators: str = "") -> Runs:
    """Return the runs by a rule, with the kinds of word edits that most of them had."""
    ruled = [run for run in runs if run["validity"] == validity]
    counts = Counter(run["operators"] for run in ruled)
    most = operators or max(operators_of(ruled), key=counts.__getitem__, default="")
    return [run for run in ruled if run["operators"] == most]


def total(runs: Runs, name: str) -> int:
    """Return the sum of a count."""
    return sum(run[name] for run in runs)


def share(successes: int, of: int, *, interval: bool = True) -> str:
    """Return a share with its 95 % interval (Wilson)."""
    if not of:
        return "-"
    low, high = wilson(successes, of)
    return f"{successes / of:.1%} ({low:.1%} to {high:.1%})" if interval else f"{successes / of:.1%}"


def per_thousand(runs: Runs, unit: int = PROPOSALS) -> Rate:
    """Return distinct failures per proposal or call, the follow-ups of a dialogue and a seed taken for alike."""
    return violation_rate([(counts[0], max(counts[0], counts[unit])) for run in runs for counts in run["by dialogue"]])


def shown(rate: Rate) -> str:
    """Return a rate per 1,000 with its interval."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return "-"
    return f"{1000 * rate.rate:.0f} ({1000 * rate.low:.0f} to {1000 * rate.high:.0f})"


def valid(runs: Runs, *, interval: bool = True) -> str:
    """Return the valid rate."""
    return share(total(runs, "valid"), total(runs, "places"), interval=interval)


def failed(runs: Runs, *, interval: bool = True) -> str:
    """Return the failures of valid edits."""
    return share(total(runs, "failures"), total(runs, "valid"), interval=interval)


def inertia(runs: Runs) -> str:
    """Return the variance of vectors around their mean, summed over dimensions, and per dimension; means of runs."""
    known = [(run["inertia"], run["dimensions"]) for run in runs if run["inertia"] is not None]
    if not known:
        return "-"
    return f"{sum(a for a, _ in known) / len(known):.2f} / {sum(a / b for a, b in known) / len(known):.3f}"


def sizes(runs: Runs) -> str:
    """Return how many follow-ups a run learnt from and was tested on.

    >>> sizes([{"trained": {"proposals": 600}, "by dialogue": [[1, 120, 130], [0, 80, 80]]}])
    '600 / 200'
    """
    learnt = [(run.get("trained") or {}).get("proposals", 0) for run in runs]
    tested = [sum(counts[PROPOSALS] for counts in run["by dialogue"]) for run in runs]
    return " / ".join(_span(each) for each in (learnt, tested))


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def row(runs: Runs) -> list[str]:
    """Return the cells of one method under `COLUMNS`."""
    return [
        str(len(runs)),
        valid(runs),
        failed(runs),
        share(total(runs, "inherited"), total(runs, "failures"), interval=False),
        share(total(runs, "wrong by labels"), total(runs, "valid"), interval=False),
        f"{total(runs, 'distinct')} / {total(runs, 'distinct turns')}",
        shown(per_thousand(runs)),
        shown(per_thousand(runs, CALLS)),
        inertia(runs),
        sizes(runs),
    ]


def edits(runs: Runs, name: str) -> Counter[str]:
    """Return how many trials each family and kind of edit was part of."""
    counts: Counter[str] = Counter()
    for run in runs:
        counts.update(run[name])
    return counts


def told_apart(runs: Runs, name: str) -> bool:
    """Return whether runs with neighbours tell these from synonyms; the first ones counted them as kinds beside it."""
    by_neighbours = [run for run in runs if "neighbours" in run["operators"]]
    return not name.startswith("word-replace: ") or all(
        "word-replace: neighbour" in run["edits"] for run in by_neighbours
    )


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> str:
    """Return a table in Markdown."""
    head = [f"### {title}", "", *([note, ""] if note else [])]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *(f"| {' | '.join(cells)} |" for cells in rows)]
    return "\n".join([*head, *lines, ""])
