"""LLMorph (Cho, Ruberto, Terragni 2025), a published method with 36 single-turn relations on four tasks."""

from mutatis.recipes.label_metrics import LabelMetrics
from mutatis.recipes.recipe import Recipe, recipe
from mutatis.relations.llmorph import LABEL_BASED

# Here the library's own judge decides; `llmorph_paper` has the published one.
recipe(
    Recipe(
        name="llmorph",
        summary="All 36 published relations that fit the task; those made by a language model need [helper].",
        paper="LLMorph (Cho, Ruberto, Terragni 2025)",
        relations=("tag:llmorph", LABEL_BASED),
        collectors=lambda: (LabelMetrics(),),
    )
)

# The paper's text and its code use the two thresholds in opposite ways. This is the text's reading: the same from 0.8
# on, different up to 0.4; the code's is `equal = 0.4`, `different = 0.8`. Its model is on hubs only, so that its folder
# has to be named: the one that a package carries, all-MiniLM-L6-v2, is another. "Stronger" is the paper's, too: at
# least as far from 0.5, without the tolerance that ours has.
recipe(
    Recipe(
        name="llmorph_paper",
        summary="The same, judged as published: cosine of paraphrase-MiniLM-L6-v2 (name its folder), 0.8 and 0.4.",
        paper="LLMorph (Cho, Ruberto, Terragni 2025)",
        relations=("tag:llmorph", LABEL_BASED),
        settings={"judge": {"measure": "minilm-cosine", "equal": 0.8, "different": 0.4}},
        holds={"stronger": "at-least-as-strong"},
        collectors=lambda: (LabelMetrics(),),
        embeddings="paraphrase-MiniLM-L6-v2",
    )
)
