"""Configurations and data files of any kind are read or told on one line; what once broke a reader stays in `corpus/`.

The corpus has one file per case, named FORMAT.SOMETHING (`config` for a configuration, else a data format).
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mutatis.assembly.settings import set_key
from mutatis.config import check, read_toml
from mutatis.core.errors import MutatisError
from mutatis.datasets import DATASETS
from mutatis.systems import SYSTEMS

CORPUS = Path(__file__).parent / "corpus"
BOUNDED = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

TEXTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        ["", " ", "\x00", "\ud800", "\x1b[2J", "a" * 300, "env:NOBODY", "../..", "nan", "1e999", "=", "{x}"]
    ),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(min_value=-(2**70), max_value=2**70),
    st.floats(),
    TEXTS,
)
ANY = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
SQUAD = {
    "data": [
        {
            "title": "t",
            "paragraphs": [
                {"context": "Ann left.", "qas": [{"id": "a", "question": "Who?", "answers": [{"text": "Ann"}]}]}
            ],
        }
    ]
}
TALK = {"id": "x", "story": "s", "questions": [{"input_text": "Who?", "turn_id": 1}]}
TALK["answers"] = [{"input_text": "Ann", "turn_id": 1, "span_text": "Ann"}]
WELL_FORMED: dict[str, Any] = {
    "squad2": SQUAD,
    "coqa": {"data": [TALK]},
    "quac": {"data": [{"context": "c", "turns": [{"question": "q", "answer": "a"}], "id": "i"}]},
    "canard": [{"History": ["a", "b"], "QuAC_dialog_id": "d", "Question": "q", "Rewrite": "r", "Question_no": 1}],
    "docred": [
        {
            "title": "t",
            "sents": [["Ann", "left", "Rome"]],
            "vertexSet": [[{"name": "Ann", "sent_id": 0, "pos": [0, 1], "type": "PER"}]],
            "labels": [{"h": 0, "t": 0, "r": "P1", "evidence": [0]}],
        }
    ],
    "clinc150": {"test": [["hello", "greeting"]]},
    "json": [{"text": "a", "label": "b"}],
    "jsonl": {"text": "a", "label": "b"},
}
CONFIG: dict[str, Any] = {
    "system": {"type": "openai", "model": "m", "headers": {"a": "b"}, "label": "x", "retries": 1},
    "data": {"format": "jsonl", "path": "x.jsonl", "task": "sentiment", "limit": 3},
    "relations": ["upper-case"],
    "gate": {"max_rate": 0.1, "relations": {"upper-case": 0.2}},
    "judge": {"measure": "exact"},
    "search": {"type": "once"},
    "concurrency": 2,
}


def told(work: Any) -> None:
    """Run something; what it raises is an error for users, on one line."""
    said = "read"
    try:
        work()
    except MutatisError as error:
        said = str(error)
    assert said.strip()
    assert "\n" not in said


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


def with_value(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of the data with another value at one place."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = with_value(data[path[0]], path[1:], value)
    return copy


@st.composite
def mutated(draw: st.DrawFn, well_formed: Any) -> Any:
    """Data with up to three of its places replaced by anything."""
    for _ in range(draw(st.integers(1, 3))):
        well_formed = with_value(well_formed, draw(st.sampled_from(places(well_formed))), draw(ANY))
    return well_formed


@BOUNDED
@given(mutated(CONFIG))
def test_configurations_of_any_kind_are_checked(tables):
    told(lambda: check(tables) if isinstance(tables, dict) else None)


@BOUNDED
@given(st.text(max_size=40) | st.binary(max_size=40))
def test_files_of_any_kind_are_no_configuration(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        told(lambda: check(read_toml(path), path.parent))


@BOUNDED
@given(st.text(max_size=30) | st.sampled_from(["system.x=1", "data.0.limit=a", "gate.relations.x=[", "a.b.c={"]))
def test_assignments_of_any_kind_are_set_or_told(assignment):
    told(lambda: set_key(json.loads(json.dumps(CONFIG)), assignment))


@pytest.mark.parametrize("kind", ["openai", "http", "builtin"])
@BOUNDED
@given(data=st.data())
def test_options_of_any_kind_build_a_system_or_are_told(kind, data):
    names = st.sampled_from([*SYSTEMS[kind].options, "nonsense"])
    options = data.draw(st.dictionaries(names, ANY, max_size=4))
    told(lambda: SYSTEMS[kind](**options))


def read_all(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"data.{'csv' if name in ('csv', 'banking77', 'stackoverflow') else 'json'}"
        path.write_bytes(content)
        told(lambda: list(DATASETS[name].read(path, {})))


@pytest.mark.parametrize("name", WELL_FORMED)
@BOUNDED
@given(data=st.data())
def test_data_with_anything_at_any_place_is_read_or_told(name, data):
    content = json.dumps(data.draw(mutated(WELL_FORMED[name]))).encode()
    read_all(name, content)


@pytest.mark.parametrize("name", list(DATASETS))
@BOUNDED
@given(data=st.data())
def test_files_that_are_cut_or_overwritten_are_read_or_told(name, data):
    content = json.dumps(WELL_FORMED.get(name, "text,label\na,b\n")).encode() * 2
    at = data.draw(st.integers(0, len(content)))
    read_all(name, content[:at] + data.draw(st.binary(max_size=6)) + data.draw(st.sampled_from([b"", content[at:]])))


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_broke_a_reader_is_read_or_told(path):
    name, content = path.name.partition(".")[0], path.read_bytes()
    if name == "config":
        told(lambda: check(read_toml(path), path.parent))
    else:
        read_all(name, content)
