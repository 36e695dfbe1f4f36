"""Dialogue-state trackers as systems: what a user has asked for so far, as a value per slot.

A tracker answers with one line of JSON (`{"hotel-area": "east"}`) and gives the probabilities of its decisions. What a
tracker needs beyond the core is imported when it is built. Must not know tasks, data formats or relations.
"""

from mutatis.systems.trackers import simpletod, trade

__all__ = ["simpletod", "trade"]
