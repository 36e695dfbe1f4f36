"""Which of some mutants, drawn at random, no test notices: `mutants.py NUMBER SEED`; run by mutmut's own Python.

mutmut makes the mutants. It would run the tests of all rooms twice before the first one; here each room's tests run
once, which also tells what calls which function, and each mutant is a fork of that process: it runs the tests that
reach its function, the fastest first, until one fails. What became of a mutant is a line of `mutants/sample.jsonl`;
called again, only those are tried that have none, or survived. An interrupted run goes on where it was.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import random
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import redirect_stdout
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from cachetools import Cache
from mutmut.__main__ import collect_source_file_mutation_data, copy_also_copy_files, copy_src_dir, create_mutants
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.file_utils import setup_source_paths
from mutmut.utils.format_utils import mangled_name_from_mutant_name

ROOMS = {
    "mutatis.analysis.*": ("tests/unit/analysis", "src/mutatis/analysis"),
    "mutatis.context.*": ("tests/unit/context", "src/mutatis/context"),
    "mutatis.measures.*": ("tests/unit/measures", "tests/unit/languages", "src/mutatis/measures"),
    "mutatis.reports.gate.*": ("tests/unit/reports/test_gate.py", "src/mutatis/reports/gate.py"),
    "mutatis.reports.passing.*": ("tests/unit/reports", "src/mutatis/reports/passing.py"),
    "mutatis.rltest4chatbot.*": (
        *("tests/unit/rltest4chatbot", "tests/recipes/test_rltest4chatbot.py", "tests/recipes/test_recounted.py"),
        "tests/interface/test_environment.py",
        "src/mutatis/rltest4chatbot",
    ),
    "mutatis.search.*": ("tests/unit/search", "tests/quality/test_refine.py", "src/mutatis/search"),
    "mutatis_pytest.*": ("tests/interface/test_pytest_plugin.py", "src/mutatis_pytest.py"),
}
"""The rooms that mutants are drawn from, and the tests that should notice them."""

IN_PROCESSES = ("mutatis_pytest.*",)
"""Rooms that tests reach in processes of their own: nobody sees which, so all tests of the room are run."""

KEPT = Path("mutants", "sample.jsonl").absolute()


class Trials:
    """A pytest plugin: runs the tests once to see what they reach, then a fork of itself for each mutant."""

    def __init__(self, names: list[str], *, every: bool) -> None:
        self.names, self.every = names, every
        self.seconds: dict[Any, float] = {}
        self.forgetting: list[Callable[[], object]] = []
        self.names_of: dict[Any, dict[str, Any]] = {}
        self.failed = False

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out the examples of a docstring that stand in the mutants, too; keep the names that the others use."""
        items[:] = [item for item in items if "__mutmut_" not in item.name or item.name.endswith("__mutmut_orig")]
        # a run of examples empties these, and without them a second run fails whatever the code does
        self.names_of = {item: dict(item.dtest.globs) for item in items if hasattr(item, "dtest")}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests as they are, then the mutants."""
        reached = defaultdict(set)
        for item in session.items:
            began, self.failed = time.process_time(), False
            # a process of a test has no configuration of mutmut, without which it cannot note what it calls
            set_mutant_under_test("" if self.every else "stats")
            state()._stats.clear()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                print("left out, for it fails without any change:", item.nodeid, file=sys.stderr)
                continue
            self.seconds[item] = time.process_time() - began
            for function in state()._stats:
                reached[function].add(item)
        gc.unfreeze()  # the tests freeze what they import, and what is frozen is not listed
        kept = gc.get_objects()
        self.forgetting = [each.cache_clear for each in kept if type(each) is functools._lru_cache_wrapper]
        self.forgetting += [each.clear for each in kept if issubclass(type(each), Cache)]
        for number, name in enumerate(self.names):
            items = self.seconds.keys() if self.every else reached[mangled_name_from_mutant_name(name)]
            said = self.tried(name, sorted(items, key=lambda item: self.seconds[item]))
            with KEPT.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"mutant": name, **said}) + "\n")
            done = f"{number + 1}/{len(self.names)}"
            print(done, said["status"], name, said.get("by", ""), file=sys.stderr, flush=True)
        return True

    def tried(self, name: str, items: list[Any]) -> dict[str, Any]:
        """Return what became of a mutant; one that takes three times as long as its tests is noticed, too."""
        if not items:
            return {"status": "no tests"}
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            os.close(reading)
            seconds = int(3 * sum(self.seconds[item] for item in items)) + 10
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            signal.alarm(100 * seconds)  # one that waits for ever uses no processor
            for forget in self.forgetting:  # what the tests remembered, they remember of the code without the change
                forget()
            set_mutant_under_test(name)
            self.failed = False
            for item in items:
                if item in self.names_of:
                    item.dtest.globs.update(self.names_of[item])
                item._initrequest() if hasattr(item, "_initrequest") else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                if self.failed:
                    os.write(writing, item.nodeid.encode())
                    os._exit(1)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            by = pipe.read().decode()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 0:
            return {"status": "survived", "tests": len(items)}
        return {"status": "killed", "by": by or f"exit {status}"}


def made() -> list[str]:
    """Return the names of all mutants of the rooms, made where they are not made yet."""
    with redirect_stdout(sys.stderr):
        set_mutant_under_test("mutant_generation")
        Path("mutants").mkdir(exist_ok=True)
        copy_src_dir()
        copy_also_copy_files()
        create_mutants(1)
        mutants, _ = collect_source_file_mutation_data(mutant_names=())
    return sorted(name for _, name, _ in mutants if any(fnmatch(name, room) for room in ROOMS))


def said() -> dict[str, str]:
    """Return what became of the mutants that were tried, the last time that each was."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else ()
    return {told["mutant"]: told["status"] for told in map(json.loads, lines)}


def main(number: int, seed: int) -> int:
    """Try `number` mutants; return how many no test noticed."""
    import pytest

    names = made()
    sample = random.Random(seed).sample(names, min(number, len(names)))
    earlier = said()
    left = sorted(name for name in sample if earlier.get(name) != "killed")
    setup_source_paths()
    os.environ.setdefault("MUTATIS_SHARED", str(Path("..", "shared").absolute()))
    os.chdir("mutants")
    os.environ["PYTHONPATH"] = str(Path("src").absolute())
    for room, tests in ROOMS.items():
        chosen = [name for name in left if fnmatch(name, room)]
        if chosen and (child := os.fork()) == 0:  # what one room loads is not another's
            os.dup2(os.open("pytest.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
            plugin = Trials(chosen, every=room in IN_PROCESSES)
            options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
            os._exit(int(pytest.main([*options, *tests], plugins=[plugin])))
        if chosen:
            os.waitpid(child, 0)
    now = said()
    unnoticed = sorted(name for name in sample if now.get(name, "killed") != "killed")
    untried = sum(name not in now for name in sample)
    counts = f"noticed: {len(sample) - untried - len(unnoticed)}, not tried: {untried} (see mutants/pytest.log)"
    print(f"{len(sample)} of {len(names)} mutants; {counts}")
    print("not noticed:", *unnoticed, sep="\n")
    return len(unnoticed)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
