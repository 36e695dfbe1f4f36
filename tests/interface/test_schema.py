"""Editors know the TOML: the shipped schema is the models', and what the documentation shows is valid by it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import mutatis.schema
from mutatis.config import Config

ROOT = Path(__file__).parents[2]
SHIPPED: dict[str, Any] = json.loads(mutatis.schema.FILE.read_text("utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SHIPPED)


def errors(text: str) -> list[str]:
    return [f"{'.'.join(map(str, e.absolute_path))}: {e.message}" for e in VALIDATOR.iter_errors(tomllib.loads(text))]


def test_the_shipped_schema_is_up_to_date() -> None:
    # In a process of its own: other tests register relations here.
    code = "import mutatis.schema; print(mutatis.schema.text(), end='')"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert mutatis.schema.FILE.read_text("utf-8") == made.stdout, "run: python -m mutatis.schema"


def test_it_is_a_schema_and_knows_every_key() -> None:
    jsonschema.Draft7Validator.check_schema(SHIPPED)
    assert set(SHIPPED["properties"]) == {*Config.model_fields, "system"} - {"folder"}


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.name)
def test_examples_are_valid(path: Path) -> None:
    assert errors(path.read_text("utf-8")) == []


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_what_the_documentation_shows_is_valid_as_far_as_it_goes(page: str) -> None:
    for block in re.findall(r"```toml\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL):
        if not set(tomllib.loads(block)) & set(SHIPPED["properties"]):
            continue  # a part of a table, or of another file
        faults = [error for error in errors(block) if "is a required property" not in error]
        assert faults == [], block


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ('seed = "seven"', "seed"),
        ('[system]\ntype = "openai"\nmodel = 7', "system.model"),
        ('[gate]\nmax_rat = 0.5', "gate"),
        ('[system]\ntype = "builtin"\nname = "writer"', "system.name"),
        ('[search]\ntype = "grid"\ntransformation = "leet"\nparameter = "share"\nvalues = 3', "search.values"),
    ],
)  # fmt: skip
def test_mistakes_are_found(table: str, where: str) -> None:
    assert any(error.startswith(f"{where}: ") for error in errors(table)), errors(table)


def test_init_writes_the_line_that_editors_look_for(tmp_path: Path) -> None:
    from mutatis.cli.init import init

    init(tmp_path / "mutatis.toml")
    first, *_ = (tmp_path / "mutatis.toml").read_text("utf-8").splitlines()
    assert first == f"#:schema {mutatis.schema.FILE.as_uri()}"
    assert errors((tmp_path / "mutatis.toml").read_text("utf-8")) == []
