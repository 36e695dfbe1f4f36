"""A sweep: one transformation over the values of a declared parameter, and `refine` at the edge of a region."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mutatis.core.cases import Derivation, Step
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.search import Proposal, Seed
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.core.verdict import Verdict
from mutatis.search.once import batches, variants


class Grid:
    """Proposes every value of one parameter on every seed, in the order given.

    Args:
        seeds: what to sweep over; a relation that accepts the transformation judges the follow-ups.
        transformation: name of the transformation.
        parameter: name of its declared parameter.
        values: values to try.
        draws: random draws per value.

    Raises:
        UsageError: an unknown transformation or parameter, or a value out of bounds.
    """

    learns = False

    def __init__(
        self, seeds: Iterable[Seed], *, transformation: str, parameter: str, values: Sequence[object], draws: int = 1
    ) -> None:
        chosen = TRANSFORMATIONS[transformation]
        names = [declared.name for declared in chosen.parameters]
        if parameter not in names:
            raise unknown_name(f"parameter of transformation {chosen.name!r}", parameter, names)
        if not values:
            raise UsageError("a grid needs at least one value; give values = [...]")
        self._steps = [
            Step(transformation=chosen.name, parameters=chosen.complete({parameter: value})) for value in values
        ]
        self._draws = draws
        self._batches = batches(self._proposals(seeds))

    def _proposals(self, seeds: Iterable[Seed]) -> Iterator[Proposal]:
        for seed in seeds:
            wanted = list(self._plans(seed))
            for number, plan in enumerate(wanted, 1):
                yield Proposal(seed=seed, plan=plan, closes=number == len(wanted))

    def _plans(self, seed: Seed) -> Iterator[Derivation]:
        base = Derivation(source=seed.case.id, steps=())
        for step in self._steps:
            fields = {
                v for relation in seed.relations if relation.accepts([step]) for v in variants(relation, seed.task)
            }
            for variant in sorted(fields):
                for draw in range(self._draws):
                    yield replace(base, steps=(step,), variant=variant, draw=draw)

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals; empty at the end."""
        return next(self._batches, [])

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Mapping[str, float]) -> None:
        """Do nothing: a sweep is decided beforehand."""
