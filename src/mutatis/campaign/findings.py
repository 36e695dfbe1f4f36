"""Writes the distinct violations of a run to a file as they are found. Only the first few stay in memory."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from mutatis.analysis.real import Confirmed
from mutatis.campaign.events import Event, SourceClosed, Unstable
from mutatis.campaign.records import finding_record
from mutatis.campaign.tally import Finding
from mutatis.campaign.verdict_file import UnfinishedFile
from mutatis.core.decision import Outcome
from mutatis.core.gathering import one_of_each
from mutatis.core.measure import SOURCE_IS_ODD, UNSTABLE
from mutatis.core.verdict import Row, Verdict
from mutatis.records.files import FINDINGS_FILE, SHOWN, Findings, write_text, writing_to
from mutatis.records.jsontext import dump
from mutatis.records.report import FindingsFile

NAME_IN_LINE = slice(8, 18)
"""The bytes of a line that hold the name of its finding, a hash. Each line begins with `{"id": "0123456789"`."""

PLACEHOLDER = b"\n"
"""Line of a finding that is still in memory, because it may yet be confirmed and shrunk."""


class FindingLog(UnfinishedFile):
    """A listener that keeps distinct violations: the first few of each row as objects, the rest as lines of a file.

    Args:
        folder: the folder for `findings.jsonl`; None keeps its content in memory.
        most_held: maximum number of findings per system, task and relation that are confirmed and shrunk.
        run: the name of the run for `mutatis replay`.
        mark: marks the record of a finding as new or not; None if there is no baseline.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        most_held: int = 0,
        run: str = "",
        mark: Callable[[Mapping[str, Any]], Mapping[str, bool]] | None = None,
    ) -> None:
        super().__init__(folder, FINDINGS_FILE)
        self.held: list[Finding] = []
        self.distinct: Counter[Row] = Counter()
        self._most_held, self._run, self._mark = most_held, run, mark
        self._number = 0
        self._known: dict[tuple[str, str], dict[str, Finding | None]] = defaultdict(dict)
        """The findings of each open source by name, or None for a finding that is only in the file."""
        self._further: Counter[str] = Counter()
        """The number of violations of a finding, by name, that came after its line was written."""
        self._first_lines: dict[Row, list[int]] = defaultdict(list)
        self._wordings = Wordings()
        self._unstable: dict[str, Unstable] = {}

    def __call__(self, event: Event) -> None:
        """Keep a violation, or count it if the same finding has been seen before."""
        if isinstance(event, Verdict):
            self._wordings.count(event)
            if event.outcome is Outcome.VIOLATED:
                self._add(event)
        elif isinstance(event, Unstable):
            self._unstable |= dict.fromkeys(event.findings, event)
        elif isinstance(event, SourceClosed):
            self._known.pop((event.case.task, event.case.id), None)
            self._wordings.close((event.case.task, event.case.id))

    @property
    def confirmed(self) -> dict[Row, Confirmed]:
        """The number of findings in each row of the report, and how many did and did not recur when repeated."""
        tried = Counter((finding.verdict.row, finding.confirmed) for finding in self.held)
        return {
            row: Confirmed(distinct=number, held=tried[row, True], flaky=tried[row, False])
            for row, number in self.distinct.items()
        }

    def _add(self, verdict: Verdict) -> None:
        """Add a line to the file for the first violation of a finding, and count the others.

        The first findings of each row stay in memory, to be confirmed and shrunk. Their lines are empty until `finish`.
        """
        name, row = verdict.finding, verdict.row
        findings_of_source = self._known[verdict.source.task, verdict.source.id]
        if name in findings_of_source:
            earlier = findings_of_source[name]
            if earlier is None:  # its line is written already: `finish` adds the count
                self._further[name] += 1
            else:
                earlier.count += 1
            return
        finding = Finding(verdict=verdict)
        if self.distinct[row] < SHOWN:  # more than these are never shown of a row, even if there is no other
            self._first_lines[row].append(self._number)
        self._number += 1
        self.distinct[row] += 1
        if self.distinct[row] <= self._most_held:
            findings_of_source[name] = finding
            self.held.append(finding)
            line = PLACEHOLDER
        else:
            findings_of_source[name] = None
            line = _line(self._record(finding))
        with writing_to(self.path):
            self.open().write(line)

    def _record(self, finding: Finding) -> Mapping[str, Any]:
        record = finding_record(finding, self._run)
        return record if self._mark is None else {**record, **self._mark(record)}

    def finish(self) -> tuple[list[Mapping[str, Any]], Findings]:
        """Write all findings to the file.

        Return the first ones as JSON data, for `report.json` itself, and a sequence that reads all findings.
        """
        shown_lines = set(islice(one_of_each(self._first_lines.values()), SHOWN))
        first: list[Mapping[str, Any]] = []
        size = 0

        def lines() -> Iterator[bytes]:  # reads the lines only once, and notes on the way what the report needs
            nonlocal size
            for number, line in enumerate(self._final_lines()):
                size += len(line)
                if number in shown_lines:
                    first.append(json.loads(line))
                yield line

        if self._folder is None:
            every: Path | bytes = b"".join(lines())
        else:
            every = write_text(self.path, (line.decode("utf-8") for line in lines()))
        file = FindingsFile(number=self._number, size=size)
        return first, Findings(every, file)

    def keep(self) -> None:
        """Do nothing, because `finish` has written the file."""

    def _final_lines(self) -> Iterator[bytes]:
        """Yield the lines of the file in their final form."""
        held = iter(self.held)  # in the order of their placeholders
        with writing_to(self.path):
            temporary = self.open()
            temporary.seek(0)
        for line in temporary:
            if line == PLACEHOLDER:
                finding = next(held)
                record = self._record(finding)
                yield _line({**record, **self._later(finding.verdict.finding, record.get("cause", ""))})
                continue
            name = line[NAME_IN_LINE].decode("ascii")
            if name not in self._further and name not in self._unstable and self._wordings.of(name) is None:
                yield line  # as nearly all are: nothing is parsed
                continue
            record = json.loads(line)
            yield _line({**record, **self._later(name, record.get("cause", "")), "count": 1 + self._further[name]})

    def _later(self, name: str, cause: str) -> dict[str, Any]:
        """Return the facts about a finding that are only available once its source is finished.

        If the question is unstable, that is stated as the cause, unless a more specific one is known, such as an empty
        answer or an answer to a different question.
        """
        unstable = self._unstable.get(name)
        if unstable is not None and cause in ("", SOURCE_IS_ODD, UNSTABLE):
            shares = [[text, number] for text, number in unstable.shares]
            return {"cause": UNSTABLE, "instability": {"wordings": unstable.wordings, "shares": shares}}
        wordings = self._wordings.of(name)
        return {} if wordings is None else {"wordings": wordings}


def _line(record: Mapping[str, Any]) -> bytes:
    return dump(record).encode("utf-8") + b"\n"


Input: TypeAlias = tuple[str, str]
"""A source case, identified by its task and id."""

Question: TypeAlias = tuple[str, int]
"""A judged question of a source, as system and turn."""


class Wordings:
    """Counts how many wordings of each question were judged, and how many got a different answer than the source."""

    def __init__(self) -> None:
        self._open: dict[Input, dict[Question, list[str]]] = defaultdict(lambda: defaultdict(list))
        """For each question of an open source, the finding of each wording: "" if it agrees with the source."""
        self._differing: dict[str, tuple[int, int]] = {}

    def count(self, verdict: Verdict) -> None:
        """Count the wording that a verdict judged, with its finding if the source's own answer is the exception."""
        if verdict.relation.expects != "same" or verdict.outcome not in (Outcome.SATISFIED, Outcome.VIOLATED):
            return
        odd = verdict.decided.cause == SOURCE_IS_ODD
        wordings = self._open[verdict.source.task, verdict.source.id][verdict.system, verdict.turn]
        wordings.append(verdict.finding if odd else "")

    def close(self, key: Input) -> None:
        """Keep the counts for the findings of a source, and drop the rest."""
        for wordings in self._open.pop(key, {}).values():
            odd = [finding for finding in wordings if finding]
            self._differing |= dict.fromkeys(odd, (len(odd), len(wordings)))

    def of(self, finding: str) -> tuple[int, int] | None:
        """Return how many wordings get a different answer than the source, and the number of all wordings.

        Return None unless most wordings get a different answer than the source.
        """
        for key in list(self._open):  # sources that were cut short
            self.close(key)
        return self._differing.get(finding)
