"""Writes `verdicts.jsonl` during a campaign, and records which messages the run sent and judged.

The file replaces an earlier run's file only when it is complete.
"""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, Self

from mutatis.campaign.events import Event, SourceClosed, SourceObserved
from mutatis.campaign.records import earlier_rounds, verdict_record
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.verdict import Verdict
from mutatis.records.asked import MOST, AskedRecord, message_hash
from mutatis.records.files import VERDICTS_FILE, growth_of, lock, write_text, writing_to
from mutatis.records.jsontext import dump


class VerdictFile:
    """A listener that writes each verdict as one line of JSON, or nothing if the folder is None.

    While the run goes on, the file has a temporary name and is locked, so that a second run in the same folder is
    refused. It stays locked after it gets its final name, because findings are still being confirmed.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._file: IO[str] | None = None
        self._has_final_name = False
        self._earlier_written: dict[tuple[str, str], set[tuple[str, int]]] = {}

    def __enter__(self) -> VerdictFile:
        if self.folder is None:
            return self
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._growing, os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError as error:
            expected = "; expected a folder" if self.folder.is_file() else ""
            raise UsageError(f"{self.folder}: cannot be written: {error.strerror}{expected}") from None
        if not lock(descriptor):
            os.close(descriptor)
            raise UsageError(
                f"another run is writing to {self.folder}; wait until it has finished, or name a different folder"
            )
        os.ftruncate(descriptor, 0)  # only now: until it is locked, the lines may be those of another run
        self._file = os.fdopen(descriptor, "w", encoding="utf-8")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._file is None:
            return
        with writing_to(self._growing), self._file:
            if kind is None:
                self.appear()
            elif not self._has_final_name:
                self._growing.unlink(missing_ok=True)

    def appear(self) -> None:
        """Give the file its final name once it has all verdicts. It stays locked until the run ends."""
        if self._file is None or self.folder is None or self._has_final_name:
            return
        try:
            self._file.flush()
            self._growing.replace(self.folder / VERDICTS_FILE)
        except FileNotFoundError:
            raise UsageError(
                f"{self.folder} was deleted during the run; its answers are lost if they were stored there; run again"
            ) from None
        self._has_final_name = True

    def __call__(self, event: Event) -> None:
        """Write a verdict. The first line for each judged turn of a source includes the rounds before it."""
        if self._file is not None and isinstance(event, Verdict):
            line = dump({**verdict_record(event), **self._earlier(event)}) + "\n"
            with writing_to(self._growing):
                self._file.write(line)
        elif isinstance(event, SourceClosed):
            self._earlier_written.pop((event.case.task, event.case.id), None)

    def _earlier(self, verdict: Verdict) -> dict[str, Any]:
        """Return the rounds of the source before the judged turn, unless a line of this system already has them."""
        if verdict.group is None or not verdict.turn:
            return {}
        written = self._earlier_written.setdefault((verdict.source.task, verdict.source.id), set())
        if (verdict.system, verdict.turn) in written:
            return {}
        written.add((verdict.system, verdict.turn))
        return {"source_earlier": earlier_rounds(verdict.group.source)}

    @property
    def _growing(self) -> Path:
        assert self.folder is not None
        return growth_of(self.folder)


class UnfinishedFile:
    """The lines of a temporary file that is stored as `name` in the folder if the run finishes.

    Args:
        folder: the final folder of the file; None keeps the lines in a temporary file.
        name: the final name of the file.
    """

    def __init__(self, folder: Path | None, name: str) -> None:
        self._folder, self._name = folder, name
        self.lines: IO[bytes] | None = None

    @property
    def path(self) -> Path:
        """The path to mention in error messages: the final file's path, or the folder for temporary files."""
        return Path(tempfile.gettempdir()) if self._folder is None else self._folder / self._name

    def open(self) -> IO[bytes]:
        """Return the file, open for writing. The first call creates it."""
        if self.lines is None:
            if self._folder is not None:
                self._folder.mkdir(parents=True, exist_ok=True)
            self.lines = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed by `close`
        return self.lines

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the temporary file, and keep its lines if the run finished."""
        with writing_to(self.path), self.lines or nullcontext():
            if self._folder is not None and kind is None:
                self.keep()

    def keep(self) -> None:
        """Copy the lines to the final file. If nothing was written, remove the file of an earlier run."""
        if self.lines is None:
            self.path.unlink(missing_ok=True)
        else:
            self.lines.seek(0)
            write_text(self.path, (text.decode("utf-8") for text in self.lines))


class Asked:
    """A listener that records the source and follow-up messages sent to each system, per task, in bounded memory."""

    def __init__(self) -> None:
        self._messages: dict[tuple[str, str], set[str] | None] = defaultdict(set)
        self._relations: dict[tuple[str, str], set[str]] = defaultdict(set)

    def __call__(self, event: Event) -> None:
        """Record a source that was answered, or the follow-ups that a verdict is based on."""
        if isinstance(event, SourceObserved):
            self._add(event.system, event.case.task, ((event.case, turn) for turn in event.observations))
        elif isinstance(event, Verdict):
            self._relations[event.system, event.source.task].add(event.relation.name)
            members = () if event.group is None else event.group.members
            self._add(event.system, event.source.task, ((member.case, member.turn) for member in members))

    def _add(self, system: str, task: str, asked: Iterable[tuple[Case, int]]) -> None:
        messages = self._messages[system, task]
        if messages is not None:
            messages.update(message_hash(turn.fields for turn in case.turns[: place + 1]) for case, place in asked)
            if len(messages) > MOST:
                self._messages[system, task] = None

    def records(self) -> list[dict[str, Any]]:
        """Return the recorded messages of each system and task as JSON data. Sets that grew too large are left out."""
        return [
            AskedRecord(
                system=system, task=task, relations=sorted(self._relations[system, task]), messages=sorted(messages)
            ).to_json()
            for (system, task), messages in self._messages.items()
            if messages
        ]
