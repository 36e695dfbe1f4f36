"""Scikit-learn pipelines as systems."""

from __future__ import annotations

from pathlib import Path

import joblib
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from mutatis.core.errors import UsageError
from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS

TEXTS = ["good film", "good day", "bad film", "bad day"]
LABELS = ["yes", "yes", "no", "no"]


def pipeline(last: object, *, lowercase: bool = True) -> Pipeline:
    return make_pipeline(TfidfVectorizer(lowercase=lowercase), last).fit(TEXTS, LABELS)


def asked(**fields: str) -> Conversation:
    return Conversation(messages=(Message(role="user", content="?"),), fields=fields)


async def test_labels_and_probabilities_in_one_batch() -> None:
    system = SYSTEMS["sklearn"](model=pipeline(LogisticRegression()), labels={"yes": "positive"}, label="lr")
    first, second = await system.ask_many([asked(text="good"), asked(text="bad")])
    assert (first.text, second.text) == ("positive", "no")
    assert first.probabilities["positive"] + first.probabilities["no"] == pytest.approx(1)
    assert (await system.ask(asked(text="good"))).text == "positive"


async def test_a_pipeline_without_probabilities() -> None:
    system = SYSTEMS["sklearn"](model=pipeline(LinearSVC()))
    response = await system.ask(asked(text="bad film"))
    assert (response.text, response.probabilities) == ("no", None)


async def test_fields_are_joined_in_order() -> None:
    system = SYSTEMS["sklearn"](model=pipeline(LogisticRegression()), fields=["title"])
    assert (await system.ask(asked(title="bad", body="good good"))).text == "no"
    with pytest.raises(UsageError, match="no field 'title'; the case has: text"):
        await system.ask(asked(text="x"))


def test_what_the_pipeline_really_sees() -> None:
    folding = SYSTEMS["sklearn"](model=pipeline(LogisticRegression()))
    keeping = SYSTEMS["sklearn"](model=pipeline(LogisticRegression(), lowercase=False))
    lower, upper = {"text": "good film"}, {"text": "GOOD film"}
    assert folding.token_ids(lower) == folding.token_ids(upper)
    assert keeping.token_ids(lower) != keeping.token_ids(upper)
    assert folding.token_ids(lower) != folding.token_ids({"text": "good good film"})


def test_a_file_is_named_and_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "model.joblib"
    joblib.dump(pipeline(LogisticRegression()), file)
    system = SYSTEMS["sklearn"](model=str(file))
    assert system.label == "sklearn:model"
    assert "runs code" in system.note
    joblib.dump(pipeline(LogisticRegression(C=3.0)), file)
    assert SYSTEMS["sklearn"](model=str(file)).identity != system.identity
    assert SYSTEMS["sklearn"](model=pipeline(LogisticRegression())).note == ""


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        SYSTEMS["sklearn"](model=str(tmp_path / "none.joblib"))
    broken = tmp_path / "broken.joblib"
    broken.write_bytes(b"not a model")
    with pytest.raises(UsageError, match="cannot be loaded"):
        SYSTEMS["sklearn"](model=str(broken))
    with pytest.raises(UsageError, match="is a list; expected a fitted pipeline"):
        SYSTEMS["sklearn"](model=[1])
