"""A sweep over every source. Must not know what the answers mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.verdict import Verdict
from mutatis.search.once import batches
from mutatis.search.sweep import Sweep


class Grid:
    """Proposes every value of one parameter on every source, in the order given; learns nothing.

    Args:
        sources: what to sweep over; judged by their relations that accept every value.
        sweep: what is swept.

    Raises:
        UsageError: a source has no relation that judges the sweep.
    """

    learns = False

    def __init__(self, sources: Iterable[Source], sweep: Sweep) -> None:
        self._batches = batches(sweep.everything(sweep.judged(sources)))

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals; empty at the end."""
        return next(self._batches, [])

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Do nothing: a sweep is decided beforehand."""
