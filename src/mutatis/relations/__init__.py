"""The catalogue of relations: every module that is imported here fills `RELATIONS`.

A relation is transformation + output relation + preconditions. Must not know any system, nor how answers are obtained.
"""

from mutatis.relations import (
    content_quality,
    dialogues,
    formats,
    grading,
    literature,
    llmorph,
    metal,
    moderation,
    mortar,
    output,
    problems,
    states,
)
from mutatis.relations.define import relation

__all__ = [
    "content_quality",
    "dialogues",
    "formats",
    "grading",
    "literature",
    "llmorph",
    "metal",
    "moderation",
    "mortar",
    "output",
    "problems",
    "relation",
    "states",
]
