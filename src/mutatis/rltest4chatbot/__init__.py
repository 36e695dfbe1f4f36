"""RLTest4Chatbot (2022): searches for small edits of a user's words that make a system fail.

A plugin like any other: it imports `mutatis.extending` alone, registers its searches and its recipe when it is
imported, and nothing of the engine imports it.
"""

from mutatis.rltest4chatbot import recipe, searches

__all__ = ["recipe", "searches"]
