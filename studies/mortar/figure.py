"""Figure 7 of the earlier MORTAR paper: questions with critical bugs, by who found them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import published as paper
import tables
from matplotlib.figure import Figure

PARTS = (("MORTAR alone", "#b5443c"), ("both", "#8a8a8a"), ("METAL alone", "#3c6ea8"))


def critical(report: Mapping[str, Any], path: Path) -> None:
    """Write the figure, the paper's systems above and ours below; the same numbers give the same file."""
    ours = tables.critical(report["metrics"]["mortar_v1"])
    rows = {f"{name} (paper)": row for name, row in paper.V1_FIGURE_7.items()} | ours
    with mpl.rc_context({"svg.hashsalt": "mutatis", "svg.fonttype": "none", "font.size": 9}):
        drawn = Figure(figsize=(7, 0.6 + 0.36 * len(rows)), layout="constrained")
        axes = drawn.subplots()
        left = [0] * len(rows)
        for place, (label, colour) in enumerate(PARTS):
            widths = [row[place] for row in rows.values()]
            bars = axes.barh(range(len(rows)), widths, left=left, color=colour, label=label)
            left = [start + width for start, width in zip(left, widths, strict=True)]
        # Beside the bars: inside a narrow one numbers would lie upon each other.
        axes.bar_label(bars, labels=[" / ".join(f"{width:,}" for width in row) for row in rows.values()], padding=4)
        axes.margins(x=0.3)
        axes.set_yticks(range(len(rows)), list(rows))
        axes.invert_yaxis()
        axes.set_xlabel("questions with critical bugs (score below 0.05)")
        axes.legend(loc="lower right", frameon=False)
        drawn.savefig(path, format="svg", metadata={"Date": None})
