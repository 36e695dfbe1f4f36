"""What is tried next: searches behind one `ask` and `tell`, by name in `SEARCHES`. Must not know what answers mean."""

from mutatis.search.even import Even
from mutatis.search.grid import Grid
from mutatis.search.once import Once, batches, derivations
from mutatis.search.refine import Refine
from mutatis.search.registry import SEARCHES, SearchOptions, Setting
from mutatis.search.sweep import Sweep
from mutatis.search.types import GridOptions, OnceOptions

__all__ = [
    "SEARCHES",
    "Even",
    "Grid",
    "GridOptions",
    "Once",
    "OnceOptions",
    "Refine",
    "SearchOptions",
    "Setting",
    "Sweep",
    "batches",
    "derivations",
]
