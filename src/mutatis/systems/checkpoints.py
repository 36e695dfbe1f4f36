"""A Hugging Face checkpoint in memory: model, tokenizer, and maximum input length.

Transformers and torch are imported only when a checkpoint is loaded.
"""

from __future__ import annotations

import inspect
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError

UNBOUNDED = 1_000_000
"""A token limit that means "no limit". Tokenizers without one report 1e30."""


@dataclass(slots=True, kw_only=True)
class Loaded:
    """Model, tokenizer and the torch module. Answers are computed one at a time, because models are not thread-safe.

    Nor are tokenizers: the padding set by one call affects a call in another thread.

    Attributes:
        longest: number of tokens that the model accepts; `UNBOUNDED` or more if it has no limit.
        takes: names of the model's inputs.
    """

    model: Any
    tokenizer: Any
    torch: Any
    longest: int
    takes: frozenset[str]
    lock: threading.Lock = field(default_factory=threading.Lock)
    reading: threading.Lock = field(default_factory=threading.Lock)

    @property
    def pads(self) -> bool:
        """Whether texts of different lengths can share a batch. GPT-1 has no padding."""
        return self.tokenizer.pad_token_id is not None and self.model.config.pad_token_id is not None

    @property
    def answers_apart(self) -> bool:
        """Whether generated text is separate from the prompt, as with an encoder-decoder (T5)."""
        return bool(getattr(self.model.config, "is_encoder_decoder", False))


def load_pretrained(model_name: str | Path, *, family: str, revision: str | None, device: str) -> Loaded:
    """Load a tokenizer by folder or hub name, and its model with one of transformers' `Auto` classes.

    Raises:
        UsageError: the tokenizer or the model cannot be loaded this way.
    """
    import torch
    import transformers

    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model_name, revision=revision)
        model = getattr(transformers, family).from_pretrained(model_name, revision=revision).to(device).eval()
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split())[:200]
        kind = "text-classification" if family.endswith("Classification") else "text-generation"
        raise UsageError(f"transformers model {str(model_name)!r} cannot be loaded as {kind}: {why}") from None
    takes = frozenset(inspect.signature(model.forward).parameters)
    return Loaded(model=model, tokenizer=tokenizer, torch=torch, longest=longest_of(model, tokenizer), takes=takes)


def longest_of(model: Any, tokenizer: Any) -> int:
    """Return how many tokens a model accepts, from its tokenizer and configuration; `UNBOUNDED` or more for no limit.

    A configuration may write "no limit" as -1 (XLNet), and positions may start after the padding's (RoBERTa: 514
    positions hold 512 tokens).
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions and positions > 0:
        tables = (part for name, part in model.named_modules() if name.endswith("position_embeddings"))
        paddings = (getattr(table, "padding_idx", None) for table in tables)
        positions -= next((padding + 1 for padding in paddings if padding is not None), 0)
    limits = (tokenizer.model_max_length, positions)
    return min((int(limit) for limit in limits if limit and limit > 0), default=UNBOUNDED)
