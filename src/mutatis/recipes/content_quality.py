"""Validating classifiers with relation families (Chan and Keung 2024): the 17 published relations and their numbers.

The paper lower-cases its texts before training and testing: `[data] lower = true` of the format `stackoverflow`. Its
re-labelling rate counts all items; the report gives the rate over the changed ones beside it.
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
