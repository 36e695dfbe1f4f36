"""The notebook of `examples/`, executed in a real kernel from an empty folder."""

from __future__ import annotations

import os
from pathlib import Path

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_notebook_runs_and_shows_what_it_showed(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(ROOT / "examples" / "notebook.ipynb", as_version=4)
    before = [kinds(cell) for cell in notebook.cells]
    # A busy machine prints the lines of a cell in several messages.
    whole = {"coalesce_streams": True}
    client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", startup_timeout=600, **whole)
    client.resources = {"metadata": {"path": str(tmp_path)}}
    client.execute()
    assert [kinds(cell) for cell in notebook.cells] == before
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pages = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert "<pre" in pages[0]
    assert "upper-case" in pages[0]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)
    [text] = [output["text"] for output in outputs if output.output_type == "stream"]
    assert "sklearn:Pipeline on sentiment" in text
    assert "violation rate" in text
    assert (tmp_path / "notebook-out" / "summary.parquet").is_file()


def kinds(cell):
    return [(output.output_type, sorted(output.get("data", {}))) for output in cell.get("outputs", [])]
