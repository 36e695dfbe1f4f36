"""Measures a dialogue-state tracker by joint goal accuracy, slot accuracy and slot F1.

The input consists of pairs of annotated and predicted states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mutatis.extending import UsageError
from mutatis.rltest4chatbot.states import SLOTS, State, accepted_values, differing_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class StateAccuracy:
    """Agreement between predicted and annotated states.

    Attributes:
        turns: number of turns compared.
        joint: share of turns whose state is correct in every slot (joint goal accuracy).
        slot: share of (turn, slot) pairs that are correct, including slots absent from both states.
        precision, recall, f1: computed over the (slot, value) pairs of all turns.
    """

    turns: int
    joint: float
    slot: float
    precision: float
    recall: float
    f1: float


def state_accuracy(
    pairs: Sequence[tuple[State, State]], *, normalisation: str = "usual", slots: Sequence[str] = SLOTS
) -> StateAccuracy:
    """Return the accuracy over pairs of (annotated, predicted) states.

    Slot accuracy covers `slots` and any other slots in the states.

    >>> figures = state_accuracy([({"a-day": "monday"}, {"a-day": "mon"}), ({}, {"a-day": "monday"})], slots=["a-day"])
    >>> figures.joint, figures.slot, figures.precision, figures.recall
    (0.5, 0.5, 0.5, 1.0)

    Raises:
        UsageError: no pairs are given, or the normalisation does not exist.
    """
    if not pairs:
        raise UsageError("no states to compare; expected at least one turn with an annotated state")
    right_turns = right_slots = all_slots = right_values = annotated_values = predicted_values = 0
    for annotated, predicted in pairs:
        wanted, answered = accepted_values(annotated, normalisation), accepted_values(predicted, normalisation)
        with_value = wanted.keys() | answered.keys()
        wrong, compared = len(differing_slots(annotated, predicted, normalisation)), len(with_value | set(slots))
        right_turns += not wrong
        all_slots += compared
        right_slots += compared - wrong
        right_values += len(with_value) - wrong
        annotated_values += len(wanted)
        predicted_values += len(answered)
    precision, recall = _share(right_values, predicted_values), _share(right_values, annotated_values)
    return StateAccuracy(
        turns=len(pairs),
        joint=right_turns / len(pairs),
        slot=_share(right_slots, all_slots),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    )


def _share(part: int, whole: int) -> float:
    """Return part / whole, or 1 if `whole` is 0."""
    return part / whole if whole else 1.0
