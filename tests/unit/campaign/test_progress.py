"""The progress of a search: sources that are closed, or, where it learns, sources that it has begun with."""

from __future__ import annotations

from typing import Any

import pytest

import mutatis
from mutatis.campaign.events import Advanced, PhaseStarted

SWEEP = {"type": "grid", "transformation": "upper-case", "parameter": "share", "values": [0.2, 0.6]}


@pytest.mark.parametrize("search", ["once", SWEEP, {**SWEEP, "refine": True}])
def test_it_comes_to_the_number_of_sources(search: Any) -> None:
    events: list[Any] = []
    cases = [mutatis.Case(id=f"a/{n}", turns=(mutatis.Turn(fields={"text": f"a film {n}"}),)) for n in range(5)]
    mutatis.run(
        lambda text: "0.9" if text.isupper() else "0.1",
        cases,
        ["upper-case"],
        task="sentiment",
        search=search,
        settings={"noise_floor": 0, "confirm": 0},
        on_event=events.append,
    )
    [phase] = [event for event in events if isinstance(event, PhaseStarted) and event.name == "search"]
    assert phase.total == sum(isinstance(event, Advanced) for event in events) == 5
