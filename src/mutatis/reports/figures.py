"""Plots how the violation rate of a family of relations depends on its parameter, with one line per system.

The plot also shows confidence bands and, for each system, the region without violations. The data come from
`metrics.families` in `report.json`. matplotlib (extra `plot`) is imported only when a plot is drawn.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutatis.core.errors import UsageError, shortened
from mutatis.core.extras import require
from mutatis.records.report import Report
from mutatis.reports.metrics import items, mapping
from mutatis.reports.numbers import line
from mutatis.reports.rates import worst_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a8a8a", "#7a5195")
_LANE = 0.025
"""Height of the strip at the bottom of a plot that shows a system's region, as a share of the plot's height."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


_INK = "#010203"
"""Placeholder colour for text and axes, which is replaced by the text colour of the page. No plotted line uses it."""

_COLOURED_PARTS = tuple(
    "text.color axes.labelcolor axes.edgecolor xtick.color ytick.color xtick.labelcolor ytick.labelcolor".split()
)
"""Settings of matplotlib for the colours of text and axes."""

_SVG = re.compile(r"<svg\b.*</svg>", re.DOTALL)
_METADATA_AND_STYLES = re.compile(r"<metadata>.*?</metadata>|<style\b.*?</style>", re.DOTALL)


def family_svg(family: Mapping[str, Any]) -> str:
    """Return the plot of one family as an SVG element. The same data always give the same SVG.

    It has no background and styles, so that it takes on the text colour of the page around it.
    """
    require("plot", "the plot of a family")
    import matplotlib as mpl

    stream = io.StringIO()
    style: Any = dict.fromkeys(_COLOURED_PARTS, _INK) | {
        "svg.hashsalt": line(family.get("name", "")),
        "svg.fonttype": "path",
    }
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # letters that the plot's font lacks
        _draw(family).savefig(stream, format="svg", metadata={"Date": None}, transparent=True)
    svg = _SVG.search(stream.getvalue())
    assert svg is not None, "matplotlib writes one svg element"
    return _METADATA_AND_STYLES.sub("", svg.group()).replace(_INK, "currentColor")


def save_family(family: Mapping[str, Any], path: Path) -> Path:
    """Write the plot of one family to `path` and return the path. The suffix selects the format: .svg, .png or .pdf."""
    if path.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise UsageError(f"{path}: unknown kind of picture; expected .svg, .png or .pdf")
    require("plot", "the plot of a family")
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        _draw(family).savefig(path, dpi=160)
    return path


def draw_summary(report: Report) -> Figure:
    """Return a plot of the violation rates with their intervals, highest at the top. Ticks mark the noise floors.

    Notebooks display the plot with any backend, and `savefig` writes it to a file.
    """
    require("plot", "a plot of the rates")
    from matplotlib.figure import Figure

    class NotebookFigure(Figure):
        def _repr_svg_(self) -> str:
            stream = io.StringIO()
            self.savefig(stream, format="svg", metadata={"Date": None})
            return stream.getvalue()

    rows = [row for row in reversed(worst_first(report.summary)) if row.rate is not None]  # the first is at the bottom
    systems = list(dict.fromkeys(row.system for row in report.summary))
    figure = NotebookFigure(figsize=(8, 1.2 + 0.32 * max(len(rows), 1)), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(rows):
        rate = row.rate or 0.0
        low, high = row.interval or (rate, rate)
        colour = COLOURS[systems.index(row.system) % len(COLOURS)]
        error = [[100 * (rate - low)], [100 * (high - rate)]]
        axes.barh(place, 100 * rate, xerr=error, height=0.6, color=colour, ecolor="#666666", capsize=2)
        if row.noise_floor is not None:
            axes.plot([100 * row.noise_floor] * 2, [place - 0.4, place + 0.4], color="#000000", linewidth=1.5)
    several = len({(row.system, row.task) for row in rows}) > 1
    names = [f"{row.relation} ({row.system}, {row.task})" if several else row.relation for row in rows]
    axes.set_yticks(range(len(rows)), [line(name) for name in names])
    axes.set_xlim(0, 100)
    axes.set_xlabel("violated, %; line: 95 % interval; tick: noise floor")
    return figure


def _draw(family: Mapping[str, Any]) -> Figure:
    """Draw the plot of one family on a new figure.

    It does not use pyplot, which would need global state and a display.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    systems = mapping(family.get("systems"))
    for number, (system, series) in enumerate(systems.items()):
        _draw_system(axes, line(system), mapping(series), number)
    title = " on ".join(part for part in (line(family.get("name", "")), line(family.get("task") or "")) if part)
    axes.set_title(_plain(title), fontsize=11)
    axes.set_xlabel(_plain(line(family.get("parameter", ""))))
    axes.set_ylabel("violation rate (%)")
    top = max(axes.get_ylim()[1], 1.0)
    axes.set_ylim(-(0.02 + _LANE * len(systems)) * top, top)  # the systems' regions are shown below zero
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= top])
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if systems:
        axes.legend(frameon=False, fontsize=9)
    return figure


def _draw_system(axes: Axes, system: str, series: Mapping[str, Any], number: int) -> None:
    """Draw a system's rates with their confidence band, and a bar in its own strip for its region."""
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    points = [mapping(point) for point in items(series.get("points"))]
    points = [point for point in points if isinstance(point.get("rate"), int | float)]
    values = [float(point["value"]) for point in points]
    rates = [100 * float(point["rate"]) for point in points]
    intervals = [items(point.get("interval")) or [point["rate"], point["rate"]] for point in points]
    lows, highs = [100 * low for low, _ in intervals], [100 * high for _, high in intervals]
    axes.fill_between(values, lows, highs, color=colour, alpha=0.15, linewidth=0)
    label = system
    if region := mapping(series.get("region")):
        low, high = region["low"], region["high"]
        label += f" (no violation {float(low):g} to {float(high):g})"
        # The strips begin at the bottom of the plot; each takes about this share of its height.
        height = 0.008 + _LANE / (1 + _LANE) * (number + 0.5)
        style: dict[str, Any] = {"color": colour, "linewidth": 4, "solid_capstyle": "butt"}
        # With this transform, heights are shares of the plot's height.
        axes.plot([low, high], [height, height], transform=axes.get_xaxis_transform(), **style)
    axes.plot(values, rates, color=colour, marker=marker, markersize=5, linewidth=1.6, label=_plain(label))


def _plain(text: str) -> str:
    """Return text shortened to fit, and escaped so that matplotlib does not interpret `$` as mathematics."""
    return shortened(text, 80).replace("$", r"\$")
