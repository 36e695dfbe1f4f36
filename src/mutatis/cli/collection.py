"""Tunes garbage collection for the command-line program. A library must not do this to other programs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collection() -> Iterator[None]:
    """Make cyclic garbage collection rare, and exclude from it all objects created so far.

    A run creates many objects but few cycles. Scanning all imported libraries for cycles again and again would reduce
    throughput by a tenth (`benchmarks/throughput.py`).
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
