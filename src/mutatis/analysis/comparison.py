"""Two runs side by side: findings that come and go, and rates per relation.

Works on the records of two reports (and, where they are at hand, the outcomes of `verdicts.jsonl`); knows neither
files nor how anything is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

from mutatis.analysis.paired import Counts, Paired, paired
from mutatis.core.errors import UsageError
from mutatis.core.transformation import NO_CHANGE
from mutatis.core.verdict import Row
from mutatis.records.baseline import Baseline
from mutatis.records.findings import Findings
from mutatis.records.report import FindingRecord, OutcomeName, Report, SummaryRow, VerdictRecord

Key: TypeAlias = tuple[str, str, str, str, int, tuple[str, ...]]
"""What makes a finding the same in two runs: system (empty where two differ), task, relation, source, turn, variant."""

Outcomes: TypeAlias = Mapping[Key, OutcomeName]
"""The worst outcome of a run per finding."""

_WORST: Sequence[OutcomeName] = ("violated", "satisfied", "error", "invalid")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """One row of the summary in both runs; `old` or `new` is None where a run has no such row.

    `paired` compares them source by source; None where a run kept no verdicts, or they have no source in common.
    """

    system: str
    task: str
    relation: str
    old: SummaryRow | None
    new: SummaryRow | None
    paired: Paired | None = None

    @property
    def differs(self) -> bool:
        """Whether chance hardly explains the difference: by the paired test, else by intervals that do not overlap."""
        return self.apart if self.paired is None else self.paired.significant

    @property
    def change(self) -> float | None:
        """The rate of the new run less that of the old one; None where one of them has none."""
        if self.paired is not None:
            return self.paired.difference
        sides = [None if side is None else side.rate for side in (self.old, self.new)]
        return None if sides[0] is None or sides[1] is None else sides[1] - sides[0]

    @property
    def moved(self) -> bool:
        """Whether the two runs tell anything different of it, chance or not."""
        sides = [None if side is None else (side.violated, side.judged) for side in (self.old, self.new)]
        pair = self.paired
        return sides[0] != sides[1] or (pair is not None and bool(pair.worse or pair.better or pair.difference))

    @property
    def apart(self) -> bool:
        """Whether the two intervals do not overlap, so that the rates differ beyond chance."""
        old = self.old.interval if self.old else None
        new = self.new.interval if self.new else None
        return bool(old and new and (old[1] < new[0] or new[1] < old[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChange:
    """A finding of one run only, with what became of it in the other: satisfied, invalid, error or not tested."""

    finding: FindingRecord
    elsewhere: str


class Some(Sequence[FindingRecord]):
    """Some of the findings of a run, read when they are looked at."""

    def __init__(self, findings: Sequence[FindingRecord], places: Sequence[int]) -> None:
        self._findings, self._places = findings, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> FindingRecord: ...

    @overload
    def __getitem__(self, place: slice) -> list[FindingRecord]: ...

    def __getitem__(self, place: int | slice) -> FindingRecord | list[FindingRecord]:
        if isinstance(place, slice):
            return [self._findings[one] for one in self._places[place]]
        return self._findings[self._places[place]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """What two runs say about the same things.

    Attributes:
        old_system, new_system: set where each run has one system, under different labels, and these are compared.
        rows: rates side by side.
        came, gone: findings of the new run only, and of the old run only.
        common: findings of both, as the new run tells them.
    """

    old_system: str | None
    new_system: str | None
    rows: tuple[RowChange, ...]
    came: tuple[FindingChange, ...]
    gone: tuple[FindingChange, ...]
    common: Sequence[FindingRecord]

    def told(self, *, every: bool) -> tuple[list[RowChange], list[RowChange]]:
        """Return the rows to be listed, and those to be summed up: what moved, or `every` row, what differs first.

        Rows of one system and task stay together.
        """
        groups = {(row.system, row.task): place for place, row in reversed(list(enumerate(self.rows)))}

        def place(row: RowChange) -> tuple[int, bool, bool, float]:
            return groups[row.system, row.task], not row.differs, not row.moved, -abs(row.change or 0.0)

        ordered = sorted(self.rows, key=place)
        listed = [row for row in ordered if every or row.moved]
        return listed, [row for row in ordered if not (every or row.moved)]

    @property
    def new(self) -> list[FindingRecord]:
        """The findings that fail a gate: those that came, were not FLAKY, and are not mere noise."""
        return new_findings([change.finding for change in self.came])


def new_findings(findings: Iterable[FindingRecord]) -> list[FindingRecord]:
    """Return those of some new findings that fail a build.

    A violation that asking again did not repeat (FLAKY) comes and goes with the same system, and so does another answer
    to the very same question: neither is a change of the system.
    """
    return [one for one in findings if one.confirmed is not False and one.relation != NO_CHANGE]


def compare(
    old: Report,
    new: Report,
    *,
    old_outcomes: Outcomes | None = None,
    new_outcomes: Outcomes | None = None,
    counts: tuple[Mapping[Row, Counts], Mapping[Row, Counts]] | None = None,
) -> RunComparison:
    """Compare two reports; without outcomes, what became of a finding in the other run is told as "unknown".

    `counts` are those of the old and of the new run per source: with them, rows are compared source by source.

    Runs of one system each are compared whatever its label; other runs on the labels they share. UsageError where
    they have no system, or no task and relation, in common.
    """
    old_system, new_system = _systems(old, new)
    renamed = old_system is not None
    rows = _rows(old.summary, new.summary, {} if counts is None else _paired(*counts, renamed), renamed)
    if not any(row.old and row.new for row in rows):
        raise UsageError(
            "nothing to compare: the runs have no task and relation in common "
            f"({_names(old['summary'])} against {_names(new['summary'])})"
        )
    before = {finding_key(finding, renamed): place for place, finding in enumerate(old.all_findings)}
    after = {finding_key(finding, renamed): place for place, finding in enumerate(new.all_findings)}
    return RunComparison(
        old_system=old_system,
        new_system=new_system,
        rows=tuple(rows),
        came=tuple(_only(new.all_findings, after, before, old_outcomes, renamed)),
        gone=tuple(_only(old.all_findings, before, after, new_outcomes, renamed)),
        common=Some(new.all_findings, [place for key, place in after.items() if key in before]),
    )


def finding_key(finding: FindingRecord | Mapping[str, Any], renamed: bool = False) -> Key:
    """Return what names a finding (or its record as JSON data) in another run, too."""
    source, system = finding["source"], "" if renamed else finding["system"]
    names = finding["task"], finding["relation"], source["case"]["id"]
    return system, *names, source["turn"], tuple(finding["variant"])


def worst_outcomes(
    verdicts: Iterable[VerdictRecord], findings: Iterable[FindingRecord] | None = None
) -> dict[Key, OutcomeName]:
    """Return the worst outcome per finding: violated, else satisfied, else error, else invalid.

    Only those of `findings` are kept where these are given (their system left aside), which spares memory.
    """
    wanted = None if findings is None else {finding_key(finding)[1:] for finding in findings}
    found: dict[Key, OutcomeName] = {}
    for one in verdicts:
        key = (one.system, one.task, one.relation, one.source, one.turn, tuple(one.variant))
        if wanted is None or key[1:] in wanted:
            found[key] = min(found.get(key, one.outcome), one.outcome, key=_WORST.index)
    return found


def _only(
    findings: Sequence[FindingRecord],
    own: Mapping[Key, int],
    other: Mapping[Key, int],
    outcomes: Outcomes | None,
    renamed: bool,
) -> Iterable[FindingChange]:
    known = None if outcomes is None else {("", *key[1:]) if renamed else key: o for key, o in outcomes.items()}
    for key, place in own.items():
        if key not in other:
            elsewhere = "unknown" if known is None else known.get(key, "not tested")
            yield FindingChange(finding=findings[place], elsewhere=elsewhere)


def marked(report: Report, baseline: Baseline) -> Report:
    """Return the report with each finding marked as new or known, against a baseline."""
    is_new = newness(baseline, [row.system for row in report.summary])

    def mark(finding: FindingRecord) -> FindingRecord:
        return finding.model_copy(update={"new": is_new(finding)})

    copy = report.model_copy(update={"findings": [mark(finding) for finding in report.findings]})
    every = report.all_findings
    return copy.holding(every.marked(mark)) if isinstance(every, Findings) else copy


def newness(baseline: Baseline, systems: Iterable[str]) -> Callable[[FindingRecord | Mapping[str, Any]], bool]:
    """Return what tells whether a finding (or its record as JSON data) of these systems is none of a baseline.

    A run of one system and a baseline of one system are compared whatever the system's label, as runs are.
    """
    renamed = len(set(systems)) == len(baseline.systems) == 1
    known = {
        ("" if renamed else one.system, one.task, one.relation, one.source, one.turn, tuple(one.variant))
        for one in baseline.findings
    }
    return lambda finding: finding_key(finding, renamed) not in known


def _systems(old: Report, new: Report) -> tuple[str | None, str | None]:
    before = list(dict.fromkeys(row.system for row in old.summary))
    after = list(dict.fromkeys(row.system for row in new.summary))
    if set(before) & set(after):
        return None, None
    if len(before) == 1 and len(after) == 1:
        return before[0], after[0]
    raise UsageError(
        f"nothing to compare: the runs tested different systems ({', '.join(before) or 'none'} against "
        f"{', '.join(after) or 'none'}); give runs that share a system, or with one system each"
    )


def _rows(
    old: Sequence[SummaryRow], new: Sequence[SummaryRow], pairs: Mapping[Row, Paired], renamed: bool
) -> list[RowChange]:
    def table(rows: Sequence[SummaryRow]) -> dict[Row, SummaryRow]:
        return {("" if renamed else row.system, row.task, row.relation): row for row in rows}

    before, after = table(old), table(new)
    keys = list(dict.fromkeys([*before, *after]))
    return [
        RowChange(
            system=system, task=task, relation=relation, old=before.get(key), new=after.get(key), paired=pairs.get(key)
        )
        for key in keys
        for system, task, relation in [key]
    ]


def _paired(old: Mapping[Row, Counts], new: Mapping[Row, Counts], renamed: bool) -> dict[Row, Paired]:
    before, after = (
        {("", *row[1:]) if renamed else row: counts for row, counts in side.items()} for side in (old, new)
    )
    return paired({row: (before[row], after[row]) for row in before if row in after})


def _names(summary: Sequence[SummaryRow]) -> str:
    names = list(dict.fromkeys(f"{row.task} {row.relation}" for row in summary))
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "nothing"
