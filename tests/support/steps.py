"""Counts the steps of a regular expression, and the lines of a call: tests ask how work grows without a clock.

A backtracking matcher over the parse tree of `re`: one step is one look at a character, a position or an alternative.
It tries what `re` tries in the order in which `re` tries it, without the shortcuts that never change the order of
growth; single characters and positions are looked at by `re` itself, so that flags and categories are its own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

_ONE = (
    _constants.LITERAL,
    _constants.NOT_LITERAL,
    _constants.ANY,
    _constants.IN,
)
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
Look = Callable[[str, int], object]


class TooManySteps(Exception):
    """The allowance is spent."""


class Steps:
    """One compiled pattern, with a count of the steps that it takes."""

    def __init__(self, pattern: re.Pattern[str], most: int = 10**7) -> None:
        self.pattern, self.most, self.taken = pattern, most, 0
        self._tree = _parser.parse(pattern.pattern, pattern.flags)
        self._lists: dict[int, list[Any]] = {}
        self._looks: dict[int, Look] = {}
        self._groups: dict[int, tuple[int, int]] = {}

    def search(self, text: str, at: int = 0) -> tuple[int, int] | None:
        """Return the place of the first match, as `re` would find it."""
        for start in range(at, len(text) + 1):
            end = self._match_at(text, start)
            if end is not None:
                return start, end
        return None

    def every(self, text: str) -> list[tuple[int, int]]:
        """Return the places of all matches, one after the other."""
        places, at = [], 0
        previous = -1
        while at <= len(text) and (place := self.search(text, at)) is not None:
            if place[1] == place[0] == previous:
                at += 1
                previous = -1
                continue
            places.append(place)
            at = previous = place[1]
            if place[0] == place[1]:
                at, previous = at + 1, -1
        return places

    def _match_at(self, text: str, start: int) -> int | None:
        nodes = self._nodes(self._tree)
        if self._fails_at_once(nodes, text, start):
            return None
        self._groups = {}
        return next(self._run(nodes, 0, text, start), None)

    def _fails_at_once(self, nodes: list[Any], text: str, at: int) -> bool:
        """Take the first look where it fails: most do, and a generator for each would take most of the time."""
        if not nodes or nodes[0][0] not in _ONE or (at < len(text) and self._look(nodes[0])(text, at)):
            return False
        self._step()
        return True

    def _step(self) -> None:
        self.taken += 1
        if self.taken > self.most:
            raise TooManySteps

    def _nodes(self, part: Any) -> list[Any]:
        """Return the nodes of a part as a list, made once: a part of a parse tree is slow to walk."""
        known = self._lists.get(id(part))
        if known is None:
            known = self._lists[id(part)] = list(part)
        return known

    def _look(self, node: Any) -> Look:
        """Return how one character or position is looked at."""
        known = self._looks.get(id(node))
        if known is None:
            state = _parser.State()
            state.flags = self.pattern.flags
            known = _compiler.compile(_parser.SubPattern(state, [node]), self.pattern.flags).match
            self._looks[id(node)] = known
        return known

    def _run(self, nodes: list[Any], index: int, text: str, at: int) -> Iterator[int]:
        """Give the ends of all ways to match `nodes` from `index` on, in the order in which they are tried."""
        while index < len(nodes):
            node = nodes[index]
            kind, value = node
            if kind in _ONE or kind is _constants.AT:
                self._step()
                if (kind in _ONE and at >= len(text)) or not self._look(node)(text, at):
                    return
                at, index = at + (kind in _ONE), index + 1
                continue
            for end in self._part(kind, value, text, at):
                yield from self._run(nodes, index + 1, text, end)
            return
        yield at

    def _part(self, kind: Any, value: Any, text: str, at: int) -> Iterator[int]:  # noqa: C901, PLR0912 - one case each
        self._step()
        if kind is _constants.SUBPATTERN:
            group, _, _, inner = value
            for end in self._run(self._nodes(inner), 0, text, at):
                if group:
                    self._groups[group] = (at, end)
                yield end
        elif kind is _constants.BRANCH:
            for choice in value[1]:
                self._step()
                nodes = self._nodes(choice)
                if not self._fails_at_once(nodes, text, at):
                    yield from self._run(nodes, 0, text, at)
        elif kind in _REPEATS:
            yield from self._repeat(kind, value, text, at)
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            direction, inner = value
            start = at if direction > 0 else at - inner.getwidth()[0]
            matched = start >= 0 and next(self._run(self._nodes(inner), 0, text, start), None) is not None
            if matched == (kind is _constants.ASSERT):
                yield at
        elif kind is _constants.GROUPREF:
            start, end = self._groups.get(value, (0, -1))
            if end >= 0 and text.startswith(text[start:end], at):
                yield at + end - start
        elif kind is _constants.ATOMIC_GROUP:
            end = next(self._run(self._nodes(value), 0, text, at), None)
            if end is not None:
                yield end
        elif kind is not _constants.FAILURE:  # of "(?!)", which matches nowhere
            raise NotImplementedError(str(kind))

    def _repeat(self, kind: Any, value: Any, text: str, at: int) -> Iterator[int]:
        least, most, inner = value
        most = len(text) + 1 if most is _constants.MAXREPEAT else most
        nodes = self._nodes(inner)
        if len(nodes) == 1 and nodes[0][0] in _ONE and kind is not _constants.MIN_REPEAT:
            look, end = self._look(nodes[0]), at
            while end < len(text) and end - at < most:
                self._step()
                if not look(text, end):
                    break
                end += 1
            stop = at + least - 1 if kind is _constants.MAX_REPEAT else end - 1
            for place in range(end, max(stop, at + least - 1), -1):
                self._step()
                yield place
        elif kind is _constants.POSSESSIVE_REPEAT:
            end = next(self._times(_constants.MAX_REPEAT, nodes, least, most, text, at), None)
            if end is not None:
                yield end
        else:
            yield from self._times(kind, nodes, least, most, text, at)

    def _times(self, kind: Any, nodes: list[Any], least: int, most: int, text: str, at: int) -> Iterator[int]:
        self._step()
        lazy = kind is _constants.MIN_REPEAT
        if lazy and least <= 0:
            yield at
        if most > 0:
            for end in self._run(nodes, 0, text, at):
                if end > at or least > 0:  # an empty round is not repeated
                    yield from self._times(kind, nodes, least - 1, most - 1, text, end)
        if not lazy and least <= 0:
            yield at


def pumps(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Return (before, again) for every repeated part: a text that leads to it, and what it matches in one round."""
    examples: set[tuple[str, str]] = set()

    def walk(nodes: Any, before: str) -> None:
        for kind, value in nodes:
            if kind in _REPEATS:
                examples.update((before, again) for again in _rounds(value[2]))
                walk(value[2], before)
            elif kind is _constants.SUBPATTERN:
                walk(value[3], before)
            elif kind is _constants.BRANCH:
                for choice in value[1]:
                    walk(choice, before)
            before += _example([(kind, value)])

    tree = _parser.parse(pattern.pattern, pattern.flags)
    walk(tree, "")
    examples.add(("", _example(tree)))
    return {(before, again) for before, again in examples if again}


def _rounds(nodes: Any) -> set[str]:
    """Return what one round of a repeat may match: every member of a set of characters, else one example."""
    if len(nodes) == 1 and nodes[0][0] is _constants.IN:
        members = {_member([member]) for member in nodes[0][1] if member[0] is not _constants.NEGATE}
        return {member for text in members for member in ((text, "\n") if text == " " else (text,))}
    return {_example(nodes)}


def _example(nodes: Any) -> str:
    text = ""
    for kind, value in nodes:
        if kind is _constants.LITERAL:
            text += chr(value)
        elif kind is _constants.IN:
            text += _member(value)
        elif kind in (_constants.ANY, _constants.NOT_LITERAL):
            text += "x"
        elif kind in _REPEATS:
            text += _example(value[2]) * max(1, value[0])
        elif kind is _constants.SUBPATTERN:
            text += _example(value[3])
        elif kind is _constants.BRANCH:
            text += _example(value[1][0])
    return text


_CATEGORIES = {
    _constants.CATEGORY_SPACE: " ",
    _constants.CATEGORY_DIGIT: "7",
    _constants.CATEGORY_WORD: "x",
    _constants.CATEGORY_NOT_SPACE: "x",
    _constants.CATEGORY_NOT_WORD: "-",
    _constants.CATEGORY_NOT_DIGIT: "x",
}


def _member(value: Any) -> str:
    if value[0][0] is _constants.NEGATE:
        return "x"
    kind, first = value[0]
    if kind is _constants.CATEGORY:
        return _CATEGORIES[first]
    return chr(first if kind is _constants.LITERAL else first[0])


def lines(work: Callable[[], Any]) -> int:
    """Return how many lines of Python a call runs through."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
