"""Random follow-ups: the baseline for every search that claims to be clever. Independent of the meaning of answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from mutatis.core.cases import Derivation
from mutatis.core.search import Proposal, Source
from mutatis.search.arms import STRENGTHS, pulls
from mutatis.search.even import tasks_in_turn
from mutatis.search.once import DecidedBeforehand, proposed


class AtRandom(DecidedBeforehand):
    """Proposes a random relation, fields and strength on a random source, each follow-up once; learns nothing.

    Relations that judge all versions of a question together have no verdict on single ones and are left out.

    Args:
        sources: the sources to search.
        strengths: shares of each relation's own strength.
        seed: of every choice.
        window: sources that are drawn from at a time; a window is exhausted before the next begins.
    """

    def __init__(
        self, sources: Sequence[Source], *, strengths: Sequence[float] = STRENGTHS, seed: int = 0, window: int = 1000
    ) -> None:
        self._sources, self._strengths = sources, tuple(strengths)
        self._random, self._window = Random(f"random/{seed}"), max(1, window)
        super().__init__(self._proposals())

    def _proposals(self) -> Iterator[Proposal]:
        numbers = tasks_in_turn(self._sources, self._random)
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
                    left[number] = []
