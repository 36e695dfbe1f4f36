"""Relations on formats: a value written in a different common notation is still the same value.

The transformations list the notations that they skip as ambiguous. The meaning of a message stays the same, and so must
the answer.
"""

from __future__ import annotations

from functools import partial

from mutatis.relations.soundness import FORMATS
from mutatis.relations.table import CHAT, CLASSIFICATION, DIALOGUE, QA, QUESTION, RETRIEVAL, Row, register

_written = partial(
    Row,
    tasks=(CHAT, DIALOGUE, CLASSIFICATION, QA, RETRIEVAL),
    fields=QUESTION,
    purpose=FORMATS,
    change="form",
    tags=("ours",),
)

# One relation per family of formats, each with its `level`.
register(
    _written("write-thousands"),
    _written("write-times"),
    _written("write-dates"),
    _written("write-currency"),
    _written("write-units", change="unit"),
    _written("equal-quantities", change="unit"),
    _written("group-identifiers"),
    _written("write-names"),
    _written("quantities-in-words"),
)
