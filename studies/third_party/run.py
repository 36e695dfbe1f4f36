"""Tests software from the package index as it is, and lays the ten most telling findings of each out to be read.

    pip install -r studies/third_party/requirements.txt
    python studies/third_party/run.py [NAME ...] [--out FOLDER]

Each is asked with the default relations of its task. What was there again when it was asked again (confirmed) goes onto
the sheet, one finding of a fault. Software that is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from software import ALL, Software

import mutatis
from mutatis.core.relation import RELATIONS
from mutatis.core.task import TASKS
from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord
from mutatis.relations.soundness import rule_of
from mutatis.reports.faults import answer_of, groups_of
from mutatis.reports.ranking import capabilities_of, spread

MOST = 10
QUESTION = "Is this a real contradiction of the software: yes, no or unclear?"

FEELINGS = {"1.0": "positive", "0.5": "neutral", "0.0": "negative"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """What a run on one piece of software found."""

    software: Software
    run: mutatis.Run
    confirmed: tuple[FindingRecord, ...]

    def row(self) -> str:
        """Return its line of the table."""
        rows = [row for row in self.run.report.summary if row.relation != "no-change"]
        judged, violated = (
            sum(row.judged for row in rows),
            sum(row.violated for row in rows),
        )
        sources = len({finding.source.case.id for finding in self.confirmed})
        noise = max(
            (row.noise_floor for row in rows if row.noise_floor is not None),
            default=None,
        )
        unstable = "-" if noise is None else f"{noise:.0%}"
        told = (
            self.software.name,
            self.software.release,
            self.software.task,
            f"{violated} of {judged}",
        )
        counts = (
            len(self.confirmed),
            len(groups_of(self.confirmed)),
            sources,
            unstable,
        )
        return "| " + " | ".join(map(str, (*told, *counts))) + " |"

    def tried(self) -> list[str]:
        """Return a table of the kinds of change that were tried, by the number of questions."""
        kinds = [kind for reach in self.run.report.reach for kind in reach.kinds]
        cells = [(k.change, k.held, k.fell, k.open, k.not_applicable, _most(k.reasons)) for k in kinds]
        rows = [f"| {' | '.join(map(str, row))} |" for row in cells]
        return ["", f"What was tried on {self.software.name}, by question:", "", *TRIED, *rows] if rows else []


def _most(reasons: Mapping[str, int]) -> str:
    return next(iter(reasons), "")


TRIED = ("| change | held | fell | open | not applicable | most frequent reason |", "|---|---|---|---|---|---|")
HEADER = (
    "| software | release | task | violated of judged | confirmed findings | faults | inputs with one | noise floor |\n"
    "|---|---|---|---|---|---|---|---|"
)


def tested(software: Software, out: Path) -> Tested:
    """Run the default relations of its task on a piece of software."""
    system = mutatis.system(
        "function",
        target=software.build(),
        revision=software.release,
        label=software.name,
    )
    # One question at a time: none of the packages says that it may be asked by several threads.
    run = mutatis.run(
        system,
        list(software.cases()),
        None,
        out=out / software.name,
        settings={"concurrency": 1},
    )
    confirmed = tuple(finding for finding in run.report.findings if finding.confirmed)
    return Tested(software=software, run=run, confirmed=confirmed)


def sheet(of: Tested) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the lines of the most telling findings, each with its line of the key."""
    lines = []
    for finding in spread(of.confirmed, MOST, capabilities_of(of.run.report)):
        after = finding.followups[-1]
        ident = hashlib.blake2b(f"{of.software.name} {finding.id}".encode(), digest_size=5).hexdigest()
        line = {
            "id": ident,
            "software": of.software.release,
            "its task": TASKS[of.software.task].summary,
            "source": asked(finding.source),
            "answer": answer(finding.source, finding.task),
            "follow-up": asked(after),
            "answer to the follow-up": answer(after, finding.task),
            "what was done": after.says,
            "what must hold": rule(finding),
            "question": QUESTION,
        }
        lines.append(
            (
                line,
                {
                    "id": ident,
                    "software": of.software.name,
                    "relation": finding.relation,
                    "finding": finding.id,
                },
            )
        )
    return lines


def answer(record: SourceRecord | FollowUpRecord, task: str) -> str:
    """Return what was answered, as it was said; of a feeling, its name."""
    said = record.response.text if record.response is not None and record.response.text else answer_of(record)
    return FEELINGS.get(said, said) if task == "sentiment" else said


def asked(record: SourceRecord | FollowUpRecord) -> Any:
    """Return what was asked: the field of one turn, or the turns of a dialogue with the answers between them."""
    told: list[str] = []
    usual = TASKS[record.case.task].defaults
    for number, turn in enumerate(record.case.turns[: record.turn + 1]):
        told += [f"user: {text}" for name, text in turn.fields.items() if name not in usual]
        told += [f"answer: {answer}" for answer in record.history[number : number + 1] if number < record.turn]
    return told[0].removeprefix("user: ") if len(told) == 1 else told


def rule(finding: FindingRecord) -> str:
    """Return what must hold, in words."""
    name = finding.output_relation or RELATIONS[finding.relation].output_relation.name
    settled = "' or '".join(map(str, finding.reference))
    return rule_of(name).format(image=settled, settled=settled, converse=settled)


def main(arguments: Sequence[str] | None = None) -> None:
    """Test what is named, or everything, and write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names",
        nargs="*",
        help=f"of {', '.join(software.name for software in ALL)}; all by default",
    )
    parser.add_argument("--out", type=Path, default=Path("third-party"))
    args = parser.parse_args(arguments)
    args.out.mkdir(parents=True, exist_ok=True)
    print(HEADER)
    rows: list[tuple[dict[str, Any], dict[str, Any]]] = []
    tables: list[str] = []
    for software in ALL:
        if args.names and software.name not in args.names:
            continue
        if missing := software.missing():
            print(f"| {software.name} | not installed: {', '.join(missing)} | | | | | | |")
            continue
        made = tested(software, args.out)
        print(made.row(), flush=True)
        tables += made.tried()
        rows += sheet(made)
    for text in tables:
        print(text)
    for name, place in (("sheet.jsonl", 0), ("sheet.key.jsonl", 1)):
        text = "".join(json.dumps(row[place], ensure_ascii=False) + "\n" for row in rows)
        (args.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
