"""Checks whether the context of a follow-up turn is as informative as it was in the seed dialogue.

This equivalent-context check only reads inputs (questions, annotated answers, material), never the output of a system.
It therefore runs once per follow-up for all systems under test.
"""

from mutatis.context.check import ContextCheck
from mutatis.context.decisions import ContextDecision, ContextOptions
from mutatis.context.extractors import ContextJudge, Extractor, extractor
from mutatis.context.knowledge import Dialogue, ExtractionFailed

__all__ = [
    "ContextCheck",
    "ContextDecision",
    "ContextJudge",
    "ContextOptions",
    "Dialogue",
    "ExtractionFailed",
    "Extractor",
    "extractor",
]
