"""Tests classifiers with families of relations (Chan and Keung 2024), using the 17 published relations.

The module also computes the numbers of the paper (section 3): re-labelling rate, accuracy, MCC and regions without
violations, per value of a family's parameter and per system. Only follow-ups made in one step are counted. The paper
lower-cases its texts before training and testing. For the format `stackoverflow`, `[data] lower = true` does the same.
The paper's re-labelling rate is relative to all items; the report also gives the rate relative to the changed items.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any, TypeAlias

from mutatis.analysis.intervals import upper_bound, violation_rate
from mutatis.campaign.events import Event, SourceObserved
from mutatis.core.cases import Derivation
from mutatis.core.decision import Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import Observation
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.core.verdict import Verdict
from mutatis.recipes.recipe import Recipe, add_recipes
from mutatis.relations.content_quality import FAMILIES, Family


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The results of a parameter sweep at one value of the parameter.

    Attributes:
        value: the value of the parameter.
        violated, satisfied: number of edited items whose label changed, and number of edited items whose label stayed
            the same.
        unchanged: number of items that the transformation left as they were. They are not sent to the system again.
        vacuous: number of satisfied items whose follow-up is identical to the source once the system has tokenised it.
            They are not evidence for a region without violations.
        interval: interval of the violation rate over seeds, as lower and upper bound; None if nothing was judged.
        acc, mcc: accuracy and Matthews correlation on the follow-ups, if labels are given.
        partial: True if a search stopped at the first violation, before testing all items. It then has no rates.
    """

    value: float
    violated: int
    satisfied: int
    unchanged: int = 0
    vacuous: int = 0
    interval: Sequence[float] | None = None
    acc: float | None = None
    mcc: float | None = None
    partial: bool = False

    @property
    def evidence(self) -> int:
        """Number of items that count as evidence: judged and not vacuous."""
        return self.violated + self.satisfied - self.vacuous

    def to_record(self) -> dict[str, Any]:
        """Return the results at this parameter value as JSON data, including the rates.

        `rate` is relative to the judged items, and the re-labelling rate `rr` to all items, with the unchanged ones.
        """
        judged = self.violated + self.satisfied
        items = judged + self.unchanged
        return {
            **asdict(self),
            "rate": self.violated / judged if judged and not self.partial else None,
            "interval": None if self.partial else self.interval,
            "rr": self.violated / items if items and not self.partial else None,
        }


Labels: TypeAlias = Sequence[tuple[str, str]]
"""The expected label and the system's label of each item."""


def accuracy(labels: Labels) -> float | None:
    """Return the share of labels that match the expected label, or None if there are no items."""
    return sum(expected == label for expected, label in labels) / len(labels) if labels else None


def matthews(labels: Labels) -> float | None:
    """Return the Matthews correlation for any number of classes (Gorodkin); 0 for a constant classifier.

    >>> round(matthews([("a", "a"), ("a", "a"), ("b", "b"), ("b", "a")]), 4)
    0.5774
    """
    if not labels:
        return None
    expected, answered = zip(*labels, strict=True)
    if len(set(expected)) == 1 or len(set(answered)) == 1:
        return 0.0
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(expected, answered))


def non_violation_region(points: Iterable[Point], *, unchanged_at: float) -> dict[str, Any] | None:
    """Return the region without violations that starts at `unchanged_at`, the value that changes nothing, as JSON data.

    `low` and `high` are the smallest and the largest tested value in the region, and `values` are all except
    `unchanged_at`. `verdicts` is the number of judged, non-vacuous verdicts over all values, and `items` the smallest
    number at any value: every value tests the same items, so a sum would count them several times. `bound` is the exact
    one-sided 95 % upper bound of the violation rate, for 0 violations in `items`, and `first_violating` the nearest
    tested value with a violation, or None.

    Return None if the nearest tested value has a violation, or if nothing was tested. Values beyond the first violation
    never belong to the region, even if they have none, because violations need not increase with the parameter. A value
    whose items were all unchanged or vacuous neither ends nor extends the region.

    >>> clean, dirty = Point(value=1, violated=0, satisfied=50), Point(value=2, violated=1, satisfied=49)
    >>> region = non_violation_region([dirty, clean], unchanged_at=0)
    >>> region["low"], region["high"], region["items"], region["first_violating"]
    (0, 1, 50, 2)

    Raises:
        UsageError: some values are below, and some above `unchanged_at`.
    """
    ordered = sorted(points, key=lambda point: abs(point.value - unchanged_at))
    if len({point.value > unchanged_at for point in ordered if point.value != unchanged_at}) > 1:
        raise UsageError(
            f"some values are below and some above {unchanged_at:g}, the value that changes nothing; give only the "
            "values on one side"
        )
    before_violation = list(takewhile(lambda point: not point.violated, ordered))
    clean = [point for point in before_violation if point.evidence and point.value != unchanged_at]
    if not clean:
        return None
    # The bound must hold at each value, so the value with the fewest items decides.
    edge, fewest = clean[-1].value, min(point.evidence for point in clean)
    return {
        "low": min(unchanged_at, edge),
        "high": max(unchanged_at, edge),
        "values": [point.value for point in clean],
        "items": fewest,
        "verdicts": sum(point.evidence for point in clean),
        "bound": upper_bound(0, fewest),
        "first_violating": next((point.value for point in ordered[len(before_violation) :]), None),
    }


def family_record(
    name: str, parameter: str, systems: Mapping[str, Sequence[Point]], *, unchanged_at: float, task: str = ""
) -> dict[str, Any]:
    """Return the results of a family of relations, as `report.json` stores them under `metrics.families`.

    For each system, they contain the points, in order of the parameter, and the region without violations.
    """
    series = {}
    for system, points in systems.items():
        series[system] = {
            "points": [point.to_record() for point in sorted(points, key=lambda point: point.value)],
            "region": non_violation_region(points, unchanged_at=unchanged_at),
        }
    return {"name": name, "task": task, "parameter": parameter, "unchanged_at": unchanged_at, "systems": series}


Item: TypeAlias = tuple[str, int, tuple[str, ...], int]
"""An item, identified by its source id, turn, variant and draw."""

_ORDER = {Outcome.VIOLATED: 3, Outcome.SATISFIED: 2, Outcome.INVALID: 1, Outcome.ERROR: 0}


@dataclass(frozen=True, slots=True)
class _SeenItem:
    """The result for one item at one value of the parameter that varies."""

    outcome: Outcome
    unchanged: bool
    vacuous: bool
    label: str | None


@dataclass(frozen=True, slots=True, order=True)
class _Key:
    """Key of one row in the report: a family of relations, a task, and the expectation about the answers."""

    family: str
    task: str
    expectation: str


_Values: TypeAlias = dict[float, dict[Item, _SeenItem]]
_Answers: TypeAlias = dict[tuple[str, int], tuple[str | None, str]]
"""The annotated label, if any, and the system's label of each source turn."""


class FamilyMetrics:
    """The metrics `metrics.families`: one record per family and task, and each system's accuracy on the sources.

    Args:
        families: families of relations that differ in one parameter.
        tag: count only relations with this tag, since other relations of the run may use the same transformations.
    """

    name = "families"

    def __init__(self, families: Iterable[Family], *, tag: str | None = None) -> None:
        self._tag = tag
        self._families = {family.transformation: family for family in families}
        self._cells: dict[_Key, dict[str, _Values]] = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
        self._fields: dict[_Key, set[tuple[str, ...]]] = defaultdict(set)
        self._sources: dict[tuple[str, str], _Answers] = defaultdict(dict)  # by system and task

    def __call__(self, event: Event) -> None:
        """Count a verdict, or record the answers to a source."""
        if isinstance(event, SourceObserved) and event.repeat == 0:
            for observation in event.observations.values():
                self._note_source(event.system, observation)
        elif isinstance(event, Verdict) and event.repeat == 0 and event.derivation is not None:
            self._note_verdict(event, event.derivation)

    def _note_source(self, system: str, observation: Observation) -> None:
        label = label_of(observation)
        if label is not None:
            annotated = next(iter(observation.asked.expected), None)
            where = (observation.case.id, observation.turn)
            self._sources[system, observation.case.task][where] = annotated, label

    def _note_verdict(self, verdict: Verdict, derivation: Derivation) -> None:
        family = self._families.get(derivation.steps[0].transformation) if len(derivation.steps) == 1 else None
        if family is None or (self._tag is not None and self._tag not in verdict.relation.tags):
            return
        value = value_number(family, derivation.steps[0].parameters[family.parameter])
        key = _Key(family.name, verdict.source.task, verdict.relation.output_relation.name)
        members = verdict.group.members if verdict.group else ()
        label = label_of(members[0]) if members else None
        seen = _SeenItem(verdict.outcome, verdict.decided.unchanged, verdict.vacuous, label)
        cell = self._cells[key][verdict.system][value]
        item = (verdict.source.id, verdict.turn, verdict.variant, verdict.draw)
        earlier = cell.get(item)
        # Two relations may judge one follow-up. It counts once, with the worse outcome.
        if earlier is None or _ORDER[seen.outcome] > _ORDER[earlier.outcome]:
            cell[item] = seen
        self._fields[key].add(verdict.variant)

    def metrics(self) -> dict[str, Any]:
        """Return the records of all families, and the accuracy and correlation of each system's source answers."""
        families = [self._record(key, systems) for key, systems in sorted(self._cells.items())]
        return {"families": families, "sources": [self._source_record(*key) for key in sorted(self._sources)]}

    def _record(self, key: _Key, systems: Mapping[str, _Values]) -> dict[str, Any]:
        family = next(family for family in self._families.values() if family.name == key.family)
        points = {system: self._points(system, key.task, values) for system, values in systems.items()}
        name = key.family if key.expectation == "equal" else f"{key.family} ({key.expectation})"
        legend = choices_of(family)
        numbered = ", ".join(f"{number} {choice}" for number, choice in enumerate(legend))
        parameter = f"{family.parameter} ({numbered})" if legend else family.parameter
        record = family_record(name, parameter, points, unchanged_at=family.unchanged_at, task=key.task)
        if legend:  # a region is an interval, which choices do not have
            record["systems"] = {system: {**series, "region": None} for system, series in record["systems"].items()}
        return {
            **record,
            "transformation": family.transformation,
            "swept": family.parameter,
            "expectation": key.expectation,
            "fields": sorted(map(list, self._fields[key])),
        }

    def _points(self, system: str, task: str, values: Mapping[float, Mapping[Item, _SeenItem]]) -> list[Point]:
        most_items = max(map(len, values.values()))
        sources = self._sources.get((system, task), {})
        return [_point(value, cell, sources, partial=len(cell) < most_items) for value, cell in values.items()]

    def _source_record(self, system: str, task: str) -> dict[str, Any]:
        answers = self._sources[system, task].values()
        labels = [(expected, label) for expected, label in answers if expected is not None]
        most = Counter(label for _, label in answers).most_common(1)
        return {
            "system": system,
            "task": task,
            "items": len(answers),
            "acc": accuracy(labels),
            "mcc": matthews(labels),
            "most_frequent": most[0][0] if most else None,
            "most_frequent_share": most[0][1] / len(answers) if most else None,
        }


def _point(value: float, cell: Mapping[Item, _SeenItem], sources: _Answers, *, partial: bool) -> Point:
    """Return the counts at one value of a parameter. They are partial if other values were tried on more items."""
    judged = {item: seen for item, seen in cell.items() if seen.outcome in (Outcome.SATISFIED, Outcome.VIOLATED)}
    violated_of, judged_of = Counter[str](), Counter[str]()
    for (source, *_), seen in judged.items():
        violated_of[source] += seen.outcome is Outcome.VIOLATED
        judged_of[source] += 1
    rate = violation_rate([(violated_of[source], total) for source, total in judged_of.items()])
    labels = [] if partial else _follow_up_labels(cell, sources)
    return Point(
        value=value,
        violated=rate.violated,
        satisfied=rate.total - rate.violated,
        unchanged=sum(seen.unchanged for seen in cell.values()),
        vacuous=sum(seen.vacuous and seen.outcome is Outcome.SATISFIED for seen in judged.values()),
        interval=rate.interval,
        acc=accuracy(labels),
        mcc=matthews(labels),
        partial=partial,
    )


def _follow_up_labels(cell: Mapping[Item, _SeenItem], sources: _Answers) -> Labels:
    """Return the annotated label and the system's label of each item that has both.

    An unchanged item keeps the label of its source, as in the paper.
    """
    labels = []
    for item, seen in cell.items():
        annotated, answered = sources.get(item[:2], (None, None))
        label = answered if seen.unchanged else seen.label
        if annotated is not None and label is not None:
            labels.append((annotated, label))
    return labels


def label_of(observation: Observation) -> str | None:
    """Return the label that a system answered with, or None if there is no answer or the task has no labels."""
    value = None if observation.response is None else observation.response.value
    return None if value is None or TASKS[observation.case.task].kind != "label" else str(value)


def choices_of(family: Family) -> tuple[str, ...]:
    """Return the values that a family's parameter may take, in order. The result is empty for numeric parameters."""
    parameters = {parameter.name: parameter for parameter in TRANSFORMATIONS[family.transformation].parameters}
    varied = parameters[family.parameter]
    return ("false", "true") if varied.type is bool else varied.choices


def value_number(family: Family, value: object) -> float:
    """Return a value of a family's parameter as a number. A choice is converted to its position.

    >>> from mutatis.relations.content_quality import FAMILIES
    >>> value_number(FAMILIES[0], 3)
    3
    """
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, int | float) else float(choices_of(family).index(str(value)))


add_recipes(
    Recipe(
        name="content_quality",
        summary="Three families on classifiers: duplication, abbreviation, upper case; regions without violations.",
        paper="Chan and Keung 2024",
        relations=("tag:content-quality",),
        collectors=lambda: (FamilyMetrics(FAMILIES, tag="content-quality"),),
    )
)
