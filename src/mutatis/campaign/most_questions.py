"""How many questions a follow-up may ask: what a run under a budget must have left before it begins with it.

Must not know who else is at work.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from mutatis.campaign.follow_up import FollowUp
from mutatis.core.transformation import added_turns, made_by


def most_questions(
    follow_up: FollowUp, repeats: Sequence[int], paid: Mapping[str, int], known: Collection[tuple[str, str, str, int]]
) -> int:
    """Return how many questions a follow-up may ask, answers that a helper judges by left out; 1 at least.

    Args:
        follow_up: what is to be asked.
        repeats: the repeat indices under which it is asked.
        paid: labels of the systems whose answers are no lines of a file, with the questions that one question may
            take: steps with tools.
        known: system, task, case and repeat index of sources whose answers are there.
    """
    case, proposal = follow_up.source, follow_up.proposal
    if not proposal.looks and not proposal.source.judges(proposal.derivation.steps):
        return 1  # it is refused before anything is asked
    last = max(proposal.turns, default=-1) if proposal.turns is not None else max(case.asked, default=-1)
    upto = sum(turn <= last for turn in case.asked)  # nothing is asked after the turn that is judged
    upto += added_turns(proposal.derivation.steps)
    concerned = [label for label in paid if proposal.source.concerns(label)]
    longest = max((paid[label] for label in concerned), default=1)
    most = longest * (proposal.turns is not None)  # one question to tell inherited failures apart
    for label in concerned:
        unknown = sum((label, case.task, case.id, n) not in known for n in repeats)
        most += (len(repeats) * upto + unknown * len(case.asked)) * paid[label]
    rounds = max(1, len(proposal.derivation.variant)) * (made_by(proposal.derivation.steps) == "language-model")
    for relation in follow_up.relations:
        rounds += sum(precondition.needs_helper for precondition in relation.preconditions)
        rounds += bool(getattr(relation.matching.annotator, "needs_helper", False))
    return max(1, most + rounds * len(case.asked))
