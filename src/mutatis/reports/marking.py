"""Marks where a follow-up differs from its source, in texts and in tool calls, and makes text safe to display.

Tool calls are formatted as code, one per line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import NamedTuple

from mutatis.core.calls import ToolCall, tools_in
from mutatis.core.errors import UsageError
from mutatis.records.asked import CallRecord
from mutatis.reports.widths import beginning, cut_to, ending
from mutatis.text.alignment import Change, differences, too_long, without_common_ends
from mutatis.text.normalisation import SPACED_LETTER
from mutatis.text.spans import changes
from mutatis.text.visible import spell
from mutatis.text.visible import visible as visible

NARROW = 0.4
"""Maximum share of the characters of two words that differ for only these characters to be marked."""

NARROWED = 400
"""Maximum length of a change, counting both sides, for marking differing letters one by one."""

LONGEST, AROUND = 4000, 240
"""Maximum number of characters shown of a changed text, and of the unchanged text on either side of a change."""

COARSE = "too long to mark: from the first to the last difference"
"""Note in front of a change that is marked as a whole because its two sides are too long to compare."""

LONGEST_WORD = 60
"""Maximum number of letters of a word that is marked as a whole. Longer ones are codes or data, not words."""

_WORD = re.compile(f"{SPACED_LETTER}+")
_START = Change(0, 0, 0, 0)

_JOINERS = re.compile("[\u200c\u200d]")


class MarkedSpan(NamedTuple):
    """A piece of text, marked as changed or unchanged.

    `coarse` is set if the text was too long for a precise comparison.
    """

    text: str
    changed: bool
    coarse: bool = False


def mark(source: str, follow_up: str) -> tuple[tuple[MarkedSpan, ...], tuple[MarkedSpan, ...]]:
    """Return both texts as spans with the differing words marked.

    In scripts without spaces and in very long words, only the differing characters are marked.

    >>> [(span.text, span.changed) for span in mark("the cat sat", "the cats sat")[1]]
    [('the ', False), ('cats', True), (' sat', False)]
    """
    if source == follow_up:
        same = (MarkedSpan(visible(source), False),) if source else ()
        return same, same
    letters = [part for change in changes(source, follow_up) for part in _narrow(change, source, follow_up)]
    marked = [(change, _is_coarse(change)) for change in _whole_words(letters, source, follow_up)]
    old = _spans(source, [(change.start, change.end, coarse) for change, coarse in marked])
    return old, _spans(follow_up, [(change.new_start, change.new_end, coarse) for change, coarse in marked])


def _is_coarse(change: Change) -> bool:
    return too_long(change.end - change.start, change.new_end - change.new_start)


def _whole_words(letters: Sequence[Change], source: str, follow_up: str) -> Iterator[Change]:
    """Yield changes that are extended to the ends of the words that they cut, or to the next change."""
    gaps = [change.start - before.end for before, change in pairwise([_START, *letters])]
    for change, gap, next_gap in zip(letters, gaps, [*gaps[1:], LONGEST_WORD], strict=True):
        starts = _cut(source, change.start), _cut(follow_up, change.new_start)
        ends = _cut(source, change.end), _cut(follow_up, change.new_end)
        before = min(gap, max(before for before, _ in starts))
        after = min(next_gap, max(after for _, after in ends))
        yield Change(change.start - before, change.end + after, change.new_start - before, change.new_end + after)


def _cut(text: str, position: int) -> tuple[int, int]:
    """Return how many letters of a word are before and after a position inside it, or zeros if it cuts no word.

    Very long words and words of scripts without spaces are never cut.
    """
    after = _WORD.match(text, position, position + LONGEST_WORD)
    # Read backwards, because a search for a word that ends here would begin anew at each letter before it.
    before = after and _WORD.match(text[max(0, position - LONGEST_WORD) : position][::-1])
    if before is None or after is None or len(before[0] + after[0]) > LONGEST_WORD:
        return 0, 0
    return len(before[0]), len(after[0])


def _size(change: Change) -> int:
    return change.end - change.start + change.new_end - change.new_start


def _spans(text: str, marked: Iterable[tuple[int, int, bool]]) -> tuple[MarkedSpan, ...]:
    """Return a text as marked and unmarked spans, safe to display. Marks are given by start, end and `coarse`."""
    spans: list[MarkedSpan] = []
    position = 0
    for start, end, coarse in marked:
        if start == end:
            continue
        # Joiners are only spelt out in changed text, because some scripts need them.
        changed = MarkedSpan(_JOINERS.sub(spell, text[max(start, position) : end]), True, coarse)
        if spans and start <= position and spans[-1].coarse == coarse:  # it touches or overlaps the one before it
            changed = changed._replace(text=spans.pop().text + changed.text)
        spans += [MarkedSpan(text[position:start], False), changed]
        position = end
    spans.append(MarkedSpan(text[position:], False))
    return tuple(span._replace(text=visible(span.text)) for span in spans if span.text)


def _narrow(change: Change, source: str, follow_up: str) -> list[Change]:
    """Return the parts of a change that actually differ, or the whole change if its two sides are not similar.

    Only the common beginning and end are removed from long changes.
    """
    old, new = source[change.start : change.end], follow_up[change.new_start : change.new_end]
    size = len(old) + len(new)
    if not old or not new or too_long(len(old), len(new)):
        return [change]
    parts = differences(old, new) if size <= NARROWED else [without_common_ends(old, new)]
    if sum(map(_size, parts)) > NARROW * size:
        return [change]
    return [part.within(change) for part in parts]


def shorten(spans: tuple[MarkedSpan, ...]) -> tuple[MarkedSpan, ...]:
    """Shorten long spans by replacing their middle with a note on how many characters were left out."""
    shown = []
    last = len(spans) - 1
    for number, span in enumerate(spans):
        is_whole_text = last == 0
        is_important = span.changed or is_whole_text
        longest_shown = LONGEST if is_important else 3 * AROUND
        if len(span.text) <= longest_shown:
            shown.append(span)
            continue
        keep = LONGEST // 2 if is_important else AROUND
        # Of the first and the last span, only the side next to a change is of interest.
        head = "" if number == 0 and not is_whole_text else beginning(span.text, keep)
        tail = "" if number == last and not is_whole_text else ending(span.text, keep)
        left_out = len(span.text) - len(head) - len(tail)
        shown.append(MarkedSpan(f"{head} [… {left_out:,} characters not shown …] {tail}", span.changed, span.coarse))
    return tuple(shown)


RESULT = 160
"""Maximum number of characters of a result shown next to its call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLine:
    """One tool call for display: its code, its result, and whether the two compared sequences diverge here."""

    spans: tuple[MarkedSpan, ...]
    result: str = ""
    parts: bool = False


def call_lines(calls: Sequence[CallRecord], others: Sequence[CallRecord] | None = None) -> tuple[CallLine, ...]:
    """Return tool calls as lines for display.

    If `others` are given, the calls are compared with them step by step.
    """
    codes = _codes(calls)
    other_codes = codes if others is None else _codes(others)
    steps = list(zip_longest(codes, other_codes))
    first_difference = next((number for number, (code, other) in enumerate(steps) if code != other), -1)
    lines = []
    for number, (call, code) in enumerate(zip(calls, codes, strict=True)):
        other = other_codes[number] if number < len(other_codes) else ""
        _, spans = mark(other, code) if other else ((), (MarkedSpan(visible(code), True),))
        result = cut_to(visible(call.result or ""), RESULT)
        lines.append(CallLine(spans=shorten(spans), result=result, parts=number == first_difference))
    return tuple(lines)


def _codes(calls: Sequence[CallRecord]) -> list[str]:
    return [str(ToolCall.from_record(call.to_json())) for call in calls]


def material_in_words(name: str, text: str) -> str:
    """Return an input's material for display, with each tool as a line `name(argument, ...): description`.

    Other material is returned unchanged.
    """
    try:
        tools = tools_in({name: text})
    except UsageError:
        return text
    return "\n".join(map(_in_words, (tool["function"] for tool in tools))) or text


def _in_words(function: dict[str, object]) -> str:
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    names = ", ".join(map(str, properties if isinstance(properties, dict) else ()))
    description = function.get("description")
    return f"{function['name']}({names})" + (f": {description}" if description else "")
