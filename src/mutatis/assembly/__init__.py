"""From names and objects to a campaign, and on to its report: the one door and the one exit of all runs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mutatis.assembly.campaign import HandedOver, assemble, register_own
    from mutatis.assembly.completion import complete

__all__ = ["HandedOver", "assemble", "complete", "register_own"]


def __getattr__(name: str) -> Any:
    """Return a name of the door or the exit: a worker of a cluster needs neither, and either name would load both."""
    if name not in __all__:
        raise AttributeError(f"module 'mutatis.assembly' has no attribute {name!r}")
    home = "completion" if name == "complete" else "campaign"
    value = globals()[name] = getattr(importlib.import_module(f"mutatis.assembly.{home}"), name)
    return value
