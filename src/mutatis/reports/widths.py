"""Cuts, pads and quotes text by display width: a Chinese character takes two columns, a combining mark none.

A flag, a family emoji or a letter with its diacritics is never split.
"""

from __future__ import annotations

_PER_COLUMN = 8
"""Number of characters examined per column, so that a long text need not be read in full to find its beginning."""

_FLAG = "\U0001f1e6", "\U0001f1ff"
"""The first and the last regional indicator symbol. Two such symbols make up a flag."""

_JOINERS, _LETTERS = "\u200c\u200d", "\u02d0\u02d1"
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

    graphemes, _ = split_graphemes(text)
    clusters: list[tuple[int, int, int]] = []
    for start, stop, width in graphemes:
        if clusters and _is_half_flag(text[start]):
            last_start, last_stop, last_width = clusters[-1]
            if _is_half_flag(text[last_start:last_stop]):
                clusters.pop()
                start, width = last_start, last_width + width
        clusters.append((start, stop, width))
    return clusters


def _is_half_flag(text: str) -> bool:
    return len(text) == 1 and _FLAG[0] <= text <= _FLAG[1]


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
    to_letters, to_joiners = {}, {}
    for joiner, letter in zip(_JOINERS, _LETTERS, strict=True):
        if letter not in text:
            to_letters[ord(joiner)], to_joiners[ord(letter)] = letter, joiner
    return repr(text.translate(to_letters)).translate(to_joiners)
