"""Formats: a value written in another of the forms that people type is the same value.

The transformations say what they leave alone because it could be read in two ways. What a message *says* stays the
same, so the answer does. Must not know any system.
"""

from __future__ import annotations

from mutatis.relations.soundness import FORMATS
from mutatis.relations.table import CHAT, CLASSIFICATION, DIALOGUE, QA, QUESTION, RETRIEVAL, Row, register

FAMILIES = (
    *("write-thousands", "write-times", "write-dates", "write-currency", "write-units", "equal-quantities"),
    *("group-identifiers", "write-names", "quantities-in-words"),
)
"""One relation per family of formats, each with its `level`."""

register(
    Row(family, tasks=(CHAT, DIALOGUE, CLASSIFICATION, QA, RETRIEVAL), fields=QUESTION, purpose=FORMATS, tags=("ours",))
    for family in FAMILIES
)
