"""TRADE as the system under test, loaded from a folder that the training command wrote.

It reads the words of user and service, and answers with a state as JSON.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import pydantic

from mutatis.extending import SYSTEMS, Conversation, ModelName, Options, Response, System, SystemFailure, require
from mutatis.rltest4chatbot.states import state_text
from mutatis.rltest4chatbot.trackers.history import exchanges, in_batches


@dataclass(slots=True, kw_only=True)
class TradeSystem(System):
    """A trained network that tracks dialogue states, one batch at a time.

    Probabilities are rounded to five digits, because padding can change the last digit.
    """

    label: str
    tracker: Any
    revision: str
    batch_size: int
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Type and revision of the tracker. By default, the revision is the hash of the checkpoint."""
        return {"type": "trade", "revision": self.revision}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Return the states of many dialogues, computed in a thread and in batches of similar length."""
        return list(await asyncio.to_thread(self._answers, conversations))

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response]:
        dialogues = dict(enumerate(map(exchanges, conversations)))
        answers = in_batches(dialogues, lambda turns: sum(map(len, chain(*turns))), self.batch_size, self._batch)
        return [answers[place] for place in dialogues]

    def _batch(self, dialogues: Sequence[Sequence[tuple[str, str]]]) -> list[Response]:
        with self.lock:
            tracked = self.tracker.track(dialogues)
        return [Response(text=state_text(state), decisions=decisions) for state, decisions in tracked]


@SYSTEMS.register("trade")
class TradeOptions(Options):
    """Options of a TRADE dialogue-state tracker in a folder written by `studies/rltest4chatbot/train_trade.py`.

    Attributes:
        model: the folder, with `model.safetensors` and `trade.json`.
        batch_size: number of dialogues tracked at a time.
        revision: version of the tracker; by default the hash of its files.
        label: its name in reports.
    """

    model: ModelName
    batch_size: int = pydantic.Field(default=32, ge=1)
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Load the checkpoint and return the system."""
        require("transformers", "a TRADE tracker", "torch", "safetensors")
        from mutatis.rltest4chatbot.trackers.trade_model import checkpoint_hash, load_trade

        folder = Path(self.model)
        tracker = load_trade(folder)
        return TradeSystem(
            label=self.label or f"trade:{folder.resolve().name}",
            tracker=tracker,
            revision=self.revision or checkpoint_hash(folder),
            batch_size=self.batch_size,
        )
