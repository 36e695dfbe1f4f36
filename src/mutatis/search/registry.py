"""Searches by the name that users write, with their options checked by a model. It imports no search."""

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
    """The facts about a run that a search needs: its seed, and the maximum number of questions (None: unlimited)."""

    seed: int = 0
    max_queries: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The parts that a search adds to a run.

    Attributes:
        relations: judge its follow-ups instead of the run's relations; empty for a search that uses those.
        beside: also judge the sources, whatever relations they have.
        collectors: listeners that compute metrics of its follow-ups (`Collector`).
        notes: lines for the user.
        needs_helper: the setting that needs a language model, as it is written; empty if none does.
    """

    relations: tuple[MetamorphicRelation, ...] = ()
    beside: tuple[MetamorphicRelation, ...] = ()
    collectors: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    needs_helper: str = ""


class SearchOptions(Options):
    """Base class of a search type's options, whose `build` returns the search over the sources of a run."""

    @property
    def sweep(self) -> Sweep | None:
        """The sweep; None for searches that propose the follow-ups of the run's relations.

        Sources without a relation that accepts a sweep are judged by "the answer stays the same", and the report gets
        the numbers of relation families.
        """
        return None

    @property
    def brings(self) -> Brought:
        """The parts that the search adds; nothing for one that uses the run's relations."""
        return Brought()

    def build(self, sources: Sequence[Source]) -> Search:
        """Build the search. Raise UsageError if the options contradict each other."""
        raise NotImplementedError

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Build the search for a run. Override this if the seed or `max_queries` matters."""
        return self.build(sources)
