"""Marks numbers that are defaults, since only a number given explicitly by the user overrides a configuration."""

from __future__ import annotations


class UnsaidInt(int):
    """An integer that is a default value, not one given by the user."""


class UnsaidFloat(float):
    """A float that is a default value, not one given by the user."""


def was_said(value: object) -> bool:
    """Return True if an argument was given explicitly rather than left at its default.

    >>> was_said(0), was_said(UnsaidInt(0))
    (True, False)
    """
    return not isinstance(value, UnsaidInt | UnsaidFloat)
