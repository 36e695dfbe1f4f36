"""Two runs side by side: findings that come and go, and rates per relation.

Works on the plain data of two `report.json` (and, where they are at hand, the outcomes of `verdicts.jsonl`); knows
neither files nor how anything is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mutatis.core.errors import UsageError

Key: TypeAlias = tuple[str, str, str, str, int, tuple[str, ...]]
"""What makes a finding the same in two runs: system (empty where two differ), task, relation, source, turn, variant."""

Outcomes: TypeAlias = Mapping[Key, str]
"""The worst outcome of a run per finding."""

_WORST = ("violated", "satisfied", "error", "invalid")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """One row of the summary in both runs; `old` or `new` is None where a run has no such row.

    `apart` says that both intervals are there and do not overlap.
    """

    system: str
    task: str
    relation: str
    old: Mapping[str, Any] | None
    new: Mapping[str, Any] | None

    @property
    def apart(self) -> bool:
        """Whether the two intervals do not overlap, so that the rates differ beyond chance."""
        old = self.old.get("interval") if self.old else None
        new = self.new.get("interval") if self.new else None
        return bool(old and new and (old[1] < new[0] or new[1] < old[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChange:
    """A finding of one run only, with what became of it in the other: satisfied, invalid, error or not tested."""

    finding: Mapping[str, Any]
    elsewhere: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
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
    common: tuple[Mapping[str, Any], ...]


def compare(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    *,
    old_outcomes: Outcomes | None = None,
    new_outcomes: Outcomes | None = None,
) -> Comparison:
    """Compare two reports; without outcomes, what became of a finding in the other run is told as "unknown".

    Runs of one system each are compared whatever its label; other runs on the labels they share. UsageError where
    they have no system, or no task and relation, in common.
    """
    old_system, new_system = _systems(old, new)
    renamed = old_system is not None
    rows = _rows(old["summary"], new["summary"], renamed)
    if not any(row.old and row.new for row in rows):
        raise UsageError(
            "nothing to compare: the runs have no task and relation in common "
            f"({_names(old['summary'])} against {_names(new['summary'])})"
        )
    before = {finding_key(finding, renamed): finding for finding in old["findings"]}
    after = {finding_key(finding, renamed): finding for finding in new["findings"]}
    return Comparison(
        old_system=old_system,
        new_system=new_system,
        rows=tuple(rows),
        came=tuple(_only(after, before, old_outcomes, renamed)),
        gone=tuple(_only(before, after, new_outcomes, renamed)),
        common=tuple(finding for key, finding in after.items() if key in before),
    )


def finding_key(record: Mapping[str, Any], renamed: bool = False) -> Key:
    """Return what names a finding of `report.json` or of a line of `verdicts.jsonl`."""
    source = record["source"]
    if isinstance(source, Mapping):
        name, turn = source["case"]["id"], source["turn"]
        variant = record["variant"]
    else:
        name, turn, variant = source, record["turn"], record["variant"]
    system = "" if renamed else record["system"]
    return system, record["task"], record["relation"], name, turn, tuple(variant)


def worst_outcomes(
    verdicts: Iterable[Mapping[str, Any]], findings: Iterable[Mapping[str, Any]] | None = None
) -> dict[Key, str]:
    """Return the worst outcome per finding: violated, else satisfied, else error, else invalid.

    Only those of `findings` are kept where these are given (their system left aside), which spares memory.
    """
    wanted = None if findings is None else {finding_key(finding)[1:] for finding in findings}
    found: dict[Key, str] = {}
    for verdict in verdicts:
        key, outcome = finding_key(verdict), str(verdict["outcome"])
        if wanted is not None and key[1:] not in wanted:
            continue
        known = found.get(key)
        if known is None or _rank(outcome) < _rank(known):
            found[key] = outcome
    return found


def _rank(outcome: str) -> int:
    return _WORST.index(outcome) if outcome in _WORST else len(_WORST)


def _only(
    own: Mapping[Key, Mapping[str, Any]], other: Mapping[Key, Any], outcomes: Outcomes | None, renamed: bool
) -> Iterable[FindingChange]:
    known = None if outcomes is None else {("", *key[1:]) if renamed else key: o for key, o in outcomes.items()}
    for key, finding in own.items():
        if key not in other:
            elsewhere = "unknown" if known is None else known.get(key, "not tested")
            yield FindingChange(finding=finding, elsewhere=elsewhere)


def _systems(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str | None, str | None]:
    before = list(dict.fromkeys(row["system"] for row in old["summary"]))
    after = list(dict.fromkeys(row["system"] for row in new["summary"]))
    if set(before) & set(after):
        return None, None
    if len(before) == 1 and len(after) == 1:
        return before[0], after[0]
    raise UsageError(
        f"nothing to compare: the runs tested different systems ({', '.join(before) or 'none'} against "
        f"{', '.join(after) or 'none'}); give runs that share a system, or with one system each"
    )


def _rows(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], renamed: bool) -> list[RowChange]:
    def table(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str, str], Mapping[str, Any]]:
        return {("" if renamed else row["system"], row["task"], row["relation"]): row for row in rows}

    before, after = table(old), table(new)
    keys = list(dict.fromkeys([*before, *after]))
    return [
        RowChange(system=system, task=task, relation=relation, old=before.get(key), new=after.get(key))
        for key in keys
        for system, task, relation in [key]
    ]


def _names(summary: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(f"{row['task']} {row['relation']}" for row in summary))
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "nothing"
