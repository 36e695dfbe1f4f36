"""Judges new inputs by a region, which is a range of a parameter's values that was tested without violations.

The regions come from the families of relations in `report.json`, and are saved to a file.

The answer to an input is compared with its label, if there is one. Otherwise, it is compared with the answer to a
typical member of the region, which is obtained once and stored. A violation is then as certain as the evidence for the
region, without further tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from mutatis.core.cases import Case, Step
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.records.files import read_record
from mutatis.records.record import ReportRecord
from mutatis.records.report import Report
from mutatis.relations.output import Equal
from mutatis.transformations.sentences import remove_copies

FORMAT, VERSION = "mutatis/oracle", 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleRegion:
    """An interval of a parameter without changes in one system's answers on one task.

    Attributes:
        fields: combinations of fields that were transformed together.
        unchanged_at: the value that has no effect, which is either the low or the high end.
        values: the tested values inside the interval.
        items, bound: the smallest number of items tested at any of these values, and the upper bound of the violation
            rate there (95 %).
    """

    system: str
    task: str
    family: str
    transformation: str
    parameter: str
    unchanged_at: float
    low: float
    high: float
    fields: tuple[tuple[str, ...], ...]
    values: tuple[float, ...]
    items: int
    bound: float

    @property
    def far_end(self) -> float:
        """The end of the interval with the greatest change in the input."""
        return self.high if self.low == self.unchanged_at else self.low

    @property
    def line(self) -> str:
        """A one-line description of the region."""
        return (
            f"{self.system}, {self.task}: {self.family} ({self.parameter} {self.low:g} to {self.high:g}), "
            f"0 violations in {self.items} items, rate at most {self.bound:.2%}"
        )


def regions_of(report: Report) -> list[OracleRegion]:
    """Return the regions without violations for every family in a report that expects equal answers."""
    metrics = report.metrics.get("families") or {}
    regions = []
    for family in metrics.get("families", []):
        if family["expectation"] == "equal":
            by_system = {system: series["region"] for system, series in family["systems"].items()}
            regions += [_region_of(family, system, region) for system, region in by_system.items() if region]
    return regions


def _region_of(family: Mapping[str, Any], system: str, region: Mapping[str, Any]) -> OracleRegion:
    """Return a region in the metrics of a report, which belongs to a family and a system."""
    return OracleRegion(
        system=system,
        task=family["task"],
        family=family["name"],
        transformation=family["transformation"],
        parameter=family["swept"],
        unchanged_at=family["unchanged_at"],
        low=region["low"],
        high=region["high"],
        fields=tuple(map(tuple, family["fields"])),
        values=tuple(region["values"]),
        items=region["items"],
        bound=region["bound"],
    )


def save_oracle(regions: Sequence[OracleRegion], path: Path, *, run: str) -> Path:
    """Write regions to a JSON file and return its path. `run` is the name of the run that produced them."""
    record = {"format": FORMAT, "version": VERSION, "run": run, "regions": [asdict(region) for region in regions]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return path


class _OracleFile(ReportRecord):
    format: Literal["mutatis/oracle"]
    version: Literal[2]
    regions: list[OracleRegion]


def load_oracle(path: Path) -> list[OracleRegion]:
    """Read the regions from a file.

    Raises:
        UsageError: the file cannot be read, or does not contain regions in this version's format.
    """
    return read_record(_OracleFile, path, "an oracle", "a file written by: mutatis region RUN -o FILE").regions


INSIDE = Precondition(name="the input lies in the region", stage=Stage.SOURCE_INPUT, check=lambda _: False)
"""Precondition that is always broken. It is added for inputs outside the region, which cannot be judged."""


def copies_of(text: str) -> float:
    """Return how many copies of one passage, from 1 to 6, a text consists of.

    >>> copies_of("So? So? So?"), copies_of("So? No.")
    (3, 1)
    """
    return (len(text) + 1) // (len(remove_copies(text)) + 1)


def upper_share(text: str) -> float | None:
    """Return the proportion of a text that is in upper case at its beginning.

    Return None if there are capitals elsewhere.

    >>> upper_share("SO What"), upper_share("so what"), upper_share("SO WHAT"), upper_share("So WHat")
    (0.5714285714285714, 0.0, 1.0, None)
    """
    capitals = [place for place, letter in enumerate(text) if letter != letter.lower()]
    if not capitals:
        return 0.0
    if text == text.upper():
        return 1.0
    end = capitals[-1] + 1
    return end / len(text) if text[:end] == text[:end].upper() else None


_UNDONE: dict[str, tuple[Callable[[str], float | None], str]] = {
    "duplicate": (copies_of, "remove-copies"),
    "upper-case": (upper_share, "lower-case"),
}
"""Transformations whose effect can be recognised in a text and undone.

For each, a function that reads the parameter's value from a text, and the transformation that undoes the effect.
"""


def oracle_relation(region: OracleRegion, case: Case, *, labelled: bool) -> MetamorphicRelation:
    """Return the relation that judges a new input by a region without violations.

    An input that looks transformed, such as a title written three times, is compared with its original. Any other input
    is compared with its transformed version at the far end of the region. If the input has a label (`labelled`), its
    answer is compared only with the label, and no other question is asked.
    """
    fields = _fields(region, case)
    value, undoing = _recognised(region, [case.turns[0].fields[name] for name in fields])
    preconditions: tuple[Precondition, ...] = ()
    if undoing is None or value == region.unchanged_at:
        step = Step.of(region.transformation, **{region.parameter: _typed(region, region.far_end)})
    else:
        step = Step.of(undoing)
        # Nothing is known outside the region: the verdict on the input is INVALID.
        preconditions = () if region.low <= value <= region.high else (INSIDE,)
    if labelled:
        step = replace(step, turns=())  # no turn is edited: the input is judged as it is
    return MetamorphicRelation.of(
        name=f"oracle-{region.family}",
        transformations=(step,),
        output_relation=Equal(),
        tasks=(region.task,),
        variants={region.task: (fields,)},
        preconditions=preconditions,
        reference="annotated" if labelled else "source",
        unchanged="keep" if labelled else "invalid",
        tags=frozenset({"oracle"}),
        summary=f"Inside a region without violations the answer is known: {region.line}.",
    )


def _fields(region: OracleRegion, case: Case) -> tuple[str, ...]:
    fields = case.turns[0].fields
    return next((names for names in region.fields if fields.keys() >= set(names)), tuple(fields))


def _typed(region: OracleRegion, value: float) -> float | int:
    types = {parameter.name: parameter.type for parameter in TRANSFORMATIONS[region.transformation].parameters}
    return int(value) if types[region.parameter] is int else float(value)


def _recognised(region: OracleRegion, texts: Sequence[str]) -> tuple[float, str | None]:
    """Return the parameter value recognised in the texts, and the transformation that undoes the change.

    If nothing is recognised, return the value that has no effect, and None.
    """
    if region.transformation not in _UNDONE:
        return region.unchanged_at, None
    recogniser, undo = _UNDONE[region.transformation]
    values = [value for text in texts if (value := recogniser(text)) is not None]
    return (max(values), undo) if len(values) == len(texts) else (region.unchanged_at, None)
