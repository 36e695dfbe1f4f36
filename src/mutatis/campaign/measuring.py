"""Measures the answers to a proposal, for a search that learns. The measurements supplement the verdicts.

The uncertainty of an answer is its Gini impurity, computed from probabilities or from repeated answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import Any

from mutatis.campaign.follow_up import FollowUp
from mutatis.core.cases import NEW, Case
from mutatis.core.relation import Observation
from mutatis.core.search import Measured, Measurements, Proposal, Reading
from mutatis.core.system import Response

_HALF_OF_VALUES, _HALF_OF_WORDS = 5, 20
"""Numbers of values and of words in an answer that make the feature 0.5. It approaches 1 for large numbers."""


def measurements(follow_up: FollowUp) -> Measurements:
    """Return the measurements of a follow-up on each system and turn, for a search that learns."""
    case = follow_up.case
    return Measurements(
        queries=queries(follow_up),
        valid=bool(follow_up.answers) and not follow_up.proposal.looks,
        texts={} if case is None else _texts(case, follow_up.proposal),
        turns=tuple(_measured(follow_up)),
    )


def queries(follow_up: FollowUp) -> int:
    """Return the number of questions that a follow-up needed, including tool steps but not its source.

    The source is left out because other follow-ups share it.
    """
    observations = (o for answers in follow_up.answers for o in answers.follow_up.values())
    return follow_up.asked_beside + sum(observation.questions for observation in observations)


def _texts(case: Case, proposal: Proposal) -> dict[int, str]:
    """Return the edited text of a follow-up for each judged source turn."""
    assert case.derivation is not None
    names = case.derivation.variant
    return {
        origin: "\n".join(text for name, text in turn.fields.items() if not names or name in names)
        for turn, origin in zip(case.turns, case.derivation.origin, strict=True)
        if origin != NEW and proposal.judges(origin)
    }


def _measured(follow_up: FollowUp) -> list[Measured]:
    """Return the readings of the answers to the source and to the follow-up, per system and judged source turn."""
    clean: dict[tuple[str, int], list[Observation]] = {}
    perturbed: dict[tuple[str, int], list[Observation]] = {}
    for answers in follow_up.answers:
        for turn, observation in answers.source.items():
            clean.setdefault((answers.system, turn), []).append(observation)
        for observation in answers.follow_up.values():
            turn = observation.case.origin(observation.turn)
            perturbed.setdefault((answers.system, turn), []).append(observation)
    return [
        Measured(
            system=system,
            turn=turn,
            clean=reading(observations),
            perturbed=reading(perturbed.get((system, turn), ())),
        )
        for (system, turn), observations in clean.items()
        if follow_up.proposal.judges(turn)
    ]


def reading(observations: Sequence[Observation]) -> Reading | None:
    """Return the uncertainty and the features of the answers to one question, or None if there is no answer.

    The question may have been sent once or several times. The features of decisions and sizes are taken from its first
    answer.
    """
    answers = [observation.answer for observation in observations if observation.response is not None]
    responses = [observation.response for observation in observations if observation.response is not None]
    if not responses:
        return None
    measured = [known for known in map(uncertainty, responses) if known is not None]
    unsure: float | None = None
    if measured:
        unsure = sum(measured) / len(measured)
    elif len(responses) > 1:
        unsure = disagreement(answers)
    decisions = responses[0].decisions or {}
    least_sure = max((gini(outcomes.values()) for outcomes in decisions.values()), default=unsure or 0.0)
    values, words = _size(answers[0]), len(responses[0].text.split())
    features = (  # as named in `core.search.FEATURES`
        unsure or 0.0,
        float(unsure is not None),
        least_sure,
        values / (values + _HALF_OF_VALUES),  # 0.5 for _HALF_OF_VALUES, and nearly 1 for many
        words / (words + _HALF_OF_WORDS),
    )
    return Reading(uncertainty=unsure, features=features)


def _size(answer: Any) -> int:
    """Return the number of values in an answer: slots of a state or members of a set, and 1 for anything else."""
    return len(answer) if isinstance(answer, Mapping | Set | list | tuple) else 1


def gini(chances: Iterable[float]) -> float:
    """Return the Gini impurity (1 - sum p^2) of one decision.

    If the probabilities sum to less than 1, the remainder counts as one more outcome.

    >>> gini([1.0]), gini([0.5, 0.5]), round(gini([0.5]), 2)
    (0.0, 0.5, 0.5)
    """
    known = list(chances)
    rest = max(0.0, 1.0 - sum(known))
    return max(0.0, 1.0 - sum(p * p for p in known) - rest * rest)


def uncertainty(response: Response) -> float | None:
    """Return the mean Gini impurity of an answer's decisions, or None if the system gives no probabilities.

    >>> uncertainty(Response(text="{}", decisions={"a-day": {"(none)": 1.0}, "a-name": {"(none)": 0.5, "x": 0.5}}))
    0.25
    """
    decisions: Mapping[str, Mapping[str, float]] = response.decisions or {}
    if not decisions and response.probabilities:
        decisions = {"answer": response.probabilities}
    if not decisions:
        return None
    return sum(gini(outcomes.values()) for outcomes in decisions.values()) / len(decisions)


def disagreement(answers: Sequence[Any]) -> float:
    """Return the Gini impurity of repeated answers to one question: 0 if they are all the same or there is only one.

    Answers with several parts (dialogue states) are compared part by part. The result is then the mean over all parts
    that occur in any answer.

    >>> disagreement(["a", "a", "b", "b"]), disagreement(["a"]), disagreement([])
    (0.5, 0.0, 0.0)
    >>> disagreement([{"hotel-area": "east", "hotel-stars": "4"}, {"hotel-area": "east"}])
    0.25
    """
    if not answers:
        return 0.0
    if all(isinstance(answer, Mapping) for answer in answers):
        parts = sorted(set().union(*answers))
        return sum(disagreement([answer.get(part) for answer in answers]) for part in parts) / max(1, len(parts))
    counts = Counter(answer if isinstance(answer, Hashable) else repr(answer) for answer in answers)
    return gini(count / len(answers) for count in counts.values())
