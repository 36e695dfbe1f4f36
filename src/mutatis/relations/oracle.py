"""Judges new inputs by a region, which is a range of a parameter's values that was tested without violations.

The answer to an input is compared with its label, if there is one. Otherwise, it is compared with the answer to a
typical member of the region, which is obtained once and stored. A violation is then as certain as the evidence for the
region, without further tests.
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
"""Precondition that is always broken. It is added for inputs outside the region, which cannot be judged."""


def copies_of(text: str) -> float:
    """Return how many copies of one passage, from 1 to 6, a text consists of.

    >>> copies_of("So? So? So?"), copies_of("So? No.")
    (3, 1)
    """
    for copies in range(6, 1, -1):
        size, rest = divmod(len(text) + 1, copies)
        if rest == 0 and size > 1 and " ".join([text[: size - 1]] * copies) == text:
            return copies
    return 1


def upper_share(text: str) -> float | None:
    """Return the proportion of a text that is in upper case at its beginning.

    Return None if there are capitals elsewhere.

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
"""Transformations whose effect can be recognised in a text and undone.

For each, a function that reads the parameter's value from a text, and the transformation that undoes the effect.
"""


def oracle_relation(region: OracleRegion, case: Case, *, labelled: bool) -> MetamorphicRelation:
    """Return the relation that judges a new input by a region without violations.

    An input that looks transformed, such as a title written three times, is compared with its original. Any other input
    is compared with its transformed version at the far end of the region. If the input has a label (`labelled`), its
    answer is compared only with the label, and no other question is asked.
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
    """Return the parameter value recognised in the texts, and the transformation that undoes the change.

    If nothing is recognised, return the value that has no effect, and None.
    """
    if region.transformation not in _UNDONE:
        return region.unchanged_at, None
    recogniser, undo = _UNDONE[region.transformation]
    values = [recogniser(text) for text in texts]
    if any(value is None for value in values):
        return region.unchanged_at, None
    return max(value for value in values if value is not None), undo
