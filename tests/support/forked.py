"""A call in a forked process, which has the objects of its parent, and none of its threads."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable

PATIENCE = 600.0
"""Seconds before a process that says nothing is called stuck; no test waits for them but one that fails."""


def in_a_fork(call: Callable[[], str]) -> str:
    """Return what a call returns in a forked process; an AssertionError where it never ends."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.write(writing, call().encode())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        assert select.select([reading], [], [], PATIENCE)[0], "the forked process waits for ever"
        return os.read(reading, 10_000).decode()
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
