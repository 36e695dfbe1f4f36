"""Which characters of a follow-up differ from its source, as spans to be marked; and text made safe to look at.

Knows texts only.
"""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple, TypeAlias

from mutatis.core.spans import changes
from mutatis.text.visible import spell
from mutatis.text.visible import visible as visible

_Change: TypeAlias = tuple[int, int, int, int]
"""Start and end in the source, start and end in the follow-up."""

ALIGN_LIMIT = 12_000
"""Characters (both sides, common ends left out) above which the differing part is marked as one span."""

LONGEST, AROUND = 4000, 240
"""Characters of a changed text that are shown, and of an unchanged one on each side of what changed."""

_JOINERS = re.compile("[\u200c\u200d]")


class Span(NamedTuple):
    """A piece of text, and whether it differs from the other side."""

    text: str
    changed: bool


def mark(source: str, follow_up: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return both texts as spans: words that differ, narrowed to the characters that do where the words are alike.

    >>> mark("the cat sat", "the cats sat")[1]
    (Span(text='the cat', changed=False), Span(text='s', changed=True), Span(text=' sat', changed=False))
    """
    old, new = _Spans(source), _Spans(follow_up)
    for run in _runs(_changed(source, follow_up), source):
        for a, b, c, d in _least(run, source, follow_up):
            old.mark(a, b)
            new.mark(c, d)
    return old.spans(), new.spans()


def _runs(found: list[_Change], source: str) -> list[list[_Change]]:
    """Return changes in groups that only white space separates: words may have been split or joined there."""
    runs: list[list[_Change]] = []
    for change in found:
        if runs and not source[runs[-1][-1][1] : change[0]].strip():
            runs[-1].append(change)
        else:
            runs.append([change])
    return runs


def _least(run: list[_Change], source: str, follow_up: str) -> list[_Change]:
    """Return the changed characters of a run, by its words or as one stretch, whichever marks fewer."""
    by_words = [part for change in run for part in _narrow(change, source, follow_up)]
    if len(run) == 1:
        return by_words
    whole = _narrow((run[0][0], run[-1][1], run[0][2], run[-1][3]), source, follow_up)
    return min(by_words, whole, key=lambda parts: sum(b - a + d - c for a, b, c, d in parts))


class _Spans:
    """Collects marked stretches of one text, in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._marked: list[tuple[int, int]] = []

    def mark(self, start: int, end: int) -> None:
        if start == end:
            return
        if self._marked and self._marked[-1][1] == start:
            start = self._marked.pop()[0]
        self._marked.append((start, end))

    def spans(self) -> tuple[Span, ...]:
        found, position = [], 0
        for start, end in self._marked:
            found += [Span(self._text[position:start], False), Span(_joiners(self._text[start:end]), True)]
            position = end
        found.append(Span(self._text[position:], False))
        return tuple(Span(visible(span.text), span.changed) for span in found if span.text)


def _joiners(text: str) -> str:
    """Spell out zero-width joiners, which scripts need elsewhere, where they belong to a change."""
    return _JOINERS.sub(spell, text)


def _changed(source: str, follow_up: str) -> list[_Change]:
    head = common(source, follow_up)
    tail = min(common(source[::-1], follow_up[::-1]), len(source) - head, len(follow_up) - head)
    middle = len(source) + len(follow_up) - 2 * (head + tail)
    if middle > ALIGN_LIMIT:
        return [(head, len(source) - tail, head, len(follow_up) - tail)]
    if len(source) + len(follow_up) <= ALIGN_LIMIT:
        return [(c.start, c.end, c.new_start, c.new_end) for c in changes(source, follow_up)]
    while head and not source[head - 1].isspace():
        head -= 1
    inner = changes(source[head : len(source) - tail], follow_up[head : len(follow_up) - tail])
    return [(head + c.start, head + c.end, head + c.new_start, head + c.new_end) for c in inner]


def common(one: str, other: str) -> int:
    """Return the length of the common beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _narrow(change: _Change, source: str, follow_up: str) -> list[_Change]:
    """Return what differs within a change: characters where both sides are alike, else all of it."""
    start, end, new_start, new_end = change
    old, new = source[start:end], follow_up[new_start:new_end]
    if not old or not new or len(old) + len(new) > 400:
        return [change]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.5:
        return [change]
    return [
        (start + i, start + j, new_start + k, new_start + m)
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


def shorten(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans with long stretches cut in the middle, the number of characters left out in their place."""
    shown = []
    last = len(spans) - 1
    for number, span in enumerate(spans):
        limit = LONGEST if span.changed or last == 0 else 3 * AROUND
        if len(span.text) <= limit:
            shown.append(span)
            continue
        keep = limit // 2 if span.changed or last == 0 else AROUND
        head = "" if number == 0 and last else span.text[:keep]
        tail = "" if number == last and last else span.text[-keep:]
        left_out = len(span.text) - len(head) - len(tail)
        shown.append(Span(f"{head} [… {left_out:,} characters not shown …] {tail}", span.changed))
    return tuple(shown)
