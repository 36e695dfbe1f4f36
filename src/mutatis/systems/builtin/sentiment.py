"""The built-in sentiment system: TextBlob's lexicon of adjectives, as a number from 0 (negative) to 1 (positive).

A real and weak system: it knows words, not sentences (66 % of SST-2's development sentences on the right side of 0.5).
"""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Response
from mutatis.systems.function import plain_text

VERSION = 1
"""Raised when answers change; part of the identity."""


@dataclass(slots=True, kw_only=True)
class SentimentSystem:
    """Rates the text of a conversation."""

    label: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the versions that the answers depend on."""
        library = importlib.metadata.version("textblob")
        return {"type": "builtin", "name": "sentiment", "version": VERSION, "textblob": library}

    async def ask(self, conversation: Conversation) -> Response:
        """Return a number with two decimals; 0.50 where no word of the text is in the lexicon."""
        return self._answer(conversation)

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Rate many texts."""
        return [self._answer(conversation) for conversation in conversations]

    @staticmethod
    def _answer(conversation: Conversation) -> Response:
        from textblob.en import polarity

        started, asked_at = time.perf_counter(), time.time()
        score = (polarity(plain_text(conversation)) + 1) / 2
        return Response(text=f"{score:.2f}", latency=time.perf_counter() - started, asked_at=asked_at)
