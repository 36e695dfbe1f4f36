"""The questions of a run before any system is asked: for people, and for tools that do the asking themselves.

Independent of who answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.assembly.settings import read_settings
from mutatis.campaign.plan import planned
from mutatis.campaign.session import Campaign
from mutatis.config import check
from mutatis.core.cases import Case
from mutatis.core.system import Conversation
from mutatis.loops import to_the_end
from mutatis.query import Store
from mutatis.systems.sheet import SheetSystem


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedQuestions:
    """The source cases and follow-ups of a run, with the way each of them is put to a system."""

    sources: list[Case]
    follow_ups: list[Case]
    campaign: Campaign

    def converse(self, case: Case, turn: int) -> Conversation:
        """Return the conversation for one turn of a case, as if every earlier turn had an empty answer."""
        return self.campaign.targets[0].tasks[case.task].converse(case, turn, [""] * turn)


def without_systems(settings: Mapping[str, Any] | Any) -> Campaign:
    """Return the campaign that settings (a table, or a TOML file) describe, for a system that answers nothing yet.

    Its systems are left out, and its data are for any system.

    Raises:
        UsageError: the settings describe no run.
    """
    tables, folder = read_settings(settings)
    config = check(
        {name: value for name, value in tables.items() if name not in ("system", "systems")},
        folder,
        objects=("systems",),
    )
    config = config.model_copy(update={"data": [block.model_copy(update={"systems": []}) for block in config.data]})
    with Store(None) as store:
        return assemble(config, store, HandedOver(systems=[SheetSystem(label="people", answers={})]))


def planned_questions(settings: Mapping[str, Any] | Any) -> PlannedQuestions:
    """Return everything that a run with these settings would ask and that does not depend on an answer.

    Raises:
        UsageError: the settings do not describe a run, or their search chooses by the answers.
    """
    campaign = without_systems(settings)
    sources, follow_ups = to_the_end(planned(campaign))
    return PlannedQuestions(sources=sources, follow_ups=follow_ups, campaign=campaign)
