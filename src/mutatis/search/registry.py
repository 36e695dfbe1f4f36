"""Registers searches by the name that users write, with a model that checks their options. It imports no search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Search, Source
from mutatis.options import Kinds, Options
from mutatis.search.sweep import Sweep

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
        needs_helper: the setting that requires a helper model, as written by the user; empty if there is none.
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
