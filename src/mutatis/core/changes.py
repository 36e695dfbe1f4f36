"""The kinds of change that a follow-up can make to its source, named in terms familiar to testers."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Change: TypeAlias = Literal[
    "value", "unit", "form", "limit", "negation", "list", "order", "pair", "conversation", "name", "noise", "wording",
    "pressure",
]  # fmt: skip
CHANGES: tuple[Change, ...] = get_args(Change)
