"""Lists the questions of a run before any question is sent to a system.

The questions can then be answered by people, or by tools that query the system themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.assembly.settings import read_settings
from mutatis.campaign.session import Campaign
from mutatis.config import check
from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp, UsageError
from mutatis.core.system import Conversation
from mutatis.core.transformation import derive, reads_answer
from mutatis.loops import to_the_end
from mutatis.query import Store
from mutatis.systems.sheet import sheet_system


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedQuestions:
    """The planned source cases and follow-ups of a run, to build the conversations with a system."""

    sources: list[Case]
    follow_ups: list[Case]
    campaign: Campaign

    def converse(self, case: Case, turn: int) -> Conversation:
        """Return the conversation up to a turn of a case, with an empty answer for every earlier turn."""
        return self.campaign.targets[0].tasks[case.task].converse(case, turn, [""] * turn)


def without_systems(settings: Mapping[str, Any] | Any) -> Campaign:
    """Return the campaign described by settings (a table or a TOML file), with a stand-in that never answers.

    Any systems in the settings are ignored, and all data are used, whatever systems they are meant for.

    Raises:
        UsageError: the settings do not describe a run.
    """
    tables, folder = read_settings(settings)
    config = check(
        {name: value for name, value in tables.items() if name not in ("system", "systems")},
        folder,
        objects=("systems",),
    )
    config = config.model_copy(update={"data": [block.model_copy(update={"systems": []}) for block in config.data]})
    with Store(None) as store:
        return assemble(config, store, HandedOver(systems=[sheet_system({}, "people")]))


def planned_questions(settings: Mapping[str, Any] | Any) -> PlannedQuestions:
    """Return all questions of a run that do not depend on answers.

    Raises:
        UsageError: the settings do not describe a run, or their search depends on answers.
        SystemFailure: a helper that makes follow-ups failed.
    """
    campaign = without_systems(settings)
    if campaign.search.learns:
        raise UsageError(
            'a search that learns cannot be planned, because it depends on the answers; use [search] type = "once"'
        )
    sources = [source.case for source in campaign.sources]
    return PlannedQuestions(sources=sources, follow_ups=to_the_end(_follow_ups(campaign)), campaign=campaign)


async def _follow_ups(campaign: Campaign) -> list[Case]:
    """Return the follow-ups of a run that do not depend on an answer."""
    follow_ups = []
    while batch := campaign.search.ask():
        for proposal in batch:
            source, derivation = proposal.source, proposal.derivation
            if source.judges(derivation.steps) and not reads_answer(derivation):
                with suppress(UnusableFollowUp):
                    made = await derive(source.case, derivation, seed=campaign.seed, helper=campaign.helper)
                    follow_ups.append(made)
    return follow_ups
