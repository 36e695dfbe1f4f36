"""Relations of formats: a value written in another of the forms that people type is the same value.

The transformations say what they leave alone because it could be read in two ways. What a message *says* stays the
same, so the answer does. Must not know any system.
"""

from __future__ import annotations

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.relations.define import relation
from mutatis.relations.llmorph import CHAT, CLASSIFICATION, DIALOGUE, QA, RETRIEVAL
from mutatis.relations.soundness import FORMATS, standing

TASKS = (CHAT, DIALOGUE, CLASSIFICATION, QA, RETRIEVAL)

NAMES = (
    *("write-thousands", "write-times", "write-dates", "write-currency", "write-units", "equal-quantities"),
    *("group-identifiers", "write-names", "quantities-in-words"),
)
"""One relation per family of formats, each with its `level`."""

for _name in NAMES:
    relation(
        _name,
        tasks=TASKS,
        tags={"ours", *standing(_name, TASKS, FORMATS)},
        variants={QA: (("question",),), RETRIEVAL: (("question",),)},
        turns="each",
    )
