"""Interprets violation rates: whether they are estimates or exceed the noise floor, and which are worst."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.records.report import Report, SummaryRow
from mutatis.reports.faults import groups_of
from mutatis.reports.numbers import counted, line, number, percent


def worst_first(rows: Iterable[SummaryRow]) -> list[SummaryRow]:
    """Return rows in the order used by every report: worst first, and rows without a rate last.

    The lower bound of the interval is compared before the rate, so that three violations in three verdicts do not come
    before a hundred in a hundred and ten.
    """
    return sorted(rows, key=lambda row: (-least(row), -(row.rate or 0.0), -row.judged, -row.error))


def least(row: SummaryRow) -> float:
    """Return the lower bound of a row's confidence interval, or 0 if there is none."""
    return row.interval[0] if row.interval else 0.0


def totals(report: Report) -> str:
    """Return a phrase with the totals over all verdicts of a run."""
    rows = report.summary
    violated, judged = sum(row.violated for row in rows), sum(row.judged for row in rows)
    left = not_judged(rows)
    if not judged:
        return f"no verdict could be judged: {left}" if left else "no verdict"
    flaky, distinct = sum(row.flaky for row in rows), len(report.all_findings)
    findings = max(distinct - flaky, 0)
    held = counted(findings, "distinct finding")
    if len(report.findings) == distinct:  # of more findings nobody knows the faults without reading all
        faults = len(groups_of(finding for finding in report.findings if finding.confirmed is not False))
        held = counted(faults, "fault") + (f" ({counted(findings, 'finding')})" if faults < findings else "")
    told = f"{violated:,} of {judged:,} verdicts violated; {held}"
    told += f"; {flaky:,} FLAKY, counted separately" if flaky else ""
    return told + (f"; {left}" if left else "")


def not_judged(rows: Sequence[SummaryRow]) -> str:
    """Return how many verdicts are undecided, otherwise invalid, or errors, or "" if all were judged.

    Errors are also given as a percentage of all verdicts that needed an answer.
    """
    errors, asked = sum(row.error for row in rows), sum(row.asked for row in rows)
    counts = ((sum(row.open for row in rows), "open"), (sum(row.otherwise_invalid for row in rows), "invalid"))
    told = [f"{count:,} {name}" for count, name in counts if count]
    if errors:
        told.append(f"{counted(errors, 'error')} ({percent(errors / asked)} of what was asked)")
    return ", ".join(told)


def by_system_and_task(rows: Iterable[SummaryRow]) -> dict[str, list[SummaryRow]]:
    """Return rows grouped by "system on task", with the groups in report order and the worst rows of each first."""
    listed = list(rows)
    blocks: dict[str, list[SummaryRow]] = {f"{line(row.system)} on {line(row.task)}": [] for row in listed}
    for row in worst_first(listed):
        blocks[f"{line(row.system)} on {line(row.task)}"].append(row)
    return blocks


def unfolded(rows: Sequence[SummaryRow]) -> tuple[list[SummaryRow], list[SummaryRow]]:
    """Return the rows with findings, and separately the rows without any, which reports summarise in one line."""
    return [row for row in rows if row.distinct], [row for row in rows if not row.distinct]


def folded(rows: Sequence[SummaryRow], total: int) -> list[str]:
    """Return a line on the satisfied relations and one on those without a verdict, for rows without findings.

    `total` is the number of all rows of the system and task.
    """
    kept, silent = [row for row in rows if row.judged], [row for row in rows if not row.judged]
    told = []
    if kept:
        judged, left = sum(row.judged for row in kept), not_judged(kept)
        verdicts = f"0 of {counted(judged, 'verdict')} violated" + (f"; {left}" if left else "")
        names = ", ".join(line(row.relation) for row in kept)
        told.append(f"no findings under {counted(len(kept), 'relation')} ({verdicts}): {names}")
    if silent:
        names = ", ".join(line(row.relation) for row in silent[:NAMED])
        names += f" and {len(silent) - NAMED} more" if len(silent) > NAMED else ""
        left = not_judged(silent) or "no verdict"
        told.append(f"{len(silent)} of {counted(total, 'relation')} had no verdict on these inputs ({left}): {names}")
    return told


REASONS = 3
"""Maximum number of reasons for unusable answers of the helper model that the summary lists."""


def helper_text(report: Report) -> str | None:
    """Return a summary of the questions to the helper model and its commonest problems.

    Return None if the run has no helper model.
    """
    helper = report.run.helper
    if helper is None:
        return None
    told = f"{helper.asked:,} asked, {helper.paid:,} paid"
    told += f", {helper.stored:,} stored" if helper.stored else ""
    told += f", {helper.failed:,} failed"
    told += f", {helper.unusable:,} unusable (the next run asks again)" if helper.unusable else ""
    reasons = sorted(helper.reasons.items(), key=lambda item: -item[1])
    why = ", ".join(f"{count:,} x {line(reason)}" for reason, count in reasons[:REASONS])
    return told + (f": {why}" if why else "") + (", ..." if len(reasons) > REASONS else "")


def rate_text(row: SummaryRow) -> str:
    """Return a row's rate as text. If it is based on only some of the verdicts, their number follows."""
    told = percent(row.rate)
    return f"{told} of {row.estimated:,}" if row.estimate == "even" and row.rate is not None and row.estimated else told


def doubt_text(row: SummaryRow) -> str:
    """Return the reason why a row's rate is not conclusive, or "" if it is."""
    if not row.judged:
        return "nothing judged"
    return "too few for a conclusion" if row.too_few else "within noise" if row.within_noise else ""


def remarks_text(row: SummaryRow) -> str:
    """Return how many of a row's verdicts do not count towards its rate, and why.

    A note is added if repeated answers differ.
    """
    counts = (
        (row.flaky, "FLAKY", "FLAKY"),
        (row.undecided, "undecided", "undecided"),
        (row.unchanged, "edit changed nothing", "edits changed nothing"),
        (max(row.otherwise_invalid - row.unchanged, 0), "invalid", "otherwise invalid" if row.unchanged else "invalid"),
        (row.error, "error", "errors"),
    )
    remarks = [f"{number(count)} {name if count == 1 else plural}" for count, name, plural in counts if count]
    remarks += [f"different answers when asked more often (p {row.shift_p:.4f})"] if row.shifted else []
    return ", ".join(remarks)


def rate_notes(rows: Sequence[SummaryRow]) -> list[str]:
    """Return notes on the rates of one system and task: how they were obtained, and the noise floor."""
    notes = []
    judged = sum(row.judged for row in rows)
    if any(row.estimate == "none" for row in rows):
        notes.append("search, not estimate: it looks for failures, so there are findings but no rates")
    elif any(row.estimate == "even" for row in rows):
        estimated = sum(row.estimated or 0 for row in rows)
        notes.append(
            f"rates are estimates from the even share of the search: {estimated:,} of {judged:,} verdicts; "
            "the others come from the search for failures, and count as findings"
        )
    few = [row for row in rows if row.too_few]
    if few:
        findings = counted(sum(row.findings for row in few), "finding")
        whose, verb = ("its", "fails") if len(few) == 1 else ("their", "fail")
        notes.append(
            f"too few questions were asked to estimate how often {_named(few)} {verb}: "
            f"judge by {whose} {findings}, or ask more"
        )
    floor = next((row.noise_floor for row in rows if row.noise_floor), 0.0)
    violated = [row for row in rows if row.violated and row.noise_floor]
    if violated:
        chance = [row for row in violated if row.within_noise]
        means = f"may explain the {'rate' if len(chance) == 1 else 'rates'} of {_named(chance)}" if chance else ""
        notes.append(
            f"asked the same question twice, the system answers differently in {percent(floor)} of cases: "
            f"that alone {means or 'explains none of these rates'}"
        )
    return notes


def draws_notes(report: Report) -> list[str]:
    """Return notes on repeated answers: how much they vary, and which relations shift their distribution."""
    told = []
    for means in report.distributions:
        rows = [row for row in report.summary if (row.system, row.task) == (means.system, means.task)]
        tested = [row for row in rows if row.shift_p is not None]
        shifted = sorted((row for row in tested if row.shifted), key=lambda row: (row.shift_p or 0.0, row.relation))
        passing = f"pass^{len(means.pass_k)} {means.pass_k[-1]:.2f}, " if means.pass_k else ""
        text = (
            f"{line(means.system)} on {line(means.task)}, {means.draws} draws of {counted(means.sources, 'question')}"
        )
        text += f": {passing}entropy {means.entropy:.2f}"
        if shifted:
            names = ", ".join(f"{line(row.relation)} (p {_probability(row.shift_p)})" for row in shifted)
            text += f"; answers change under {names}"
        elif tested:
            text += f"; under none of {counted(len(tested), 'relation')} do the answers change"
        told.append(text)
    return told


def _probability(p: float | None) -> str:
    return "unknown" if p is None else f"{p:.4f}" if p < 0.001 else f"{p:.3f}"


NAMED = 3
"""Maximum number of relations named individually."""


def _named(rows: Sequence[SummaryRow]) -> str:
    """Return the names of the first few relations, followed by how many others there are."""
    names = [line(row.relation) for row in rows]
    if len(names) > NAMED + 1:
        names = [*names[:NAMED], f"{len(names) - NAMED} others"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
