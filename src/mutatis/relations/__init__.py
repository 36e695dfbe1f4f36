"""The catalogue of relations: every module that is imported here has rows of the table, those of one purpose together.

A relation is transformation + output relation + preconditions. Must not know any system, nor how answers are obtained.
"""

from mutatis.relations import (
    calling,
    content_quality,
    conversing,
    extraction,
    fairness,
    formats,
    grading,
    llmorph,
    logic,
    metal,
    moderation,
    mortar,
    moving,
    output,
    pressing,
    problems,
    reaching,
    robustness,
    safety,
    together,
    wording,
)
from mutatis.relations.define import relation

__all__ = [
    "calling",
    "content_quality",
    "conversing",
    "extraction",
    "fairness",
    "formats",
    "grading",
    "llmorph",
    "logic",
    "metal",
    "moderation",
    "mortar",
    "moving",
    "output",
    "pressing",
    "problems",
    "reaching",
    "relation",
    "robustness",
    "safety",
    "together",
    "wording",
]
