"""Search strategies that choose the next inputs to try, registered with their options under the names that users write.

Each strategy has the methods `ask` and `tell`. Plugins register theirs in `SEARCHES`, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Annotated, Any

import pydantic

from mutatis.core.cases import Derivation
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.removed import names_removed
from mutatis.core.search import Proposal, Search, Source
from mutatis.options import Kinds, Options
from mutatis.search.arms import STRENGTHS, pulls
from mutatis.search.bandit import BATCH, EVEN, NOVELTY, Bandit
from mutatis.search.new_first import NewFirst
from mutatis.search.once import DecidedBeforehand, Once, batches, derivations, proposed, tasks_in_turn
from mutatis.search.refine import Refine
from mutatis.search.sweep import Sweep

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

SEARCHES: Kinds[Search] = Kinds("search", listed="searches")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Settings of a run that a search may need: its seed, and the maximum number of questions, or None."""

    seed: int = 0
    max_queries: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """Parts that a search adds to a run.

    Attributes:
        relations: relations that judge its follow-ups instead of the run's; empty if it uses the run's relations.
        beside: relations that also judge the sources, whatever other relations these have.
        collectors: listeners that compute metrics of its follow-ups (`Collector`).
        notes: lines shown to the user.
        needs_helper: the setting that requires a helper model, as written by the user; empty if no helper is needed.
    """

    relations: tuple[MetamorphicRelation, ...] = ()
    beside: tuple[MetamorphicRelation, ...] = ()
    collectors: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    needs_helper: str = ""


class SearchOptions(Options):
    """Base class for the options of a search. The method `build` returns the search over the sources of a run."""

    @property
    def sweep(self) -> Sweep | None:
        """The sweep over a parameter's values, or None if the search proposes the follow-ups of the run's relations.

        Sources without a relation that accepts the sweep are judged by "the answer stays the same". The report of a
        sweep contains the metrics of relation families.
        """
        return None

    @property
    def brings(self) -> Brought:
        """Parts that the search adds to a run, or none if it only uses the run's relations."""
        return Brought()

    def build(self, sources: Sequence[Source]) -> Search:
        """Build the search.

        Raises:
            UsageError: the options contradict each other.
        """
        raise NotImplementedError

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Build the search for a run. Override this if the search needs the seed or `max_queries`."""
        return self.build(sources)


WINDOW = 4000
"""Number of sources to draw from at a time if there is no budget."""


@SEARCHES.register("once")
class OnceOptions(SearchOptions):
    """Options of the plain run: every follow-up that the relations need, each asked once.

    Attributes:
        draws: number of random draws for each follow-up that has randomness; by default one.
    """

    draws: int | None = pydantic.Field(default=None, ge=1)

    def build(self, sources: Sequence[Source]) -> Search:
        """Build the search for a run without a budget."""
        return Once(sources, draws=self.draws)

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Build the search.

        Under a budget, it tries new kinds of evidence first and stops when the budget is used up.
        """
        if setting.max_queries is None:
            return self.build(sources)
        return NewFirst(sources, draws=self.draws, seed=setting.seed)


class _Drawing(SearchOptions):
    """Options common to searches that choose relations, fields and strengths.

    Attributes:
        strengths: shares of a relation's own strength to try.
        seed: seed for the random choices; by default the run's.
    """

    strengths: Sequence[Annotated[float, pydantic.Field(gt=0, le=1)]] = pydantic.Field(default=STRENGTHS, min_length=1)
    seed: int | None = None

    def build(self, sources: Sequence[Source]) -> Search:
        """Build the search with seed 0."""
        return self.build_for(sources, Setting())


@SEARCHES.register("random")
class RandomOptions(_Drawing):
    """Options of a search over random relations, fields and strengths, as a baseline for other searches."""

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Build the search for a run."""
        seed = setting.seed if self.seed is None else self.seed
        return AtRandom(sources, strengths=self.strengths, seed=seed, window=setting.max_queries or WINDOW)


@SEARCHES.register("bandit")
class BanditOptions(_Drawing):
    """Options of Thompson sampling over relations, fields and strengths, to make many distinct findings.

    Attributes:
        even: share of the proposals that ignore what has been learnt. Rates are estimated from these.
        batch: number of proposals between two updates.
        novelty: the n-th finding of a relation on a kind of input is worth n ** -novelty.
    """

    even: float = pydantic.Field(default=EVEN, ge=0, le=1)
    batch: int = pydantic.Field(default=BATCH, ge=1)
    novelty: float = pydantic.Field(default=NOVELTY, ge=0)

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Build the search for a run."""
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
    """Options of a sweep of one parameter over its values.

    Attributes:
        transformation: the transformation with the parameter.
        parameter: name of the parameter.
        values: the values to try.
        refine: whether to locate the boundary of the region without violations between two of the values.
        tolerance: how precisely `refine` locates the boundary.
        unchanged_at: the value that changes nothing, if it is not the lower bound.
        draws: number of random draws per value.
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
        """The sweep that these options describe."""
        return Sweep.of(
            self.transformation, self.parameter, self.values, draws=self.draws, unchanged_at=self.unchanged_at
        )

    def build(self, sources: Sequence[Source]) -> Search:
        """Build the sweep, with refinement if the options ask for it."""
        if self.refine:
            return Refine(sources, self.sweep, tolerance=self.tolerance)
        return Grid(sources, self.sweep)


# A sweep over every source. Must not know what the answers mean.


class Grid(DecidedBeforehand):
    """Proposes every value of one parameter on every source, in the given order, without learning.

    Args:
        sources: the sources to sweep, judged by the relations that accept every value.
        sweep: the parameter and its values.

    Raises:
        UsageError: a source has no relation that judges the sweep.
    """

    def __init__(self, sources: Iterable[Source], sweep: Sweep) -> None:
        super().__init__(sweep.everything(sweep.judged(sources)))


# Random follow-ups: what every search that claims to be clever is compared with. Must not know what answers mean.


class AtRandom(DecidedBeforehand):
    """Proposes random relations, fields and strengths on random sources, each follow-up once, without learning.

    Relations that judge all versions of a question together are left out, because they give no verdict on a single
    version.

    Args:
        sources: the sources to search.
        strengths: shares of each relation's own strength.
        seed: seed for every choice.
        window: number of sources to draw from at a time. Each window is exhausted before the next one begins.
    """

    def __init__(
        self, sources: Sequence[Source], *, strengths: Sequence[float] = STRENGTHS, seed: int = 0, window: int = 1000
    ) -> None:
        self._sources, self._strengths = sources, tuple(strengths)
        self._random, self._window = Random(f"random/{seed}"), max(1, window)
        super().__init__(self._proposals())

    def _proposals(self) -> Iterator[Proposal]:
        numbers = tasks_in_turn(self._sources, self._random.shuffle)
        while window := list(islice(numbers, self._window)):
            left: dict[int, list[Derivation]] = {}
            while window:
                place = self._random.randrange(len(window))
                number = window[place]
                source = self._sources[number]
                if number not in left:
                    left[number] = [derivation for _, derivation in pulls(source, self._strengths)]
                if left[number]:
                    derivation = left[number].pop(self._random.randrange(len(left[number])))
                    yield proposed(source, derivation, closes=not left[number])
                if not left[number]:
                    window[place] = window[-1]
                    window.pop()
