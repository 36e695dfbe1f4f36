"""Checks a search's proposals against the relations of a run, and describes the resulting follow-ups."""

from __future__ import annotations

from collections.abc import Sequence

from mutatis.campaign.events import FollowUpMade
from mutatis.campaign.follow_up import FollowUp
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError


def fitting(follow_up: FollowUp, names: set[str]) -> set[str]:
    """Return the names of the relations that judge a follow-up. Raise UsageError if the run has no such relation."""
    proposal = follow_up.proposal
    names_here = {relation.name for relation in follow_up.relations}
    if proposal.looks or (names_here and names_here <= names):
        return names_here
    source, steps = proposal.source, ", ".join(step.transformation for step in proposal.derivation.steps) or "nothing"
    where = f"the search proposes {steps} on {source.case.id}"
    if foreign := sorted(names_here - names):
        raise UsageError(f"{where}, judged by {', '.join(foreign)}: not a relation of this run; add it there")
    judging = ", ".join(relation.name for relation in source.relations) or "none"
    raise UsageError(f"{where}, which none of its relations accepts ({judging}); add one, or limit the search to these")


def follow_up_made(follow_up: FollowUp, case: Case, systems: Sequence[str]) -> FollowUpMade:
    """Return the event for a follow-up, with its relations and the systems that are asked."""
    names = tuple(relation.name for relation in follow_up.alive)
    return FollowUpMade(source=follow_up.source, case=case, relations=names, systems=tuple(systems))
