"""Metrics for families of relations on classifiers: re-labelling rate, accuracy, MCC, violation-free regions.

These are pure functions on counts and labels (`content-quality`, section 3). `family_record` returns the object that
`report.json` stores under `metrics.families` for plots and tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mutatis.analysis.intervals import clopper_pearson, upper_bound
from mutatis.core.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The results of a parameter sweep at one value of the parameter.

    Attributes:
        value: the value of the parameter.
        violated, satisfied: number of edited items whose label changed, and number of those whose label stayed the
            same.
        unchanged: number of items that the transformation left as they were. They are not sent to the system again.
        vacuous: number of satisfied items whose follow-up is identical to the source once the system has tokenised it.
            They are not evidence for a region without violations.
        interval: interval of the violation rate over seeds; computed from the counts if None.
        acc, mcc: accuracy and Matthews correlation on the follow-ups, if labels are given.
        partial: True if a search stopped at the first violation, before testing all items. Then there are no rates.
    """

    value: float
    violated: int
    satisfied: int
    unchanged: int = 0
    vacuous: int = 0
    interval: tuple[float, float] | None = None
    acc: float | None = None
    mcc: float | None = None
    partial: bool = False

    @property
    def judged(self) -> int:
        """Number of items that were changed and judged."""
        return self.violated + self.satisfied

    @property
    def evidence(self) -> int:
        """Number of items that count as evidence: judged and not vacuous."""
        return self.judged - self.vacuous

    def to_record(self) -> dict[str, Any]:
        """Return the results at this parameter value as JSON data, including the rates."""
        rate = self.violated / self.judged if self.judged else None
        interval = self.interval
        if interval is None and self.judged:
            interval = clopper_pearson(self.violated, self.judged)
        if self.partial:
            rate = interval = None
        return {
            **asdict(self),
            "rate": rate,
            "interval": None if interval is None else [round(bound, 6) for bound in interval],
            "rr": None if self.partial else relabelling_rate(self.violated, self.satisfied, self.unchanged),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The longest range of parameter values without a violation, starting at the value that changes nothing.

    Attributes:
        low, high: the smallest and the largest tested value in the region.
        values: tested values in the region, except the one that changes nothing.
        items: the smallest number of judged, non-vacuous items at any value. Every value tests the same items, so a sum
            over values would count them several times.
        verdicts: number of judged, non-vacuous verdicts over all values.
        bound: exact one-sided 95 % upper bound of the violation rate, for 0 violations in `items`.
        first_violating: the nearest tested value with a violation, or None.
    """

    low: float
    high: float
    values: tuple[float, ...]
    items: int
    verdicts: int
    bound: float
    first_violating: float | None

    def to_record(self) -> dict[str, Any]:
        """Return the region as JSON data."""
        return {**asdict(self), "values": list(self.values)}


def relabelling_rate(violated: int, satisfied: int, unchanged: int = 0) -> float | None:
    """Return the re-labelling rate: changed labels over ALL items, including unchanged ones; None without items.

    >>> relabelling_rate(3, 298, 1354)
    0.0018126888217522659
    """
    items = violated + satisfied + unchanged
    return violated / items if items else None


def accuracy(expected: Sequence[str], labels: Sequence[str]) -> float | None:
    """Return the share of labels that match the expected label, or None if there are no items."""
    _same_length(expected, labels)
    return sum(map(str.__eq__, expected, labels)) / len(expected) if expected else None


def matthews(expected: Sequence[str], labels: Sequence[str]) -> float | None:
    """Return the Matthews correlation for any number of classes (Gorodkin); 0 for a constant classifier.

    >>> round(matthews(["a", "a", "b", "b"], ["a", "a", "b", "a"]), 4)
    0.5774
    """
    _same_length(expected, labels)
    if not expected:
        return None
    if len(set(expected)) == 1 or len(set(labels)) == 1:
        return 0.0
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(list(expected), list(labels)))


def _same_length(expected: Sequence[str], labels: Sequence[str]) -> None:
    if len(expected) != len(labels):
        raise UsageError(f"got {len(labels)} labels and {len(expected)} expected labels; the two numbers must be equal")


def non_violation_region(points: Sequence[Point], *, unchanged_at: float) -> Region | None:
    """Return the region without violations that starts at `unchanged_at`, the value that changes nothing.

    Return None if the nearest tested value has a violation, or if nothing was tested. Values beyond the first violation
    never belong to the region, even if they have none, because violations need not increase with the parameter. A value
    whose items were all unchanged or vacuous neither ends nor extends the region.

    >>> clean, dirty = Point(value=1, violated=0, satisfied=50), Point(value=2, violated=1, satisfied=49)
    >>> region = non_violation_region([dirty, clean], unchanged_at=0)
    >>> region.low, region.high, region.items, region.first_violating
    (0, 1, 50, 2)
    """
    _check_points(points)
    below = [point for point in points if point.value < unchanged_at]
    if below and any(point.value > unchanged_at for point in points):
        raise UsageError(
            f"some values are below and some above {unchanged_at:g}, the value that changes nothing; give only the "
            "values on one side"
        )
    ordered = sorted(points, key=lambda point: abs(point.value - unchanged_at))
    clean: list[Point] = []
    first_violating = None
    for point in ordered:
        if point.violated:
            first_violating = point.value
            break
        if point.evidence and point.value != unchanged_at:
            clean.append(point)
    if not clean:
        return None
    edge, fewest = clean[-1].value, min(point.evidence for point in clean)
    return Region(
        low=min(unchanged_at, edge),
        high=max(unchanged_at, edge),
        values=tuple(point.value for point in clean),
        items=fewest,
        verdicts=sum(point.evidence for point in clean),
        bound=upper_bound(0, fewest),
        first_violating=first_violating,
    )


def _check_points(points: Sequence[Point]) -> None:
    values = [point.value for point in points]
    if len(set(values)) < len(values):
        raise UsageError("a value of the parameter occurs twice; add up its counts first")
    for point in points:
        if min(point.violated, point.satisfied, point.unchanged, point.vacuous) < 0 or point.vacuous > point.satisfied:
            raise UsageError(f"the counts at {point.value:g} are impossible: {point}")


def family_record(
    name: str, parameter: str, systems: Mapping[str, Sequence[Point]], *, unchanged_at: float, task: str = ""
) -> dict[str, Any]:
    """Return the results of a family of relations, as `report.json` stores them under `metrics.families`.

    For each system, they contain the points, in order of the parameter, and the region without violations.
    """
    series = {}
    for system, points in systems.items():
        region = non_violation_region(points, unchanged_at=unchanged_at)
        ordered = sorted(points, key=lambda point: point.value)
        series[system] = {
            "points": [point.to_record() for point in ordered],
            "region": None if region is None else region.to_record(),
        }
    return {"name": name, "task": task, "parameter": parameter, "unchanged_at": unchanged_at, "systems": series}
