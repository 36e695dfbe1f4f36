"""Writes `draws.jsonl`: the clusters of the answers to each source, with one line per system, source and turn."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mutatis.campaign.unfinished_file import UnfinishedFile
from mutatis.records.files import DRAWS_FILE, writing_to
from mutatis.records.jsontext import dump

SHOWN = 300
"""Maximum number of sources listed in the report itself. The sources with the most varied answers are chosen."""


class DrawsFile(UnfinishedFile):
    """Writes the distribution of answers to a file whenever a source is closed, and keeps the most varied in memory.

    Args:
        folder: the folder for `draws.jsonl`; if None, no file is kept.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, DRAWS_FILE)
        self._kept = folder is not None
        self._number = 0
        self._most: list[tuple[float, int, dict[str, Any]]] = []

    def write(self, record: Mapping[str, Any]) -> None:
        """Write the distribution of the next source to the file."""
        self._number += 1
        entry = (record["entropy"], -self._number, dict(record))
        (heapq.heappush if len(self._most) < SHOWN else heapq.heappushpop)(self._most, entry)
        if self._kept:
            with writing_to(self.path):
                self.open().write(dump(record).encode("utf-8") + b"\n")

    @property
    def most(self) -> list[dict[str, Any]]:
        """The distributions of the sources whose answers vary most. Ties keep their order."""
        return [record for *_, record in sorted(self._most, key=lambda entry: (-entry[0], -entry[1]))]
