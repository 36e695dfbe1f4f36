"""Gives a word the letter case of another word."""

from __future__ import annotations


def like(original: str, new: str) -> str:
    """Return `new` in the letter case of `original`: all upper case, first letter upper case, or unchanged.

    >>> like("BIG", "large"), like("Big", "large"), like("big", "large"), like("I", "we")
    ('LARGE', 'Large', 'large', 'We')
    """
    if len(original) > 1 and original.isupper():
        return new.upper()
    if original[:1].isupper():
        return new[:1].upper() + new[1:]
    return new
