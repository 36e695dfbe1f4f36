"""RLTest4Chatbot (2022): dialogue-state trackers, and searches for small edits that make any system fail.

It is a plugin like any other. It imports only `mutatis.extending` and registers its task, data formats, measures,
systems, searches and recipe on import. The engine imports nothing from it.
"""

from mutatis.rltest4chatbot import dialogues, multiwoz, recipe, searches, state_measures, task, trackers

__all__ = ["dialogues", "multiwoz", "recipe", "searches", "state_measures", "task", "trackers"]
