"""What is wrong and how bad: one sentence per system with the gate's word, and the relations by capability.

Knows the records of a report and the gate; texts and positions come out ready to be laid out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.analysis.precision import Precision
from mutatis.core.transformation import NO_CHANGE
from mutatis.records.report import HealthRecord, Report, SummaryRow
from mutatis.reports.expected import expectation, out_of_ten
from mutatis.reports.gate import gate_of, limits
from mutatis.reports.marking import visible
from mutatis.reports.numbers import counted, interval_text, line, number, percent
from mutatis.reports.passing import accepted, passing
from mutatis.reports.rates import least, rate_text, worst_first


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One system in one sentence, and what the gate says of it: "pass", "fail", "untested" or "open" (no gate)."""

    system: str
    text: str
    word: str
    gate: str
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One relation on one system and task; positions are percentages of the bar."""

    system: str
    task: str
    relation: str
    says: str
    capability: str
    judged: int
    violated: int
    findings: int
    rate: str
    share: float
    interval: str
    low: float
    high: float
    floor: float | None
    floor_text: str
    doubt: str
    notes: tuple[str, ...]
    sound: str
    sound_share: float
    real: str
    real_share: float
    real_why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One task: per system its relations by capability; `matrix` sets several systems side by side."""

    task: str
    systems: tuple[str, ...]
    tables: tuple[tuple[str, tuple[tuple[str, tuple[Line, ...]], ...]], ...]
    matrix: tuple[tuple[str, tuple[tuple[str, str, tuple[Line | None, ...]], ...]], ...]


_GATE = {"untested": "not tested", "fail": "fails the gate", "pass": "passes the gate", "open": "no gate was set"}


def sentences(report: Report) -> list[Sentence]:
    """Return one sentence per system, in the order of the summary."""
    gate = gate_of(report)
    found = []
    for system in dict.fromkeys(row.system for row in report.summary):
        own = [row for row in report.summary if row.system == system]
        wanted = gate.baseline is not None or gate.max_findings is not None  # else nobody reads them one by one
        findings = [one for one in (report.all_findings if wanted else ()) if one.system == system]
        part = report.model_copy(update={"summary": own, "findings": findings}).holding(findings)
        relations = {row.relation for row in own}  # another system's data may have others
        limited = {name: limit for name, limit in gate.relations.items() if name in relations}
        result = passing(part, gate.model_copy(update={"relations": limited}))
        word = {"passed": "pass" if gate.limited else "open", "violated": "fail"}.get(result.word, "untested")
        text = _sentence([row for row in own if row.relation != NO_CHANGE])
        stored = [told for name, told in accepted(report).items() if name == system]
        told = [*stored, *result.reasons]
        lines = (*map(line, told[:3]), *([f"and {number(len(told) - 3)} more"] if len(told) > 3 else []))
        gated = f"{_GATE[word]} ({limits(gate)})" if word == "pass" else _GATE[word]
        found.append(Sentence(system=line(system), text=text, word=word, gate=gated, why=lines))
    return found


def _sentence(rows: Sequence[SummaryRow]) -> str:
    judged, violated = sum(row.judged for row in rows), sum(row.violated for row in rows)
    findings = sum(row.distinct for row in rows)
    if not judged and rows and all(row.applies_to_nothing for row in rows):
        return "was not tested: no relation applies to the inputs."
    if not judged:
        return "gave no answer that could be judged."
    if not violated:
        return f"kept every relation: 0 of {number(judged)} verdicts are violations."
    if all(row.only_flaky for row in rows if row.violated):
        return (
            f"does not answer the same every time: none of {counted(findings, 'finding')} was there again when it was "
            f"asked again (FLAKY; {number(violated)} of {number(judged)} verdicts)."
        )
    text = f"contradicts itself in {number(violated)} of {number(judged)} verdicts"
    searched = any(row.estimate != "all" for row in rows)
    text += " of a search that went where failures are" if searched else f" ({percent(violated / judged)})"
    text += f", {number(findings)} distinct {'finding' if findings == 1 else 'findings'}"
    rated = [row for row in rows if row.rate is not None]
    if not rated:
        return f"{text}; this is a search, not an estimate."
    worst = max(rated, key=lambda row: (least(row), row.rate or 0.0))
    return f"{text}; most under {line(worst.relation)} ({rate_text(worst)})."


def blocks(
    summary: Sequence[SummaryRow], precision: Mapping[tuple[str, str, str], Precision] | None = None
) -> list[Block]:
    """Return one block per task, the relations of each by capability, the worst first.

    `precision` holds, per system, task and relation, what people's labels say of its findings.
    """
    tasks: dict[str, list[Line]] = {}
    for row in worst_first(summary):
        tasks.setdefault(line(row.task), []).append(
            _line(row, (precision or {}).get((row.system, row.task, row.relation)))
        )
    found = []
    for task in dict.fromkeys(line(row.task) for row in summary):
        lines = tasks[task]
        systems = tuple(dict.fromkeys(line(row.system) for row in summary if line(row.task) == task))
        tables = tuple((system, _grouped(one for one in lines if one.system == system)) for system in systems)
        found.append(Block(task=task, systems=systems, tables=tables, matrix=_matrix(lines, systems)))
    return found


def _grouped(lines: Iterable[Line]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    groups: dict[str, list[Line]] = {}
    for one in lines:
        groups.setdefault(one.capability, []).append(one)
    return tuple((capability, tuple(found)) for capability, found in groups.items())


def _matrix(
    lines: Sequence[Line], systems: Sequence[str]
) -> tuple[tuple[str, tuple[tuple[str, str, tuple[Line | None, ...]], ...]], ...]:
    if len(systems) < 2:
        return ()
    cells = {(one.relation, one.system): one for one in lines}
    rows = []
    for capability, found in _grouped(lines):
        names = dict.fromkeys((one.relation, one.says) for one in found)
        rows.append(
            (capability, tuple((name, says, tuple(cells.get((name, s)) for s in systems)) for name, says in names))
        )
    return tuple(rows)


def _line(row: SummaryRow, labelled: Precision | None) -> Line:
    floor = row.noise_floor
    low, high = row.interval or (0.0, 0.0)
    counts = (
        (row.flaky, "FLAKY", "FLAKY"),
        (row.undecided, "undecided", "undecided"),
        (row.invalid, "invalid", "invalid"),
        (row.unchanged, "of these unchanged", "of these unchanged"),
        (row.error, "error", "errors"),
    )
    sound, sound_share = _sound(row)
    return Line(
        system=line(row.system),
        task=line(row.task),
        relation=line(row.relation),
        says=line(row.says),
        capability=line(row.capability) or "relations",
        judged=row.judged,
        violated=row.violated,
        findings=row.distinct,
        rate=rate_text(row),
        share=round(100 * (row.rate or 0.0), 2),
        interval=interval_text(row.interval),
        low=round(100 * low, 2),
        high=round(100 * high, 2),
        floor=None if floor is None else round(100 * floor, 2),
        floor_text="" if floor is None else percent(floor),
        doubt="too few to tell" if row.too_few else "within noise" if row.within_noise else "",
        notes=tuple(f"{number(count)} {name if count == 1 else plural}" for count, name, plural in counts if count),
        sound=sound,
        sound_share=sound_share,
        **_real(row, labelled),
    )


def _real(row: SummaryRow, labelled: Precision | None) -> dict[str, Any]:
    """Return how many of the findings are real: by the labels of this run where there are any, else as expected."""
    if labelled is not None:
        told = f"{number(labelled.real)} of {number(labelled.labelled)} labelled findings are real bugs"
        return {"real": f"{labelled.real}/{labelled.labelled}", "real_share": labelled.share, "real_why": told}
    known = row.expected_precision
    return {
        "real": out_of_ten(row) if row.violated else "",
        "real_share": -1.0 if known is None else known,
        "real_why": line(expectation(row)),
    }


def _sound(row: SummaryRow) -> tuple[str, float]:
    """Return how many follow-ups of the relation readers found sound: "57 of 60 read", and the share; -1 where none."""
    told = row.soundness
    if told is None or not told.read:
        return "", -1.0
    return f"{number(told.sound)} of {number(told.read)}", told.sound / told.read


def health(checks: Sequence[HealthRecord]) -> list[dict[str, Any]]:
    """Return the health warnings by name: what is common said once, the commonest reason quoted, each listed."""
    groups: dict[tuple[str, str], list[HealthRecord]] = {}
    for check in checks:
        groups.setdefault((check.name, check.remedy), []).append(check)
    found = []
    for (name, remedy), members in groups.items():
        reasons = Counter(check.reason for check in members if check.reason)
        silence = next((check.silence for check in members if check.silence), "")
        found.append(
            {
                "name": line(name),
                "remedy": visible(remedy).rstrip("."),
                "silence": visible(silence),
                "reason": visible(next((reason for reason, _ in reasons.most_common(1)), "")),
                "members": [(line(check.subject), visible(check.message).rstrip(".")) for check in members],
            }
        )
    return found
