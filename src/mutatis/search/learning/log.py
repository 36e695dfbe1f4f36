"""Numbers of a training in the form that TensorBoard reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError


class Log:
    """Writes scalars into a folder; None writes nothing.

    Raises:
        UsageError: the folder cannot be written.
    """

    def __init__(self, folder: Path | None) -> None:
        self._writer: Any = None
        if folder is not None:
            from tensorboardX import SummaryWriter

            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(
                    f"log = {str(folder)!r}: {error.strerror}; name a folder that can be written"
                ) from None
            self._writer = SummaryWriter(str(folder), flush_secs=5)

    def write(self, step: int, scalars: Mapping[str, float]) -> None:
        """Note numbers at a step."""
        if self._writer is not None:
            for name, value in scalars.items():
                self._writer.add_scalar(name, float(value), step)

    def close(self) -> None:
        """Close the log."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
