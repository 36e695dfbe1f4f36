"""Describes the edits of a follow-up in plain words, such as `one letter replaced by a neighbour on the keyboard`.

The edits are counted by comparing the texts, so the description remains true after shrinking has undone some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mutatis.core.cases import NEW, Case, Turn
from mutatis.core.telling import edit, order, with_number
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.text.alignment import differences, too_long
from mutatis.text.spans import changes


def described_edits(source: Case, follow_up: Case, turn: int) -> str:
    """Return a one-line description of the edits that a follow-up makes to the turns up to and including `turn`.

    The line is empty if there are no such edits.
    """
    if follow_up.derivation is None:
        return ""
    origins = [follow_up.origin(number) for number in range(turn + 1)]
    pairs = [(source.turns[of], follow_up.turns[number]) for number, of in enumerate(origins) if of != NEW]
    steps = [step for step in follow_up.derivation.steps if step.transformation in TRANSFORMATIONS]
    moves = _moves(follow_up, turn)
    edits = [step for step in steps if TRANSFORMATIONS[step.transformation].level != "dialogue"]
    if not (edits or moves) and any(old.fields != new.fields for old, new in pairs):
        edits = steps  # an edit of a dialogue that changed nothing but a turn's text
    if len(edits) == 1:
        [step] = edits
        description = edit(step, lambda by_word: _edited(pairs, by_word=by_word), source.language)
        descriptions = [description + _edited_fields(pairs)] if description else []
    else:  # without numbers, because it is not known which edit changed what
        descriptions = [edit(step, lambda by_word: None, source.language) for step in edits]
    return ", then ".join(part for part in (*moves, *descriptions) if part)


def _edited(pairs: Sequence[tuple[Turn, Turn]], *, by_word: bool) -> int | None:
    """Return how many words or characters differ between the turns, or None if a text is too long to compare.

    Identical edits of identical texts are counted once.
    """
    texts = {(old.fields.get(name, ""), text) for old, new in pairs for name, text in new.fields.items()}
    total = 0
    for old, new in texts:
        for change in changes(old, new):
            before, after = old[change.start : change.end], new[change.new_start : change.new_end]
            if too_long(len(before), len(after)):
                return None
            if by_word:
                total += max(1, len(before.split()), len(after.split()))
            else:
                total += _characters(before, after)
    return total


def _characters(old: str, new: str) -> int:
    if len(old) == len(new):  # letter against letter, as most edits are
        return sum(a != b for a, b in zip(old, new, strict=True))
    return sum(max(change.end - change.start, change.new_end - change.new_start) for change in differences(old, new))


def _edited_fields(pairs: Sequence[tuple[Turn, Turn]]) -> str:
    """Return the names of the edited fields as a phrase if a turn has several fields. Otherwise return ""."""
    fields: Mapping[str, str] = pairs[-1][1].fields
    changed = [name for name in fields if any(old.fields.get(name) != new.fields.get(name) for old, new in pairs)]
    return f" in the {' and the '.join(changed)}" if changed and len(fields) > 1 else ""


def _moves(follow_up: Case, turn: int) -> list[str]:
    """Describe how turns up to the judged one were left out, moved, repeated or inserted."""
    assert follow_up.derivation is not None
    origin = follow_up.derivation.origin
    moves = order(origin, turn)
    if moves.missing and not turn:
        return ["all earlier turns left out" if len(moves.missing) > 1 else "the earlier turn left out"]
    kinds = (
        (moves.missing, "earlier turns", "left out"),
        (moves.moved, "turns", "moved"),
        (moves.again, "turns", "said again"),
        (moves.new, "turns", "put in between"),
    )
    parts = [f"{with_number(len(turns), noun)} {verb}" for turns, noun, verb in kinds if turns]
    if origin[turn] != NEW and origin[turn] in origin[:turn]:
        parts.append("the question asked again")
    return [", ".join(parts)] if parts else []
