"""Turns texts into vectors of their words, for use without a sentence model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mutatis.core.languages import is_english
from mutatis.measures.answer import read
from mutatis.measures.folder_words import content_words

DIMENSIONS = 4096
"""Number of dimensions that word stems are hashed to, so large that two stems in a run rarely share one."""


def vectors_of_words(texts: Sequence[str], language: str = "en") -> NDArray[np.float32]:
    """Return unit vectors of the content words of texts, one row each.

    Texts without common words get orthogonal vectors.
    """
    from sklearn.feature_extraction.text import HashingVectorizer  # half a second, for those alone who judge by words

    hashing = HashingVectorizer(
        analyzer=lambda text: sorted(_content(text, language)), n_features=DIMENSIONS, alternate_sign=False
    )
    return np.asarray(hashing.transform(texts).toarray(), dtype=np.float32)


def _content(text: str, language: str) -> Iterable[str]:
    return read(text).content if is_english(language) else content_words(text, language)
