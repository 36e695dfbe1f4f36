"""Builds a campaign from names and objects, runs it and writes its report. Every run goes through here."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mutatis.assembly.campaign import HandedOver, assemble, register_own
    from mutatis.assembly.completion import complete

__all__ = ["HandedOver", "assemble", "complete", "register_own"]


def __getattr__(name: str) -> Any:
    """Import a name on first use, because the workers of a cluster need none of these modules."""
    if name not in __all__:
        raise AttributeError(f"module 'mutatis.assembly' has no attribute {name!r}")
    home = "completion" if name == "complete" else "campaign"
    value = globals()[name] = getattr(importlib.import_module(f"mutatis.assembly.{home}"), name)
    return value
