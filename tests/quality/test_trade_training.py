"""The training command and its baselines: one command from dialogues to a checkpoint that is a system."""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mutatis.datasets import read, sample
from mutatis.rltest4chatbot.metrics import StateAccuracy
from mutatis.systems import SYSTEMS
from mutatis.transformations.single_edits import fillers
from support.nursery import Interpreter
from support.studies import load_study
from support.tiny_models import make_byte_generator

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "studies" / "rltest4chatbot"


def run(interpreter: Interpreter, script: str, *arguments: object) -> str:
    done = interpreter.run(STUDY / script, *arguments, PYTHONPATH=str(ROOT / "src"), OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_multiwoz22(folder: Path) -> Path:
    """Write the sample as MultiWOZ 2.2 has dialogues: in two files, every service with a frame at each user's turn."""
    lines = [json.loads(line) for line in sample("bookings").read_text(encoding="utf-8").splitlines()]
    services = sorted({slot.partition("-")[0] for line in lines for turn in line["turns"] for slot in turn["state"]})
    dialogues = []
    for number, line in enumerate(lines):
        turns: list[dict[str, Any]] = []
        for turn in line["turns"]:
            frames = []
            for service in services:
                values = {slot: [value] for slot, value in turn["state"].items() if slot.startswith(f"{service}-")}
                state = {"active_intent": "NONE", "requested_slots": [], "slot_values": values}
                frames.append({"actions": [], "service": service, "slots": [], "state": state})
            turns.append({"frames": frames, "speaker": "USER", "utterance": turn["utterance"]})
            turns.append({"frames": [], "speaker": "SYSTEM", "utterance": turn["reply"]})
        numbered = [{**turn, "turn_id": str(place)} for place, turn in enumerate(turns)]
        dialogues.append({"dialogue_id": f"PMUL{number}.json", "services": services, "turns": numbered})
    folder.mkdir()
    for name, part in (("dialogues_001.json", dialogues[:7]), ("dialogues_002.json", dialogues[7:])):
        (folder / name).write_text(json.dumps(part), encoding="utf-8")
    return folder


def test_one_command_trains_saves_and_reports(tmp_path: Path, interpreter: Interpreter) -> None:
    """On MultiWOZ 2.2's form of the sample, whose states are those of the sample."""
    data = as_multiwoz22(tmp_path / "test")
    states = [case.turns for case in read("states", sample("bookings"))]
    assert [[t.expected for t in case.turns] for case in read("multiwoz22", data)] == [
        [t.expected for t in turns] for turns in states
    ]
    options = ["--epochs", 2, "--features", 16, "--batch", 8, "--rate", 1e-2, "--held-out", 0.2]
    files = ("--format", "multiwoz22", "--train", data, "--test", data, "--out", tmp_path)
    printed = run(interpreter, "train_trade.py", *files, *options)
    assert "parameters" in printed
    record = json.loads((tmp_path / "results.json").read_text())
    assert len(record["curve"]) == 2
    assert record["curve"][1]["gate"] < record["curve"][0]["gate"]
    system = SYSTEMS["trade"](model=str(tmp_path))
    parameters = sum(parameter.numel() for parameter in system.tracker.network.parameters())  # type: ignore[attr-defined]
    assert record["parameters"] == parameters
    # By hand, on the 57 turns of the sample: one turn (the first taxi) has no state yet, and in 8 nothing is new.
    figures = record["test"]
    assert figures["always empty"]["joint"] == pytest.approx(1 / 57)
    assert figures["copy the annotated state before"]["joint"] == pytest.approx(sum(unchanged()) / 57)
    assert figures["always empty"]["precision"] == 1.0
    asked = ("--format", "multiwoz22", "--data", data, "--system", f"trade:{tmp_path}")
    evaluated = run(interpreter, "evaluate.py", *asked)
    assert f"joint={figures['trade']['joint']}" in evaluated


def unchanged() -> list[bool]:
    """Whether each turn of the sample leaves the state as it was."""
    same = []
    for line in sample("bookings").read_text(encoding="utf-8").splitlines():
        before: dict[str, str] = {}
        for turn in json.loads(line)["turns"]:
            same.append(turn["state"] == before)
            before = turn["state"]
    return same


def test_of_epochs_that_are_right_as_often_the_one_that_finds_more_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first epochs predict nothing, and are right about turns that are empty: ties kept the first of them."""
    training = load_study(STUDY / "training.py")
    joint_and_f1 = iter([(0.02, 0.0), (0.02, 0.3), (0.02, 0.2), (0.01, 0.9), (0.02, 0.3)])
    told = [dict(zip(("joint", "f1"), pair, strict=True)) for pair in joint_and_f1]
    answers = iter(StateAccuracy(turns=50, slot=0.8, precision=0.5, recall=0.5, **each) for each in told)
    monkeypatch.setattr(training, "accuracy_of", lambda *_: next(answers))
    kept: list[int] = []
    cases = read("states", sample("bookings"), limit=2)
    settings = training.Settings(features=8, epochs=5, batch=4, turns=0.2)

    def keep(tracker: Any) -> None:
        kept.append(len(tracker.training["curve"]))

    examples = training.examples_of(cases)
    training.train(examples, examples, settings, tell=lambda _: None, keep=keep)
    assert kept == [1, 2]


@pytest.mark.parametrize("begins", ["configuration", "model"])
def test_one_command_trains_simpletod_and_reports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], begins: str
) -> None:
    """In this process: another one would import transformers again, which takes five seconds of a core."""
    pytest.importorskip("transformers")
    sizes: list[object] = ["--words", 320, "--features", 16, "--layers", 1, "--heads", 2, "--positions", 400]
    if begins == "model":
        sizes = ["--start", make_byte_generator(tmp_path / "start", positions=1024)]
    data = sample("bookings")
    files = ("--format", "states", "--train", data, "--test", data, "--out", tmp_path / "out", "--device", "cpu")
    few = ("--epochs", 2, "--turns", 0.3, "--batch", 8, "--held-out", 0.1, "--chosen-by", 2, "--tested", 3)
    monkeypatch.setattr("sys.argv", ["train_simpletod.py", *map(str, (*files, *sizes, *few))])
    load_study(STUDY / "train_simpletod.py", "training", "swapping").main()
    assert "turns to learn from, 2 to choose by, 3 of 57 to report on" in capsys.readouterr().out
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    assert [row["epoch"] for row in record["curve"]] == [1, 2]
    assert record["curve"][1]["loss"] < record["curve"][0]["loss"]
    assert record["test"]["turns"] == 3
    assert not (tmp_path / "out" / "epoch").exists()
    system = SYSTEMS["simpletod"](model=str(tmp_path / "out"))
    assert record["parameters"] == sum(parameter.numel() for parameter in system.loaded.model.parameters())  # type: ignore[attr-defined]


def test_values_are_swapped_in_dialogue_and_state_alike() -> None:
    """The same value wherever it stands, whole words alone; what is not said as it is written stays."""
    swapping, training = load_study(STUDY / "swapping.py", "training"), load_study(STUDY / "training.py")
    state = {"hotel-area": "east", "hotel-name": "East Inn", "hotel-internet": "yes", "hotel-stars": "4|four"}
    turns = [("", "In the East, 4 stars, yes"), ("East Inn, east of the Easter market?", "yes")]
    example = training.Example(turns=turns, words=(), state=state, values={})
    other = training.Example(turns=[], words=(), state={"hotel-area": "west", "hotel-name": "the arms"}, values={})
    swapper = swapping.ValueSwapper.of([example, other])
    assert swapper.values == {"hotel-area": ("east", "west"), "hotel-name": ("east inn", "the arms")}
    made = [swapper.swapped(example, Random(seed)) for seed in range(20)]
    assert {(each.state["hotel-area"], each.state["hotel-name"]) for each in made} == {
        *(("east", "east inn"), ("east", "the arms"), ("west", "east inn"), ("west", "the arms")),
    }
    for each in made:
        area, name = each.state["hotel-area"], each.state["hotel-name"]
        assert each.turns == [("", f"In the {area}, 4 stars, yes"), (f"{name}, {area} of the Easter market?", "yes")]
        assert (each.state["hotel-internet"], each.state["hotel-stars"]) == ("yes", "4|four")
    assert swapper.swapped(other, Random(0)) == other


def test_a_tracker_is_packed_with_its_licence_and_checksum(tmp_path: Path) -> None:
    """The same files give the same bytes, whenever and by whomever they were written."""
    pack = load_study(STUDY / "pack.py")
    (tmp_path / "licence").write_text("as is", encoding="utf-8")
    made = []
    for name, files in (("a", ("trade.json", "model.safetensors")), ("b", ("model.safetensors", "trade.json"))):
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text(f"of {file}", encoding="utf-8")
        out = tmp_path / name / "out" / "tracker.tar.gz"
        pack.main([str(tmp_path / name), "--licence", str(tmp_path / "licence"), "--out", str(out)])
        made.append(out)
    assert made[0].read_bytes() == made[1].read_bytes()
    checksum = hashlib.sha256(made[0].read_bytes()).hexdigest()
    assert made[0].with_name("tracker.tar.gz.sha256").read_text() == f"{checksum}  tracker.tar.gz\n"
    with tarfile.open(made[0]) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    unpacked = {file.name: file.read_text() for file in (tmp_path / "unpacked" / "tracker").iterdir()}
    assert unpacked == {
        **{"LICENSE-of-the-data": "as is", "trade.json": "of trade.json"},
        "model.safetensors": "of model.safetensors",
    }


def test_a_masked_model_learnt_from_dialogues_proposes_words_of_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The published insertion of DialTest takes such a model: one command makes the folder that searches name."""
    pytest.importorskip("transformers")
    study = load_study(STUDY / "train_masked.py")
    sizes = "--words 300 --features 32 --layers 1 --epochs 3 --batch 8 --rate 1e-2 --device cpu"
    files = ("--format", "states", "--train", str(sample("bookings")), "--out", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["train_masked.py", *files, *sizes.split()])
    study.main()
    printed = capsys.readouterr().out
    turns = [turn for case in read("states", sample("bookings")) for turn in case.turns]
    said = {text for turn in turns for text in (turn.fields["utterance"], turn.reply) if text}
    learnt, held_out = map(int, re.findall(r"(\d+) texts to learn from, (\d+)", printed)[0])
    assert 0 < held_out < learnt < len(said)
    assert learnt + held_out >= len(said)  # a text that stands in both parts is counted in both
    curve = json.loads((tmp_path / "results.json").read_text())["curve"]
    assert [row["epoch"] for row in curve] == [1, 2, 3]
    assert curve[-1]["loss"] < curve[0]["loss"]
    words = set(re.findall(r"[a-z]+", " ".join(said).lower()))
    proposed = fillers(str(tmp_path), "I need a", " in the north")
    assert proposed
    assert all(any(word.startswith(piece) for word in words) for piece in proposed)  # a piece that begins a word counts
