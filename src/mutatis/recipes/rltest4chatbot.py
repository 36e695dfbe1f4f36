"""RLTest4Chatbot (2022): learned search for failures of dialogue-state trackers, as the thesis ran it.

The thesis' choices: dialogues that the tracker has right at every turn, 80 % to learn from and 20 % to report on (Table
4.2); hybrid attack, all six families, its two bounds alone, its reward; noise and loss of P-DQN, whose settings it took
over. With the defaults of `[search] type = "multi-pdqn"` instead, random letters may not replace most of a text, one
word of a short text may change, and failures count, not the smallness of edits (docs/search.md).
"""

from mutatis.recipes.recipe import Recipe, recipe

recipe(
    Recipe(
        name="rltest4chatbot",
        summary="An agent learns which edits of words and characters make a dialogue-state tracker fail.",
        paper="RLTest4Chatbot 2022",
        relations=(),
        settings={
            "search": {
                **{"type": "multi-pdqn", "combined": 6, "attack": "hybrid", "validity": "thesis"},
                **{
                    "reward": "thesis",
                    "protect": "nothing",
                    "synonyms": "installed",
                    "noise_kind": "ornstein-uhlenbeck",
                    "loss": "squared",
                },
                **{"only_right": True, "held_out": 0.2, "proposals": 3000, "tested": 600},
            }
        },
    )
)
