"""Reads the findings of a run one at a time from `findings.jsonl`, which has one JSON object per line."""

from __future__ import annotations

import io
import itertools
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TypeAlias

from mutatis.core.errors import UsageError
from mutatis.core.lazily import MadeWhenAsked
from mutatis.records.jsontext import record_of
from mutatis.records.report import FindingRecord, FindingsFile

FINDINGS_FILE = "findings.jsonl"
SHOWN = 1000
"""Maximum number of findings in `report.json` itself."""

_HEAD = b'{"id": "'
"""Beginning of each line that Mutatis writes."""

Mark: TypeAlias = Callable[[FindingRecord], FindingRecord]


class Findings(MadeWhenAsked[FindingRecord]):
    """The findings of a run, in the order in which they were found, as a sequence that reads items on demand.

    The length is known in advance, and each item takes one seek in the file.

    Args:
        storage: the file, or its content.
        file: the number of lines and bytes.
        mark: function applied to each finding when it is read.
    """

    def __init__(self, storage: Path | bytes, file: FindingsFile, mark: Mark | None = None) -> None:
        self._storage, self.file, self._mark = storage, file, mark
        self._offsets: array[int] | None = None

    @property
    def path(self) -> Path | None:
        """The file with the findings, or None if they are in memory."""
        return self._storage if isinstance(self._storage, Path) else None

    def marked(self, mark: Mark) -> Findings:
        """Return the same findings, with `mark` applied to each when it is read."""
        return Findings(self._storage, self.file, mark)

    def __len__(self) -> int:
        return self.file.number

    def __iter__(self) -> Iterator[FindingRecord]:
        for number, line in enumerate(self.lines(), start=1):
            yield self._record(line, number)

    def at(self, number: int) -> FindingRecord:
        """Read the finding at an index of the selection."""
        if self._offsets is None:
            self._offsets = array("Q", itertools.accumulate(map(len, self.lines()), initial=0))
        with self._opened() as stream:
            stream.seek(self._offsets[number])
            return self._record(stream.readline(), number + 1)

    def ids(self) -> Iterator[str]:
        """Yield the short hashes of the findings, parsing as little as possible.

        Afterwards, the position of each finding in the file is known.
        """
        offsets = array("Q", [0])
        for number, line in enumerate(self.lines(), start=1):
            offsets.append(offsets[-1] + len(line))
            if line.startswith(_HEAD):
                yield line[len(_HEAD) : line.index(b'"', len(_HEAD))].decode("utf-8", "replace")
            else:  # written by another program
                yield self._record(line, number).id
        self._offsets = offsets

    def lines(self) -> Iterator[bytes]:
        """Yield the findings as written, each with its line ending.

        Raises:
            UsageError: the file is missing, or belongs to a different run.
        """
        with self._opened() as stream:
            yield from stream

    def _opened(self) -> IO[bytes]:
        if isinstance(self._storage, bytes):
            return io.BytesIO(self._storage)
        try:
            stream = self._storage.open("rb")
        except OSError:
            raise UsageError(
                f"{self._storage}: cannot be read; this file contains the {len(self):,} findings of the run; copy it "
                "together with the report"
            ) from None
        if stream.seek(0, io.SEEK_END) != self.file.size:
            stream.close()
            raise UsageError(f"{self._storage} does not belong to the same run as the report; repeat the run")
        stream.seek(0)
        return stream

    def _record(self, line: bytes, number: int) -> FindingRecord:
        finding = record_of(FindingRecord, line, f"{self.path or 'findings'}, line {number}")
        return finding if self._mark is None else self._mark(finding)


def ids_of(findings: Sequence[FindingRecord]) -> Iterator[str]:
    """Yield the short hashes of findings, which may be in a file or in memory."""
    return findings.ids() if isinstance(findings, Findings) else (finding.id for finding in findings)


def beside(report: Path) -> Path:
    """Return the path of the findings file that belongs to a report file."""
    return report.with_name(FINDINGS_FILE if report.name == "report.json" else f"{report.stem}-{FINDINGS_FILE}")
