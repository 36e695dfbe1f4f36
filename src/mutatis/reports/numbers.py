"""Formats numbers and names readably, on one line and without control characters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mutatis.core.languages import SEVERAL
from mutatis.records.report import SummaryRow
from mutatis.reports.marking import visible


def line(value: Any) -> str:
    """Return any value as a single line of text that is safe to print."""
    return visible(str(value)).replace("\n", "⏎").replace("\t", " ")


def number(value: Any) -> str:
    """Return a number in readable form, with thousands separators and at most four decimals.

    >>> number(0.123456), number(34627), number(None), number(0.5)
    ('0.1235', '34,627', '-', '0.5')
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return line(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4f}".rstrip("0").rstrip(".")


def counted(count: int, noun: str) -> str:
    """Return a count followed by its noun.

    >>> counted(1, "finding"), counted(2500, "finding")
    ('1 finding', '2,500 findings')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def seconds_between(started: str | None, finished: str | None) -> float | None:
    """Return the seconds between two times in ISO format, or None if one is missing or they cannot be compared."""
    try:
        return (datetime.fromisoformat(finished or "") - datetime.fromisoformat(started or "")).total_seconds()
    except (ValueError, TypeError):  # no or not a time, or only one has a time zone
        return None


def duration(seconds: float) -> str:
    """Return a duration in seconds as text in suitable units.

    >>> duration(4.25), duration(45), duration(1800), duration(5400), duration(5 * 24 * 3600)
    ('4.2 s', '45 s', '30 min', '1 h 30 min', '5 days')
    """
    if seconds < 60:
        return f"{max(seconds, 0):.2g} s"
    if seconds >= 2 * 86400:
        return f"{seconds / 86400:.0f} days"
    hours, minutes = divmod(round(seconds / 60), 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{minutes} min"] if minutes or not hours else [])])


def percent(rate: Any) -> str:
    """Return a rate as a percentage, or a dash if there is no rate.

    >>> percent(0.1234), percent(0.00012), percent(1.0), percent(None)
    ('12.3 %', '0.012 %', '100 %', '-')
    """
    if not isinstance(rate, int | float):
        return "-"
    value = 100 * float(rate)
    if value in (0.0, 100.0):
        return f"{value:.0f} %"
    return f"{value:.2g} %" if value < 0.1 else f"{value:.1f} %"


def interval_text(interval: Sequence[float] | None) -> str:
    """Return an interval of rates as percentages. A lower bound far below the upper bound is shown as 0.

    >>> interval_text([0.0, 0.1684]), interval_text([0.000005, 0.075]), interval_text(None)
    ('0-16.8 %', '0-7.5 %', '')
    """
    if interval is None or len(interval) != 2:
        return ""
    low, high = interval
    return f"{percent(low if low >= high / 1000 else 0.0).removesuffix(' %')}-{percent(high)}"


def wordings_text(wordings: Sequence[int] | None) -> str:
    """Return a phrase on how many rewordings of a question get a different answer, if they were counted.

    >>> wordings_text((11, 12)), wordings_text(None)
    ('in 11 of 12 other wordings', 'in other wordings')
    """
    return "in other wordings" if wordings is None else f"in {wordings[0]:,} of {wordings[1]:,} other wordings"


def soundness_text(row: SummaryRow) -> str:
    """Return the share of sound follow-ups and the number read, by language models and, if available, by people.

    If nobody read follow-ups in the row's language, or if the row combines languages, say so.

    >>> row = SummaryRow(system="s", task="qa", relation="r", satisfied=5, violated=5, invalid=0, error=0)
    >>> from mutatis.records.report import Soundness
    >>> read = Soundness(read=60, sound=57, share=0.95, interval=(0.86, 0.98))
    >>> known = {"soundness": read}, {}, {"soundness": read, "people": read}, {"language": "it"}
    >>> [soundness_text(row.model_copy(update=figures)) for figures in known]
    ['95.0 % of 60', '', '95.0 % of 60; people 95.0 % of 60', 'not read in Italian']
    """
    readings = (("", row.soundness), ("people ", row.people))
    if shares := [f"{who}{percent(reading.share)} of {reading.read:,}" for who, reading in readings if reading]:
        return "; ".join(shares)
    if row.language == SEVERAL:
        return "no one figure for several languages"
    return f"not read in {row.unread_in}" if row.unread_in else ""
