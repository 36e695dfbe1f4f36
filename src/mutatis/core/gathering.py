"""Groups items by a key."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def gathered(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the items grouped by key, with the keys in order of first appearance.

    >>> gathered(["apple", "bean", "avocado"], lambda word: word[0])
    {'a': ['apple', 'avocado'], 'b': ['bean']}
    """
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
