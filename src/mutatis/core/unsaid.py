"""Defaults that can be told from the same number when somebody says it: what is said wins over a configuration."""

from __future__ import annotations


class UnsaidInt(int):
    """A whole number that nobody said."""


class UnsaidFloat(float):
    """A number that nobody said."""


def was_said(value: object) -> bool:
    """Whether an argument was given, and not left at its default.

    >>> was_said(0), was_said(UnsaidInt(0))
    (True, False)
    """
    return not isinstance(value, UnsaidInt | UnsaidFloat)
