"""Writes a file under a temporary name, and keeps it only if the run finishes."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from mutatis.records.files import write_text, writing_to


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
        """The path to mention in error messages: that of the final file, or the folder for temporary files."""
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
