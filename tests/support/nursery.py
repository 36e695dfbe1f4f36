"""Processes of their own, forked from one that has loaded what they need: a start costs a fork, not an import.

What must begin with an empty interpreter (what is loaded when, what is registered by whom) starts one of its own.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

PATIENCE = 600
"""Seconds after which a process hangs, however busy the machine is."""

FORKING = """
import json, os, sys, traceback
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = run(**json.loads(line))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""


class Nursery:
    """Runs a Python function in a process of its own, again and again, one at a time.

    `program` is the code that loads what is needed and defines `run(**given) -> int`, which returns the exit code.
    """

    def __init__(self, program: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", program + FORKING],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment},
        )  # fmt: skip
        self._said: queue.Queue[int] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.put(int(line))

    def run(
        self,
        *,
        killed_after: float | None = None,
        killed_when: Callable[[], bool] | None = None,
        by: signal.Signals = signal.SIGKILL,
        meanwhile: Callable[[], bool] | None = None,
        **given: object,
    ) -> int:
        """Run to the end, or kill the process after so many seconds; return its exit code, negative for a signal.

        With `killed_when` it is killed as soon as that holds; `meanwhile` is then called until it holds, or the process
        has ended.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        child = self._said.get(timeout=PATIENCE)
        if killed_when is not None:
            if not self._comes_to(killed_when):
                raise AssertionError(f"the process ended by itself: {self._said.get()}")
            os.kill(child, by)
        if meanwhile is not None:
            self._comes_to(meanwhile)
        try:
            status = self._said.get(timeout=PATIENCE if killed_after is None else killed_after)
        except queue.Empty:
            os.kill(child, by)
            status = self._said.get(timeout=PATIENCE)
        return os.waitstatus_to_exitcode(status)

    def _comes_to(self, holds: Callable[[], bool]) -> bool:
        """Wait until something holds; False where the process ends before."""
        for _ in range(PATIENCE * 100):
            if holds():
                return True
            if not self._said.empty():
                return False
            time.sleep(0.01)
        raise AssertionError("the process hangs")

    def close(self) -> None:
        """End the process that the others are forked from."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE)
        self._listener.join(PATIENCE)
        self._process.stdout.close()
