"""Relations of the surface that people send: what comes along with a message, and what keyboards make of it.

They are a set of their own (`tag:surface`) and in no default: on twenty messages they ask 140 questions more, and what
breaks a system here mostly breaks it under the noise of the default sets, too. Must not know any system.
"""

from __future__ import annotations

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.relations.define import relation
from mutatis.relations.llmorph import CLASSIFICATION, QA, RETRIEVAL, SPOKEN
from mutatis.relations.soundness import standing

NAMES = (
    *(
        "add-signature",
        "add-quotation",
        "append-emoji",
        "empty-lines",
        "autocorrect",
        "spoken-marks",
        "switch-language",
    ),
)
_NOISE = frozenset({"autocorrect", "spoken-marks"})

for _name in NAMES:
    _tasks = tuple(task for task in SPOKEN if task != CLASSIFICATION or _name != "add-quotation")
    relation(
        _name,
        tasks=_tasks,
        variants={QA: (("question",),), RETRIEVAL: (("question",),)},
        tags={"ours", "surface", *standing(_name, _tasks, ""), *(("noise",) if _name in _NOISE else ())},
        turns="each",
    )
