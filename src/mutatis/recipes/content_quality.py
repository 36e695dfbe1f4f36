"""Tests classifiers with families of relations (Chan and Keung 2024), using the 17 published relations.

The module also computes the numbers of the paper. The paper lower-cases its texts before training and testing. For the
format `stackoverflow`, `[data] lower = true` does the same. The paper's re-labelling rate is relative to all items; the
report also gives the rate relative to the changed items.
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
