"""RLTest4Chatbot (2022): dialogue-state trackers, and searches for small edits that make any system fail.

It is a plugin like any other: it imports only `mutatis.extending`, registers its task, data formats, measures, systems,
searches and recipe on import, and is never imported by the engine.
"""

from mutatis.rltest4chatbot import dialogues, searches, task, trackers

__all__ = ["dialogues", "searches", "task", "trackers"]
