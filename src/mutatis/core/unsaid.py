"""Distinguishes a default from the same number given by the user, which overrides a configuration."""

from __future__ import annotations


class UnsaidInt(int):
    """A whole number that is a default, not one given by the user."""


class UnsaidFloat(float):
    """A number that is a default, not one given by the user."""


def was_said(value: object) -> bool:
    """Return True if an argument was given, rather than left at its default.

    >>> was_said(0), was_said(UnsaidInt(0))
    (True, False)
    """
    return not isinstance(value, UnsaidInt | UnsaidFloat)
