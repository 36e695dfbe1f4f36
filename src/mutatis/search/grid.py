"""A sweep over every source. Independent of the meaning of answers."""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.core.search import Source
from mutatis.search.once import DecidedBeforehand
from mutatis.search.sweep import Sweep


class Grid(DecidedBeforehand):
    """Proposes every value of one parameter on every source, in the order given; learns nothing.

    Args:
        sources: the sources to sweep over; judged by their relations that accept every value.
        sweep: the parameter and its values.

    Raises:
        UsageError: a source has no relation that judges the sweep.
    """

    def __init__(self, sources: Iterable[Source], sweep: Sweep) -> None:
        super().__init__(sweep.everything(sweep.judged(sources)))
