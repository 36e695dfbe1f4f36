"""System types by the name used in configurations. Each is a class of options whose `build()` returns the system."""

from __future__ import annotations

from mutatis.core.system import System
from mutatis.options import Kinds

SYSTEMS: Kinds[System] = Kinds("system type", listed="systems")
