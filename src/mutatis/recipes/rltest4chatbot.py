"""RLTest4Chatbot (2022): learned search for failures of dialogue-state trackers, as the thesis ran it.

The thesis' choices: hybrid attack, all six families, its weaker validity rule, its reward. With the defaults of
`[search] type = "multi-pdqn"` instead, random letters may not replace most of a text, and failures count, not the
smallness of edits (docs/search.md).
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
                **{"reward": "thesis", "protect": "nothing", "proposals": 3000},
            }
        },
    )
)
