"""`draws.jsonl` of a run: clusters of the answers to each source, with a line per system, source and turn."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mutatis.campaign.unfinished_file import UnfinishedFile
from mutatis.records.files import DRAWS_FILE, writing_to
from mutatis.records.jsontext import dump

SHOWN = 300
"""Maximum number of sources in the report itself, those with the most varied answers."""


class DrawsFile(UnfinishedFile):
    """Writes distributions to a file as sources are closed. Only the most varied ones stay in memory.

    Args:
        folder: final place of `draws.jsonl`; None keeps only the most varied ones.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, DRAWS_FILE)
        self._kept = folder is not None
        self._number = 0
        self._most: list[tuple[float, int, dict[str, Any]]] = []

    def write(self, record: Mapping[str, Any]) -> None:
        """Write the next source to the file."""
        self._number += 1
        entry = (record["entropy"], -self._number, dict(record))
        (heapq.heappush if len(self._most) < SHOWN else heapq.heappushpop)(self._most, entry)
        if self._kept:
            with writing_to(self.path):
                self.open().write(dump(record).encode("utf-8") + b"\n")

    @property
    def most(self) -> list[dict[str, Any]]:
        """The sources whose answers vary most; ties keep their order."""
        return [record for *_, record in sorted(self._most, key=lambda entry: (-entry[0], -entry[1]))]
