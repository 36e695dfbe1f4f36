"""Search strategies that choose the next inputs to try, registered by name in `SEARCHES`.

Each of them has the methods `ask` and `tell`.
"""

from mutatis.core.removed import names_removed
from mutatis.search.bandit import Bandit
from mutatis.search.new_first import NewFirst
from mutatis.search.once import Once, batches, derivations
from mutatis.search.refine import Refine
from mutatis.search.sweep import Sweep
from mutatis.search.types import (
    SEARCHES,
    BanditOptions,
    Brought,
    Grid,
    GridOptions,
    OnceOptions,
    RandomOptions,
    SearchOptions,
    Setting,
)

__getattr__ = names_removed(__name__)

__all__ = [
    "SEARCHES",
    "Bandit",
    "BanditOptions",
    "Brought",
    "Grid",
    "GridOptions",
    "NewFirst",
    "Once",
    "OnceOptions",
    "RandomOptions",
    "Refine",
    "SearchOptions",
    "Setting",
    "Sweep",
    "batches",
    "derivations",
]
