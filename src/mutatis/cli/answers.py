"""`mutatis sheet CONFIG answers -o FILE`: the questions of a run on a sheet, for a person to answer."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.plan import planned
from mutatis.config import check, read_toml
from mutatis.query import Store
from mutatis.systems.sheet import SheetSystem

if TYPE_CHECKING:
    from mutatis.reports.sheets import Sheet


def draw(path: Path, *, size: int, seed: int) -> Sheet:
    """Return an answer sheet of what a configuration would ask; its systems, where it names any, are not asked."""
    from mutatis.reports.answer_sheet import answer_sheet

    tables = {name: value for name, value in read_toml(path).items() if name not in ("system", "systems")}
    config = check(tables, path.parent, objects=("systems",))
    config = config.model_copy(update={"data": [block.model_copy(update={"systems": []}) for block in config.data]})
    with Store(None) as store:
        campaign = assemble(config, store, HandedOver(systems=[SheetSystem(label="people", answers={})]))
        sources, follow_ups = asyncio.run(planned(campaign))
    tasks = campaign.targets[0].tasks
    return answer_sheet(
        sources,
        follow_ups,
        lambda case, turn: tasks[case.task].converse(case, turn, [""] * turn),
        size=size,
        seed=seed,
    )
