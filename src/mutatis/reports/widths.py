"""Cuts, pads and quotes text by display width: a Chinese character takes two columns, a combining mark none.

A flag, a family emoji or a letter with its diacritics is never split.
"""

from __future__ import annotations

_PER_COLUMN = 8
"""Number of characters examined per column, so that a long text need not be read in full to find its beginning."""

_FLAG = "\U0001f1e6", "\U0001f1ff"
"""The first and the last regional indicator symbol. Two such symbols make up a flag."""

_JOINERS, _FREE = "\u200c\u200d", "\u02d0\u02d1"
"""The joiners that `repr` would escape, and letters that it leaves alone, which temporarily replace them."""


def columns_of(text: str) -> int:
    """Return the number of columns that a text occupies on a terminal.

    >>> columns_of("price"), columns_of("价格"), columns_of("é")
    (5, 4, 1)
    """
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)


def padded(text: str, width: int) -> str:
    """Return a text padded with spaces to a number of columns.

    >>> padded("价格", 6) + "|"
    '价格  |'
    """
    return text + " " * max(0, width - columns_of(text))


def beginning(text: str, room: int) -> str:
    """Return as much of the beginning of a text as fits into a number of columns.

    >>> beginning("\u4ef7\u683c\u8868", 5), beginning("cafe\u0301s", 4)
    ('\u4ef7\u683c', 'cafe\u0301')
    """
    if text.isascii():
        return text[:room]
    taken, end = 0, 0
    for _, stop, width in _clusters(text[: room * _PER_COLUMN]):
        if taken + width > room:
            break
        taken, end = taken + width, stop
    return text[:end]


def ending(text: str, room: int) -> str:
    """Return as much of the end of a text as fits into a number of columns.

    >>> ending("\u4ef7\u683c\u8868", 5)
    '\u683c\u8868'
    """
    if text.isascii():
        return text[-room:] if room else ""
    tail = text[-room * _PER_COLUMN :] if room else ""
    taken, begin = 0, len(tail)
    for start, _, width in reversed(_clusters(tail)):
        if taken + width > room:
            break
        taken, begin = taken + width, start
    return tail[begin:]


def _clusters(text: str) -> list[tuple[int, int, int]]:
    """Return the start, end and width of each character as people perceive it.

    Unlike in Rich, flags are not split.
    """
    from rich.cells import split_graphemes

    clusters: list[tuple[int, int, int]] = []
    for start, stop, width in split_graphemes(text)[0]:
        half = _FLAG[0] <= text[start] <= _FLAG[1]
        if half and clusters and clusters[-1][1] - clusters[-1][0] == 1 and _FLAG[0] <= text[start - 1] <= _FLAG[1]:
            first, _, before = clusters.pop()
            start, width = first, before + width
        clusters.append((start, stop, width))
    return clusters


def cut_to(text: str, room: int, mark: str = "\u2026") -> str:
    """Cut a text to a number of columns, ending in `mark` if it was longer.

    >>> cut_to("价格表", 5), cut_to("price", 5)
    ('价格…', 'price')
    """
    return text if columns_of(text) <= room else beginning(text, room - columns_of(mark)).rstrip() + mark


def repr_of(text: str) -> str:
    r"""Quote a text as `repr` does, but without escaping the joiners used in emoji and Persian.

    >>> repr_of("it's"), repr_of("a\nb")
    ('"it\'s"', "'a\\nb'")
    """
    there, back = {}, {}
    for joiner, free in zip(_JOINERS, _FREE, strict=True):
        if free not in text:
            there[ord(joiner)], back[ord(free)] = free, joiner
    return repr(text.translate(there)).translate(back)
