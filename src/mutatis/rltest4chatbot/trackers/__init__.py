"""Dialogue-state trackers as systems: a user's requests so far, as a value per slot.

A tracker answers with one line of JSON (`{"hotel-area": "east"}`) and gives the probabilities of its decisions. Its
dependencies beyond the core are imported when it is built.
"""

from mutatis.rltest4chatbot.trackers import builtin, simpletod, trade

__all__ = ["builtin", "simpletod", "trade"]
