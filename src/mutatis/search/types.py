"""The searches that come with the package, and their options."""

from __future__ import annotations

from collections.abc import Sequence

import pydantic

from mutatis.core.search import Search, Source
from mutatis.search.arms import STRENGTHS
from mutatis.search.at_random import AtRandom
from mutatis.search.bandit import BATCH, EVEN, NOVELTY, Bandit
from mutatis.search.grid import Grid
from mutatis.search.new_first import NewFirst
from mutatis.search.once import Once
from mutatis.search.refine import Refine
from mutatis.search.registry import SEARCHES, SearchOptions, Setting
from mutatis.search.sweep import Sweep

WINDOW = 4000
"""Sources that are drawn from at a time if no budget limits how many can be asked."""


@SEARCHES.register("once")
class OnceOptions(SearchOptions):
    """Every follow-up that the relations ask for, once.

    Attributes:
        draws: how many random draws of a follow-up that draws at all; by default one.
    """

    draws: int | None = pydantic.Field(default=None, ge=1)

    def build(self, sources: Sequence[Source]) -> Search:
        """Return the search."""
        return Once(sources, draws=self.draws)

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Return the search: under a budget one that asks what is new first, and is over when the budget is."""
        if setting.max_queries is None:
            return self.build(sources)
        return NewFirst(sources, draws=self.draws, seed=setting.seed)


class _Drawing(SearchOptions):
    """Options of searches that choose relations, fields and strengths.

    Attributes:
        strengths: shares of a relation's own strength that are tried.
        seed: of its random choices; by default the run's.
    """

    strengths: Sequence[float] = pydantic.Field(default=STRENGTHS, min_length=1)
    seed: int | None = None

    @pydantic.field_validator("strengths")
    @classmethod
    def _within(cls, strengths: Sequence[float]) -> Sequence[float]:
        if not all(0 < strength <= 1 for strength in strengths):
            raise ValueError(
                "a strength is a share of the relation's own: above 0, and at most 1, where it was read to be sound"
            )
        return strengths

    def build(self, sources: Sequence[Source]) -> Search:
        """Return the search under the seed 0."""
        return self.build_for(sources, Setting())


@SEARCHES.register("random")
class RandomOptions(_Drawing):
    """Random relations, fields and strengths on random sources: what cleverer searches are compared with."""

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Return the search of a run."""
        seed = setting.seed if self.seed is None else self.seed
        return AtRandom(sources, strengths=self.strengths, seed=seed, window=setting.max_queries or WINDOW)


@SEARCHES.register("bandit")
class BanditOptions(_Drawing):
    """Thompson sampling over relations, fields and strengths: the most distinct findings within a budget.

    Attributes:
        even: share of the proposals that ignore what has been learnt; rates come from them.
        batch: proposals between two lessons.
        novelty: the n-th finding of a relation on a kind of input is worth n ** -novelty.
    """

    even: float = pydantic.Field(default=EVEN, ge=0, le=1)
    batch: int = pydantic.Field(default=BATCH, ge=1)
    novelty: float = pydantic.Field(default=NOVELTY, ge=0)

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Return the search of a run."""
        return Bandit(
            sources,
            strengths=self.strengths,
            even=self.even,
            batch=self.batch,
            novelty=self.novelty,
            seed=setting.seed if self.seed is None else self.seed,
            window=setting.max_queries or WINDOW,
        )


@SEARCHES.register("grid")
class GridOptions(SearchOptions):
    """A sweep of one parameter over its values.

    Attributes:
        transformation: whose parameter is swept.
        parameter: the name of it.
        values: the values that are tried.
        refine: locate the edge of the region without violations between two values.
        tolerance: how closely `refine` locates it.
        unchanged_at: the value that changes nothing, if it is not the lower bound.
        draws: random draws per value.
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
        sweep_of = (self.transformation, self.parameter, self.values)
        return Sweep.of(*sweep_of, draws=self.draws, unchanged_at=self.unchanged_at)

    def build(self, sources: Sequence[Source]) -> Search:
        """Return the sweep, refined if wanted."""
        if self.refine:
            return Refine(sources, self.sweep, tolerance=self.tolerance)
        return Grid(sources, self.sweep)
