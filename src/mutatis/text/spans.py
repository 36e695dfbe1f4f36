"""Finds the spans of a text that an edit changed, so that they can be marked in reports and undone when shrinking.

Sentences are aligned before words, and words before letters.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from mutatis.text.alignment import (
    Change,
    Places,
    Unit,
    aligned,
    differences,
    once,
    settled,
    stretches_between,
    too_long,
)
from mutatis.text.memory import kept_within

_PIECES = re.compile(r"\w+|\s+|[^\w\s]")
_ENDS = frozenset(".!?")

REMEMBERED = 16_000_000
"""Size in bytes of the cache for changes. The same pair of texts is compared dozens of times."""

_SHORT = 20_000
"""Maximum total length of a pair of texts whose changes are cached, so that the cache stays small."""

LONGEST_PHRASE = 1000
"""Maximum length of a phrase that is searched in a follow-up. Answers copied from a text are shorter."""

STREWN = 2
"""Maximum ratio of the two lengths for scattered letters to count as an edit.

Beyond it, letters added or omitted in more than two places mean that the two stretches are different texts.
"""


def changes(source: str, follow_up: str) -> list[Change]:
    """Return the spans that differ between two texts, in order. Each can be undone without the others.

    Neighbouring words are separate spans if each word has a counterpart. So are letters that were only added or only
    omitted. If this is not clear, or the stretch is too long to compare (`too_long`), the whole stretch is one span.

    >>> [(c.start, c.end) for c in changes("the cat sat", "the hat sat")]
    [(4, 7)]
    >>> [(c.start, c.end) for c in changes("bright and red", "br ight an d red")]
    [(2, 2), (9, 9)]
    """
    if source == follow_up:
        return []
    small = len(source) + len(follow_up) <= _SHORT
    return list((_remembered if small else _changes)(source, follow_up))


def _changes(source: str, follow_up: str) -> tuple[Change, ...]:
    old, new = _read(source), _read(follow_up)
    offsets, new_offsets = old.offsets, new.offsets
    changed: list[Change] = []
    for start, end, new_start, new_end in _stretches(_by_sentences(old, new), old.pieces):
        before, after = old.pieces[start:end], new.pieces[new_start:new_end]
        if _blanks(before) == _blanks(after):  # then each word has a counterpart
            changed += [
                Change(offsets[at], offsets[at + 1], new_offsets[new_at], new_offsets[new_at + 1])
                for at, new_at in zip(range(start, end), range(new_start, new_end), strict=True)
                if old.pieces[at] != new.pieces[new_at]
            ]
        else:
            whole = Change(offsets[start], offsets[end], new_offsets[new_start], new_offsets[new_end])
            changed += _letters(source, follow_up, whole) or [whole]
    return tuple(changed)


_remembered = kept_within(REMEMBERED, per_character=4)(_changes)


class _Pieces(NamedTuple):
    """A text split into words, spaces and symbols, with their offsets and the sentences that occur once."""

    pieces: list[str]
    offsets: list[int]
    sentences: Places


def _read(text: str) -> _Pieces:
    pieces = _PIECES.findall(text)
    return _Pieces(pieces, list(accumulate(map(len, pieces), initial=0)), once(_sentences(pieces)))


def _by_sentences(old: _Pieces, new: _Pieces) -> list[Change]:
    """Return the pieces that differ, comparing only the stretches between sentences that both texts contain."""
    before, after = old.pieces, new.pieces
    parts = stretches_between(old.sentences, new.sentences, len(before), len(after))
    changed = [
        change.within(part)
        for part in parts
        for change in aligned(before[part.start : part.end], after[part.new_start : part.new_end])
    ]
    return settled(changed, before, after)


def _sentences(pieces: Sequence[str]) -> Iterator[Unit]:
    """Yield the sentences and lines of a text, without surrounding spaces."""
    start = 0
    ends = [place for place, piece in enumerate(pieces) if piece in _ENDS or "\n" in piece]
    for place in (*ends, len(pieces)):
        end = place + (place < len(pieces) and pieces[place] in _ENDS)
        while start < end and pieces[start].isspace():
            start += 1
        if start < end:
            yield Unit("".join(pieces[start:end]), start, end)
        start = end


def _blanks(pieces: Sequence[str]) -> list[bool]:
    return [piece.isspace() for piece in pieces]


def _stretches(changed: Sequence[Change], before: list[str]) -> list[Change]:
    """Merge changes that are separated only by white space, because white space alone can match anywhere."""
    stretches: list[Change] = []
    for change in changed:
        last = stretches[-1] if stretches else None
        if last is not None and not "".join(before[last.end : change.start]).strip():
            stretches[-1] = Change(last.start, change.end, last.new_start, change.new_end)
        else:
            stretches.append(change)
    return stretches


def _letters(source: str, follow_up: str, whole: Change) -> list[Change]:
    """Return the letters that were only added, or only omitted, within a stretch. For any other change, return []."""
    old, new = source[whole.start : whole.end], follow_up[whole.new_start : whole.new_end]
    shorter, longer = sorted((old, new), key=len)
    if too_long(len(old), len(new)) or not _is_part(shorter, longer):
        return []
    letters = differences(old, new)
    if len(letters) > 2 and len(longer) > STREWN * len(shorter):
        return []
    return [change.within(whole) for change in letters]


def _is_part(shorter: str, longer: str) -> bool:
    """Return True if all letters of one text occur in the other in the same order."""
    rest = iter(longer)
    return all(letter in rest for letter in shorter)


def images(source: str, follow_up: str, phrase: str) -> list[str]:
    """Return the forms that a phrase of the source has in the follow-up, one for each changed occurrence.

    A change that extends beyond the phrase is ignored, because it does not show the phrase's new form.

    >>> images("It was October 1973 then.", "It was 0ctober 1973 then.", "october 1973")
    ['0ctober 1973']
    >>> images("a long period", "a long pe riod", "period"), images("a long period", "a brief age", "period")
    (['pe riod'], ['age'])
    >>> images("in May", "in May", "May")
    []
    """
    if not phrase.strip() or source == follow_up or len(phrase) > min(LONGEST_PHRASE, len(source)):
        return []
    places = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", source, re.IGNORECASE)]
    changed = changes(source, follow_up) if places else []
    starts, ends = [change.start for change in changed], [change.end for change in changed]
    result: dict[str, None] = {}
    for start, end in places:
        first = bisect_right(ends, start)  # what ends before the phrase only shifts it
        touching = [change for change in changed[first : bisect_left(starts, end)] if _affects(change, start, end)]
        if not touching or any(change.start < start or change.end > end for change in touching):
            continue
        # By so much the last change before the phrase moved it. Its end after its own last change is the same in both.
        shift = changed[first - 1].new_end - changed[first - 1].end if first else 0
        unchanged_end = end - touching[-1].end
        result.setdefault(follow_up[start + shift : touching[-1].new_end + unchanged_end])
    return [image for image in result if image != phrase]


def _affects(change: Change, start: int, end: int) -> bool:
    """Return True if a change affects the phrase. Letters that were only added at one of its ends do not count."""
    return start < change.start < end if change.start == change.end else change.start < end and change.end > start


def restore_spans(source: str, follow_up: str, spans: Collection[int]) -> str:
    """Return the follow-up with the changed spans at these indices restored as in the source.

    >>> restore_spans("the cat sat", "the hat sit", [1])
    'the hat sat'
    """
    chosen, pieces, position = set(spans), list[str](), 0
    for number, change in enumerate(changes(source, follow_up) if spans else ()):
        if number in chosen:
            pieces += [follow_up[position : change.new_start], source[change.start : change.end]]
            position = change.new_end
    return "".join([*pieces, follow_up[position:]])
