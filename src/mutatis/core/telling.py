"""How a follow-up came from its source, in plain words: `one letter replaced by a neighbour on the keyboard`.

What a text edit does is said by its transformation (`says`), how often by comparing the texts, so that the words stay
true when shrinking put some of the edits back; what became of a dialogue's turns is read off their order.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from mutatis.core.cases import NEW, Case, Step, Turn
from mutatis.core.spans import changes
from mutatis.core.transformation import TRANSFORMATIONS

_BY_CHARACTER = ("letters", "characters", "blanks", "signs")
_BY_WORD = ("words", "names", "numbers")


def told(source: Case, follow_up: Case, turn: int) -> str:
    """Return in one line what was done to the source as far as `turn` of the follow-up; empty where nothing was."""
    if follow_up.derivation is None:
        return ""
    origins = [follow_up.origin(i) for i in range(turn + 1)]
    pairs = [(source.turns[of], follow_up.turns[i]) for i, of in enumerate(origins) if of != NEW]
    known = [step for step in follow_up.derivation.steps if step.transformation in TRANSFORMATIONS]
    edits = [step for step in known if TRANSFORMATIONS[step.transformation].level != "dialogue"]
    parts = [_edit(step, pairs, alone=len(edits) == 1) for step in edits]
    if len(edits) == 1 and parts[0]:
        parts[0] += _where(pairs)
    return ", then ".join([part for part in (*_turns(follow_up, turn), *parts) if part])


def in_general(step: Step) -> str:
    """Return what a step does in plain words, whatever it is applied to.

    >>> import mutatis.transformations
    >>> in_general(Step(transformation="keyboard-typos")), in_general(Step(transformation="duplicate"))
    ('letters replaced by a neighbour on the keyboard', 'the text written 2 times')
    >>> in_general(Step(transformation="filled-pauses"))
    'filled pauses added'
    """
    return _edit(step, (), alone=False)


def _edit(step: Step, pairs: Sequence[tuple[Turn, Turn]], *, alone: bool) -> str:
    """Return one text edit in words; numbers are told where no other edit shares in them."""
    chosen = TRANSFORMATIONS[step.transformation]
    nouns = [name for _, name, _, _ in Formatter().parse(chosen.says) if name in (*_BY_CHARACTER, *_BY_WORD)]
    words: dict[str, Any] = {**chosen.complete(dict(step.parameters))}
    for noun in nouns:
        words[noun] = _counted(_edited(pairs, by_word=noun in _BY_WORD), noun) if alone else noun
    said = chosen.says.format_map(words)
    for noun in nouns:  # "filled pauses added: 2 words", but of no certain number "filled pauses added"
        said = said.removesuffix(f": {noun}")
    return said


def _counted(number: int, noun: str) -> str:
    return f"one {noun[:-1]}" if number == 1 else f"{number} {noun}" if number else noun


def _edited(pairs: Sequence[tuple[Turn, Turn]], *, by_word: bool) -> int:
    """Return how many words, or characters, differ between the turns; a text that stands in several counts once."""
    texts = {(old.fields.get(name, ""), text) for old, new in pairs for name, text in new.fields.items()}
    total = 0
    for old, new in texts:
        for change in changes(old, new):
            before, after = old[change.start : change.end], new[change.new_start : change.new_end]
            if by_word:
                total += max(1, len(before.split()), len(after.split()))
            else:
                total += _characters(before, after)
    return total


def _characters(old: str, new: str) -> int:
    if len(old) == len(new):  # letter against letter, as most edits are
        return sum(a != b for a, b in zip(old, new, strict=True))
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return sum(max(j - i, m - k) for tag, i, j, k, m in codes if tag != "equal")


def _where(pairs: Sequence[tuple[Turn, Turn]]) -> str:
    """Return which fields were edited, where a turn has several."""
    fields: Mapping[str, str] = pairs[-1][1].fields
    changed = [name for name in fields if any(old.fields.get(name) != new.fields.get(name) for old, new in pairs)]
    return f" in the {' and the '.join(changed)}" if changed and len(fields) > 1 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What became of the turns of a dialogue before its judged one: by number of the source turn, or place."""

    missing: tuple[int, ...]
    moved: tuple[int, ...]
    again: tuple[int, ...]
    new: tuple[int, ...] = ()


def order(origin: Sequence[int], turn: int) -> Order:
    """Return which source turns are missing before place `turn`, and which places hold moved, repeated or new turns.

    >>> order([2, 0, 0, 3], 3)
    Order(missing=(1,), moved=(0,), again=(2,), new=())
    >>> order([0, NEW, 1], 2)
    Order(missing=(), moved=(), again=(), new=(1,))
    """
    before = list(origin[:turn])
    judged = origin[turn]
    new = tuple(place for place, number in enumerate(before) if number == NEW)
    again = tuple(place for place, number in enumerate(before) if number in before[:place] and place not in new)
    first = [place for place in range(len(before)) if place not in (*again, *new)]
    stays = set(_longest_rising([before[place] for place in first if before[place] <= judged]))
    return Order(
        missing=tuple(number for number in range(judged) if number not in before),
        moved=tuple(place for place in first if before[place] not in stays),
        again=again,
        new=new,
    )


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the longest part of different numbers that stands in rising order: these were not moved."""
    best: list[list[int]] = []
    for number in numbers:
        chain = max((found for found in best if found[-1] < number), key=len, default=[])
        best.append([*chain, number])
    return max(best, key=lambda chain: (len(chain), -chain[-1]), default=[])  # of two, what jumped ahead was moved


def _turns(follow_up: Case, turn: int) -> list[str]:
    """Return in words what became of the turns before the judged one."""
    assert follow_up.derivation is not None
    found = order(follow_up.derivation.origin, turn)
    if found.missing and not turn:
        return ["all earlier turns left out" if len(found.missing) > 1 else "the earlier turn left out"]
    parts = [f"{_counted(len(found.missing), 'earlier turns')} left out"] if found.missing else []
    parts += [
        f"{_counted(len(some), 'turns')} {what}"
        for some, what in ((found.moved, "moved"), (found.again, "said again"), (found.new, "put in between"))
        if some
    ]
    origin = follow_up.derivation.origin
    if origin[turn] != NEW and origin[turn] in origin[:turn]:
        parts.append("the question asked again")
    return [", ".join(parts)] if parts else []
