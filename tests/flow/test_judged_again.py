"""A run repeated on its store asks nothing and computes nothing anew: the judge needs no model."""

from __future__ import annotations

import json

import pytest

import mutatis
from mutatis.text import embedder

CONTEXT = "The old lighthouse was built in 1871 by Maren Holt. Ships could see its light from thirty miles away."
QUESTIONS = ["Who built the lighthouse?", "From how far could ships see the light?", "When was it built?"]


def answer(prompt: str) -> str:
    """Answer in words of which no rule says whether they are the same, where the question was changed."""
    asked = any(question in prompt for question in QUESTIONS)
    return "a keeper of the old harbour" if asked else "the harbour master, keeping boats"


@pytest.mark.skipif(not embedder.embedder_is_installed(), reason="the semantic extra is not installed")
def test_the_second_run_on_a_store_loads_no_model(tmp_path, monkeypatch):
    cases = mutatis.cases(
        [{"question": question, "context": CONTEXT} for question in QUESTIONS], task="question-answering"
    )

    def verdicts(name):
        mutatis.run(answer, cases, ["keyboard-typos", "upper-case"], store=tmp_path / "store.db", out=tmp_path / name)
        return (tmp_path / name / "verdicts.jsonl").read_text("utf-8")

    first = verdicts("first")
    assert any(json.loads(line)["measure"] == "answer-equivalence" for line in first.splitlines())
    embedder.CARRIED.cache.clear()
    monkeypatch.setattr(embedder.CARRIED, "embed", lambda texts: pytest.fail("embedded again"))
    assert verdicts("second") == first
    asked_anew = mutatis.run(answer, cases, ["keyboard-typos", "upper-case"], store=tmp_path / "other.db")
    frame = asked_anew.frame("verdicts")
    failed = frame[frame["outcome"] == "error"]
    assert set(failed["relation"]) == {"keyboard-typos", "upper-case"}, "the answers do need the model"
    assert failed["reason"].str.contains("embedded again").all()
