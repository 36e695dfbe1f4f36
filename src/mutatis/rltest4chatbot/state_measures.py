"""Measures for dialogue states: the share of slots with equal values, either normalised or as written."""

from __future__ import annotations

from typing import Any

from mutatis.extending import Similarity, as_text, measure
from mutatis.rltest4chatbot.states import State, accepted_values, differing_slots, read_state, slot_values


def _state(value: Any) -> State:
    if isinstance(value, dict):
        return value
    return read_state(as_text(value)) or {}


def _compared(reference: Any, answer: Any, normalisation: str) -> Similarity:
    first, second = _state(reference), _state(answer)
    wrong = differing_slots(first, second, normalisation)
    before, after = accepted_values(first, normalisation), accepted_values(second, normalisation)
    if not wrong:
        return Similarity(score=1.0, reason="the same state")
    shown = [
        f"{slot}: {' / '.join(slot_values(state, slot, normalisation) for state in (first, second))}"
        for slot in wrong[:3]
    ]
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return Similarity(score=1 - len(wrong) / len(before.keys() | after.keys()), reason=", ".join(shown) + more)


@measure("state", kinds=("state",), equal=1.0)
def state(reference: Any, answer: Any) -> Similarity:
    """Share of the slots with equal values, normalised as in evaluations of MultiWOZ.

    The states count as equal only if all slots agree.
    """
    return _compared(reference, answer, "usual")


@measure("state-exact", kinds=("state",), equal=1.0)
def state_exact(reference: Any, answer: Any) -> Similarity:
    """Share of the slots with equal values, compared as written.

    The states count as equal only if all slots agree.
    """
    return _compared(reference, answer, "none")
