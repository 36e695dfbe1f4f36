"""Tunes garbage collection for the command line's process. A library must not change it for other programs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collection() -> Iterator[None]:
    """Let the cyclic garbage collector run seldom, and not over objects loaded before.

    A run makes few cycles and many objects. Walking all imported libraries for them again and again costs a tenth of
    the throughput (`benchmarks/throughput.py`).
    """
    if gc.get_freeze_count():  # somebody else looks after it: another run, or the program around us
        yield
        return
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
