"""The built-in sentiment system: TextBlob's lexicon of adjectives, scoring texts from 0 to 1 (positive).

It is a real but weak system that rates words and not sentences. For 66 % of the sentences in SST-2's development set,
its score is on the correct side of 0.5.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Response, System
from mutatis.systems.builtin.language import textblob_function
from mutatis.systems.function import plain_text

VERSION = 1
"""Version number, increased whenever answers change. It is part of the system's identity."""


@dataclass(slots=True, kw_only=True)
class SentimentSystem(System):
    """Rates the sentiment of the text in a conversation."""

    label: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """Type and name of the system, and the versions that its answers depend on."""
        library = importlib.metadata.version("textblob")
        return {"type": "builtin", "name": "sentiment", "version": VERSION, "textblob": library}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Return the ratings with two decimals, or 0.50 if no word of the text is in the lexicon."""
        polarity = textblob_function("polarity")
        scores = ((polarity(plain_text(conversation)) + 1) / 2 for conversation in conversations)
        return [Response(text=f"{score:.2f}") for score in scores]
