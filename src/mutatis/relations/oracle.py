"""Judging fresh inputs by a region without violations, with one relation per input and region.

The answer to the input is compared with its label if there is one, or else with a canonical member of the region, which
the query layer asks once and remembers. A violation is a fault without further testing, as certain as the region's
evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mutatis.core.cases import Case, Step
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.output import Equal
from mutatis.relations.region import OracleRegion

INSIDE = Precondition(name="the input lies in the region", stage=Stage.SOURCE_INPUT, check=lambda _: False)
"""Given only to inputs outside: the region does not judge these."""


def copies_of(text: str) -> float:
    """Return how many copies (1 to 6) of the same text a text consists of.

    >>> copies_of("So? So? So?"), copies_of("So? No.")
    (3, 1)
    """
    for copies in range(6, 1, -1):
        size, rest = divmod(len(text) + 1, copies)
        if rest == 0 and size > 1 and " ".join([text[: size - 1]] * copies) == text:
            return copies
    return 1


def upper_share(text: str) -> float | None:
    """Return the share of a text that is an upper-case beginning, or None if there are capitals elsewhere.

    >>> upper_share("SO What"), upper_share("so what"), upper_share("SO WHAT"), upper_share("So WHat")
    (0.5714285714285714, 0.0, 1.0, None)
    """
    capitals = [place for place, letter in enumerate(text) if letter != letter.lower()]
    if not capitals:
        return 0.0
    if text == text.upper():
        return 1.0
    end = capitals[-1] + 1
    return end / len(text) if text[:end] == text[:end].upper() else None


_Recogniser = Callable[[str], float | None]

_UNDONE: dict[str, tuple[_Recogniser, str]] = {
    "duplicate": (copies_of, "remove-copies"),
    "upper-case": (upper_share, "lower-case"),
}
"""Cases in which a parameter's value can be read from an input, and what restores the value that changes nothing."""


def oracle_relation(region: OracleRegion, case: Case, *, labelled: bool) -> MetamorphicRelation:
    """Return the relation that judges a fresh input by a region.

    An input that looks transformed (title written three times, beginning in capitals) is compared with its original.
    Any other input counts as untransformed and is compared with itself at the region's far end. If the data has the
    label (`labelled`), nothing else is asked.
    """
    fields = _fields(region, case)
    far = Step(
        transformation=region.transformation, parameters={region.parameter: _typed(region, region.far_end)}, turns=None
    )
    step = far
    preconditions: tuple[Precondition, ...] = ()
    value, undo = _recognised(region, [case.turns[0].fields[name] for name in fields])
    if undo is not None and value != region.unchanged_at:
        step = Step.of(undo)
        preconditions = () if region.low <= value <= region.high else (INSIDE,)
    if labelled:
        step = Step(transformation=step.transformation, parameters=step.parameters, turns=())  # the input as it is
    return MetamorphicRelation.of(
        name=f"oracle-{region.family}",
        transformations=(step,),
        output_relation=Equal(),
        tasks=(region.task,),
        variants={region.task: (fields,)},
        preconditions=preconditions,
        reference="annotated" if labelled else "source",
        unchanged="keep" if labelled else "invalid",
        tags=frozenset({"oracle"}),
        summary=f"Inside a region without violations the answer is known: {region.line}.",
    )


def _fields(region: OracleRegion, case: Case) -> tuple[str, ...]:
    fields = case.turns[0].fields
    return next((names for names in region.fields if all(name in fields for name in names)), tuple(fields))


def _typed(region: OracleRegion, value: float) -> float | int:
    declared = next(p for p in TRANSFORMATIONS[region.transformation].parameters if p.name == region.parameter)
    return int(value) if declared.type is int else float(value)


def _recognised(region: OracleRegion, texts: Sequence[str]) -> tuple[float, str | None]:
    """Return the parameter value that an input shows, and the transformation that undoes it; None if unrecognised."""
    if region.transformation not in _UNDONE:
        return region.unchanged_at, None
    recogniser, undo = _UNDONE[region.transformation]
    values = [recogniser(text) for text in texts]
    if any(value is None for value in values):
        return region.unchanged_at, None
    return max(value for value in values if value is not None), undo
