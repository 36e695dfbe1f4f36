"""Decides which relations can use a follow-up, given a system's prompt and its answers to the source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mutatis.campaign.follow_up import FollowUp, Maker, Observations, invalid, missing
from mutatis.campaign.observe import Target
from mutatis.core.constraint import Stage
from mutatis.core.relation import MetamorphicRelation

SHOWN = f"{Stage.FOLLOW_UP_INPUT.value}: shown by the prompt"
"""Name of the precondition of every follow-up that the prompt shows the change to the system."""

Answered = Callable[[], Awaitable[Observations]]
"""Function that returns the answer of a system to the source, asking for it if necessary."""


async def check_source_answers(follow_up: FollowUp, target: Target, answered: Answered, maker: Maker) -> None:
    """Refuse a follow-up for a system if its prompt hides the change or a source answer breaks a precondition.

    The source is only sent if a relation has such a precondition.
    """
    case, variant = follow_up.source, follow_up.proposal.derivation.variant
    hidden = target.tasks[case.task].hidden
    if variant and hidden.issuperset(variant):
        unseen = invalid(SHOWN, f"the prompt does not show {', '.join(variant)}")
        follow_up.refuse(follow_up.alive, unseen, system=target.label, turns=case.asked)
        return
    for relation in follow_up.alive:
        if lacking := relation.limits.shows & hidden:
            unseen = invalid(SHOWN, f"the prompt does not show {', '.join(sorted(lacking))}")
            follow_up.unjudged[relation.name, target.label] = unseen
    for relation in follow_up.alive:
        if any(p.stage in (Stage.SOURCE_OUTPUT, Stage.SOURCE_INPUT) for p in relation.preconditions):
            await _check_turns(relation, follow_up, target.label, await answered(), maker)


async def _check_turns(
    relation: MetamorphicRelation, follow_up: FollowUp, label: str, observations: Observations, maker: Maker
) -> None:
    on_output = any(p.stage is Stage.SOURCE_OUTPUT for p in relation.preconditions)
    for turn, observation in observations.items():
        broken = await maker.broken(relation, Stage.SOURCE_INPUT, follow_up, observation)
        if broken is None and on_output:
            if observation.error is not None:
                broken = missing(observation, Stage.SOURCE_INPUT, "source")
            else:
                broken = await maker.broken(relation, Stage.SOURCE_OUTPUT, follow_up, observation)
        if broken is not None:
            follow_up.refuse([relation], broken, system=label, turns=(turn,))
