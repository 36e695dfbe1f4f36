"""Returns the summary, findings, verdicts and draws of a run as pandas data frames, or writes Parquet files.

The frames have one row per summary row, per follow-up of a finding, per verdict, and per source. pandas is imported
only when a frame is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from mutatis.core.errors import unknown_name
from mutatis.core.extras import require
from mutatis.records.asked import ResponseRecord
from mutatis.records.files import DRAWS_FILE, VERDICTS_FILE, kept_verdicts, read_draws, writing
from mutatis.records.jsontext import dump
from mutatis.records.report import DrawsRecord, Report, VerdictRecord
from mutatis.reports.csv import FINDINGS, SUMMARY, findings_rows, lines_of, summary_rows
from mutatis.reports.marking import visible

Kind = Literal["summary", "findings", "verdicts", "draws"]
KINDS: tuple[Kind, ...] = ("summary", "findings", "verdicts", "draws")

VERDICTS = (
    "system", "task", "relation", "source", "turn", "variant", "draw", "repeat", "expects", "outcome", "score",
    "measure", "reason", "cause", "open", "undecided", "unchanged", "precondition", "finding", "steps", "source_input",
    "source_output", "source_value", "follow_ups", "follow_up_input", "follow_up_output", "follow_up_value",
)  # fmt: skip
"""Columns of the frame of verdicts. The last three describe the worst follow-up, or the first if none is worst."""

DRAWS = ("system", "task", "source", "turn", "draws", "clusters", "left_out", "entropy", "pass_k", "answers", "counts")
"""Columns of the frame of draws, which are repeated answers to the same source.

`clusters` is the number of clusters of equal answers, and `pass_k` covers all draws. `answers` and `counts` list the
clusters by size.
"""


def frame(kind: str, report: Report, folder: Path | None) -> Any:
    """Return one of the data frames by its kind, reading verdicts from the run's folder.

    Raises:
        UsageError: the kind is unknown, or the run did not keep its verdicts.
        MissingExtra: pandas is not installed.
    """
    columns, rows = _columns_and_rows(kind, report, folder)
    require("frames", "a frame", "pandas")
    import pandas as pd

    return pd.DataFrame([[_safe(cell) for cell in row] for row in rows], columns=list(columns))


def write_parquet(report: Report, path: Path, folder: Path | None = None) -> list[Path]:
    """Write the summary to `path` and the findings and verdicts next to it, and return the files written.

    These two files are named `NAME-findings` and `NAME-verdicts`. Verdicts are written only if the run kept them.

    Raises:
        MissingExtra: pandas or pyarrow is not installed.
    """
    require("frames", "Parquet", "pyarrow")
    kept = folder is not None and (folder / VERDICTS_FILE).is_file()
    written = []
    kinds: tuple[Kind, ...] = ("summary", "findings", "verdicts") if kept else ("summary", "findings")
    for kind in kinds:
        target = path if kind == "summary" else path.with_name(f"{path.stem}-{kind}{path.suffix}")
        table = frame(kind, report, folder)
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            table.to_parquet(target, index=False)
        written.append(target)
    return written


def _columns_and_rows(
    kind: str, report: Report, folder: Path | None
) -> tuple[tuple[str, ...], Iterable[Sequence[Any]]]:
    """Return the column names of a frame, and its rows."""
    if kind == "summary":
        return SUMMARY, summary_rows(report)
    if kind == "findings":
        return FINDINGS, findings_rows(report)
    if kind == "verdicts":
        return VERDICTS, map(_verdict_row, kept_verdicts(folder))
    if kind == "draws":
        records = report.draws if folder is None or not (folder / DRAWS_FILE).is_file() else read_draws(folder)
        return DRAWS, map(_draws_row, records)
    raise unknown_name("frame:", kind, KINDS)


def _verdict_row(verdict: VerdictRecord) -> list[Any]:
    """Return the values of a verdict in the order of VERDICTS."""
    values: dict[str, Any] = {name: getattr(verdict, name) for name in VERDICTS if hasattr(verdict, name)}
    source_output, source_value = _text_and_value(verdict.source_output, verdict.source_error)
    values |= {
        "variant": ", ".join(verdict.variant),
        "steps": " then ".join(verdict.steps),
        "source_input": lines_of(verdict.source_input),
        "source_output": source_output,
        "source_value": source_value,
        "follow_ups": len(verdict.followups),
    }
    if verdict.followups:
        shown = verdict.followups[verdict.worst[0] if verdict.worst else 0]
        output, value = _text_and_value(shown.output, shown.error)
        values |= {"follow_up_input": lines_of(shown.input), "follow_up_output": output, "follow_up_value": value}
    return [values.get(name) for name in VERDICTS]


def _text_and_value(response: ResponseRecord | None, error: str | None) -> tuple[str | None, str | None]:
    """Return an answer's text and its parsed value as text. The error takes the place of the text of no answer."""
    if response is None:
        return error, None
    value = response.value
    return response.text, value if value is None or isinstance(value, str) else dump(value)


def _draws_row(record: DrawsRecord) -> list[Any]:
    values = {name: getattr(record, name) for name in DRAWS if hasattr(record, name)}
    values |= {
        "clusters": len(record.clusters),
        "pass_k": record.pass_k[-1] if record.pass_k else None,
        "answers": [visible(text) for text, _ in record.clusters],
        "counts": [number for _, number in record.clusters],
    }
    return [values[name] for name in DRAWS]


def _safe(cell: Any) -> Any:
    """Return text without lone surrogates, which no file format accepts."""
    return visible(cell) if isinstance(cell, str) and not cell.isprintable() else cell
