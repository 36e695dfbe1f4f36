"""Which spans of a text an edit changed: for marking them in reports and for putting them back when shrinking."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Collection
from dataclasses import dataclass

_PIECES = re.compile(r"\w+|\s+|[^\w\s]")

REMEMBERED = 1024
"""Pairs of texts whose changes stay known: judging, shrinking and telling look at one pair dozens of times, and of a
text of a hundred words it takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed span: `source[start:end]` became `follow_up[new_start:new_end]` (character offsets)."""

    start: int
    end: int
    new_start: int
    new_end: int


def changes(source: str, follow_up: str) -> list[Change]:
    """Return the spans that differ, in order, each of which can be put back without the others.

    Neighbouring words are separate spans where words stand against words, and so are letters that were only added or
    only left out; where it is not clear what became of what, the whole stretch is one span.

    >>> [(c.start, c.end) for c in changes("the cat sat", "the hat sat")]
    [(4, 7)]
    >>> [(c.start, c.end) for c in changes("bright and red", "br ight an d red")]
    [(2, 2), (9, 9)]
    """
    return [] if source == follow_up else list(_changes(source, follow_up))


@functools.lru_cache(maxsize=REMEMBERED)
def _changes(source: str, follow_up: str) -> tuple[Change, ...]:
    before, after = _PIECES.findall(source), _PIECES.findall(follow_up)
    starts, new_starts = _offsets(before), _offsets(after)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=len(before) + len(after) > 4000)
    found: list[Change] = []
    for i, j, k, m in _stretches(matcher, before):
        if [not piece.strip() for piece in before[i:j]] == [not piece.strip() for piece in after[k:m]]:
            found += [
                Change(starts[i + n], starts[i + n + 1], new_starts[k + n], new_starts[k + n + 1])
                for n in range(j - i)
                if before[i + n] != after[k + n]
            ]
        else:
            whole = Change(starts[i], starts[j], new_starts[k], new_starts[m])
            found += _letters(source, follow_up, whole) or [whole]
    return tuple(found)


def _stretches(matcher: difflib.SequenceMatcher[str], before: list[str]) -> list[tuple[int, int, int, int]]:
    """Return what differs, in pieces; blanks alone do not end a stretch, for they match anything."""
    found: list[tuple[int, int, int, int]] = []
    blanks = False
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            blanks = not "".join(before[i:j]).strip()
        elif found and blanks:
            found[-1] = (found[-1][0], j, found[-1][2], m)
        else:
            found.append((i, j, k, m))
    return found


def _letters(source: str, follow_up: str, whole: Change) -> list[Change]:
    """Return the letters that were only added, or only left out, within a stretch; empty where it is neither."""
    old, new = source[whole.start : whole.end], follow_up[whole.new_start : whole.new_end]
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    if not {tag for tag, *_ in codes} < {"equal", "insert", "delete"}:
        return []
    return [
        Change(whole.start + i, whole.start + j, whole.new_start + k, whole.new_start + m)
        for tag, i, j, k, m in codes
        if tag != "equal"
    ]


def images(source: str, follow_up: str, phrase: str) -> list[str]:
    """Return what a phrase of the source reads in the follow-up, wherever it stands and was changed inside itself.

    A change that reaches beyond the phrase does not say what became of the phrase.

    >>> images("It was October 1973 then.", "It was 0ctober 1973 then.", "october 1973")
    ['0ctober 1973']
    >>> images("a long period", "a long pe riod", "period"), images("a long period", "a brief age", "period")
    (['pe riod'], ['age'])
    >>> images("in May", "in May", "May")
    []
    """
    if not phrase.strip() or source == follow_up:
        return []
    places = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", source, re.IGNORECASE)]
    found = changes(source, follow_up) if places else []
    result: dict[str, None] = {}
    for start, end in places:
        touching = [change for change in found if _within(change, start, end)]
        if not touching or any(change.start < start or change.end > end for change in touching):
            continue
        before = [change for change in found if change.end <= start and change not in touching]
        shift = before[-1].new_end - before[-1].end if before else 0
        low = start + shift
        high = touching[-1].new_end + end - touching[-1].end
        result.setdefault(follow_up[low:high])
    return [image for image in result if image != phrase]


def _within(change: Change, start: int, end: int) -> bool:
    """Whether a change touches the phrase; letters that were added at its ends do not."""
    return start < change.start < end if change.start == change.end else change.start < end and change.end > start


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
