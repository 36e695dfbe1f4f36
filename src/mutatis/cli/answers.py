"""`mutatis sheet CONFIG answers -o FILE`: writes the questions of a run to a sheet for a person to answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mutatis.assembly.questions import planned_questions

if TYPE_CHECKING:
    from mutatis.reports.sheets import Sheet


def draw(path: Path, *, size: int, seed: int) -> Sheet:
    """Return an answer sheet for the questions of a configuration. Its systems are not asked."""
    from mutatis.reports.answer_sheet import answer_sheet

    planned = planned_questions(path)
    return answer_sheet(planned.sources, planned.follow_ups, planned.converse, size=size, seed=seed)
