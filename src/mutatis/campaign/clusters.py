"""Clusters answers to one question by meaning, using the judge of the question's task.

As in semantic entropy (Farquhar et al., Nature 630, 2024), with the run's judge instead of an entailment model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from mutatis.analysis.distributions import LEFT_OUT
from mutatis.campaign.judging import Judges, judge_all
from mutatis.core.decision import Outcome
from mutatis.core.relation import Group, Observation
from mutatis.core.verdict import Verdict


async def clustered(question: Verdict, answers: Sequence[Observation], judges: Judges) -> list[int]:
    """Return the cluster of each answer; `LEFT_OUT` for failures and for answers that the judge cannot decide.

    Equal labels, values or texts are one answer. The most common one starts a cluster, and every answer that the judge
    calls the same joins it; the most common of the rest starts the next, and so on. An answer that the judge cannot
    compare with some cluster's first answer, and that is the same as no other, is in no cluster. The order depends only
    on the answers, not on whether they belong to the source or a follow-up; otherwise a permutation test could not
    exchange them.

    Args:
        question: an unjudged verdict on the question, of the relation that expects the same answer.
        answers: answers to any of its wordings.
        judges: the judges of the run.
    """
    verbatim = judges.of(question.relation, question.source.task).verbatim
    keys = [
        None if answer.response is None else answer.response.said if verbatim else repr(answer.answer)
        for answer in answers
    ]
    first: dict[str, Observation] = {}
    for key, answer in zip(keys, answers, strict=True):
        if key is not None:
            first.setdefault(key, answer)
    counts = Counter(key for key in keys if key is not None)
    left = sorted(counts, key=lambda key: (-counts[key], key))
    cluster: dict[str, int] = {}
    unsure: set[str] = set()
    number = 0
    while (beginning := next((key for key in left if key not in unsure), None)) is not None:
        left.remove(beginning)
        cluster[beginning] = number
        outcomes = await _compared(question, first[beginning], [first[key] for key in left], judges)
        for key, outcome in zip(list(left), outcomes, strict=True):
            if outcome is Outcome.SATISFIED:
                cluster[key] = number
                left.remove(key)
            elif outcome is not Outcome.VIOLATED:
                unsure.add(key)
        number += 1
    return [LEFT_OUT if key is None else cluster.get(key, LEFT_OUT) for key in keys]


async def _compared(
    question: Verdict, first: Observation, others: Sequence[Observation], judges: Judges
) -> list[Outcome]:
    """Return, for each of the other answers, the outcome of comparing it with the first."""
    pairs = [
        replace(question, group=Group(source=first, members=(other,), reference=(first.answer,)), decision=None)
        for other in others
    ]
    return [verdict.outcome for verdict in await judge_all(pairs, judges)]
