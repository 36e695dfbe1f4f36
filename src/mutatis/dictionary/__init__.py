"""The dictionary of facts that a run learns from its own questions and replies, for use in edits."""

from mutatis.dictionary.learning import LEARNT_BY, enumerations, learn
from mutatis.dictionary.limits import directions_of, limits_of

__all__ = ["LEARNT_BY", "directions_of", "enumerations", "learn", "limits_of"]
