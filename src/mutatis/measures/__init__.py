"""Measures of the similarity of two answers, and judges that combine a measure with thresholds.

Importing the package loads no trained model and no heavy library.
"""

from mutatis.core.registry import load_modules
from mutatis.measures.catalogue import MEASURES, MeasureFactory, SyncMeasure, default_text_measure, judge, measure

__all__ = ["MEASURES", "MeasureFactory", "SyncMeasure", "default_text_measure", "judge", "measure"]

load_modules(__name__)
