"""Expresses in words how many of the findings in a summary row are expected to be real."""

from __future__ import annotations

from mutatis.analysis.agreement import FalsePositives
from mutatis.core.languages import language_name
from mutatis.records.report import SummaryRow
from mutatis.reports.numbers import line, number, percent, unread_text


def out_of_ten(row: SummaryRow) -> str:
    """Return how many of ten findings are expected to be real, or "" if this was not measured.

    >>> row = dict(system="s", task="qa", relation="r", satisfied=5, violated=5, invalid=0, error=0)
    >>> out_of_ten(SummaryRow(**row, expected_precision=0.84)), out_of_ten(SummaryRow(**row))
    ('8 of 10', '')
    """
    return "" if row.expected_precision is None else f"{row.expected_precision * 10:.0f} of 10"


def expectation(row: SummaryRow) -> str:
    """Return a sentence on how many findings are expected to be real, with the evidence for this.

    Return "" if there are no findings.
    """
    if not row.violated:
        return ""
    soundness, judge = row.soundness, row.judge_precision
    known = [
        f"{read.sound:,} of {read.read:,} follow-ups that {who} read are sound"
        for who, read in (("language models", soundness), ("people", row.people))
        if read
    ]
    if row.false_alarm is not None:
        known.append(f"on this system the judge calls {percent(row.false_alarm)} of mere rewordings different answers")
    elif judge is not None and judge < 1:
        known.append(f"the judge is right in {percent(judge)} of such cases")
    told = f" ({'; '.join(known)})" if known else ""
    if row.expected_precision is not None:
        return f"about {out_of_ten(row)} findings of this relation are real{told}"
    where = "" if row.language == "en" else f" in {language_name(row.language)}"
    missing = f"{'its follow-ups were not read' if soundness is None else 'its judge was not measured'}{where}"
    return f"the share of real findings of this relation is unknown: {missing}{told}"


def real_cell(row: SummaryRow, labelled: FalsePositives | None) -> tuple[str, float, str]:
    """Return how many findings are real, their share (-1 if unknown), and the evidence for these figures.

    They come from people's labels (`labelled`), if there are any, and are otherwise an estimate.
    """
    if labelled is not None:
        why = f"{number(labelled.real)} of {number(labelled.judged)} labelled findings are real bugs"
        return f"{labelled.real}/{labelled.judged}", labelled.real / labelled.judged, why
    known = row.expected_precision
    return out_of_ten(row) if row.violated else "", -1.0 if known is None else known, line(expectation(row))


def sound_cell(row: SummaryRow) -> tuple[str, float]:
    """Return a text like "57 of 60; people 18 of 20" and the share of sound follow-ups, or -1 if none were read."""
    shown = [
        f"{who}{number(read.sound)} of {number(read.read)}"
        for who, read in (("", row.soundness), ("people ", row.people))
        if read is not None and read.read
    ]
    known = row.soundness or row.people
    return "; ".join(shown) or unread_text(row), known.share if shown and known else -1.0
