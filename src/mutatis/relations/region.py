"""Saves parameter regions without violations to a file, so that fresh inputs can be judged by them.

The regions come from the families of relations in `report.json`. This module also defines the format of the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError
from mutatis.core.parsing import json_of
from mutatis.records.report import Report

FORMAT, VERSION = "mutatis/oracle", 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleRegion:
    """An interval of a parameter in which one system's answers on one task do not change.

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
        """The end of the interval at which the input is changed most."""
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
        for system, series in family["systems"].items():
            region = series["region"]
            if region is not None and family["expectation"] == "equal":
                regions.append(
                    OracleRegion(
                        system=system,
                        task=family["task"],
                        family=family["name"],
                        transformation=family["transformation"],
                        parameter=family["swept"],
                        unchanged_at=family["unchanged_at"],
                        low=region["low"],
                        high=region["high"],
                        fields=tuple(tuple(names) for names in family["fields"]),
                        values=tuple(region["values"]),
                        items=region["items"],
                        bound=region["bound"],
                    )
                )
    return regions


def save_oracle(regions: Sequence[OracleRegion], path: Path, *, run: str) -> Path:
    """Write regions to a JSON file and return its path. `run` is the name of the run that produced them."""
    record = {"format": FORMAT, "version": VERSION, "run": run, "regions": [asdict(region) for region in regions]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return path


def load_oracle(path: Path) -> list[OracleRegion]:
    """Read the regions from a file.

    Raises:
        UsageError: the file cannot be read, or does not contain regions in this version's format.
    """
    made = "make one with: mutatis region RUN -o FILE"
    try:
        record = json_of(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"oracle {path} cannot be read: {error.strerror or error}; {made}") from None
    except ValueError as error:
        raise UsageError(f"oracle {path} is not JSON: {error}; {made}") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise UsageError(f"{path} is not an oracle file; {made}")
    if record.get("version") != VERSION:
        raise UsageError(f"oracle {path} has version {record.get('version')!r}; expected {VERSION}; {made}")
    try:
        return [_region(entry) for entry in record["regions"]]
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"oracle {path}: one of the regions is damaged ({type(error).__name__}: {error}); {made}"
        ) from None


def _region(record: Mapping[str, Any]) -> OracleRegion:
    fields = tuple(tuple(str(name) for name in names) for names in record["fields"])
    region = OracleRegion(**{**record, "fields": fields, "values": tuple(record["values"])})
    for number in (region.unchanged_at, region.low, region.high, region.bound, region.items, *region.values):
        if not isinstance(number, int | float):
            raise TypeError(f"{number!r} is not a number")
    return region
