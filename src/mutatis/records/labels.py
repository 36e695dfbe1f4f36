"""Stores people's labels of findings in a file next to the run: real bug, false alarm or unsure, with a comment.

A finding has the same short hash in every run, so a label also applies to later runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from mutatis.records.files import read_record, with_marks, write_text
from mutatis.records.jsontext import dump
from mutatis.records.record import TABLE, ReportRecord, Text
from mutatis.records.report import FindingRecord, Report

LABELS_FILE = "labels.json"
FORMAT = "mutatis/labels"

Word = Literal["", "real", "false-alarm", "unsure"]
WORDS: Mapping[str, str] = {"real": "real bug", "false-alarm": "false alarm", "unsure": "unsure"}
"""The labels that a finding can have, with their wording."""


class Label(ReportRecord):
    """A person's label of one finding. If the label is "", there is only a comment."""

    label: Word = ""
    comment: Text = ""

    @property
    def says(self) -> str:
        """The label and the comment in one line of text."""
        return ": ".join(part for part in (WORDS.get(self.label, ""), " ".join(self.comment.split())) if part)


class LabelsRecord(ReportRecord):
    """The content of a file of labels, by the short hash of the finding."""

    format: Literal["mutatis/labels"]
    version: Literal[1]
    findings: dict[Text, Label] = TABLE


def read_labels(folder: Path | None) -> dict[str, Label]:
    """Read the labels of a run, by the short hash of the finding. Without a folder or such a file, return {}.

    Raises:
        UsageError: the file is not a valid file of labels.
    """
    if folder is None or not (file := folder / LABELS_FILE).exists():
        return {}
    expected = "labels as written by `mutatis view`: fix the file, or delete it to start over"
    return read_record(LabelsRecord, file, "a file of labels", expected).findings


def labelled(report: Report, labels: Mapping[str, Label]) -> Report:
    """Return a copy of the report with people's labels on its findings."""

    def with_label(finding: FindingRecord) -> FindingRecord:
        return finding.model_copy(update={"label": labels[finding.id].says}) if finding.id in labels else finding

    return with_marks(report, with_label)


def write_label(folder: Path, finding: str, label: Label) -> dict[str, Label]:
    """Store the label of a finding, or remove it if the label is empty. Return all labels of the run."""
    labels = {**read_labels(folder), finding: label}
    if not (label.label or label.comment):
        del labels[finding]
    data = {name: stored.to_json() for name, stored in sorted(labels.items())}
    write_text(folder / LABELS_FILE, dump({"format": FORMAT, "version": 1, "findings": data}) + "\n")
    return labels
