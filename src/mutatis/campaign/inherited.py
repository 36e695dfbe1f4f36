"""Finds failures caused by edits of earlier turns: the turn is sent again, unedited, in the same edited context."""

from __future__ import annotations

from dataclasses import replace

from mutatis.campaign.follow_up import FollowUp, Maker
from mutatis.campaign.judging import Judges, judge_again
from mutatis.campaign.observe import Observer
from mutatis.core.cases import Derivation
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict


def context_of(derivation: Derivation, turn: int) -> Derivation | None:
    """Return the derivation that edits the turns before `turn` and leaves `turn` itself unedited.

    Return None unless every step edits a single turn and both `turn` and some earlier turn are edited. In all other
    cases, the effect of earlier edits need not be told apart from that of the edit of `turn`.

    >>> from mutatis.core.cases import Step
    >>> steps = tuple(Step(transformation="word-drop", turns=(turn,)) for turn in (0, 2))
    >>> context_of(Derivation(source="d", steps=steps), 2).steps == steps[:1]
    True
    >>> context_of(Derivation(source="d", steps=steps[1:]), 2) is None
    True
    """
    if any(step.turns is None or len(step.turns) != 1 for step in derivation.steps):
        return None
    before = tuple(step for step in derivation.steps if step.turns is not None and step.turns[0] < turn)
    steps_here = [step for step in derivation.steps if step.turns == (turn,)]
    return replace(derivation, steps=before) if before and steps_here else None


async def tell_apart(follow_up: FollowUp, observer: Observer, maker: Maker, judges: Judges) -> None:
    """For each violation of one system, mark whether it is inherited from the edited context.

    This costs one question per violation in an edited context.

    Raises:
        BudgetExceeded: the budget is too small; the remaining verdicts stay unmarked.
    """
    for place, verdict in enumerate(follow_up.verdicts):
        if verdict.system == observer.target.label and verdict.outcome is Outcome.VIOLATED:
            follow_up.verdicts[place] = await _marked(verdict, follow_up, observer, maker, judges)


async def _marked(verdict: Verdict, follow_up: FollowUp, observer: Observer, maker: Maker, judges: Judges) -> Verdict:
    wanted = None if verdict.derivation is None else context_of(verdict.derivation, verdict.turn)
    if wanted is None or verdict.group is None:
        return verdict
    case = await maker.derived(follow_up.source, wanted)
    observations = await observer.observe(case, verdict.repeat, wanted=[verdict.turn])
    follow_up.asked_beside += 1
    judged = await judge_again(verdict, verdict.group.source, [observations[verdict.turn]], judges)
    if judged.outcome not in (Outcome.SATISFIED, Outcome.VIOLATED):
        return verdict
    return replace(verdict, inherited=judged.outcome is Outcome.VIOLATED)
