"""Finds the differences between two sequences of words or letters, based on their longest common subsequence.

The common prefix and suffix are skipped, and compiled code (rapidfuzz) aligns the rest, up to `CELLS` pairs at a time.
Longer stretches are first split at parts that occur once in both sequences, and a stretch that is still too long counts
as one change. This limits the running time even for very long texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Postfix, Prefix

CELLS = 10_000 * 10_000
"""Maximum number of pairs of letters compared to align two stretches. This takes some milliseconds and 12 MB."""


class Change(NamedTuple):
    """A stretch that differs between two sequences: `source[start:end]` became `follow_up[new_start:new_end]`."""

    start: int
    end: int
    new_start: int
    new_end: int

    def within(self, stretch: Change) -> Change:
        """Convert positions relative to the start of a stretch into positions in the whole sequence."""
        start, new_start = stretch.start, stretch.new_start
        return Change(self.start + start, self.end + start, self.new_start + new_start, self.new_end + new_start)


class Unit(NamedTuple):
    """A part of a sequence that is matched as a whole, such as a sentence or a word, together with its position."""

    text: str
    start: int
    end: int


def too_long(size: int, new_size: int) -> bool:
    """Return True if two stretches of these lengths, in letters, are too long to be aligned."""
    return size * new_size > CELLS


def differences(source: Sequence[str], follow_up: Sequence[str]) -> list[Change]:
    """Return the differences between two sequences (the letters of two texts, or lists of their words), in order.

    If a change could be at several positions, it is placed so that the longer neighbouring text stays intact.

    >>> differences("the cat sat", "the hat sat down")
    [Change(start=4, end=5, new_start=4, new_end=5), Change(start=11, end=11, new_start=11, new_end=16)]
    >>> differences(["I", "am", "here"], ["I", "am", "ill", "I", "am", "here"])
    [Change(start=0, end=0, new_start=0, new_end=3)]
    """
    return settled(aligned(source, follow_up), source, follow_up)


def aligned(source: Sequence[str], follow_up: Sequence[str]) -> list[Change]:
    """Return the differences between two sequences, before they are `settled`.

    A change that could be at several positions may be at any of these. If the sequences are too long to be aligned,
    they are split at the words that occur once in each, and each part that is still too long counts as one change.
    """
    if source == follow_up:
        return []
    middle = without_common_ends(source, follow_up)
    old, new = source[middle.start : middle.end], follow_up[middle.new_start : middle.new_end]
    parts = [Change(0, len(old), 0, len(new))]
    # A letter that occurs once in both would not show which parts correspond.
    if too_long(_letters(old), _letters(new)) and not isinstance(old, str):
        parts = stretches_between(_places(old), _places(new), len(old), len(new))
    # Positions in the part become positions in the middle, and then in the whole sequences.
    return [change.within(part).within(middle) for part in parts for change in _changes_in(part, old, new)]


def _changes_in(part: Change, old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return the changes in a part of two sequences, with positions relative to the part.

    If the part is too long to be aligned, all of it is one change.
    """
    old_part, new_part = old[part.start : part.end], new[part.new_start : part.new_end]
    if too_long(_letters(old_part), _letters(new_part)):
        return [Change(0, len(old_part), 0, len(new_part))]
    return _unmatched(old_part, new_part)


def without_common_ends(source: Sequence[str], follow_up: Sequence[str]) -> Change:
    """Return the stretch of two sequences between their common prefix and their common suffix.

    >>> without_common_ends("a red cat", "a cat")
    Change(start=2, end=6, new_start=2, new_end=2)
    """
    head = Prefix.similarity(source, follow_up)
    shared_end = Postfix.similarity(source, follow_up)
    tail = min(shared_end, len(source) - head, len(follow_up) - head)  # "aa" and "aaa": no letter is in head and tail
    return Change(head, len(source) - tail, head, len(follow_up) - tail)


Places = Mapping[str, tuple[int, int]]
"""The start and end of each text that occurs once in a sequence."""


def stretches_between(old: Places, new: Places, size: int, new_size: int) -> list[Change]:
    """Return the stretches between the units that occur once in each sequence and in the same order.

    If some units were moved, as many as possible are kept in order. `size` and `new_size` are the lengths of the two
    whole sequences.
    """
    shared, in_new_order = [text for text in old if text in new], [text for text in new if text in old]
    blocks = LCSseq.editops(shared, in_new_order).as_matching_blocks()
    texts = [text for block in blocks for text in shared[block.a : block.a + block.size]]
    kept = [(old[text], new[text]) for text in texts]
    ends = [(0, 0), *((ours[1], theirs[1]) for ours, theirs in kept)]
    starts = [*((ours[0], theirs[0]) for ours, theirs in kept), (size, new_size)]
    return [Change(end[0], start[0], end[1], start[1]) for end, start in zip(ends, starts, strict=True)]


def once(units: Iterable[Unit]) -> Places:
    """Return the positions of the units that occur only once."""
    units = list(units)
    counts = Counter(unit.text for unit in units)
    return {unit.text: (unit.start, unit.end) for unit in units if counts[unit.text] == 1}


def _places(pieces: Sequence[str]) -> Places:
    return once(Unit(piece, place, place + 1) for place, piece in enumerate(pieces))


def _letters(pieces: Sequence[str]) -> int:
    return len(pieces) if isinstance(pieces, str) else sum(map(len, pieces))


def _unmatched(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return the changes outside a longest common subsequence."""
    changes = []
    end = new_end = 0
    for start, new_start, size in LCSseq.editops(old, new).as_matching_blocks():  # the last one is the end of both
        if start > end or new_start > new_end:
            changes.append(Change(end, start, new_end, new_start))
        end, new_end = start + size, new_start + size
    return changes


def settled(changes: Sequence[Change], source: Sequence[str], follow_up: Sequence[str]) -> list[Change]:
    """Shift insertions and deletions so that the longer adjacent text stays whole, and merge adjacent changes.

    In "I am ill. I am here", the insertion is "I am ill. " in front of "I am here", not "am ill. I " after its first
    word.
    """
    result: list[Change] = []
    end_of_both = Change(len(source), len(source), len(follow_up), len(follow_up))
    for change, following in pairwise([*changes, end_of_both]):
        # The lengths of the unchanged text between this change and its neighbours:
        before = change.start - (result[-1].end if result else 0)
        after = following.start - change.end
        inserts, deletes = change.start == change.end, change.new_start == change.new_end
        left = right = 0
        if inserts:
            left, right = _slack(follow_up, change.new_start, change.new_end, before, after)
        elif deletes:
            left, right = _slack(source, change.start, change.end, before, after)
        # Shifted fully to the right, `before + right` unchanged parts precede it; to the left, `after + left` follow.
        shift = right if before + right >= after + left else -left
        change = Change(*(position + shift for position in change))
        if result and result[-1].end == change.start and result[-1].new_end == change.new_start:
            neighbour = result.pop()
            change = Change(neighbour.start, change.end, neighbour.new_start, change.new_end)
        result.append(change)
    return result


def _slack(pieces: Sequence[str], start: int, end: int, before: int, after: int) -> tuple[int, int]:
    """Return how far `pieces[start:end]` can be shifted left and right without changing the sequence."""
    left = right = 0
    while left < before and pieces[end - 1 - left] == pieces[start - 1 - left]:
        left += 1
    while right < after and pieces[start + right] == pieces[end + right]:
        right += 1
    return left, right
