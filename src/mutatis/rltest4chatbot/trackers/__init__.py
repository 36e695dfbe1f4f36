"""Dialogue-state trackers as systems under test. They return the user's requests so far, as one value per slot.

A tracker answers with a line of JSON (`{"hotel-area": "east"}`) and returns the probabilities of its decisions.
Dependencies beyond the core are imported only when a tracker that needs them is built.
"""

from mutatis.rltest4chatbot.trackers import builtin, simpletod, trade

__all__ = ["builtin", "simpletod", "trade"]
