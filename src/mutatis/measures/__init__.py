"""Measures of how far apart two answers are, and judges built from a measure and its thresholds.

Importing the package loads no trained model and no heavy library.
"""

from mutatis.measures import (
    equivalence,
    free,
    helper,
    json_answers,
    refusal,
    repertoire,
    semantic,
    simple,
    tool_calls,
)
from mutatis.measures.catalogue import MEASURES, MeasureFactory, SyncMeasure, default_text_measure, judge, measure

__all__ = [
    "MEASURES",
    "MeasureFactory",
    "SyncMeasure",
    "default_text_measure",
    "equivalence",
    "free",
    "helper",
    "json_answers",
    "judge",
    "measure",
    "refusal",
    "repertoire",
    "semantic",
    "simple",
    "tool_calls",
]
