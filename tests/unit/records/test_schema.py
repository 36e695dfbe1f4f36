"""The schemas in `docs` are those of the models."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from mutatis.records.schema import SCHEMAS, schema_text

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_documentation_is_up_to_date(name: str) -> None:
    made = schema_text(SCHEMAS[name])
    assert (DOCS / name).read_text("utf-8") == made, "run: python -m mutatis.records.schema docs"


def test_one_command_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "argv", ["schema", str(tmp_path)])
    monkeypatch.delitem(sys.modules, "mutatis.records.schema")
    runpy.run_module("mutatis.records.schema", run_name="__main__")
    assert capsys.readouterr().out.split() == [str(tmp_path / name) for name in SCHEMAS]
    assert {path.name for path in tmp_path.iterdir()} == set(SCHEMAS)
