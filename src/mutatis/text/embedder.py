"""Embeds sentences with all-MiniLM-L6-v2 from an installed package, or with a model from a folder.

Each text is embedded only once, in a single thread.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import metadata
from pathlib import Path

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from mutatis.core import extras
from mutatis.core.folders import hash_folder
from mutatis.text.memory import Pair, remembered
from mutatis.text.sentence_models import PACKAGE, SentenceModel, carried_model, encoder_config, model_in

DIMENSIONS = 384
CACHE_SIZE = 20_000
_LONGEST = 4000  # characters; the model reads 256 word pieces


def embedder_is_installed() -> bool:
    """Return True if the default model can be used. Nothing is imported to find out.

    It needs the `semantic` extra, which includes the package with the model's weights.
    """
    return extras.is_installed("semantic")


def _key(text: str) -> str:
    """Return a text as the model receives it: without lone surrogates, and truncated to the maximum length."""
    return text.strip()[:_LONGEST].encode("utf-8", "replace").decode("utf-8")


class Embedder:
    """A sentence model that caches its embeddings. It is loaded when the first text is embedded.

    Args:
        folder: the model's folder; None for the default model, all-MiniLM-L6-v2.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self.cache: LRUCache[str, NDArray[np.float32]] = LRUCache(CACHE_SIZE)
        self._model: SentenceModel | None = None
        self._begin()
        again = weakref.WeakMethod(self._begin)  # a process that is forked has the object, and not its thread
        os.register_at_fork(after_in_child=lambda: (begin := again()) and begin())

    def _begin(self) -> None:
        self._lock = threading.RLock()
        # One thread for all: each that runs a model keeps a heap of its own, as large as its largest batch.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embedder")

    @cached_property
    def name(self) -> str:
        """The model's name: the package's name with its version, or the folder's name with a hash of its content."""
        if self._folder is not None:
            return f"{self._folder.resolve().name}@{hash_folder(self._folder)}"
        package = PACKAGE.replace("_", "-")
        return f"{package}@{metadata.version(package)}" if embedder_is_installed() else package

    @cached_property
    def numbers(self) -> str:
        """The key for storing results computed from the embeddings: the model's name, and "numpy" or "torch"."""
        ours = self._folder is None or encoder_config(self._folder) is not None
        return f"{self.name} {'numpy' if ours else 'torch'}"

    def load(self) -> SentenceModel:
        """Return the model, loading it on first use.

        Raises:
            MissingExtra: the `semantic` extra is not installed, or `sentence-transformers`, which some models need.
            UsageError: the folder does not contain a model.
        """
        if self._model is None:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
            self._model = carried_model() if self._folder is None else model_in(self._folder)
        return self._model

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of the texts as unit vectors, one row per text. Each distinct text is embedded once.

        Raises:
            MissingExtra: the `semantic` extra is not installed.
        """
        keys = [_key(text) for text in texts]
        with self._lock:
            missing = [key for key in dict.fromkeys(keys) if key not in self.cache]
            fresh: dict[str, NDArray[np.float32]] = {}
            if missing:
                vectors = self._thread.submit(self.load().encode, missing).result()
                fresh = dict(zip(missing, vectors, strict=True))
            rows = [fresh[key] if key in fresh else self.cache[key] for key in keys]
            self.cache.update(fresh)
        return np.stack(rows) if rows else np.zeros((0, DIMENSIONS), dtype=np.float32)

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine similarity of each pair of texts, rounded to 4 digits so that batch sizes cannot change it.

        Results that an earlier run stored are reused (`text.memory`).

        Raises:
            MissingExtra: the `semantic` extra is not installed.
        """
        read = [(_key(first), _key(second)) for first, second in pairs]
        return list(remembered(f"cosine {self.numbers}", read, self._cosines)) if pairs else []

    def _cosines(self, pairs: Sequence[Pair]) -> list[float]:
        distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
        place = {text: row for row, text in enumerate(distinct)}
        vectors = self.embed(distinct)
        left = vectors[[place[a] for a, _ in pairs]]
        right = vectors[[place[b] for _, b in pairs]]
        products = np.einsum("ij,ij->i", left, right)
        return [round(float(value), 4) for value in products]


CARRIED = Embedder()
"""The all-MiniLM-L6-v2 embedder that the whole process shares."""

load = CARRIED.load
embed = CARRIED.embed
cosines = CARRIED.cosines
