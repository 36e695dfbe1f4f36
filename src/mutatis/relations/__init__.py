"""The catalogue of relations: every module that is imported here fills `RELATIONS`.

A relation is transformation + output relation + preconditions. Must not know any system, nor how answers are obtained.
"""

from mutatis.relations import (
    agents,
    content_quality,
    conversing,
    dialogues,
    extraction,
    formats,
    grading,
    limits,
    literature,
    llmorph,
    metal,
    moderation,
    mortar,
    moving,
    output,
    pressing,
    problems,
    safety,
    speakers,
    states,
    surface,
    turned,
)
from mutatis.relations.define import relation

__all__ = [
    "agents",
    "content_quality",
    "conversing",
    "dialogues",
    "extraction",
    "formats",
    "grading",
    "limits",
    "literature",
    "llmorph",
    "metal",
    "moderation",
    "mortar",
    "moving",
    "output",
    "pressing",
    "problems",
    "relation",
    "safety",
    "speakers",
    "states",
    "surface",
    "turned",
]
