"""A run that is interrupted keeps what is on the wire, whoever started it: a program, a notebook, the command, a test.

The server answers only after the interrupt has come, so that what is on the wire is known to the question.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from mutatis.query import Store
from support.loopback import loopback
from support.nursery import Interpreter, Program
from support.server import Act

CONNECTIONS = 16
"""Questions on the wire at a time, where nobody says otherwise."""

INTERRUPTED = 130

PROGRAM = """
import asyncio, logging, os, signal, sys, threading
from pathlib import Path
import pytest
import mutatis, mutatis.api, mutatis.cli.run, mutatis.reports.html
from mutatis.config import check, read_toml
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored by what a shell starts in the background
TEXTS = [f"film number {n} was fine." for n in range(40)]

def system(url):
    return mutatis.system("openai", model="m", base_url=url)

def as_program(url, options):
    mutatis.run(system(url), TEXTS, ["upper-case"], task="sentiment", **options)

def as_coroutine(url, options):
    asyncio.run(mutatis.run_async(system(url), TEXTS, ["upper-case"], task="sentiment", **options))

def as_cancelled_task(url, options):
    async def cancelled():
        running = asyncio.create_task(
            mutatis.run_async(system(url), TEXTS, ["upper-case"], task="sentiment", **options)
        )
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, running.cancel)
        try:
            await running
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
    asyncio.run(cancelled())

def as_cell(url, options):
    mutatis.api.in_notebook = lambda: True
    async def cell():  # a kernel runs its cells in an event loop, and an interrupt is raised in them
        as_program(url, options)
    asyncio.new_event_loop().run_until_complete(cell())

def as_command(url, options):
    Path("texts.jsonl").write_text("".join('{"text": "%s"}\\n' % text for text in TEXTS))
    Path("my.toml").write_text(
        f'relations = ["upper-case"]\\n[system]\\ntype = "openai"\\nmodel = "m"\\nbase_url = "{url}"\\n'
        '[data]\\ntask = "sentiment"\\nformat = "jsonl"\\npath = "texts.jsonl"\\n'
    )
    mutatis.cli.run.run_command(check(read_toml(Path("my.toml"))), out=Path(options["out"]))

def as_test(url, options, *, marked=""):
    Path("test_bot.py").write_text(f'''
import mutatis, pytest
TEXTS = {TEXTS!r}
{marked}def test_it(metamorphic):
    {"await " * bool(marked)}metamorphic(
        mutatis.system("openai", model="m", base_url={url!r}), TEXTS, ["upper-case"], task="sentiment", **{options!r}
    )
''')
    if pytest.main(["-s", "-p", "no:cacheprovider", "-p", "no:logging", "test_bot.py"]) == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt

def as_async_test(url, options):
    as_test(url, options, marked="@pytest.mark.asyncio\\nasync ")

class Again(logging.Handler):
    def emit(self, record):
        if "waiting for" in record.getMessage():
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

def run(way, folder, url, options, twice=False):
    if twice:
        logging.getLogger("mutatis").addHandler(Again())
    os.chdir(folder)
    sys.path.insert(0, folder)
    file = os.open("shown.txt", os.O_WRONLY | os.O_CREAT)
    os.dup2(file, 1), os.dup2(file, 2)
    try:
        globals()["as_" + way](url, options)
    except KeyboardInterrupt:
        return 130
    return 0
"""


@pytest.fixture
def program(interpreter: Interpreter) -> Program:
    return Program(interpreter, PROGRAM)


WAYS = ["program", "coroutine", "cancelled_task", "cell", "command", "test", "async_test"]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_on_the_wire_is_kept_whoever_runs(program: Program, tmp_path: Path, way: str) -> None:
    options = {"out": "out"}
    with loopback(default=Act(text="0.5", silent=True)) as server:
        shown = tmp_path / "shown.txt"

        def told() -> bool:
            waiting = f"interrupted: waiting for {CONNECTIONS} answers already requested" in shown.read_text()
            return waiting and (server.release() or True)

        try:
            code = program.run(
                killed_when=lambda: server.in_flight == CONNECTIONS, by=signal.SIGINT, meanwhile=told,
                way=way, folder=str(tmp_path), url=server.url, options=options,
            )  # fmt: skip
        finally:
            server.release()
        assert code == INTERRUPTED, shown.read_text()
        [place] = [*tmp_path.glob("**/store.db"), *tmp_path.glob("**/pytest.db")]
        with Store(place) as store:
            assert len(store) == server.requests == CONNECTIONS, shown.read_text()
    assert not list(tmp_path.glob("**/report.json"))


@pytest.mark.parametrize("way", ["program", "coroutine", "cell", "command"])
def test_a_second_interrupt_ends_at_once(program: Program, tmp_path: Path, way: str) -> None:
    with loopback(default=Act(text="0.5", silent=True)) as server:
        try:
            code = program.run(
                killed_when=lambda: server.in_flight == CONNECTIONS, by=signal.SIGINT,
                way=way, folder=str(tmp_path), url=server.url, options={"out": "out"}, twice=True,
            )  # fmt: skip
            assert code == INTERRUPTED, (tmp_path / "shown.txt").read_text()
            with Store(tmp_path / "out" / "store.db") as store:
                assert len(store) == 0
        finally:
            server.release()
