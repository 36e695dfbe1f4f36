"""Searches by the name that users write, with their options checked by a model. Does not import any search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mutatis.core.search import Search, Source
from mutatis.options import Kinds, Options
from mutatis.search.sweep import Sweep
from mutatis.text.edits import Validity

SEARCHES: Kinds[Search] = Kinds("search", listed="searches")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Facts of the run for a search: its seed, and the most questions it may ask (None: any)."""

    seed: int = 0
    max_queries: int | None = None


class SearchOptions(Options):
    """Base of a search type's options, whose `build` returns the search over the sources of a run."""

    @property
    def sweep(self) -> Sweep | None:
        """The sweep; None for searches that propose the follow-ups of the run's relations.

        Sources without a relation that accepts a sweep are judged by "the answer stays the same", and the report gets
        the numbers of relation families.
        """
        return None

    @property
    def edits(self) -> Validity | None:
        """The bound on edits, if the search edits texts itself; None for one that keeps to the run's relations.

        Sources are then judged by "the answer stays the same under small edits".
        """
        return None

    def build(self, sources: Sequence[Source]) -> Search:
        """Return the search; raise UsageError if the options exclude each other."""
        raise NotImplementedError

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Return the search for a run; to be overridden if the seed or `max_queries` matters."""
        return self.build(sources)
