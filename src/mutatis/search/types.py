"""The searches that come with the package, and their options."""

from __future__ import annotations

from collections.abc import Sequence

import pydantic

from mutatis.core.search import Search, Source
from mutatis.search.even import Even
from mutatis.search.grid import Grid
from mutatis.search.once import Once
from mutatis.search.refine import Refine
from mutatis.search.registry import SEARCHES, SearchOptions, Setting
from mutatis.search.sweep import Sweep


@SEARCHES.register("once")
class OnceOptions(SearchOptions):
    """Every follow-up that the relations ask for, once; `draws` random draws of those that draw at all."""

    draws: int | None = pydantic.Field(default=None, ge=1)

    def build(self, sources: Sequence[Source]) -> Search:
        """Return the search."""
        return Once(sources, draws=self.draws)

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Return the search: under a budget an even one, that is over when the budget is."""
        if setting.budget is None:
            return self.build(sources)
        return Even(sources, draws=self.draws, seed=setting.seed, window=setting.budget)


@SEARCHES.register("grid")
class GridOptions(SearchOptions):
    """A sweep of one parameter; `refine` locates the edge of the region without violations within `tolerance`.

    `unchanged_at` is the value of the parameter that changes nothing, where it is not the lower bound.
    """

    transformation: str
    parameter: str
    values: Sequence[float | int | str]
    refine: bool = False
    tolerance: float | None = pydantic.Field(default=None, gt=0)
    unchanged_at: float | None = None
    draws: int = pydantic.Field(default=1, ge=1)

    @property
    def sweep(self) -> Sweep:
        """What is swept."""
        given = (self.transformation, self.parameter, self.values)
        return Sweep.of(*given, draws=self.draws, unchanged_at=self.unchanged_at)

    def build(self, sources: Sequence[Source]) -> Search:
        """Return the sweep, refined if wanted."""
        if self.refine:
            return Refine(sources, self.sweep, tolerance=self.tolerance)
        return Grid(sources, self.sweep)
