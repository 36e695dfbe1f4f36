"""Which spans of a text an edit changed: for marking them in reports and for putting them back when shrinking."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass

_PIECES = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Change:
    """One changed span: `source[start:end]` became `follow_up[new_start:new_end]` (character offsets)."""

    start: int
    end: int
    new_start: int
    new_end: int


def changes(source: str, follow_up: str) -> list[Change]:
    """Return the spans of words that differ, in order; neighbouring words are separate spans where that is possible.

    >>> [(c.start, c.end) for c in changes("the cat sat", "the hat sat")]
    [(4, 7)]
    """
    if source == follow_up:
        return []
    before, after = _PIECES.findall(source), _PIECES.findall(follow_up)
    starts, new_starts = _offsets(before), _offsets(after)
    found = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=len(before) + len(after) > 4000)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            continue
        if j - i == m - k:
            found += [
                Change(starts[i + n], starts[i + n + 1], new_starts[k + n], new_starts[k + n + 1])
                for n in range(j - i)
                if before[i + n] != after[k + n]
            ]
        else:
            found.append(Change(starts[i], starts[j], new_starts[k], new_starts[m]))
    return found


def restore_spans(source: str, follow_up: str, spans: Collection[int]) -> str:
    """Return `follow_up` with the changed spans of these numbers put back as they are in `source`.

    >>> restore_spans("the cat sat", "the hat sit", [1])
    'the hat sat'
    """
    if not spans:
        return follow_up
    result, position = [], 0
    for number, change in enumerate(changes(source, follow_up)):
        result.append(follow_up[position : change.new_start])
        kept = source[change.start : change.end] if number in spans else follow_up[change.new_start : change.new_end]
        result.append(kept)
        position = change.new_end
    return "".join([*result, follow_up[position:]])


def _offsets(pieces: list[str]) -> list[int]:
    offsets = [0]
    for piece in pieces:
        offsets.append(offsets[-1] + len(piece))
    return offsets
