"""The `[gate]` section: the limits that decide whether a run passes. `passing` applies them to a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import pydantic

from mutatis.core.errors import UsageError, names_text, nearest, unknown_name
from mutatis.core.relation import RELATIONS
from mutatis.core.removed import REMOVED_RELATIONS
from mutatis.core.transformation import NO_CHANGE
from mutatis.opening import FileName
from mutatis.options import Options
from mutatis.records import Report
from mutatis.reports.numbers import counted, line, percent

MOST_LISTED = 6
"""Maximum number of relations of a run that an error message lists."""

UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
"""Number of seconds in each unit of a duration."""


class Gate(Options):
    """`[gate]`: the limits that decide whether a run fails.

    Violations fail a run only if `max_rate`, `relations`, `max_findings` or `baseline` is given. In any case, a run
    fails if nothing was judged, if too many verdicts are ERROR (`max_errors`), or if a rate is based on too few
    verdicts (`min_judged`). `max_same` and `max_age` apply only if one of these limits other than `max_errors` is
    given.

    Attributes:
        max_rate: maximum violation rate allowed in a row of the summary.
        max_findings: maximum number of faults. Findings with the same cause on the same turn of an input count once.
        max_errors: maximum share of ERROR among a system's verdicts on a task, counting only verdicts that needed
            questions.
        min_judged: minimum number of verdicts that a row's rate needs.
        baseline: a RUN, or a file of known findings. Findings that are not in it fail the run.
        newly_asked: whether to also fail on findings whose follow-ups the baseline never asked.
        relations: the maximum violation rate of individual relations, by name.
        max_same: maximum share of different questions that may get the same reply, in free-text tasks.
        max_age: maximum age, such as "12h", of the newest stored answer of an endpoint that was not asked anything.
    """

    max_rate: float | None = pydantic.Field(default=None, ge=0, le=1)
    max_findings: int | None = pydantic.Field(default=None, ge=0)
    max_errors: float = pydantic.Field(default=0.1, ge=0, le=1)
    min_judged: int | None = pydantic.Field(default=None, ge=1)
    baseline: FileName | None = None
    newly_asked: bool = False
    relations: dict[str, Annotated[float, pydantic.Field(ge=0, le=1)]] = pydantic.Field(default_factory=dict)
    max_same: float = pydantic.Field(default=0.5, ge=0, le=1)
    max_age: str | None = None

    @pydantic.field_validator("max_age", mode="before")
    @classmethod
    def _is_a_duration(cls, written: Any) -> Any:
        if written is not None:
            seconds_of(written)
        return written

    @property
    def limited(self) -> bool:
        """True if the gate limits violations, findings or the number of verdicts."""
        others = (self.max_rate, self.max_findings, self.min_judged, self.baseline)
        return bool(self.relations) or any(limit is not None for limit in others)

    def of_run(self, relations: Sequence[str], notes: Sequence[str] = ()) -> Gate:
        """Return a copy of the gate for a run, with published relation ids replaced by the relations' names.

        `notes` state why parts were left out of the run.

        Raises:
            UsageError: a limit is set for a relation that is not in the run or is never gated, so it could have no
                effect.
        """
        limits = {
            name if name in relations else _relation_name(name, relations): limit
            for name, limit in self.relations.items()
        }
        for name in limits:
            if name == NO_CHANGE:
                raise UsageError(
                    f"[gate.relations] limits {NO_CHANGE!r}, which is never gated because it measures the noise floor; "
                    "leave it out"
                )
            if name not in relations:
                why = next((f" ({note})" for note in notes if name in note), "")
                raise UsageError(
                    f"[gate.relations] limits {name!r}, which is not in this run{why}; {_nearest(name, relations)}"
                )
        return self.model_copy(update={"relations": limits})

    def limit(self, relation: str) -> float | None:
        """Return the maximum violation rate allowed for a relation, or None if there is no limit."""
        return None if relation == NO_CHANGE else self.relations.get(relation, self.max_rate)


def _relation_name(name: str, relations: Sequence[str]) -> str:
    """Return the name of a relation given by its name or its published id.

    For a misspelt name, the error suggests a relation of the run.
    """
    if name not in (*RELATIONS, *REMOVED_RELATIONS) and nearest(name, relations):
        raise unknown_name("relation in [gate.relations]:", name, relations)
    return RELATIONS.resolve(name)


def _nearest(name: str, relations: Sequence[str]) -> str:
    """Return a hint that names the relation that was probably meant, or else lists the relations of the run."""
    if near := nearest(name, relations):
        return f"did you mean {near[0]!r}?"
    return f"add it to `relations`, or limit one of: {names_text(relations, MOST_LISTED)}"


def seconds_of(written: object) -> float:
    """Convert a duration given as text, such as "12h", to seconds.

    Raises:
        ValueError: it is not a duration.

    >>> seconds_of("12h"), seconds_of("1d 30min")
    (43200.0, 88200.0)
    """
    text = written.replace(" ", "") if isinstance(written, str) else ""
    parts = re.findall(r"(\d+(?:\.\d+)?)(min|[smhdw])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:  # there is other text between them
        raise ValueError('expected a duration, such as "30min", "12h" or "7d"')
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def limits(gate: Gate) -> str:
    """Return a short description of a gate's limits, or "" if it has none.

    >>> limits(Gate(max_rate=0.1, max_findings=3)), limits(Gate())
    ('at most 10.0 %, at most 3 faults', '')
    """
    parts = [] if gate.max_rate is None else [f"at most {percent(gate.max_rate)}"]
    parts += [f"{line(relation)} at most {percent(limit)}" for relation, limit in gate.relations.items()]
    if gate.max_findings is not None:
        parts.append(f"at most {counted(gate.max_findings, 'fault')}")
    if gate.min_judged is not None:
        parts.append(f"at least {counted(gate.min_judged, 'verdict')} a row")
    if gate.baseline is not None:
        parts.append("no new fault")
    return ", ".join(parts)


def gate_of(report: Report) -> Gate:
    """Return the gate from a run's configuration."""
    return Gate.model_validate(report.run.config.get("gate") or {})
