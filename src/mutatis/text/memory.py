"""Remembers results computed from texts, for this process up to a size in bytes, or for later runs.

A limit on the number of entries would not limit memory, because replies may have ten characters or ten thousand. The
size of an entry is estimated from the length of its texts. For later runs, the caller provides the storage
(`remembering`), so that judging stored answers again needs no model.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from operator import itemgetter
from typing import ParamSpec, Protocol, TypeAlias, TypeVar

from cachetools import LRUCache, cached

Pair: TypeAlias = tuple[str, str]


class Memory(Protocol):
    """Storage for numbers by key. Thread-safe."""

    def recall(self, keys: Sequence[bytes]) -> Mapping[bytes, float]:
        """Return the stored numbers for these keys, by key. Keys without a stored number are left out."""

    def keep(self, numbers: Mapping[bytes, float]) -> None:
        """Store numbers by key, replacing any stored before."""


_MEMORY: ContextVar[Memory | None] = ContextVar("memory", default=None)


@contextmanager
def remembering(memory: Memory | None) -> Iterator[None]:
    """Store numbers in `memory` within this context, including tasks that it starts and threads they wait for."""
    token = _MEMORY.set(memory)
    try:
        yield
    finally:
        _MEMORY.reset(token)


def remembered(
    kind: str, pairs: Sequence[Pair], compute: Callable[[Sequence[Pair]], Sequence[float]]
) -> Sequence[float]:
    """Return one number for each pair of texts. The order of the two texts must not matter.

    Args:
        kind: the quantity and the model that computes it; part of the key.
        pairs: pairs of texts.
        compute: computes the numbers that are not stored yet, once for each pair.
    """
    memory = _MEMORY.get()
    if memory is None:
        return compute(pairs)
    keys = [_key(kind, pair) for pair in pairs]
    known = dict(memory.recall(list(dict.fromkeys(keys))))
    missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
    if missing:
        fresh = dict(zip(missing, compute(list(missing.values())), strict=True))
        memory.keep(fresh)
        known |= fresh
    return [known[key] for key in keys]


def _key(kind: str, pair: Pair) -> bytes:
    parts = (part.encode("utf-8", "surrogatepass") for part in (kind, *sorted(pair)))
    # With lengths, for a text may hold any mark.
    return hashlib.blake2b(b"".join(b"%d:" % len(part) + part for part in parts), digest_size=16).digest()


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
        @cached(LRUCache(size, getsizeof=itemgetter(1)), lock=threading.Lock())
        def with_size(*arguments: Arguments.args, **named: Arguments.kwargs) -> tuple[Result, int]:
            characters = sum(len(argument) for argument in arguments if isinstance(argument, str))
            return function(*arguments, **named), ENTRY + per_character * characters

        @wraps(function)
        def remembered(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
            return with_size(*arguments, **named)[0]

        return remembered

    return keeping
