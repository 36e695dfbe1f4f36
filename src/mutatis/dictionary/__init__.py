"""The dictionary that a run learns from its own questions and replies; edits draw from it."""

from mutatis.dictionary.learning import learn
from mutatis.dictionary.limits import limits_of

__all__ = ["learn", "limits_of"]
