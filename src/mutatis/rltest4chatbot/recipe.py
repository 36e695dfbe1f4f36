"""RLTest4Chatbot (2022): learnt search for failures of dialogue-state trackers, as run in the thesis.

The thesis' choices: dialogues that the tracker gets right at every turn, 80 % to learn from and 20 % to report on
(Table 4.2), hybrid attack, all six families, and only its two bounds. With the defaults of `[search] type =
"multi-pdqn"` instead, a text has to change, random letters may not replace most of it, and one word of a short text may
change (docs/search.md).
"""

from mutatis.extending import RECIPES, Recipe

RECIPES.add(
    "rltest4chatbot",
    Recipe(
        name="rltest4chatbot",
        summary="An agent learns which edits of words and characters make a dialogue-state tracker fail.",
        paper="RLTest4Chatbot 2022",
        relations=(),
        settings={
            "search": {
                **{"type": "multi-pdqn", "combined": 6, "attack": "hybrid", "validity": "thesis"},
                **{"protect": "nothing", "synonyms": "installed"},
                **{"only_right": True, "held_out": 0.2, "proposals": 3000, "tested": 600},
            }
        },
    ),
)
