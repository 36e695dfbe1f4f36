"""What rates may be read as: estimates or not, above the noise floor or not, which is worst. Knows the records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.records.report import Report, SummaryRow
from mutatis.reports.numbers import counted, line, percent


def worst_first(rows: Iterable[SummaryRow]) -> list[SummaryRow]:
    """Return rows in the order that every form of a report has: the worst first, what could not be judged last.

    How bad a row is at least comes before its rate, so that three cases outweigh no hundred.
    """
    return sorted(rows, key=lambda row: (-least(row), -(row.rate or 0.0), -row.judged, -row.error))


def least(row: SummaryRow) -> float:
    """Return the lower end of a row's interval."""
    return row.interval[0] if row.interval else 0.0


def totals(report: Report) -> str:
    """Return what all verdicts of a run came to."""
    rows = report.summary
    violated, judged = sum(row.violated for row in rows), sum(row.judged for row in rows)
    invalid, errors = sum(row.invalid for row in rows), sum(row.error for row in rows)
    left = f"{invalid:,} invalid, {errors:,} errors" if invalid or errors else ""
    if not judged:
        return f"no verdict could be judged: {left}" if left else "no verdict"
    flaky = sum(row.flaky for row in rows)
    told = f"{violated:,} of {judged:,} verdicts violated; {counted(len(report.all_findings), 'distinct finding')}"
    return told + (f" ({flaky:,} FLAKY)" if flaky else "") + (f"; {left}" if left else "")


REASONS = 3
"""Reasons why a helper was of no use that the summary tells."""


def helper_text(report: Report) -> str | None:
    """Return what asking the helper came to, and what went wrong most often; None without a helper."""
    helper = report.run.helper
    if helper is None:
        return None
    told = f"{helper.asked:,} asked, {helper.paid:,} paid"
    told += f", {helper.stored:,} stored" if helper.stored else ""
    told += f", {helper.failed:,} failed"
    told += f", {helper.unusable:,} unusable (the next run asks again)" if helper.unusable else ""
    reasons = sorted(helper.reasons.items(), key=lambda item: -item[1])
    why = ", ".join(f"{number:,} x {line(reason)}" for reason, number in reasons[:REASONS])
    return told + (f": {why}" if why else "") + (", ..." if len(reasons) > REASONS else "")


def rate_text(row: SummaryRow) -> str:
    """Return the rate of a row, with the number of verdicts that it comes from where these are a part of them."""
    told = percent(row.rate)
    return f"{told} of {row.estimated:,}" if row.estimate == "even" and row.rate is not None and row.estimated else told


def rate_notes(rows: Sequence[SummaryRow]) -> list[str]:
    """Return what a reader must know of the rates of one system and task: where they come from, and the noise floor."""
    notes = []
    judged = sum(row.judged for row in rows)
    if any(row.estimate == "none" for row in rows):
        notes.append("search, not estimate: it went where failures are, so there are findings, and no rates")
    elif any(row.estimate == "even" for row in rows):
        estimated = sum(row.estimated or 0 for row in rows)
        notes.append(
            f"rates are estimates from the even share of the search: {estimated:,} of {judged:,} verdicts; "
            "the others went where failures are, and count as findings"
        )
    compared = [row for row in rows if row.above_noise is not None]
    if compared:
        above = sum(bool(row.above_noise) for row in compared)
        floor = percent(compared[0].noise_floor)
        few = [row for row in compared if row.too_few]
        told = f"{above} of {len(compared)}"
        if few:
            found = f"{counted(sum(row.distinct for row in few), 'finding')} under {counted(len(few), 'relation')}"
            notes.append(
                f"{found}: too few questions to call the rates certain ({told} above the noise floor, {floor}); "
                "go by what is confirmed, or ask more"
            )
        else:
            notes.append(f"{told} rates lie above the noise floor ({floor}) by more than chance explains")
    return notes
