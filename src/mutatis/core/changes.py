"""Kinds of change that a follow-up makes, in the terms that testers use."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Change: TypeAlias = Literal[
    "value", "unit", "form", "limit", "negation", "list", "order", "pair", "conversation", "name", "noise", "wording",
    "pressure",
]  # fmt: skip
CHANGES: tuple[Change, ...] = get_args(Change)
