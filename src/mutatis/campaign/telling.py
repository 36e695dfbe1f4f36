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


def told(source: Case, follow_up: Case, turn: int) -> str:
    """Return a one-line description of the edits that a follow-up makes to the turns up to and including `turn`.

    The line is empty if there are no such edits.
    """
    if follow_up.derivation is None:
        return ""
    origins = [follow_up.origin(i) for i in range(turn + 1)]
    pairs = [(source.turns[of], follow_up.turns[i]) for i, of in enumerate(origins) if of != NEW]
    known = [step for step in follow_up.derivation.steps if step.transformation in TRANSFORMATIONS]
    turns = _turns(follow_up, turn)
    edits = [step for step in known if TRANSFORMATIONS[step.transformation].level != "dialogue"]
    if not (edits or turns) and any(old.fields != new.fields for old, new in pairs):
        edits = known  # an edit of a dialogue that changed nothing but a turn's text
    alone = len(edits) == 1  # numbers are told where no other edit shares in them
    parts = [
        edit(step, lambda by_word: _edited(pairs, by_word=by_word) if alone else None, source.language)
        for step in edits
    ]
    if alone and parts[0]:
        parts[0] += _edited_fields(pairs)
    return ", then ".join([part for part in (*turns, *parts) if part])


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


def _turns(follow_up: Case, turn: int) -> list[str]:
    """Describe how turns up to the judged one were left out, moved, repeated or inserted."""
    assert follow_up.derivation is not None
    changes = order(follow_up.derivation.origin, turn)
    if changes.missing and not turn:
        return ["all earlier turns left out" if len(changes.missing) > 1 else "the earlier turn left out"]
    parts = [f"{with_number(len(changes.missing), 'earlier turns')} left out"] if changes.missing else []
    parts += [
        f"{with_number(len(some), 'turns')} {what}"
        for some, what in ((changes.moved, "moved"), (changes.again, "said again"), (changes.new, "put in between"))
        if some
    ]
    origin = follow_up.derivation.origin
    if origin[turn] != NEW and origin[turn] in origin[:turn]:
        parts.append("the question asked again")
    return [", ".join(parts)] if parts else []
