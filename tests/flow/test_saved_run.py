"""A run that is over: opened again, found by the commands, repeated for nothing, and without a folder of its own."""

from __future__ import annotations

import asyncio
import copy
import gc
import json
import os
import pickle
import re
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.query import Store
from mutatis.records.labels import Label, write_label
from mutatis.records.scratch import Scratch
from mutatis.testing import ScriptedSystem
from support.loopback import Command

TEXTS = ["a film that was fine", "a dull film", "the best soup in town"]
QUICK = {"noise_floor": 0, "confirm": 1, "shrink": 0}


def shouted() -> ScriptedSystem:
    return ScriptedSystem(lambda asked: "0.1" if asked.fields["text"].isupper() else "0.9", label="shouted")


def run(bot: Any = None, relations: Any = ("upper-case", "add-spaces"), **more: Any) -> mutatis.Run:
    return mutatis.run(bot or shouted(), TEXTS, list(relations), task="sentiment", **{"settings": QUICK, **more})


# Opened again


def test_a_run_that_is_opened_again_is_the_run(tmp_path: Path) -> None:
    made = run(out=tmp_path / "out")
    again = mutatis.read_run(tmp_path / "out")
    assert again == made
    assert list(again.findings) == list(made.findings)
    assert (again.summary, again.metrics, again.folder) == (made.summary, made.metrics, made.folder)
    assert (again.table(), repr(again), again._repr_html_()) == (made.table(), repr(made), made._repr_html_())
    for kind in ("summary", "findings", "verdicts"):
        assert again.frame(kind).equals(made.frame(kind))  # type: ignore[arg-type]
    assert len(again.frame("verdicts")) == 6
    again.plot()
    for ending in ("html", "json", "xml", "csv", "md", "parquet"):
        first, other = (each.save(tmp_path / f"{n}.{ending}") for n, each in enumerate((made, again)))
        assert first.read_bytes() == other.read_bytes(), ending
    assert (tmp_path / "1-verdicts.parquet").is_file()
    assert mutatis.report(again, tmp_path / "r.json").read_bytes() == (tmp_path / "out/report.json").read_bytes()
    with pytest.raises(mutatis.GateFailed, match="upper-case on shouted") as told:
        again.check()
    assert "mutatis show" in told.value.__notes__[0]
    again.check(max_rate=1.0)


def test_it_is_opened_by_all_that_the_commands_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = run(out="one"), run(out="two", relations=["leet"])
    assert mutatis.read_run("one") == mutatis.read_run(Path("one")) == mutatis.read_run("one/report.json") == first
    assert mutatis.read_run("two/store.db") == second
    assert mutatis.read_run("latest").report == second.report
    assert mutatis.read_run("previous").report == first.report
    assert mutatis.read_run(first.report.run.id).report == first.report  # the folder bears another name
    with pytest.raises(mutatis.UsageError, match=f"unknown run '{first.report.run.id}x'; expected one of: latest, one"):
        mutatis.read_run(f"{first.report.run.id}x")


def test_the_folder_of_the_user_is_meant_by_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    done = run(out="~/runs/one", store="~/answers.db")
    assert done.folder == tmp_path / "home/runs/one"
    assert (tmp_path / "home/answers.db").is_file()
    assert mutatis.read_run("~/runs/one") == done
    assert not (tmp_path / "~").exists()


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("nowhere", "no run 'nowhere': there is no such folder or file"),
        ("empty", "empty: no report.json in this folder; expected the --out folder of a finished run"),
        ("latest", "no run yet in"),
        ("broken", "report.json: not JSON"),
        (7, r"read_run got 7; expected the path of the out folder of a run"),
        (None, r"read_run got None; expected the path of the out folder"),
    ],
)
def test_a_folder_that_is_no_run_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Any, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("broken").mkdir()
    Path("broken/report.json").write_text("{")
    with pytest.raises(mutatis.UsageError, match=says) as told:
        mutatis.read_run(folder)
    assert "\n" not in str(told.value)


def test_a_run_of_the_command_is_opened_with_its_gate(command: Command) -> None:
    Path("texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    Path("bot.py").write_text("def answer(text):\n    return '0.1' if text.isupper() else '0.9'\n")
    arguments = ["--system", "bot.py:answer", "--data", "jsonl:texts.jsonl", "--task", "sentiment"]
    assert command("run", *arguments, "--relations", "upper-case", "--max-rate", "1", "--out", "out").code == 0
    opened = mutatis.read_run("out")
    opened.check()
    with pytest.raises(mutatis.GateFailed):
        opened.check(max_rate=0.0)
    assert opened.findings[0].replay == f"mutatis replay out {opened.findings[0].id}"


def test_what_people_said_of_findings_is_there(tmp_path: Path) -> None:
    made = run(out=tmp_path / "out")
    write_label(tmp_path / "out", made.findings[0].id, Label(label="false-alarm", comment="a name"))
    opened = mutatis.read_run(tmp_path / "out")
    assert [finding.label for finding in opened.findings] == ["false alarm: a name", "", ""]
    assert "a name" in opened.save(tmp_path / "page.html").read_text(encoding="utf-8")


def test_opened_runs_and_baselines(tmp_path: Path) -> None:
    run(out=tmp_path / "old")
    run(out=tmp_path / "new", relations=["upper-case", "add-spaces"])
    new = mutatis.read_run(tmp_path / "new")
    new.check(baseline=tmp_path / "old")
    with pytest.raises(mutatis.GateFailed, match="new fault"):
        run(lambda text: "0.9" if text in TEXTS else "0.1", ["leet"]).check(baseline=tmp_path / "old")
    replace(new, baseline=tmp_path / "old").check()
    gated = {**QUICK, "gate": {"baseline": str(tmp_path / "old")}}
    run(out=tmp_path / "gated", settings=gated)
    mutatis.read_run(tmp_path / "gated").check()


# Found by the commands


def test_a_run_from_python_is_found_by_the_commands(command: Command) -> None:
    made = run(out="x")
    run(out="y", relations=["upper-case"])
    listed = command("list", "runs").out.splitlines()
    assert [line.split()[0] for line in listed] == [str(command.folder / name) for name in "yx"]
    assert "shouted: 3 of 6 verdicts violated" in listed[1]
    assert command("show", "previous", made.findings[0].id).code == 0
    assert "3 findings in both runs" in command("compare", "x", "latest").out
    page = command("view", "x", "--file", "--no-browser")
    assert (page.code, page.out.strip()) == (0, "x/report.html")


def test_its_findings_name_no_command_that_asks_again_and_replay_says_why(command: Command) -> None:
    made = run(out="x")
    assert {finding.replay for finding in made.findings} == {None}
    told = command("replay", "x", made.findings[0].id)
    assert told.code == 2
    assert "this run was started from Python" in told.complaint
    assert "names no system" in told.complaint
    assert "--config FILE" in told.complaint


def test_a_run_whose_system_alone_is_named_says_that_its_data_were_objects(command: Command) -> None:
    Path("bot.py").write_text("def answer(text):\n    return '0.1' if text.isupper() else '0.9'\n")
    settings = {**QUICK, "system": {"type": "function", "target": "bot.py:answer"}}
    made = mutatis.run(None, TEXTS, ["upper-case"], task="sentiment", settings=settings, out="x")
    assert made.findings[0].replay is None
    assert "names no data" in command("replay", "x", made.findings[0].id).complaint


def test_a_run_of_settings_alone_is_asked_again_by_a_command(command: Command) -> None:
    Path("texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    Path("bot.py").write_text("def answer(text):\n    return '0.1' if text.isupper() else '0.9'\n")
    settings = {
        **QUICK,
        "system": {"type": "function", "target": "bot.py:answer"},
        "data": {"format": "jsonl", "path": "texts.jsonl", "task": "sentiment"},
    }
    made = mutatis.run(None, None, ["upper-case"], settings=settings, out="x")
    assert made.findings[0].replay == f"mutatis replay x {made.findings[0].id}"
    told = command("replay", "x", made.findings[0].id, "--trust")
    assert (told.code, "VIOLATED" in told.out) == (1, True)


def test_a_folder_where_nothing_can_be_noted_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".mutatis").write_text("in the way")
    assert run(out="x").summary[0].violated == 3
    assert ".mutatis cannot be written" in caplog.text
    assert mutatis.read_run("x").summary[0].violated == 3


def test_each_folder_is_noted_once_and_those_that_are_gone_are_struck_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mutatis.records import runs

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runs, "LONGEST_HISTORY", 3)
    for name in ("a", "b", "a", "b", "c"):
        Path(name).mkdir(exist_ok=True)
        runs.remember(Path(name))
    assert [line.rpartition("/")[2] for line in Path(".mutatis/history").read_text().splitlines()] == ["a", "b", "c"]
    Path("b").rmdir()
    runs.remember(Path("d"))
    assert [line.rpartition("/")[2] for line in Path(".mutatis/history").read_text().splitlines()] == ["a", "c", "d"]


# Repeated


def test_a_repeated_run_with_a_folder_pays_for_nothing(tmp_path: Path) -> None:
    bot = shouted()
    first = run(bot, out=tmp_path / "out")
    assert (tmp_path / "out" / "store.db").is_file()
    paid = bot.count
    again = run(bot, out=tmp_path / "out")
    assert (bot.count, again.report.run.queries.paid) == (paid, 0)
    assert again.summary == first.summary
    offline = run(bot, out=tmp_path / "out", offline=True)
    assert offline.summary == first.summary
    run(bot, out=tmp_path / "out", fresh=True)
    assert bot.count == 2 * paid


def test_a_named_store_wins_and_without_a_folder_answers_are_in_memory(tmp_path: Path) -> None:
    bot = shouted()
    run(bot, out=tmp_path / "out", store=tmp_path / "s.db")
    assert (tmp_path / "s.db").is_file()
    assert not (tmp_path / "out" / "store.db").exists()
    paid = bot.count
    run(bot, store=tmp_path / "s.db")
    assert bot.count == paid
    run(bot)
    run(bot)
    assert bot.count == 3 * paid


def test_an_out_that_is_a_file_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    bot = shouted()
    with pytest.raises(mutatis.UsageError, match=r"out .*taken is a file; expected a folder"):
        run(bot, out=tmp_path / "taken")
    assert bot.count == 0


# Without a folder


@pytest.fixture
def scratches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    return tmp_path / "scratch"


@pytest.mark.usefixtures("garbage_is_new")
def test_verdicts_without_a_folder_live_as_long_as_the_run(scratches: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = run()
        assert made.folder is None
        assert "folder" not in repr(made)
        frame = made.frame("verdicts")
        assert sorted(frame["outcome"]) == ["satisfied"] * 3 + ["violated"] * 3
        [folder] = scratches.iterdir()
        assert [file.name for file in folder.iterdir()] == ["verdicts.jsonl"]
        kept = replace(made, baseline=None)
        del made
        gc.collect()
        assert kept.frame("verdicts").equals(frame)
        del kept
        gc.collect()
    assert list(scratches.iterdir()) == []


@pytest.mark.usefixtures("garbage_is_new")
def test_copies_share_the_verdicts_and_a_pickle_brings_them_along(scratches: Path) -> None:
    made = run()
    frame = made.frame("verdicts")
    copies = [copy.copy(made), copy.deepcopy(made)]
    assert len(list(scratches.iterdir())) == 1
    sent = pickle.dumps(made)
    del made
    gc.collect()
    assert all(copied.frame("verdicts").equals(frame) for copied in copies)
    del copies
    gc.collect()
    assert list(scratches.iterdir()) == []
    received = pickle.loads(sent)
    assert received.frame("verdicts").equals(frame)
    assert received.table() == pickle.loads(sent).table()
    del received
    gc.collect()
    assert list(scratches.iterdir()) == []


def test_a_forked_process_leaves_the_verdicts_alone(scratches: Path) -> None:
    made = Scratch()
    child = os.fork()
    if not child:
        made.remove()
        os._exit(0)
    os.waitpid(child, 0)
    assert made.folder.is_dir()
    made.remove()
    made.remove()
    assert not made.folder.exists()


async def cancelled() -> None:
    """Cancel a run whose first question is on the wire."""
    asked = asyncio.Event()

    async def never(conversation: object) -> str:
        asked.set()
        await asyncio.Event().wait()
        return ""

    running = asyncio.create_task(mutatis.run_async(ScriptedSystem(never), TEXTS, ["leet"], task="sentiment"))
    await asked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_a_run_that_fails_or_is_cancelled_leaves_nothing(scratches: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(event: object) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        run(on_event=stop)
    assert list(scratches.iterdir()) == []

    asyncio.run(cancelled())
    assert list(scratches.iterdir()) == []


def test_a_run_that_fails_keeps_what_is_on_the_wire_and_asks_nothing_more(tmp_path: Path) -> None:
    together = 4
    failed, asked = asyncio.Event(), 0

    async def answer(conversation: object) -> str:
        nonlocal asked
        asked += 1
        if asked == together:
            failed.set()
            raise mutatis.UsageError("this system takes no texts")
        await failed.wait()
        for _ in range(50):
            await asyncio.sleep(0)
        return "0.5"

    texts = [f"film {n} was fine" for n in range(40)]
    with pytest.raises(mutatis.UsageError, match="takes no texts"):
        mutatis.run(
            ScriptedSystem(answer), texts, ["upper-case"], task="sentiment", out=tmp_path / "out",
            settings={"concurrency": together},
        )  # fmt: skip
    assert asked <= together + 1  # the place of the question that failed was taken before anybody knew
    with Store(tmp_path / "out" / "store.db") as store:
        assert len(store) == asked - 1


def test_in_memory_an_interrupt_waits_for_nothing_and_says_what_would_keep_answers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asyncio.run(cancelled())
    assert caplog.messages == ["interrupted; the answers were only in memory; pass a folder (out=...) to keep them"]


# Connections


class Connected(ScriptedSystem):
    """Counts how often it was closed."""

    closed = 0

    async def close(self) -> None:
        self.closed += 1


def test_who_closes_what_was_lent() -> None:
    first, other = Connected({"*": "0.5"}, "one"), Connected({"*": "0.5"}, "other")
    run([first, other])
    assert (first.closed, other.closed) == (1, 1)

    async def awaited() -> None:
        await mutatis.run_async(first, TEXTS, ["leet"], task="sentiment", settings=QUICK)

    asyncio.run(awaited())
    assert first.closed == 1  # the caller's loop goes on, and the caller may ask it again


def test_a_system_that_closes_at_once_is_closed_too() -> None:
    class Plain(ScriptedSystem):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    bot = Plain({"*": "0.5"})
    run(bot)
    assert bot.closed == 1


def test_table_and_notebook_say_why_answers_are_lacking_and_which_findings_are_sound() -> None:
    bot = ScriptedSystem(lambda asked: "-0.4" if "dull" in asked.fields["text"] else "0.9", label="bot")
    ran = run(bot)
    for shown in (ran.table(), ran._repr_html_()):
        assert "scores from -1 to 1?" in shown
    assert re.search("<th[^>]*>sound</th>\\s*<th[^>]*>real</th>", run(shouted())._repr_html_())
    assert "note" not in run(shouted()).table()


def test_several_functions_are_told_apart_by_the_names_of_a_dictionary() -> None:
    both = {"shouting": lambda text: "0.1" if text.isupper() else "0.9", "calm": lambda text: "0.9"}
    ran = run(both)
    assert {row.system: row.violated for row in ran.summary if row.relation == "upper-case"} == {
        "shouting": 3,
        "calm": 0,
    }
    with pytest.raises(mutatis.UsageError, match="'number' is 3; expected a fitted estimator or a function"):
        run({"number": 3})


def test_several_estimators_are_told_apart_by_the_names_of_a_dictionary() -> None:
    from sklearn.dummy import DummyClassifier
    from sklearn.pipeline import make_pipeline

    fitted = [make_pipeline(DummyClassifier()).fit([[text] for text in TEXTS], ["a", "b", "a"]) for _ in range(2)]
    ran = mutatis.run(
        dict(zip(("one", "two"), fitted, strict=True)), TEXTS, ["upper-case"], task="classification", settings=QUICK
    )
    assert {row.system for row in ran.summary} == {"one", "two"}
