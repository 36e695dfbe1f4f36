"""Relations for reasoning: word problems and multiple-choice questions. Forms ours. Must not know any system."""

from __future__ import annotations

import mutatis.relations.verdicts  # noqa: F401 - adds its output relations
import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.relations.define import relation
from mutatis.relations.soundness import ENOUGH, LOGIC, ROBUSTNESS, WORDING, standing

PROBLEM, CHOICE = "word-problem", "multiple-choice"
OPTIONS = {CHOICE: (("options",),)}
ASKED = {PROBLEM: (("question",),)}
SYMBOLIC = "GSM-Symbolic (Mirzadeh et al. 2024); form ours"
ORDER = "Pezeshkpour and Hruschka 2023, sensitivity to the order of options; form ours"

TABLE = (
    ("recompute-number", "recompute-number", "known-answer", PROBLEM, LOGIC, SYMBOLIC),
    ("idle-number", "idle-number", "equal", PROBLEM, ROBUSTNESS, SYMBOLIC),
    ("ask-first", "ask-first", "equal", PROBLEM, WORDING, "ours"),
    ("swap-facts", "swap-facts", "equal", PROBLEM, ROBUSTNESS, "ours"),
    ("rename-people", "change-names", "equal", PROBLEM, ROBUSTNESS, SYMBOLIC),
    ("euros", "euros", "equal", PROBLEM, WORDING, "ours"),
    ("metric-units", "metric-units", "equal", PROBLEM, WORDING, "ours"),
    ("reverse-options", "reverse-options", "same-choice", CHOICE, ROBUSTNESS, ORDER),
    ("number-options", "number-options", "same-choice", CHOICE, ROBUSTNESS, ORDER),
    ("none-of-them", "none-of-them", "known-answer", CHOICE, LOGIC, "ours"),
)

for _name, _by, _holds, _task, _purpose, _paper in TABLE:
    relation(
        _name,
        transformations=[_by],
        output_relation=_holds,
        tasks=(_task,),
        variants=ASKED if _task == PROBLEM else OPTIONS,
        tags={"ours", "reasoning", *standing(_name, (_task,), _purpose, enough=ENOUGH)},
        paper=_paper,
    )
