"""A sweep: one transformation over the values of one declared parameter. Must not know what the answers mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mutatis.core.cases import Derivation, Step
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Proposal, Source
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.core.verdict import Verdict
from mutatis.search.once import batches


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What is swept: a transformation, one of its declared parameters, and the random draws per value."""

    transformation: str
    parameter: str
    draws: int = 1

    def check(self, values: Sequence[object]) -> None:
        """Raise UsageError for an unknown transformation or parameter, or a value out of bounds."""
        chosen = TRANSFORMATIONS[self.transformation]
        names = [declared.name for declared in chosen.parameters]
        if self.parameter not in names:
            raise unknown_name(f"parameter of transformation {chosen.name!r}", self.parameter, names)
        if not values:
            raise UsageError("a sweep needs at least one value; give values = [...]")
        for value in values:
            self.step(value)

    def step(self, value: object) -> Step:
        """Return the step at a value; every parameter is written down."""
        chosen = TRANSFORMATIONS[self.transformation]
        return Step(transformation=chosen.name, parameters=chosen.complete({self.parameter: value}))

    def value(self, derivation: Derivation) -> object:
        """Return the value of what `derivations` made."""
        return derivation.steps[0].parameters[self.parameter]

    def judged(
        self, sources: Iterable[Source], values: Sequence[object], otherwise: MetamorphicRelation | None
    ) -> list[Source]:
        """Return the sources with the relations that judge the sweep: those of their own that accept EVERY value.

        A relation that names one value of the parameter is none of them. Where there is none it is `otherwise`.

        Raises:
            UsageError: there is none, and no `otherwise`.
        """
        steps = [self.step(value) for value in values]
        found = []
        for source in sources:
            judges = tuple(r for r in source.relations if all(r.accepts([step]) for step in steps))
            if not judges and otherwise is not None:
                judges = (otherwise,)
            if not judges:
                raise UsageError(
                    f"none of the relations of {source.case.id} accepts {self.transformation} at every "
                    f"{self.parameter}; add one whose transformation leaves the parameter open"
                )
            found.append(replace(source, relations=judges))
        return found

    def derivations(self, source: Source, value: object) -> Iterator[Derivation]:
        """Yield the follow-ups of a source at one value: every variant of its relations, every draw."""
        fields = sorted({variant for relation in source.relations for variant in relation.variants_of(source.case)})
        for variant in fields:
            for draw in range(self.draws):
                yield Derivation(source=source.case.id, steps=(self.step(value),), variant=variant, draw=draw)

    def everything(self, sources: Iterable[Source], values: Sequence[object]) -> Iterator[Proposal]:
        """Yield every value on every source, source by source."""
        for source in sources:
            wanted = [derivation for value in values for derivation in self.derivations(source, value)]
            for number, derivation in enumerate(wanted, 1):
                yield Proposal(source=source, derivation=derivation, closes=number == len(wanted))


class Grid:
    """Proposes every value of one parameter on every source, in the order given; learns nothing.

    Args:
        sources: what to sweep over; judged by their relations that accept every value, else by `otherwise`.
        transformation: name of the transformation.
        parameter: name of its declared parameter.
        values: values to try.
        draws: random draws per value.
        otherwise: relation for sources none of whose relations accepts every value.

    Raises:
        UsageError: an unknown transformation or parameter, a value out of bounds, or nothing that judges.
    """

    learns = False

    def __init__(
        self,
        sources: Iterable[Source],
        *,
        transformation: str,
        parameter: str,
        values: Sequence[object],
        draws: int = 1,
        otherwise: MetamorphicRelation | None = None,
    ) -> None:
        sweep = Sweep(transformation=transformation, parameter=parameter, draws=draws)
        sweep.check(values)
        judged = sweep.judged(sources, values, otherwise)
        self._batches = batches(sweep.everything(judged, values))

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals; empty at the end."""
        return next(self._batches, [])

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Mapping[str, float]) -> None:
        """Do nothing: a sweep is decided beforehand."""
