"""Relations of the surface that people send: what comes along with a message, and what keyboards make of it.

Must not know any system.
"""

from __future__ import annotations

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.relations.define import relation
from mutatis.relations.llmorph import CLASSIFICATION, QA, RETRIEVAL, SPOKEN
from mutatis.relations.soundness import ROBUSTNESS, standing

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
        tags={"ours", *standing(_name, _tasks, ROBUSTNESS, noise=_name in _NOISE)}
        | ({"noise"} if _name in _NOISE else set()),
        turns="each",
    )
