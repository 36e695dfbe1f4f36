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
    evidence = [
        f"{reading.sound:,} of {reading.read:,} follow-ups that {who} read are sound"
        for who, reading in (("language models", row.soundness), ("people", row.people))
        if reading
    ]
    if row.false_alarm is not None:
        false_alarm = percent(row.false_alarm)
        evidence.append(f"on this system the judge calls {false_alarm} of mere rewordings different answers")
    elif row.judge_precision is not None and row.judge_precision < 1:
        evidence.append(f"the judge is right in {percent(row.judge_precision)} of such cases")
    in_brackets = f" ({'; '.join(evidence)})" if evidence else ""
    if row.expected_precision is not None:
        return f"about {out_of_ten(row)} findings of this relation are real{in_brackets}"
    missing = "its follow-ups were not read" if row.soundness is None else "its judge was not measured"
    language = "" if row.language == "en" else f" in {language_name(row.language)}"
    return f"the share of real findings of this relation is unknown: {missing}{language}{in_brackets}"


def real_cell(row: SummaryRow, labelled: FalsePositives | None) -> tuple[str, float, str]:
    """Return how many findings are real, their share (-1 if unknown), and the evidence for these figures.

    They come from people's labels (`labelled`), if there are any, and are otherwise an estimate.
    """
    if labelled is not None:
        why = f"{number(labelled.real)} of {number(labelled.judged)} labelled findings are real bugs"
        return f"{labelled.real}/{labelled.judged}", labelled.real / labelled.judged, why
    share = -1.0 if row.expected_precision is None else row.expected_precision
    return out_of_ten(row) if row.violated else "", share, line(expectation(row))


def sound_cell(row: SummaryRow) -> tuple[str, float]:
    """Return a text like "57 of 60; people 18 of 20" and the share of sound follow-ups, or -1 if none were read."""
    shown = [
        f"{who}{number(reading.sound)} of {number(reading.read)}"
        for who, reading in (("", row.soundness), ("people ", row.people))
        if reading is not None and reading.read
    ]
    first_reading = row.soundness or row.people
    return "; ".join(shown) or unread_text(row), first_reading.share if shown and first_reading else -1.0
