"""The catalogue of relations. Its modules hold the rows of the table, grouped by purpose.

A relation is transformation + output relation + preconditions.
"""

from mutatis.core.registry import load_modules
from mutatis.relations.define import relation

__all__ = ["relation"]

load_modules(__name__)
