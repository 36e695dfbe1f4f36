"""LLMorph (Cho, Ruberto, Terragni 2025): 36 single-turn relations on four tasks."""

from mutatis.recipes.label_metrics import LabelMetrics
from mutatis.recipes.recipe import Recipe, recipe
from mutatis.relations.llmorph import LABEL_BASED

# The paper judges by embeddings with two thresholds; its text and its code use them in opposite ways. Here the
# library's own judge decides; `[judge] measure = "minilm-cosine" equal = 0.8 different = 0.4` is the text's reading.
recipe(
    Recipe(
        name="llmorph",
        summary="All 36 published relations that fit the task; those made by a language model need [helper].",
        paper="LLMorph (Cho, Ruberto, Terragni 2025)",
        relations=("tag:llmorph", LABEL_BASED),
        collectors=lambda: (LabelMetrics(),),
    )
)
