"""Prompts of a user in the places of ours: asked by, part of what is stored, refused in one line where broken."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import mutatis.relations
from mutatis.api import run_config
from mutatis.assembly.systems import GuardedHelper
from mutatis.cli.list import list_command
from mutatis.config import check
from mutatis.context import language_model
from mutatis.context.knowledge import Dialogue, ExtractionFailed
from mutatis.core.errors import UsageError
from mutatis.prompting import SHIPPED, replacements
from mutatis.testing import ScriptedHelper

BOT = """
import json


def answer(text):
    return "0.8"


def helper(messages):
    with open(__file__ + ".log", "a") as log:
        log.write(json.dumps(messages[-1]["content"]) + "\\n")
    return json.dumps({"text": "A friendly film."})
"""


def run(folder: Path, **more: Any) -> list[str]:
    """Run a relation that the helper makes and return the prompts that the helper was asked by in this run."""
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    (folder / "cases.jsonl").write_text('{"text": "A warm film."}\n', encoding="utf-8")
    log = folder / "bot.py.log"
    log.unlink(missing_ok=True)
    tables = {
        "system": {"type": "function", "target": "bot.py:answer"},
        "helper": {"type": "function", "target": "bot.py:helper", "input": "messages"},
        "data": {"format": "jsonl", "path": "cases.jsonl", "task": "sentiment"},
        "relations": ["paraphrase"],
        "noise_floor": 0,
    }
    run_config(check({**tables, **more}, folder), store=folder / "store.db", out=folder / "out")
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def test_the_helper_is_asked_by_it_and_another_prompt_is_another_question(tmp_path: Path) -> None:
    prompt = tmp_path / "mine.txt"
    prompt.write_text("Put it plainly.\n---\nin text: It poured.\nout text: It rained a lot.\n", encoding="utf-8")
    [ours] = run(tmp_path)
    [asked] = run(tmp_path, prompts={"paraphrase": "mine.txt"})
    assert asked.startswith("Put it plainly.")
    assert "It rained a lot." in asked
    assert "never an instruction" in asked  # how material is delimited stays ours
    assert not ours.startswith("Put it plainly.")
    assert run(tmp_path, prompts={"paraphrase": "mine.txt"}) == []  # stored
    prompt.write_text("Put it in short words.", encoding="utf-8")
    [again] = run(tmp_path, prompts={"paraphrase": "mine.txt"})
    assert again.startswith("Put it in short words.")
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["run"]["config"]["prompts"] == {"paraphrase": "mine.txt"}


def test_a_helper_of_a_program_is_asked_by_them(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("Put it plainly.", encoding="utf-8")
    helper = ScriptedHelper(lambda prompt: "It poured.")
    prompts = {"prompts": {"paraphrase": str(tmp_path / "mine.txt")}}
    mutatis.run(
        lambda text: "0.8", ["It rained a lot."], ["paraphrase"], task="sentiment", helper=helper, settings=prompts
    )
    assert helper.prompts[0].startswith("Put it plainly.")


async def test_the_steps_of_the_context_check_are_asked_by_them(tmp_path: Path) -> None:
    template = tmp_path / "declarative.txt"
    template.write_text("Say $count things of $dialogue for 5 $$.", encoding="utf-8")
    helper = ScriptedHelper("no data")
    asked = GuardedHelper(helper=helper, replaced=replacements({"declarative": "declarative.txt"}, tmp_path.joinpath))
    dialogue = Dialogue(id="d", questions=("Who?",), answers=("Ada",))
    with pytest.raises(ExtractionFailed):
        await language_model.LanguageModel().extract(dialogue, asked)
    prompt = helper.prompts[0]
    assert prompt.startswith('Say 1 things of {"title"')
    assert prompt.endswith("for 5 $.")


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_a_copy_of_ours_will_do(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(SHIPPED[name].path.read_bytes())
    [made], ours = replacements({name: "copy.txt"}, tmp_path.joinpath).values(), SHIPPED[name].content
    assert getattr(made, "template", made) == getattr(ours, "template", ours)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("paraphrase", None, r"\[prompts\] paraphrase: cannot read the prompt .*own.txt: .*No such file"),
        ("paraphrase", "", r"\[prompts\] paraphrase: .*own.txt is empty"),
        ("paraphrase", "Go.\n---\nfor text: a", r"an example has the line 'for text: a'; expected 'in FIELD: text'"),
        (
            "paraphrase",
            "Go.\n---\nin body: a\nout text: b",
            "an example has in body, out text; expected in text, out text",
        ),
        (
            "paraphrase",
            "Into {{tone}}.",
            r"contains \{\{tone\}\}, which is not a placeholder; the placeholders are: nothing",
        ),
        ("translation", "Translate it.", r"does not contain \{\{language\}\}"),
        ("topic", "What is it about?", r"does not contain \$statements"),
        (
            "topic",
            "$statements $title",
            r"contains \$title, which is not a placeholder; the placeholders are: \$statements",
        ),
        ("topic", "$statements for 5 $", r"a dollar sign is not followed by a name; write \$\$ for a literal"),
        ("paraphrse", "Go.", "unknown helper prompt 'paraphrse'; did you mean 'paraphrase'"),
        ("same", "Go.", r"the prompt of the judge is set by \[judge\] criteria"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, name: str, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / "own.txt").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told) as caught:
        run(tmp_path, prompts={name: "own.txt"})
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "bot.py.log").exists()  # before anything was asked


def test_prompts_need_a_helper(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\[prompts\] only applies if a language model is used; add \[helper\]"):
        run(tmp_path, helper=None, prompts={"paraphrase": "own.txt"}, relations=["upper-case"])


def test_the_command_lists_them_all_with_what_they_must_hold(capsys: pytest.CaptureFixture[str]) -> None:
    list_command("prompts", as_json=False)
    printed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert printed.keys() == SHIPPED.keys()
    for name, prompt in SHIPPED.items():
        listed = re.search(r"\(holds (.*?)\)", printed[name])
        assert set(listed[1].split(", ") if listed else ()) == prompt.slots
