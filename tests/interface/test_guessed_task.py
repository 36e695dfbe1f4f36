"""A file without labels that goes to an address is a chatbot's messages, and what was guessed is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mutatis.cli.app import app
from mutatis.cli.run import guess_task, tables
from mutatis.core.errors import UsageError
from mutatis.datasets import DATASETS

BOT = "http://127.0.0.1:8000/chat"
MODEL = "openai:gpt"


def made(folder: Path, content: str, name: str = "q.csv") -> str:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return str(path)


def data_of(named: str, system: str, *, task: str | None = None, assignments: tuple[str, ...] = ()) -> dict[str, Any]:
    config, _ = tables(None, system=system, data=named, values={"task": task}, assignments=list(assignments))
    told = guess_task(config)
    return {**config["data"], "told": told}


CHAT = {
    "question": "question\nWhere is my order?\n",
    "message": "message,topic\nWhere is my order?,x\n",
    "one column": "Frage\nWhere is my order?\n",
    "question and answer": "id,question,answer\n1,Where is my order?,On its way.\n",
    "spelt large": "Text,shop\nWhere is my order?,x\n",
}


@pytest.mark.parametrize("content", CHAT.values(), ids=CHAT)
def test_a_file_without_labels_for_an_address_is_messages(content, tmp_path):
    data = data_of(made(tmp_path, content), BOT)
    told = data.pop("told")
    [case] = DATASETS[data.pop("format")].read(data.pop("path"), data)
    assert (case.task, case.turns[0].fields) == ("chat", {"message": "Where is my order?"})
    column = data["fields"]["message"]
    assert told == f'task chat (guessed from q.csv; --task ... for another), message = column "{column}"'


@pytest.mark.parametrize(
    ("name", "content"),
    [("q.tsv", "id\tquestion\n7\tWhere?\n"), ("q.jsonl", '{"id": "7", "question": "Where?"}\n')],
)
def test_other_endings_are_read_alike(name, content, tmp_path):
    data = data_of(made(tmp_path, content, name), BOT)
    assert (data["task"], data["fields"]) == ("chat", {"message": "question"})


LEFT = {
    "labels": ("text,label\nfine,good\n", BOT, None, ()),
    "expected": ("text,Expected\nfine,good\n", BOT, None, ()),
    "answers without a question": ("text,answer\nfine,good\n", BOT, None, ()),
    "a task": ("question\nWhere?\n", BOT, "classification", ()),
    "classes": ("question\nWhere?\n", BOT, None, ('data.labels=["a","b"]',)),
    "another mapping": ("question\nWhere?\n", BOT, None, ("data.fields.text=question",)),
    "a malformed delimiter": ("question\nWhere?\n", BOT, None, ("data.delimiter=ab",)),
}


@pytest.mark.parametrize(("content", "system", "task", "assignments"), LEFT.values(), ids=LEFT)
def test_what_is_said_or_labelled_is_left_alone(content, system, task, assignments, tmp_path):
    data = data_of(made(tmp_path, content), system, task=task, assignments=assignments)
    assert (data.get("task"), data["told"]) == (task, None)
    assert "message" not in data.get("fields", {})


@pytest.mark.parametrize(
    ("content", "name", "note"),
    [
        ("question\nWhere?\n", "q.csv", '; --task ... for another), text = column "question"'),
        (
            '{"question": "Where?", "passages": "Here."}\n',
            "q.jsonl",
            "; --task retrieval-qa for another), of all",
        ),
        ("text\nWhere?\n", "q.csv", None),
    ],
)
def test_a_note_names_the_columns_to_classify_and_the_task_that_has_them(content, name, note, tmp_path):
    data = data_of(made(tmp_path, content, name), MODEL)
    assert data.get("task") is None
    assert data["told"] == note or note in data["told"]


def test_columns_that_are_all_changed_are_told_and_what_a_built_in_system_does_is_its_task(tmp_path):
    file = made(tmp_path, "a,b\nIt was fine,It was not\n")
    data = data_of(file, MODEL)
    assert data.get("task") is None
    assert data["told"].endswith(
        "task classification (nothing says otherwise; --task ... for another), of all these columns: a, b"
    )
    assert data_of(file, "builtin:sentiment")["task"] == "sentiment"
    assert data_of(file, "builtin:reader")["task"] == "question-answering"
    assert data_of(file, "builtin:sentiment", task="classification")["task"] == "classification"


def test_a_column_message_is_one_for_whoever_is_asked(tmp_path):
    assert data_of(made(tmp_path, "message\nWhere?\n"), MODEL)["task"] == "chat"


def test_columns_that_tell_nothing_are_asked_for_by_their_names(tmp_path):
    file = made(tmp_path, "foo,bar\nWhere?,x\n")
    with pytest.raises(
        UsageError, match=r"which column contains the message: foo, bar; .* --set data\.fields\.message=foo"
    ):
        data_of(file, BOT)
    mapped = data_of(file, BOT, assignments=("data.fields.message=bar",))
    assert (mapped["task"], mapped["fields"]) == ("chat", {"message": "bar"})


def test_columns_of_a_task_of_several_fields_name_it(tmp_path):
    with pytest.raises(UsageError, match=r"data\.fields\.message=question.* --task "):
        data_of(made(tmp_path, "context,question\nIt rains.,Does it?\n"), BOT)


def test_the_plan_says_what_was_guessed(tmp_path):
    file = made(tmp_path, CHAT["question"])
    shown = CliRunner().invoke(app, ["run", "--system", BOT, "--data", file, "--plan", "--out", str(tmp_path / "out")])
    assert shown.exit_code == 0
    assert 'note: task chat (guessed from q.csv; --task ... for another), message = column "question"' in shown.output


TOOL = '{"name": "look_up", "parameters": {"type": "object", "properties": {"day": {"type": "string"}}}}'


@pytest.mark.parametrize("column", ["message", "question", "Prompt", "mesage"])
@pytest.mark.parametrize("system", [BOT, MODEL])
def test_a_file_whose_records_bring_tools_is_an_agents(column, system, tmp_path):
    path = made(tmp_path, f'{{"{column}": "What is on Friday?", "tools": [{TOOL}]}}\n', "q.jsonl")
    data = data_of(path, system)
    told = data.pop("told")
    [case] = DATASETS[data.pop("format")].read(data.pop("path"), data)
    assert (case.task, case.turns[0].fields) == ("tool-call", {"message": "What is on Friday?"})
    assert "tools" in case.material
    assert told == f'task tool-call (the file brings tools; --task ... for another), message = column "{column}"'


def test_records_with_tools_and_no_clear_message_ask_for_the_column(tmp_path):
    path = made(tmp_path, f'{{"asked": "Where?", "place": "Leeds", "tools": [{TOOL}]}}\n', "q.jsonl")
    with pytest.raises(UsageError, match=r"unclear which column contains the message: asked, place; .*message=asked"):
        data_of(path, MODEL)


def test_a_column_of_ones_own_that_is_called_tools_makes_no_agent(tmp_path):
    data = data_of(made(tmp_path, '{"message": "Which saw?", "tools": "hammer, saw"}\n', "q.jsonl"), BOT)
    assert data["task"] == "chat"


DIALOGUES = {
    '{"turns": ["Hi.", "Where is it?"]}': ("chat", "message"),
    '{"turns": [{"message": "Where is it?"}]}': ("chat", "message"),
    '{"turns": [{"question": "Where is it?"}]}': ("dialogue", "question"),
    f'{{"turns": [{{"message": "What is on Friday?"}}], "tools": [{TOOL}]}}': ("tool-call", "message"),
    f'{{"turns": ["What is on Friday?"], "tools": [{TOOL}]}}': ("tool-call", "message"),
}


@pytest.mark.parametrize(("content", "expected"), DIALOGUES.items(), ids=range(len(DIALOGUES)))
def test_dialogues_are_read_in_the_task_of_their_turns(content, expected, tmp_path):
    data = data_of(made(tmp_path, content, "d.jsonl"), MODEL)
    data.pop("told")
    [case] = DATASETS[data.pop("format")].read(data.pop("path"), data)
    assert (case.task, list(case.turns[-1].fields)) == (expected[0], [expected[1]])


def test_a_configuration_without_a_task_reads_messages_as_chat_and_other_columns_as_texts(tmp_path):
    config = tmp_path / "mutatis.toml"
    config.write_text(
        '[system]\ntype = "http"\nurl = "http://127.0.0.1:9/chat"\n[data]\nformat = "csv"\npath = "q.csv"\n',
        encoding="utf-8",
    )
    made(tmp_path, "message\nWhere is it?\n")
    shown = CliRunner().invoke(app, ["run", str(config), "--plan", "--out", str(tmp_path / "out")])
    assert "note: task chat (guessed from q.csv" in shown.output
    made(tmp_path, "text\nWhere is it?\n")  # an address may be a classifier's
    shown = CliRunner().invoke(app, ["run", str(config), "--plan", "--out", str(tmp_path / "out")])
    assert shown.exit_code == 0
    assert "task chat" not in shown.output
