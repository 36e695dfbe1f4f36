"""Keeps the known findings of a run in a small file that people review and store next to their code.

The file has one finding per line, sorted, without any text from data or models, so that a diff of two versions shows
what has changed. Questions are stored as hashes, so that a finding is recognised even if its record is moved within the
data.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

from mutatis.core.errors import UsageError
from mutatis.core.verdict import finding_id
from mutatis.records.asked import AskedRecord, CaseRecord, RepliesRecord
from mutatis.records.files import REPORT_FILE, json_pieces, read_record, read_report, write_text
from mutatis.records.jsontext import dump
from mutatis.records.record import ITEMS, ReportRecord, Text
from mutatis.records.report import FindingRecord, Report
from mutatis.records.runs import find_run

FORMAT: Literal["mutatis/baseline"] = "mutatis/baseline"

HOW = "mutatis report latest --format baseline -o FILE"
"""The command that writes a baseline file."""


class KnownFinding(ReportRecord):
    """The fields that identify a finding across runs.

    `id` is a short hash of these fields, and `text` is a hash of the source, which is empty in baselines from earlier
    versions.
    """

    id: Text
    system: Text
    task: Text
    relation: Text
    source: Text
    turn: int
    variant: list[Text]
    text: Text = ""


class KnownReplies(ReportRecord):
    """Hashes of the free-text questions that a system answered: questions that got a stock reply, and the others."""

    system: Text
    task: Text
    stock: list[Text] = ITEMS
    others: list[Text] = ITEMS


class Baseline(ReportRecord):
    """The systems and findings of a run, the questions that got a reply of their own, and all messages.

    Baselines from earlier versions may lack the replies or the messages.
    """

    format: Literal["mutatis/baseline"]
    version: Literal[1]
    systems: list[Text]
    findings: list[KnownFinding]
    replies: list[KnownReplies] = ITEMS
    asked: list[AskedRecord] = ITEMS

    @property
    def is_earlier(self) -> bool:
        """True if the baseline was written by an earlier version.

        Such versions named findings by the position of their record, and used this position as a seed for follow-ups.
        """
        return any(
            each.id == finding_id(each.system, each.task, each.relation, each.source, each.turn, each.variant)
            for each in self.findings
        )


def known(finding: FindingRecord | Mapping[str, Any]) -> KnownFinding:
    """Return the baseline entry for a finding, which may be JSON data."""
    source = finding["source"]
    same = {name: finding[name] for name in ("id", "system", "task", "relation", "variant")}
    text = asked_hash(source["case"])
    return KnownFinding(**same, source=source["case"]["id"], turn=source["turn"], text=text)


def asked_hash(case: CaseRecord | Mapping[str, Any]) -> str:
    """Return twelve hexadecimal digits that identify a case by the texts of its turns and its material."""
    material = case.get("material", {}) if isinstance(case, Mapping) else case.material
    asked = dump([[sorted(turn["fields"].items()) for turn in case["turns"]], sorted(material.items())])
    return hashlib.blake2b(asked.encode("utf-8"), digest_size=6).hexdigest()


def systems_of(report: Report) -> list[str]:
    """Return the labels of the systems of a run, including systems without verdicts."""
    return list(
        dict.fromkeys([*(system.system for system in report.run.systems), *(row.system for row in report.summary)])
    )


def baseline_of(report: Report) -> Baseline:
    """Turn the findings of a run into a baseline."""
    return Baseline(
        format=FORMAT,
        version=1,
        systems=systems_of(report),
        findings=[known(finding) for finding in report.all_findings],
        replies=[known_replies(record) for record in report.replies],
        asked=report.asked,
    )


def known_replies(record: RepliesRecord) -> KnownReplies:
    """Return the baseline entry for a system's replies to the questions of one task."""
    stock, others = list[str](), list(record.others)
    for reply in record.shared:
        (stock if reply.is_stock else others).extend(reply.questions)
    return KnownReplies(system=record.system, task=record.task, stock=sorted(stock), others=sorted(others))


def write_baseline(baseline: Baseline, path: Path) -> Path:
    """Write a baseline to `path`, one finding per line, and return the path."""
    order = attrgetter("system", "task", "relation", "source", "turn", "id")
    return write_text(path, json_pieces(baseline.model_copy(update={"findings": sorted(baseline.findings, key=order)})))


def read_baseline(run: str, folder: Path = Path()) -> Baseline:
    """Read a baseline from a baseline file or from a run, which is named as on the command line.

    The path of a file is relative to `folder`.

    Raises:
        UsageError: neither exists, or the file cannot be read.
    """
    path = folder / Path(run).expanduser()
    if path.is_file() and path.suffix == ".json" and path.name != REPORT_FILE:
        return read_record(Baseline, path, "a baseline", f"a RUN, or a file written by: {HOW}")
    if path.suffix and not path.exists():
        raise UsageError(
            f"baseline {run}: no such file ({path.absolute()}); expected a file of known findings, or a RUN; to write "
            f"such a file: {HOW.replace('FILE', shlex.quote(run))}"
        )
    try:
        return baseline_of(read_report(find_run(str(path) if path.exists() else run)))
    except UsageError as error:
        raise UsageError(f"baseline: {error}; to write a file of known findings: {HOW}") from None
