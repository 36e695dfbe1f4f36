"""The catalogue of relations: every module imported here holds rows of the table, one purpose per module.

A relation is transformation + output relation + preconditions. Independent of any system, and of how answers are
obtained.
"""

from mutatis.relations import (
    across,
    calling,
    comparing,
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
    unheard,
    wishing,
    wording,
)
from mutatis.relations.define import relation

__all__ = [
    "across",
    "calling",
    "comparing",
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
    "unheard",
    "wishing",
    "wording",
]
