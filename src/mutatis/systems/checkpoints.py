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
"""A token limit that stands for "no limit". Tokenizers without a limit report 1e30."""


@dataclass(slots=True, kw_only=True)
class Loaded:
    """A loaded model with its tokenizer and the torch module. Answers are computed one at a time.

    Neither models nor tokenizers are thread-safe: the padding set by one call affects calls in other threads.

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
        """True if texts of different lengths can share a batch. GPT-1, for example, has no padding token."""
        return self.tokenizer.pad_token_id is not None and self.model.config.pad_token_id is not None

    @property
    def answers_apart(self) -> bool:
        """True if the model returns generated text without the prompt, as encoder-decoders such as T5 do."""
        return bool(getattr(self.model.config, "is_encoder_decoder", False))


def load_pretrained(model_name: str | Path, *, family: str, revision: str | None, device: str) -> Loaded:
    """Load a tokenizer from a folder or the hub, and its model with one of transformers' `Auto` classes.

    Raises:
        UsageError: the tokenizer or the model cannot be loaded in this way.
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
    """Return the number of tokens that a model accepts; `UNBOUNDED` or more if it has no limit.

    The limit comes from the tokenizer and the configuration. A configuration may use -1 for "no limit" (XLNet), and
    some positions may be reserved for padding (RoBERTa has 514 positions but accepts 512 tokens).
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions and positions > 0:
        tables = (part for name, part in model.named_modules() if name.endswith("position_embeddings"))
        paddings = (getattr(table, "padding_idx", None) for table in tables)
        positions -= next((padding + 1 for padding in paddings if padding is not None), 0)
    limits = (tokenizer.model_max_length, positions)
    return min((int(limit) for limit in limits if limit and limit > 0), default=UNBOUNDED)
