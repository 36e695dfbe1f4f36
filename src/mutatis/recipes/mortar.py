"""MORTAR, a method of multi-turn metamorphic testing for dialogue systems, in both versions, with its baseline.

`mortar` uses this library's own judge and context check. `mortar_v2_paper` and `mortar_v1` use those of the papers.
"""

from mutatis.recipes.mortar_metrics import MORTAR, MORTAR_V1, DialogueMetrics, metal
from mutatis.recipes.recipe import Recipe, recipe
from mutatis.relations.metal import PERTURBATIONS, PERTURBATIONS_V1, WORDNET
from mutatis.relations.mortar import V1, V2

METAL, METAL_V1 = metal(*PERTURBATIONS, WORDNET[0]), metal(*PERTURBATIONS_V1, WORDNET[1])

recipe(
    Recipe(
        name="mortar",
        summary="Five dialogue perturbations, MR1-MR4, with the levels of bugs against reference-based testing.",
        paper=V2,
        relations=("tag:mortar", "reference-based"),
        collectors=lambda: (DialogueMetrics("mortar", (MORTAR, METAL)),),
    )
)

# The set-up of the paper as it stands: a language model extracts the knowledge in seven steps ([helper]), the story may
# resolve a question in the papers' lax reading, and there are two verdicts. What stays ours: a refusal in an altered
# context is INVALID, not SATISFIED, and prompts and schemas are our own wording.
recipe(
    Recipe(
        name="mortar_v2_paper",
        summary="The later version as published: knowledge by [helper], two verdicts, MiniLM cosine >= 0.6.",
        paper=V2,
        relations=("tag:mortar", "reference-based"),
        settings={
            "judge": {"measure": "minilm-cosine", "equal": 0.6, "different": 0.6},
            "context": {
                "extractor": "language-model",
                "undecided": "equivalent",
                "adjacency_veto": False,
                "dataset_check": "papers",
                "semantic_check": "papers",
            },
        },
        collectors=lambda: (DialogueMetrics("mortar", (MORTAR, METAL)),),
    )
)

# v1 tags answerability with every item that the gold or extracted rewrite adds (no intersection with the seed's own
# context), lets the story resolve nearly everything, knows no third verdict, and judges by MSS.
recipe(
    Recipe(
        name="mortar_v1",
        summary="The earlier version: all turns, unknown as an expected answer, judged by MSS >= 0.6.",
        paper=V1,
        relations=("tag:mortar-v1", "reference-based"),
        settings={
            "judge": {"measure": "mss", "equal": 0.6, "different": 0.6},
            "context": {
                "undecided": "equivalent",
                "needed": "papers",
                "adjacency_veto": False,
                "dataset_check": "papers",
            },
        },
        collectors=lambda: (DialogueMetrics("mortar_v1", (MORTAR_V1, METAL_V1)),),
    )
)

recipe(
    Recipe(
        name="metal_dialogue",
        summary="METAL's perturbations of single questions inside dialogues: MORTAR's baseline.",
        paper=V2,
        relations=("tag:metal", "reference-based"),
        collectors=lambda: (DialogueMetrics("metal_dialogue", (METAL,)),),
    )
)
