"""Searches: what to try next. A plain run asks everything once; a sweep and a learner are other proposers."""

from mutatis.search.grid import Grid
from mutatis.search.once import Once, batches, derivations
from mutatis.search.refine import Refine

__all__ = ["Grid", "Once", "Refine", "batches", "derivations"]
