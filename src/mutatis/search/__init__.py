"""Searches for the next input to try, behind one `ask` and `tell`, by name in `SEARCHES`.

Independent of the meaning of answers.
"""

from mutatis.search.bandit import Bandit
from mutatis.search.edit_types import (
    DialTestOptions,
    EvolutionaryOptions,
    ExploringOptions,
    MultiPdqnOptions,
    UniformOptions,
)
from mutatis.search.explore import Explorer
from mutatis.search.new_first import NewFirst
from mutatis.search.once import Once, batches, derivations
from mutatis.search.refine import Refine
from mutatis.search.registry import SEARCHES, SearchOptions, Setting
from mutatis.search.sweep import Sweep
from mutatis.search.types import BanditOptions, Grid, GridOptions, OnceOptions, RandomOptions

__all__ = [
    "SEARCHES",
    "Bandit",
    "BanditOptions",
    "DialTestOptions",
    "EvolutionaryOptions",
    "Explorer",
    "ExploringOptions",
    "Grid",
    "GridOptions",
    "MultiPdqnOptions",
    "NewFirst",
    "Once",
    "OnceOptions",
    "RandomOptions",
    "Refine",
    "SearchOptions",
    "Setting",
    "Sweep",
    "UniformOptions",
    "batches",
    "derivations",
]
