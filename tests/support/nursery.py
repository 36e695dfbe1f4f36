"""Processes of their own, forked from one that has loaded what they need: a start costs a fork, not an import.

An `Interpreter` has the one `Nursery` of a session: it runs commands as `python` does, and programs that are killed.
What must begin with an empty interpreter (what is loaded when, what is registered by whom) starts one of its own.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 600
"""Seconds after which a process hangs, however busy the machine is."""

FORKING = """
import json, os, sys, traceback
print(os.getpid(), flush=True)
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


WARM_UP = """
import os, tempfile
import aiohttp, mutatis

def warm_up():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        mutatis.run(lambda text: "0.5", ["A fine film."], ["upper-case"], task="sentiment", out="out")
        os.chdir(before)

warm_up()
"""
"""A run to do before forking: models and templates are loaded at first use, which takes a second of processor time."""


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
        self._is_loaded = False

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.put(int(line))
        self._said.put(0)  # it has ended; no process has this number

    def loaded(self) -> None:
        """Wait until all is loaded that is to be: what a run takes from then on is its own."""
        if not self._is_loaded:
            assert self._said.get(timeout=PATIENCE), "the program that is to be forked ended; it said why on stderr"
            self._is_loaded = True

    def run(
        self,
        *,
        killed_after: float | None = None,
        killed_when: Callable[[], bool] | None = None,
        by: signal.Signals = signal.SIGKILL,
        meanwhile: Callable[[], bool] | None = None,
        **request: object,
    ) -> int:
        """Run to the end, or kill the process after so many seconds; return its exit code, negative for a signal.

        With `killed_when` it is killed as soon as that holds; `meanwhile` is then called until it holds, or the process
        has ended.
        """
        self.loaded()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
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


AS_PYTHON = (
    WARM_UP
    + """
import importlib, os, runpy, sys, types
LIBRARIES = (
    "aiohttp", "jinja2", "matplotlib.figure", "pandas", "pydantic", "pytest", "scipy.stats", "sklearn.pipeline",
    "sklearn.linear_model", "sklearn.feature_extraction.text", "torch", "typer",
)
for name in LIBRARIES:
    try:
        importlib.import_module(name)
    except ImportError:  # of an extra that is not installed
        pass
import mutatis.cli.app, mutatis.cli.run

def run(arguments, folder, environment, out, err):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, place in ((1, out), (2, err)):
        if place:
            os.dup2(os.open(place, os.O_WRONLY), stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    kind, *rest = arguments
    known = [place for place in environment.get("PYTHONPATH", "").split(os.pathsep) if place]
    here = os.path.dirname(os.path.abspath(kind)) if kind not in ("-c", "-m") else ("" if kind == "-c" else folder)
    sys.path[:] = [here, *known, *(place for place in sys.path[1:] if place not in known)]
    try:
        if kind == "-c":
            sys.argv = ["-c", *rest[1:]]
            sys.modules["__main__"] = main = types.ModuleType("__main__")
            exec(compile(rest[0], "<string>", "exec"), vars(main))
        elif kind == "-m":
            sys.argv = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = arguments
            runpy.run_path(kind, run_name="__main__")
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
            return 1
        return int(ended.code or 0)
    return 0
"""
)
"""As `python -c CODE`, `python -m MODULE` and `python FILE`, with all libraries loaded and the package used once."""


class Interpreter:
    """Runs Python commands one at a time, each in a process of its own; begins with the first.

    What asks what is loaded when begins with an empty interpreter of its own.
    """

    def __init__(self) -> None:
        self._nursery: Nursery | None = None

    def run(self, *arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `python ARGUMENTS` in a folder to its end, with these variables beside those of this process."""
        with tempfile.TemporaryDirectory() as folder:
            said = [Path(folder, name) for name in ("out", "err")]
            for path in said:
                path.touch()
            code = self.nursery.run(
                arguments=list(map(str, arguments)), folder=str(cwd or Path.cwd()),
                environment={**os.environ, **environment}, out=str(said[0]), err=str(said[1]),
            )  # fmt: skip
            out, err = (path.read_text(encoding="utf-8", errors="replace") for path in said)
        return subprocess.CompletedProcess(list(arguments), code, out, err)

    @property
    def nursery(self) -> Nursery:
        """Return what the processes are forked from; it is started for the first of them."""
        self._nursery = self._nursery or Nursery(AS_PYTHON)
        return self._nursery

    def close(self) -> None:
        """End the process that the others are forked from."""
        if self._nursery is not None:
            self._nursery.close()


class Program:
    """A program that defines `run(**given) -> int`, run again and again, each time in a process of its own."""

    def __init__(self, interpreter: Interpreter, text: str, **environment: str) -> None:
        self._interpreter, self._environment = interpreter, environment
        self._code = f"{text}\nimport json, sys\nsys.exit(run(**json.loads(sys.argv[1])))"

    def run(
        self,
        *,
        killed_after: float | None = None,
        killed_when: Callable[[], bool] | None = None,
        by: signal.Signals = signal.SIGKILL,
        meanwhile: Callable[[], bool] | None = None,
        **options: object,
    ) -> int:
        """Run to the end, or until it is killed, as `Nursery.run` says; return the exit code."""
        return self._interpreter.nursery.run(
            killed_after=killed_after, killed_when=killed_when, by=by, meanwhile=meanwhile,
            arguments=["-c", self._code, json.dumps(options)], folder=str(Path.cwd()),
            environment={**os.environ, **self._environment}, out="", err="",
        )  # fmt: skip
