"""Relations of dialogue states: slips of typing, scanning and spelling that leave the values of slots alone.

The edits are those of other tasks. Here an edit may destroy a name or a time that the user gave, and another state is
then the right answer, so values that stand in the user's words are protected. A value that the user gave in other words
("free wifi" for internet = yes) is not: three of 240 follow-ups read were unsound for that.
"""

from __future__ import annotations

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step
from mutatis.relations.define import relation
from mutatis.relations.soundness import ROBUSTNESS, standing

STATES = "dialogue-state"

EDITS = (
    *("add-characters", "add-spaces", "delete-characters", "keyboard-typos", "leet", "lower-case", "misspell"),
    *("ocr-noise", "replace-characters", "shuffle-inside-words", "swap-characters", "upper-case"),
)
"""Transformations whose follow-up asks for the same, where it leaves values alone."""

for _name in EDITS:
    relation(
        f"states-{_name}",
        transformations=[Step.of(_name, protect="values")],
        tasks=(STATES,),
        tags={"states", "noise"} | standing(f"states-{_name}", (STATES,), ROBUSTNESS, noise=True),
    )
