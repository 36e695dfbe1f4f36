"""An agent's view of a turn: its words, the dialogue so far, their lengths, and the answer before any edit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.extending import FEATURES
from mutatis.rltest4chatbot.space import Site

BUCKETS = 48
"""Number of dimensions for the hashed words of a turn. The words of the dialogue so far get as many."""

SIZES = 4
DIMENSIONS = 2 * BUCKETS + SIZES + len(FEATURES)
"""Length of an agent's state."""


@cache
def _hashing() -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(n_features=BUCKETS, alternate_sign=True, norm="l2", token_pattern=r"\S+", dtype=np.float32)


def state_rows(sites: Sequence[Site]) -> NDArray[np.float32]:
    """Return one row of numbers from -1 to 1 per turn.

    Features of the answer before any edit are averaged over systems.
    """
    texts = [site.text for site in sites] + [" ".join(site.context) for site in sites]
    words = _hashing().transform(texts).toarray()
    sizes = [_sizes(site) for site in sites]
    shown = [_shown(site) for site in sites]
    return np.hstack([words[: len(sites)], words[len(sites) :], sizes, shown]).astype(np.float32)


def _sizes(site: Site) -> list[float]:
    words, letters = len(site.text.split()), len(site.text)
    return [site.turn / (site.turn + 5), words / (words + 10), letters / (letters + 50), min(1.0, site.tries / 5)]


def _shown(site: Site) -> list[float]:
    if not site.clean:
        return [0.0] * len(FEATURES)
    return np.mean([reading.features for reading in site.clean], axis=0).tolist()  # type: ignore[no-any-return]
