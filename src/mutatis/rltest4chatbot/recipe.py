"""RLTest4Chatbot (2022): learnt search for failures of dialogue-state trackers, as run in the thesis.

As in the thesis, only dialogues that the tracker gets right at every turn are used, 80 % for learning and 20 % for
testing (Table 4.2). Later turns are asked after either edited or original turns, all six families of edits are used,
and only the two bounds of the thesis apply. The defaults of `[search] type = "multi-pdqn"` are stricter about what
counts as a small edit (docs/search.md).
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
