"""A sweep of one transformation over the values of one of its parameters, and the relations that judge it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mutatis.core.cases import Derivation, Step
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Proposal, Source
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.search.once import all_proposed

_NO_CHANGE_AT = {("contract", "level"): 0.0, ("expand-contractions", "level"): 0.0}
"""Parameter values that change nothing but lie outside the declared bounds."""


def unchanged_value(transformation: str, parameter: str) -> float:
    """Return the value of a parameter that changes nothing. This is the lower bound, with a few exceptions.

    >>> unchanged_value("upper-case", "share"), unchanged_value("duplicate", "copies")
    (0.0, 1.0)
    >>> unchanged_value("contract", "level")
    0.0
    """
    known = _NO_CHANGE_AT.get((TRANSFORMATIONS.resolve(transformation), parameter))
    if known is not None:
        return known
    declared = next(p for p in TRANSFORMATIONS[transformation].parameters if p.name == parameter)
    return float(declared.low or 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A transformation, with the values to try for one of its parameters and the number of draws per value.

    `unchanged_at` is the value of the parameter that changes nothing.
    """

    transformation: str
    parameter: str
    values: tuple[object, ...] = ()
    draws: int = 1
    unchanged_at: float = 0.0

    @classmethod
    def of(
        cls,
        transformation: str,
        parameter: str,
        values: Sequence[object],
        *,
        draws: int = 1,
        unchanged_at: float | None = None,
    ) -> Sweep:
        """Create a sweep after checking its arguments.

        By default, the value that changes nothing is determined automatically.

        Raises:
            UsageError: the transformation or parameter does not exist, or a value is out of bounds.
        """
        name = TRANSFORMATIONS.resolve(transformation)
        sweep = cls(transformation=name, parameter=parameter, values=tuple(values), draws=draws)
        if parameter not in (names := [declared.name for declared in TRANSFORMATIONS[name].parameters]):
            raise unknown_name(f"parameter of transformation {name!r}", parameter, names)
        if not values:
            raise UsageError("a sweep needs at least one value; give values = [...]")
        for value in values:
            sweep.step(value)
        return replace(sweep, unchanged_at=unchanged_value(name, parameter) if unchanged_at is None else unchanged_at)

    def step(self, value: object) -> Step:
        """Return the step for one value, with all parameters given explicitly."""
        chosen = TRANSFORMATIONS[self.transformation]
        return Step(transformation=chosen.name, parameters=chosen.complete({self.parameter: value}))

    def value(self, derivation: Derivation) -> object:
        """Return the parameter's value in a follow-up that `derivations` made."""
        return derivation.steps[0].parameters[self.parameter]

    def judged(self, sources: Iterable[Source], otherwise: MetamorphicRelation | None = None) -> list[Source]:
        """Return the sources with only the relations that can judge the sweep.

        A relation must accept EVERY value of the parameter, so a relation that prescribes a value is left out. If a
        source has no relation left, `otherwise` judges it.

        Raises:
            UsageError: a source has no relation left, and `otherwise` is not given.
        """
        steps = [self.step(value) for value in self.values]
        narrowed = []
        for source in sources:
            judges = tuple(relation for relation in source.relations if all(relation.accepts([step]) for step in steps))
            if not judges and otherwise is not None:
                judges = (otherwise,)
            if not judges:
                raise UsageError(
                    f"none of the relations of {source.case.id} accepts {self.transformation} at every "
                    f"{self.parameter}; add a relation whose transformation does not fix this parameter"
                )
            narrowed.append(replace(source, relations=judges))
        return narrowed

    def derivations(self, source: Source, value: object) -> Iterator[Derivation]:
        """Yield a source's follow-ups at one value, for every combination of edited fields and every random draw."""
        fields = sorted({variant for relation in source.relations for variant in relation.variants_of(source.case)})
        for variant in fields:
            for draw in range(self.draws):
                yield Derivation(source=source.case.id, steps=(self.step(value),), variant=variant, draw=draw)

    def everything(self, sources: Iterable[Source]) -> Iterator[Proposal]:
        """Yield the proposals for every value on every source, source by source."""
        for source in sources:
            wanted = [derivation for value in self.values for derivation in self.derivations(source, value)]
            yield from all_proposed(source, wanted)
