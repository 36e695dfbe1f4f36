"""RLTest4Chatbot (2022): dialogue-state trackers, and searches for small edits that make them, or any system, fail.

A plugin like any other: it imports `mutatis.extending` alone, registers its task, data formats, measures, systems,
searches and recipe when it is imported, and nothing of the engine imports it.
"""

from mutatis.rltest4chatbot import dialogues, multiwoz, recipe, searches, state_measures, task, trackers

__all__ = ["dialogues", "multiwoz", "recipe", "searches", "state_measures", "task", "trackers"]
