"""Relations for graders: what must not decide which of two answers is better, and what must.

`paper` names where the bias that a relation looks for was described; the forms are ours. Must not know any system.
"""

from __future__ import annotations

import mutatis.relations.verdicts  # noqa: F401 - adds its output relations
import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.relations.define import relation
from mutatis.relations.soundness import LOGIC, standing

PAIRWISE = "pairwise-judge"
BOTH = {PAIRWISE: (("answer_a", "answer_b"),)}

MT_BENCH = "Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena; form ours"

relation(
    "swap-answers",
    output_relation="swapped",
    tasks=(PAIRWISE,),
    variants=BOTH,
    tags={"ours", *standing("swap-answers", (PAIRWISE,), LOGIC)},
    paper=MT_BENCH,
)
