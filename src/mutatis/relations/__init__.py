"""The catalogue of relations. The modules of this package contain its rows, grouped by purpose.

A relation consists of a transformation, an output relation and preconditions.
"""

from mutatis.core.registry import load_modules
from mutatis.relations.table import relation

__all__ = ["relation"]

load_modules(__name__)
