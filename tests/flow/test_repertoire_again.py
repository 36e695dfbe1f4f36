"""What a verdict of the repertoire rested on is kept: whatever is judged again, is judged by that."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mutatis.api import run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.campaign import repertoires
from mutatis.campaign import run as loop
from mutatis.config import Config, check
from mutatis.measures.block_reading import BlockReading
from mutatis.measures.placing import Placing
from mutatis.measures.repertoire import vectors_of_words
from mutatis.query import Store
from mutatis.records.runs import run_folder
from mutatis.text import embedder
from support import stock
from support.loopback import Command, Done


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "embedder_is_installed", lambda: False)  # some tests bring vectors of their own


def run(folder: Path, name: str, *, offline: bool = False, **tables: Any) -> Path:
    conducted(check(stock.write(folder, **tables), folder), folder / name, offline=offline)
    return folder / name


def conducted(config: Config, out: Path, *, offline: bool = False) -> None:
    with Store(out.parent / "store.db") as store:
        asyncio.run(run_campaign(assemble(config, store, offline=offline), folder=run_folder(out)))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    return Command(monkeypatch, capsys, tmp_path)


def shouted(out: Path) -> dict[str, Any]:
    """Return the finding that is planted: shouted at, the bot says of the Nova that it is not there."""
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    [planted] = [
        finding
        for finding in report["findings"]
        if (finding["relation"], finding["source"]["case"]["id"]) == ("upper-case", "shop/Nova")
    ]
    assert isinstance(planted, dict)
    return planted


def last(done: Done) -> str:
    """Return what a replay says in the end, on one line."""
    return " ".join(done.out.split("-> ")[-1].partition("\n")[2].split())


def test_a_replay_gives_the_verdict_of_the_run(command):
    finding = shouted(run(command.folder, "out"))
    assert "worded like replies to other questions, not like its siblings" in finding["reason"]
    done = command("replay", "out", finding["id"], "--trust")
    assert done.code == 1
    assert last(done) == f"VIOLATED, score {finding['score']:.3f}: {finding['reason']}"


def test_a_replay_judges_what_is_said_today_by_what_was_said_then(command):
    finding = shouted(run(command.folder, "out"))
    bot = (command.folder / "bot.py").read_text(encoding="utf-8")
    (command.folder / "bot.py").write_text(bot.replace('product == "Nova"', "False"), encoding="utf-8")
    done = command("replay", "out", finding["id"], "--trust")
    assert done.code == 0
    assert "SATISFIED, score 0.950" in last(done)
    assert "both are among the replies to this question: worded like its siblings" in last(done)


def test_a_replay_without_the_replies_says_so_and_stays_open(command):
    finding = shouted(run(command.folder, "out"))
    (command.folder / "out" / "repertoire.jsonl").unlink()
    done = command("replay", "out", finding["id"], "--trust")
    assert done.code == 3
    assert last(done).startswith("INVALID: the judge cannot tell: it needs all replies of the run, and there is no ")
    bot = (command.folder / "bot.py").read_text(encoding="utf-8")
    (command.folder / "bot.py").write_text(bot + "\n\ndef answer(fields):\n    return 'Yes.'\n", encoding="utf-8")
    assert command("replay", "out", finding["id"], "--trust").code == 0, "the same words are the same without any"


def test_a_replay_of_a_damaged_file_is_one_line(command):
    finding = shouted(run(command.folder, "out"))
    (command.folder / "out" / "repertoire.jsonl").write_text('{"block": 0}\n', encoding="utf-8")
    done = command("replay", "out", finding["id"], "--trust")
    assert done.code == 2
    assert "repertoire.jsonl, line 1: expected a question and its replies" in done.err.splitlines()[-1]


def test_confirm_and_shrink_go_by_the_replies_of_the_run(tmp_path):
    finding = shouted(run(tmp_path, "out", confirm=5, shrink=8))
    assert finding["confirmed"] is True
    assert finding["shrunk"] is None, "what is smaller is not all in capitals, and answered right"
    assert stock.lines(tmp_path / "out") == stock.lines(run(tmp_path, "alone")), "later phases change no verdict"


@pytest.mark.parametrize("mended", [False, True], ids=["in other words", "right the second time"])
def test_confirmed_means_decided_the_same_way_against_the_same_replies_whatever_the_words(tmp_path, mended):
    tables = stock.write(tmp_path, confirm=5)
    bot = (tmp_path / "bot.py").read_text(encoding="utf-8")
    drawn = "draw = len(drawn.read_bytes()) if drawn.exists() else 0"
    assert drawn in bot
    bot = bot.replace(drawn, "draw = ASKED.count(message)\n    ASKED.append(message)") + "\n\nASKED = []\n"
    bot = bot.replace("message.isupper()", "message.isupper() and not draw") if mended else bot
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    conducted(check(tables, tmp_path), tmp_path / "out")
    assert shouted(tmp_path / "out")["confirmed"] is not mended


def test_a_word_alone_that_is_wrong_is_what_is_left_after_shrinking(tmp_path):
    tables = stock.write(tmp_path)
    bot = (tmp_path / "bot.py").read_text(encoding="utf-8").replace("message.isupper()", '"NOVA" in message')
    tables |= {"confirm": 5, "shrink": 16}
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    conducted(check(tables, tmp_path), tmp_path / "out")
    shrunk = shouted(tmp_path / "out")["shrunk"]
    assert shrunk["case"]["turns"][0]["fields"]["message"] == "Do you have the NOVA?"
    assert "worded like replies to other questions, not like its siblings" in shrunk["reason"], (
        "judged by the replies of the run, too"
    )
    assert shrunk["score"] is not None


def test_a_replay_of_a_shrunk_finding_asks_the_pair_as_it_was_found_and_says_so(command):
    tables = stock.write(command.folder) | {"confirm": 5, "shrink": 16}
    bot = (command.folder / "bot.py").read_text(encoding="utf-8").replace("message.isupper()", '"NOVA" in message')
    (command.folder / "bot.py").write_text(bot, encoding="utf-8")
    conducted(check(tables, command.folder), command.folder / "out")
    finding = shouted(command.folder / "out")
    done = command("replay", "out", finding["id"], "--trust")
    assert done.code == 1
    assert "follow-up, as it was found:" in done.out
    assert last(done) == f"VIOLATED, score {finding['score']:.3f}: {finding['reason']}"


def test_offline_gives_the_same_verdicts_and_the_same_repertoire(tmp_path):
    first, again = run(tmp_path, "first"), run(tmp_path, "again", offline=True)
    for name in ("verdicts.jsonl", "repertoire.jsonl"):
        assert (first / name).read_bytes() == (again / name).read_bytes()
    assert json.loads((again / "report.json").read_text(encoding="utf-8"))["run"]["queries"]["paid"] == 0


class Encoder:
    """Stands in for a model of sentences; counts how often each text is given to it."""

    def __init__(self) -> None:
        self.texts: Counter[str] = Counter()

    def encode(self, texts: Sequence[str], **_: Any) -> NDArray[np.float32]:
        """Return a vector of the words of each text."""
        self.texts.update(texts)
        return vectors_of_words(texts)


def test_each_sentence_of_an_answer_is_embedded_once_in_a_run_with_all_its_phases(tmp_path, monkeypatch):
    encoder, model = Encoder(), embedder.Embedder()
    monkeypatch.setattr(model, "load", lambda: encoder)
    monkeypatch.setattr(embedder, "embedder_is_installed", lambda: True)
    monkeypatch.setattr(embedder, "embed", model.embed)
    monkeypatch.setattr(embedder, "cosines", model.cosines)
    shouted(run(tmp_path, "out", noise_floor=6, confirm=5, shrink=8))
    assert len(encoder.texts) > 3
    assert set(encoder.texts.values()) == {1}


def test_no_more_than_one_block_is_in_memory_even_where_no_garbage_is_collected(tmp_path, monkeypatch):
    made: list[weakref.ref[Placing]] = []
    alive: list[int] = []
    begin = Placing.__init__

    def noted(self: Placing, reading: BlockReading) -> None:
        begin(self, reading)
        made.append(weakref.ref(self))
        alive.append(sum(reference() is not None for reference in made))

    monkeypatch.setattr(Placing, "__init__", noted)
    monkeypatch.setattr(loop, "SOURCES", 1)  # a rest of fewer than five joins the block before it
    monkeypatch.setattr(repertoires, "FEWEST", 1)
    gc.disable()  # as the command line does
    try:
        run(tmp_path, "out")
    finally:
        gc.enable()
    assert len(alive) == 6
    assert max(alive) <= 2, "a thread that waits for work may still hold the one before"
