"""Pytest plugin: the fixture `metamorphic` runs a campaign inside a test. Heavy imports wait until it is used.

    def test_my_bot(metamorphic):
        metamorphic(my_bot, ["A text.", "Another."], ["upper-case"], task="sentiment").check(max_rate=0.05)

    @pytest.mark.metamorphic("tag:robustness", task="sentiment")  # one test per relation
    def test_each(metamorphic, relation):
        metamorphic(my_bot, ["A text.", "Another."]).check()

In an async test, await the call. Answers are kept in `.mutatis/pytest.db` (--mutatis-store), so that an unchanged
system is not paid for twice. Each run leaves a report in `.mutatis/pytest/` (--mutatis-out). With --mutatis-baseline
DIR, findings listed in `DIR/TEST.json` do not fail a test; --mutatis-update-baseline writes these files.
"""

from __future__ import annotations

import asyncio
import dataclasses
import math
import re
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mutatis import Run

__tracebackhide__ = True
"""Hides the frames of this module in pytest's output, because a failure belongs to the test."""

BEGAN = pytest.StashKey[float]()
"""Start time of the session. An answer that one test asked for counts as new for all of its tests."""

MARK = "metamorphic(*relations, task): one test per relation (argument `relation`); default: the sets of the task."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's options."""
    group = parser.getgroup("mutatis")
    group.addoption("--mutatis-store", default=".mutatis/pytest.db", help="where answers are kept (%(default)s)")
    group.addoption("--mutatis-out", default=".mutatis/pytest", help="folder of the reports (%(default)s)")
    group.addoption("--mutatis-baseline", metavar="DIR", help="folder of known findings, one file per test")
    group.addoption("--mutatis-update-baseline", action="store_true", help="write the findings as known")
    parser.addini("mutatis_baseline", "folder of known findings, from the root folder; see --mutatis-baseline")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and record when the session began."""
    config.addinivalue_line("markers", MARK)
    config.stash[BEGAN] = time.time()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Create one test per relation for a marked test, or a single failing test if the mark names unknown relations."""
    mark = metafunc.definition.get_closest_marker("metamorphic")
    if mark is None or "relation" not in metafunc.fixturenames:
        return
    chosen = _relations_of(mark)
    if isinstance(chosen, _Wrong):  # an error of the collection would stop all other tests, too
        metafunc.parametrize("relation", [pytest.param(chosen, id="mark")])
    else:
        metafunc.parametrize("relation", chosen)


def _relations_of(mark: pytest.Mark) -> list[str] | _Wrong:
    """Return the names of the relations that a mark selects, or the reason why the mark is wrong."""
    from mutatis.assembly.relations import Chooser, default_sets
    from mutatis.config import Config
    from mutatis.core.errors import MutatisError, unknown_name
    from mutatis.plugins import load_plugins

    load_plugins()  # a mark may name their relations, as a call of the fixture may
    task = mark.kwargs.get("task", TASK)
    chooser = Chooser(config=Config(), has_helper=False, notes=[])
    try:
        if unknown := sorted(mark.kwargs.keys() - {"task"}):
            raise unknown_name("argument", unknown[0], ["task"])
        chosen = chooser.choose(mark.args or default_sets(), [task])
    except MutatisError as error:
        return _Wrong(error)
    wrong = "; ".join(note for note in chooser.notes if note.startswith("relation "))
    return _Wrong(wrong) if wrong else [relation.name for relation in chosen[task]]


class _Wrong(str):
    """Stands in for the relation if a mark is wrong; its text is the reason."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Fail a test with a wrong mark before it is called."""
    marked = any(mark.name == "metamorphic" for mark in pyfuncitem.own_markers)
    if marked and "metamorphic" in pyfuncitem.fixturenames and "relation" not in pyfuncitem.fixturenames:
        advice = "makes one test per relation; add the argument: def test(metamorphic, relation)"
        pytest.fail(f"the mark metamorphic of {pyfuncitem.originalname} {advice}", pytrace=False)
    callspec = getattr(pyfuncitem, "callspec", None)
    if callspec is not None and isinstance(why := callspec.params.get("relation"), _Wrong):
        pytest.fail(f"the mark metamorphic of {pyfuncitem.originalname}: {why}", pytrace=False)


TASK = "chat"
"""Default task of a mark: the task of plain texts, as in `mutatis.run`."""


@pytest.fixture
def metamorphic(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Return a function like `mutatis.run` that stores answers, writes a report and uses the test's baseline.

    By default, the relations come from the test's mark, or else from the default sets of the task. In a running event
    loop, the function returns an awaitable.
    """
    return _Campaigns(request)


class _Campaigns:
    """The runs of one test."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request, self._runs = request, 0
        self._mark = request.node.get_closest_marker("metamorphic")
        callspec = getattr(request.node, "callspec", None)
        self._relation: str | None = callspec and callspec.params.get("relation")

    def __call__(self, system: Any, cases: Any, relations: Any = None, **options: Any) -> Any:
        """Run a campaign; see `mutatis.run`."""
        import mutatis

        self._runs += 1
        name = _file_name(self._request.node.nodeid) + (f"-{self._runs}" if self._runs > 1 else "")
        options.setdefault("store", self._request.config.getoption("--mutatis-store"))
        options.setdefault("out", Path(self._request.config.getoption("--mutatis-out")) / name)
        if self._mark is not None and self._relation is not None:
            options.setdefault("task", self._mark.kwargs.get("task", TASK))
        if relations is None and self._mark is not None and self._relation is not None:
            relations = [self._relation]
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._reported(_without_our_frames(lambda: mutatis.run(system, cases, relations, **options)), name)
        return self._awaited(system, cases, relations, options, name)

    async def _awaited(self, system: Any, cases: Any, relations: Any, options: dict[str, Any], name: str) -> Run:
        import mutatis
        from mutatis.assembly.completion import closed_after

        try:
            finished = await closed_after(mutatis.run_async(system, cases, relations, **options), system)
        except mutatis.MutatisError as error:
            raise error.with_traceback(None) from None
        return self._reported(finished, name)

    def _reported(self, run: Run, name: str) -> Run:
        """Add the run to the test's report, update the baseline if requested, and return the run with its baseline."""
        where = f"report: {run.folder}/report.html\n" if run.folder else ""
        self._request.node.add_report_section("call", "mutatis", run.table() + where)
        known = self._baseline(name)
        if known is not None and self._request.config.getoption("--mutatis-update-baseline"):
            from mutatis.records.baseline import baseline_of, write_baseline

            write_baseline(baseline_of(run.report), known)
        rows = run.summary
        if self._is_chosen_by_tag() and rows and not any(row.judged or row.error for row in rows):
            why = "".join(f", {check.reason}" for check in run.report.health if check.name == "language")
            pytest.skip(f"{self._relation} judges none of these cases: {sum(row.invalid for row in rows)} INVALID{why}")
        if known is not None and known.is_file():
            run = dataclasses.replace(run, baseline=known)
        return dataclasses.replace(run, max_age=f"{self._since_the_session_began(run)}s")

    def _since_the_session_began(self, run: Run) -> int:
        """Return the seconds between session start and run, plus a margin, because reports use whole seconds."""
        started = datetime.fromisoformat(run.report.run.started).timestamp()
        return max(0, math.ceil(started - self._request.config.stash[BEGAN])) + 1

    def _is_chosen_by_tag(self) -> bool:
        return self._mark is not None and self._relation is not None and self._relation not in self._mark.args

    def _baseline(self, name: str) -> Path | None:
        config = self._request.config
        if baseline := config.getoption("--mutatis-baseline"):
            return Path(config.invocation_params.dir, baseline, f"{name}.json")
        written = config.getini("mutatis_baseline")
        if not written and config.getoption("--mutatis-update-baseline"):
            raise pytest.UsageError("--mutatis-update-baseline needs a folder: --mutatis-baseline DIR")
        return Path(config.rootpath, written, f"{name}.json") if written else None


def _without_our_frames(call: Callable[[], Run]) -> Run:
    """Return the result of a call. Errors are raised without the plugin's frames, as errors in the test."""
    import mutatis

    try:
        return call()
    except mutatis.MutatisError as error:
        raise error.with_traceback(None) from None


def _file_name(test: str) -> str:
    """Return a file name for a test: its id without characters that file systems reject.

    >>> _file_name("tests/test_bot.py::TestBot::test_each[upper-case]")
    'tests.test_bot.TestBot.test_each-upper-case'
    """
    return re.sub(r"[^\w.]+", "-", test.replace(".py::", ".").replace("::", ".").replace("/", ".")).strip("-.")
