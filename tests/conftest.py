"""What all tests share: where the real data lies, and systems scripted for a test."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from support.loopback import Command

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # one worker per core: threads of torch would wait for each other

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can say: from support.server import serve

from support.nursery import Interpreter

# Where it is set, every worker and each of the hundreds of processes that tests start compiles the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test looks at the clock: Hypothesis fails what takes long, which a busy machine does. No test hangs on luck:
# the examples are those of every other run, or else a build fails for what nobody changed. Others are drawn by
# `--hypothesis-profile explore`.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("any-clock", settings.get_profile("explore"), derandomize=True, database=None)
settings.load_profile("any-clock")


# The garbage collector would look through all that is imported again and again, half a second each time.
gc.disable()


collect_ignore = ["flow/earlier/desk_parts.py"]
"""A plugin: what it registers when it is imported would stand in every other test."""


def pytest_collection_finish() -> None:
    """Collect garbage from now on, but never look at what was imported."""
    gc.collect()
    gc.freeze()
    gc.enable()


TESTS = Path(__file__).parent
SHARED = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[2] / "shared"))


@pytest.fixture(autouse=True)
def registries_as_before() -> Iterator[None]:
    """What a test registers, or a configuration of its own loads, is forgotten after it."""
    from mutatis.extending import DATASETS, RELATIONS, SEARCHES, SYSTEMS, TASKS, TRANSFORMATIONS
    from mutatis.plugins import load_plugins

    load_plugins(installed=False)  # once per program: what a test loaded would be gone after it
    registries = (DATASETS, RELATIONS, SEARCHES, SYSTEMS, TASKS, TRANSFORMATIONS)
    before = [(registry, dict(registry._things), dict(registry._aliases)) for registry in registries]
    loaded = len(sys.modules)
    yield
    for registry, things, aliases in before:
        registry._things, registry._aliases = things, aliases
    if len(sys.modules) == loaded:  # to look through thousands of names after each of ten thousand tests takes seconds
        return
    for name in [name for name in sys.modules if name.startswith("mutatis_user_")]:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def stores_of_the_test_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test opens by a line of its own is closed after it; what the package opens, the package has to close."""
    from mutatis.query.store import Store

    opened: list[Store] = []
    init = Store.__init__

    def noted(store: Store, path: Path | str | None) -> None:
        init(store, path)
        if Path(sys._getframe(1).f_code.co_filename).is_relative_to(TESTS):
            opened.append(store)

    monkeypatch.setattr(Store, "__init__", noted)
    yield
    for store in opened:
        store.close()


@pytest.fixture(autouse=True)
def nothing_is_remembered_in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of tests that stay in the folder they were started from are not noted in its history."""
    from mutatis.assembly import completion

    remember, started_in = completion.remember, Path.cwd()
    monkeypatch.setattr(completion, "remember", lambda folder: Path.cwd() == started_in or remember(folder))


@pytest.fixture
def garbage_is_new() -> None:
    """What a test collects is its own: to look through all that was there before, all libraries, takes a second."""
    gc.freeze()


@pytest.fixture
def nothing_is_left_unsaid(garbage_is_new: None, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """After every test: the event loop complained of nothing."""
    yield
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """The command line in this process, in an empty folder; a test file may fill it in a fixture of the same name."""
    from support.loopback import Command

    monkeypatch.setattr("mutatis.cli.progress.EVERY", float("inf"))  # how far a run is is told by the clock
    return Command(monkeypatch, capsys, tmp_path)


@pytest.fixture(scope="session")
def interpreter() -> Iterator[Interpreter]:
    """Runs Python commands as processes of their own, without the seconds that big libraries take to be imported."""
    made = Interpreter()
    yield made
    made.close()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real public data; the test is skipped where it is absent."""
    data = SHARED / "data"
    if not data.is_dir():
        pytest.skip("the real data is not here: set MUTATIS_SHARED to the folder that holds data/")
    return data
