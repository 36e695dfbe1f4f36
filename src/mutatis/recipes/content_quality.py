"""Validates classifiers with relation families (Chan and Keung 2024), using the 17 published relations.

The module also computes the paper's numbers. The paper lower-cases its texts before training and testing, as does
`[data] lower = true` for the format `stackoverflow`. The paper's re-labelling rate counts all items; the report also
gives the rate over the changed items.
"""

from mutatis.recipes.families_metrics import FamilyMetrics
from mutatis.recipes.recipe import Recipe, recipe
from mutatis.relations.content_quality import FAMILIES

recipe(
    Recipe(
        name="content_quality",
        summary="Three families on classifiers: duplication, abbreviation, upper case; regions without violations.",
        paper="Chan and Keung 2024",
        relations=("tag:content-quality",),
        collectors=lambda: (FamilyMetrics(FAMILIES, tag="content-quality"),),
    )
)
