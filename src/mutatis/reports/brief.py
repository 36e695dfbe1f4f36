"""Answers in few characters, side by side: cut so that what differs between them is seen.

Knows texts only; the terminal's list of findings and the page's rows show what this returns.
"""

from __future__ import annotations

from collections.abc import Sequence

from mutatis.text.alignment import common
from mutatis.text.states import State, differing_slots, read_state, slot_values

ROOM = 36
"""Characters for each answer: two answers fit in a row of the page."""


def brief(answers: Sequence[str], room: int = ROOM) -> tuple[str, ...]:
    """Return answers on one line each, in about `room` characters: long ones from their first difference on.

    >>> brief(["You can pay by card.", "You can pay by invoice."])
    ('You can pay by card.', 'You can pay by invoice.')
    >>> brief(["In our shops you can always pay by card.", "In our shops you can always pay by invoice."])
    ('…pay by card.', '…pay by invoice.')
    >>> brief(['{"hotel-area": "east"}', '{"hotel-area": "east", "hotel-stars": "4"}'])
    ('hotel-stars: (none)', '4')
    """
    lines = [" ".join(answer.split()) for answer in answers]
    told = _states(lines)
    if told:
        return tuple(_cut(text, room) for text in told)
    start = _start(lines, room) if any(len(text) > room for text in lines) else 0
    return tuple(_cut(f"…{text[start:].lstrip()}" if start else text, room) for text in lines)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"


def _start(lines: Sequence[str], room: int) -> int:
    """Return where to begin: a few words before the first difference; 0 if the beginning shows it well enough."""
    if len(set(lines)) < 2:
        return 0
    same = min(common(lines[0], other) for other in lines[1:] if other != lines[0])
    if same <= room // 2:
        return 0
    earliest = same - room // 3
    word = lines[0].find(" ", earliest, same)
    return earliest if word < 0 else word + 1  # a long word, or a script without blanks


def _states(lines: Sequence[str]) -> list[str]:
    """Return the values of the first slot that differs between dialogue states, with its name; empty without one."""
    states: list[State] = []
    for text in lines:
        state_read = read_state(text) if text.startswith("{") else None
        if state_read is None:
            return []
        states.append(state_read)
    for normalisation in ("usual", "none"):  # only `state-exact` compares values as they stand
        slots = sorted(
            {slot for left in states for right in states for slot in differing_slots(left, right, normalisation)}
        )
        if slots:
            values = [slot_values(state, slots[0], normalisation) for state in states]
            more = f"; {len(slots) - 1} more differ" if len(slots) > 1 else ""
            return [f"{slots[0]}: {values[0]}", *values[1:-1], values[-1] + more]
    return []
