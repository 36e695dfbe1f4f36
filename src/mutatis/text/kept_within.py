"""Caches results that are computed from texts, up to a total size in bytes.

A limit on the number of entries would not limit memory, because replies may have ten characters or ten thousand. The
size of an entry is estimated from the length of its texts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from operator import itemgetter
from typing import ParamSpec, TypeVar

from cachetools import LRUCache

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

ENTRY = 500
"""Minimum size of a cache entry in bytes: its key, its slot, and the objects of the shortest result."""


def kept_within(
    size: int, *, per_character: int
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Cache the most recently used results of a pure function of texts, up to a total size. Thread-safe.

    Args:
        size: total size in bytes.
        per_character: bytes that a result takes for each character of its texts.

    >>> @kept_within(2000, per_character=10)
    ... def words(text):
    ...     print("reads", text[:9])
    ...     return text.split()
    >>> words("one two") == words("one two")
    reads one two
    True
    >>> words("three " * 50) == words("three " * 50)  # more than may be kept in all
    reads three thr
    reads three thr
    True
    """

    def keeping(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        kept: LRUCache[tuple[object, ...], tuple[Result, int]] = LRUCache(size, getsizeof=itemgetter(1))
        lock = threading.Lock()

        @wraps(function)
        def remembered(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
            key = (*arguments, *named.items())
            with lock:
                entry = kept.get(key)
            if entry is None:
                characters = sum(len(argument) for argument in arguments if isinstance(argument, str))
                entry = function(*arguments, **named), ENTRY + per_character * characters
                with lock:
                    if entry[1] <= size:
                        kept[key] = entry
            return entry[0]

        return remembered

    return keeping
