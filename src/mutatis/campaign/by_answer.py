"""Makes follow-ups from the answer to the source: one per system, once that system has answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from mutatis.campaign.follow_up import FollowUp, Observations, invalid, missing
from mutatis.core.cases import Derivation
from mutatis.core.constraint import RECORDED, Stage
from mutatis.core.decision import Decision
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import Observation
from mutatis.core.transformation import completed_by, explores

TOLD = f"{Stage.SOURCE_OUTPUT.value}: supports what the follow-up says about it"
"""Name of the precondition that the answer to the source supports every statement in the follow-up about it."""


async def made_by_answer(
    follow_up: FollowUp,
    labels: Sequence[str],
    answered: Callable[[str], Awaitable[Observations]],
    observe: Callable[[FollowUp, Sequence[str]], Awaitable[FollowUp]],
    dictionaries: Callable[[str], Sequence[Dictionary]],
    reply_to: Callable[[str, Derivation], Awaitable[str | None]],
) -> FollowUp:
    """Make a follow-up from each system's answer to the source, and take it through the rest of the loop.

    All results are stored in `follow_up`.

    Args:
        follow_up: the proposal, without a case so far.
        labels: the systems to ask.
        answered: returns the answers of a system to the source.
        observe: derives a follow-up and asks it of some systems.
        dictionaries: returns the dictionaries about the subject of a system.
        reply_to: returns the reply of a system to an earlier draw.
    """
    for label in labels:
        observation = (await answered(label)).get(len(follow_up.source.turns) - 1)
        derivation, refusal = follow_up.proposal.derivation, _unusable(observation)
        if refusal is None and observation is not None and observation.response is not None:
            language, ask = follow_up.source.language, partial(reply_to, label)
            derivation, refusal = await _completed(derivation, observation, dictionaries(label), language, ask)
        part = FollowUp(proposal=replace(follow_up.proposal, derivation=derivation), relations=follow_up.relations)
        if refusal is not None:
            part.refuse(part.relations, refusal)
        await observe(part, [label])
        follow_up.case = follow_up.case or part.case
        follow_up.answers += part.answers
        follow_up.draws += part.draws
        follow_up.events += part.events
        follow_up.verdicts += part.verdicts
        follow_up.left_out += part.left_out
    return follow_up


async def _completed(
    derivation: Derivation,
    observation: Observation,
    dictionaries: Sequence[Dictionary],
    language: str,
    reply_to: Callable[[Derivation], Awaitable[str | None]],
) -> tuple[Derivation, Decision | None]:
    """Return a derivation completed from the answer and the dictionaries, or the reason why that is impossible.

    If a transformation explores, its draws build on each other, so the earlier draws are repeated first. Their replies
    are stored or pending by then.
    """
    assert observation.response is not None
    question, reply_told = observation.asked.text, observation.response.text
    complete = partial(completed_by, question=question, answer=reply_told, dictionaries=dictionaries, language=language)
    try:
        seen: list[tuple[Parameters, str]] = []
        for draw in range(derivation.draw) if explores(derivation) else ():
            earlier = complete(replace(derivation, draw=draw), seen=seen)
            reply = None if earlier is None else await reply_to(earlier)
            if earlier is None or reply is None:
                return derivation, invalid(TOLD, "an earlier step was not answered")
            seen.append((earlier.steps[0].parameters, reply))
        completed = complete(derivation, seen=seen)
    except UnusableFollowUp as unusable:
        return derivation, invalid(TOLD, str(unusable))
    if completed is None:
        return derivation, invalid(TOLD, "the source's answer has no single value that could be claimed")
    return completed, None


def _unusable(observation: Observation | None) -> Decision | None:
    """Return the reason why no follow-up can be made from an answer to the source, or None if one can."""
    if observation is None:
        return invalid(f"{Stage.SOURCE_INPUT.value}: {RECORDED}", "source: its last turn is not asked")
    return None if observation.error is None else missing(observation, Stage.SOURCE_INPUT, "source")
