"""Embeds sentences with all-MiniLM-L6-v2, from a package that carries the model, or with a model in a folder.

Each text is embedded once, in one thread.
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
from mutatis.text.memory import NotRemembered, Pair, is_only_known, remembered
from mutatis.text.sentence_models import PACKAGE, SentenceModel, carried_model, encoder_config, model_in

DIMENSIONS = 384
CACHE_SIZE = 20_000
_LONGEST = 4000  # characters; the model reads 256 word pieces


def embedder_is_installed() -> bool:
    """Return True if the model that ships in a package can be used, without importing anything.

    It needs the `semantic` extra and the package with its weights.
    """
    return extras.is_installed("semantic")


def _key(text: str) -> str:
    """Return the model's input: without lone surrogates, and no longer than the model reads."""
    return text.strip()[:_LONGEST].encode("utf-8", "replace").decode("utf-8")


class Embedder:
    """A sentence model with its embeddings so far (`cache`), loaded once, with the first text.

    Args:
        folder: the model's folder; None means the bundled all-MiniLM-L6-v2.
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
        """The model's name: the package's with its version, or the folder's with a hash of its content."""
        if self._folder is not None:
            return f"{self._folder.resolve().name}@{hash_folder(self._folder)}"
        package = PACKAGE.replace("_", "-")
        return f"{package}@{metadata.version(package)}" if embedder_is_installed() else package

    @cached_property
    def numbers(self) -> str:
        """The key under which numbers from its vectors are stored: its name, and whether numpy or torch computes."""
        ours = self._folder is None or encoder_config(self._folder) is not None
        return f"{self.name} {'numpy' if ours else 'torch'}"

    def load(self) -> SentenceModel:
        """Return the model.

        Raises:
            MissingExtra: the `semantic` extra, or for some models in folders `sentence-transformers`, is not installed.
            UsageError: the folder does not contain a model.
        """
        if self._model is None:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
            self._model = carried_model() if self._folder is None else model_in(self._folder)
        return self._model

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of the texts, one row per text. Each distinct text is embedded only once.

        Raises:
            MissingExtra: the `semantic` extra is not installed.
        """
        keys = [_key(text) for text in texts]
        with self._lock:
            missing = [key for key in dict.fromkeys(keys) if key not in self.cache]
            fresh: dict[str, NDArray[np.float32]] = {}
            if missing:
                if is_only_known():
                    raise NotRemembered
                vectors = self._thread.submit(self.load().encode, missing).result()
                fresh = dict(zip(missing, vectors, strict=True))
            rows = [fresh[key] if key in fresh else self.cache[key] for key in keys]
            self.cache.update(fresh)
        return np.stack(rows) if rows else np.zeros((0, DIMENSIONS), dtype=np.float32)

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine similarity of each pair of texts, rounded to 4 digits so that batches cannot change it.

        Results from an earlier run on the same store are not computed again (`text.memory`).

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
"""The all-MiniLM-L6-v2 embedder, shared by the whole process. `load`, `embed` and `cosines` are its methods."""

load = CARRIED.load
embed = CARRIED.embed
cosines = CARRIED.cosines


def from_folder(folder: Path) -> tuple[str, Embedder]:
    """Return a model in a folder, and its name: the folder's, with a hash of its content.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
        UsageError: the folder does not contain a model.
    """
    made = Embedder(folder)
    made.load()
    return made.name, made
