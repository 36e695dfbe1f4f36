"""Paths: those of a configuration are read from its folder, those of the command line from where it is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.assembly.campaign import assemble
from mutatis.assembly.making import making
from mutatis.assembly.search import chosen_search
from mutatis.assembly.settings import HandedOver
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.datasets import DATASETS
from mutatis.opening import placed
from mutatis.query import Store
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS
from mutatis.transformations import single_edits
from support.loopback import Command

TALK = {
    "dialogue_id": "a.json",
    "turns": [
        {
            "speaker": "USER",
            "utterance": "A cheap hotel, please.",
            "turn_id": "0",
            "frames": [
                {"service": "hotel", "state": {"slot_values": {"hotel-pricerange": ["cheap"]}, "active_intent": "find"}}
            ],
        }
    ],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a configuration, and a working directory where everything by the same name is another thing."""
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        place.mkdir()
        (place / "talk.json").write_text(json.dumps([TALK]))
        (place / "d.jsonl").write_text('{"text": "a huge room"}\n')
    slots = {"there": "hotel-pricerange", "here": "hotel-stars"}
    for place in (here, there):
        schema = [{"service_name": "hotel", "slots": [{"name": slots[place.name]}]}]
        (place / "schema.json").write_text(json.dumps(schema))
    (there / "v.txt").write_text("huge 1 0\nroom 0 1\nsuite 0.1 0.9\n")
    (here / "v.txt").write_text("no vectors\n")
    monkeypatch.chdir(here)
    return there


def configured(folder: Path, **tables: Any) -> Any:
    data = {"format": "jsonl", "path": "d.jsonl", "task": "sentiment"}
    return check({"system": {"type": "builtin", "name": "sentiment"}, "data": data, **tables}, folder)


def expected(folder: Path, **data: Any) -> tuple[str, ...]:
    with Store(None) as store:
        campaign = assemble(
            configured(folder, data=data, relations=["tag:states" if "schema_file" in data else "upper-case"]), store
        )
        return campaign.sources[0].case.turns[0].expected


def test_a_schema_of_states(folder: Path) -> None:
    told = {"format": "multiwoz22", "path": "talk.json", "schema_file": "schema.json"}
    assert "cheap" in expected(folder, **told)[0]
    with pytest.raises(UsageError, match="hotel-pricerange"):
        expected(folder, **told | {"schema_file": str(Path("schema.json").absolute())})
    with pytest.raises(UsageError, match="hotel-pricerange"):  # a program's own paths begin where it runs
        mutatis.read_cases("multiwoz22", folder / "talk.json", schema_file="schema.json")


def test_word_vectors(folder: Path) -> None:
    """Those of the working directory are none, which would be told."""
    single_edits._vectors.cache_clear()
    table = {"type": "random-edits", "vectors": "v.txt", "proposals": 40, "validity": "thesis", "bound": 1.0}
    settings = written(folder, search=table, noise_floor=0, shrink=0, confirm=0)
    mutatis.run(lambda text: "0.5", None, settings=settings)
    assert single_edits._vectors.cache_info().currsize == 1


def written(folder: Path, *, search: dict[str, Any], **keys: Any) -> Path:
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    lines += ["[search]", *(f"{key} = {json.dumps(value)}" for key, value in search.items())]
    lines += ["[data]", 'format = "jsonl"', 'path = "d.jsonl"', 'task = "sentiment"']
    (folder / "my.toml").write_text("\n".join(lines))
    return folder / "my.toml"


def test_what_a_search_learns_is_kept_beside_the_configuration(folder: Path) -> None:
    table = {"type": "multi-pdqn", "save": "a", "resume": "a", "log": "logs", "vectors": "minilm", "model": "on/a-hub"}
    options = chosen_search(configured(folder, search=table), HandedOver())
    there = str(folder)
    assert [getattr(options, name) for name in table if name != "type"] == [
        *(f"{there}/a", f"{there}/a", f"{there}/logs"),
        *("minilm", "on/a-hub"),
    ]


def test_models_of_systems(folder: Path) -> None:
    (folder / "weights").mkdir()
    for kind, model, leads in [
        ("trade", "weights", folder / "weights"),
        ("simpletod", "weights", folder / "weights"),
        ("transformers", "weights", folder / "weights"),
        ("transformers", "on/a-hub", "on/a-hub"),
        ("sklearn", "m.joblib", folder / "m.joblib"),
        ("openai", "weights", "weights"),
    ]:
        config = configured(folder, system={"type": kind, "model": model})
        assert making(config, config.systems[0]).options["model"] == str(leads)


MARKED = [
    (f"{kind.name}.{option}", kind.model, option, field)
    for registry in (SYSTEMS, DATASETS, SEARCHES)
    for kind in map(registry.__getitem__, registry)
    for option, field in kind.model.model_fields.items()
    if "Opens(" in f"{field.metadata} {field.annotation}"
]


@pytest.mark.parametrize(("name", "model", "option", "field"), MARKED, ids=[name for name, *_ in MARKED])
def test_whatever_names_a_file_is_read_from_the_folder(folder: Path, name: str, model: Any, option: str, field: Any):
    (folder / "d.jsonl").unlink()
    (folder / "thing").mkdir()
    assert placed(model, {option: "thing"}, lambda written: folder / written) == {option: str(folder / "thing")}
    assert placed(model, {option: 5}, lambda written: folder / written) == {option: 5}


def test_a_system_of_the_command_line_is_named_from_here(folder, monkeypatch, capsys) -> None:
    (folder / "bot.py").write_text("def answer(text):\n    return '0.1' if text.isupper() else '0.9'\n")
    Path("bot.py").write_text("def answer(text):\n    return '0.5'\n")
    text = 'relations = ["upper-case"]\nnoise_floor = 0\n[system]\ntype = "function"\ntarget = "bot.py:answer"\n'
    (folder / "my.toml").write_text(text + '[data]\nformat = "jsonl"\npath = "d.jsonl"\ntask = "sentiment"\n')
    command = Command(monkeypatch, capsys, Path.cwd())

    def violated(*arguments: str) -> tuple[str, int]:
        done = command("run", folder / "my.toml", "--out", "out", "--fresh", "--max-rate", 1, *arguments)
        assert done.code == 0, done.err
        [row] = [
            row for row in json.loads(Path("out/report.json").read_text())["summary"] if row["relation"] == "upper-case"
        ]
        return row["system"], row["violated"]

    assert violated() == ("function:bot.py:answer", 1)
    assert violated("--system", "bot.py:answer") == ("function:bot.py:answer", 0)
    assert violated("--system", "function:bot.py:answer") == ("function:bot.py:answer", 0)
    done = command("run", folder / "my.toml", "--system", "sklearn:nowhere.joblib")
    assert f"sklearn model '{Path.cwd()}/nowhere.joblib': no such file" in done.complaint
