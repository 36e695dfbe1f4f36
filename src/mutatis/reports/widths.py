"""Cuts, pads and quotes text by display width: a Chinese character takes two columns, a combining mark none.

A family emoji or a letter with its diacritics is never split.
"""

from __future__ import annotations

_PER_COLUMN = 8
"""Number of characters examined per column, so that a long text need not be read in full to find its beginning."""

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
    from rich.cells import chop_cells

    if text.isascii() or not room:
        return text[:room]
    return next(iter(chop_cells(text[: room * _PER_COLUMN], room)), "")


def ending(text: str, room: int) -> str:
    """Return as much of the end of a text as fits into a number of columns.

    >>> ending("\u4ef7\u683c\u8868", 5)
    '\u683c\u8868'
    """
    from rich.cells import split_graphemes

    if text.isascii():
        return text[-room:] if room else ""
    tail = text[-room * _PER_COLUMN :] if room else ""
    taken, begin = 0, len(tail)
    for start, _, width in reversed(split_graphemes(tail)[0]):
        if taken + width > room:
            break
        taken, begin = taken + width, start
    return tail[begin:]


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
