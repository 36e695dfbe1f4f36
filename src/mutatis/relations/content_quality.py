"""Families of relations for classifiers: duplication, abbreviation and upper case (Chan and Keung 2024).

A family is one transformation with a parameter that takes a range of values. The paper's 17 relations (Tables 1 and 5)
are points in these ranges. In all relations, the label stays the same. The paper transforms title and body. On data
with other fields, all fields are transformed, except that duplication applies only to the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mutatis.core.cases import Step
from mutatis.core.relation import Change, MetamorphicRelation
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.output import Equal
from mutatis.relations.table import FREE, relation

TASK = "classification"
PAPER = "Chan and Keung 2024"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of relations: a transformation and the parameter that varies.

    Attributes:
        unchanged_at: the value that has no effect, even if the parameter does not allow it.
        change: the kind of change; None for a family that is not published.
        published: the paper's numbers for its relations, with their parameter values.
        percent: whether the names of relations give the value as a percentage.
    """

    name: str
    transformation: str
    parameter: str
    unchanged_at: float
    change: Change | None = None
    fields: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    published: Mapping[str, float | int] = field(default_factory=dict)
    percent: bool = False

    def slug(self, value: float) -> str:
        """Return the name of the family's relation for a value of its parameter.

        >>> FAMILIES[0].slug(2), FAMILIES[2].slug(0.375)
        ('duplicate-2', 'uppercase-37.5')
        """
        return f"{self.name}-{100 * value if self.percent else value:g}"


FAMILIES = (
    Family(
        name="duplicate",
        transformation="duplicate",
        parameter="copies",
        change="noise",
        unchanged_at=1,
        fields={TASK: (("title",), ("text",))},
        published={"mr1.1": 2, "mr1.2": 3, "mr1.3": 4, "mr1.4": 5, "mr1.5": 6},
    ),
    Family(
        name="abbreviation",
        transformation="expand-contractions",
        parameter="level",
        change="wording",
        unchanged_at=0,
        published={"mr2.1": 1, "mr2.2": 2, "mr2.3": 3, "mr2.4": 4},
    ),
    Family(
        name="uppercase",
        transformation="upper-case",
        parameter="share",
        change="noise",
        unchanged_at=0,
        published={
            **{"mr3.1": 0.25, "mr3.2": 0.5, "mr3.3": 0.75, "mr3.4": 1.0},
            **{"mr3.5": 0.1, "mr3.6": 0.375, "mr3.7": 0.625, "mr3.8": 0.875},
        },
        percent=True,
    ),
)
"""The families of relations in the paper.

The paper does not specify which part of a text a percentage refers to. Here, it is the beginning.
"""


for family in FAMILIES:
    for number, value in family.published.items():
        relation(
            family.slug(value),
            transformations=[Step(transformation=family.transformation, parameters={family.parameter: value})],
            tasks=[TASK],
            variants=family.fields,
            summary=f"{TRANSFORMATIONS[family.transformation].summary} ({family.parameter} = {value:g})",
            change=family.change,
            tags=("content-quality", family.name),
            ids=(f"content-quality/{number}",),
            paper=PAPER,
        )


def swept(transformation: str, parameter: str) -> MetamorphicRelation:
    """Return a relation for any value of a parameter, on every task. It requires that the answer stays the same.

    The relation is not registered.

    >>> swept("upper-case", "share").name
    'upper-case-over-share'
    """
    name = TRANSFORMATIONS.resolve(transformation)
    published = next((family for family in FAMILIES if family.transformation == name), None)
    return MetamorphicRelation.of(
        name=f"{name}-over-{parameter}",
        transformations=(Step.of(name),),
        output_relation=Equal(),
        tasks=(),
        variants=published.fields if published else {},
        change=published.change if published else None,
        tags=frozenset({FREE, "sweep"}),
        summary=f"{TRANSFORMATIONS[name].summary} The answer stays the same at every {parameter}.",
    )
