"""System types by the name that users write; each is a model of options whose `build()` returns the system.

Independent of any system type.
"""

from __future__ import annotations

from mutatis.core.system import System
from mutatis.options import Kinds

SYSTEMS: Kinds[System] = Kinds("system type", listed="systems")
