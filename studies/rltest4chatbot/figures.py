"""Figures 4.1 and 4.2: valid rate and failure rate over k, the published curves dashed beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import published as thesis
from counting import Runs, chosen, total

LINES = {
    "multi-pdqn, thesis": ("Multi-PDQN, the thesis'", "C0"),
    "multi-pdqn": ("Multi-PDQN, ours", "C7"),
    "multi-pdqn, fitted": ("Multi-PDQN, fitted", "C6"),
    "random": ("random", "C1"),
    "random, all repetitions": ("random, all repetitions", "C3"),
    "scaled": ("random, scaled", "C2"),
    "filled": ("random, filled", "C5"),
    "evolutionary": ("CMA-ES", "C4"),
}
FIGURES = {"4.1": ("valid edits", "valid", "places", 1), "4.2": ("failures of valid edits", "failures", "valid", 0)}
"""Title, what is counted, of what, and where the thesis' pairs hold it."""


def draw(runs: Runs, trackers: Sequence[tuple[str, str]], folder: Path) -> list[Path]:
    """Write the figures; return their files."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "mutatis"  # the same runs, the same file
    files = []
    for number, (title, of, over, place) in FIGURES.items():
        panels = [("SimpleTOD: published", "simpletod", ""), *((f"{t}, {d}", t, d) for t, d in trackers)]
        figure, axes = pyplot.subplots(1, len(panels), figsize=(4.5 * len(panels), 4), squeeze=False, sharey=True)
        for axis, (name, tracker, data) in zip(axes[0], panels, strict=True):
            _published(axis, tracker, place)
            _ours(axis, chosen(runs, tracker=tracker, data=data), of, over)
            axis.set(title=name, xlabel="families combined (k)", xlim=(0.7, 6.3), ylim=(0, 1.02))
            if axis.lines:
                axis.legend(fontsize="x-small")
        axes[0][0].set_ylabel(title)
        figure.tight_layout()
        file = folder / f"figure-{number}.svg"
        figure.savefig(file, metadata={"Date": None})
        pyplot.close(figure)
        files.append(file)
    return files


def _ours(axis: Any, runs: Runs, of: str, over: str) -> None:
    for method, (label, colour) in LINES.items():
        by_k = {k: group for k in range(1, 7) if (group := [r for r in runs if (r["k"], r["method"]) == (k, method)])}
        shares = [total(group, of) / max(1, total(group, over)) for group in by_k.values()]
        if shares:
            axis.plot(list(by_k), shares, marker="o", label=label, color=colour)


def _published(axis: Any, tracker: str, place: int) -> None:
    for (model, version, search), values in thesis.BY_K.items():
        if thesis.KINDS[model] == tracker:
            colour = "C0" if search == "RL" else "C1"
            style = "--" if version == "2.1" else ":"
            shares = [value / 100 for value in values[place]]
            label = f"published {search}, {version}"
            axis.plot(range(1, 7), shares, style, color=colour, label=label, alpha=0.6)
