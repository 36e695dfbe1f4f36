"""Scikit-learn pipelines as systems."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Any

import joblib
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS

TEXTS = ["good film", "good day", "bad film", "bad day"]
LABELS = ["yes", "yes", "no", "no"]
CLASSES = ["praise", "weather", "blame", "complaint"]


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


async def test_classes_that_get_one_name_share_their_probabilities() -> None:
    """Only the last of them counted before, and what did not sum to one was taken for labels of their own."""
    three = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(TEXTS, ["yes", "fine", "no", "no"])
    system = SYSTEMS["sklearn"](model=three, labels={"yes": "good", "fine": "good"})
    response = await system.ask(asked(text="good"))
    assert response.text == "good"
    assert response.decisions is None
    assert response.probabilities.keys() == {"good", "no"}
    assert sum(response.probabilities.values()) == pytest.approx(1, abs=1e-5)


async def test_two_labels_may_be_swapped() -> None:
    plain = await SYSTEMS["sklearn"](model=pipeline(LogisticRegression())).ask(asked(text="good"))
    swapped = await SYSTEMS["sklearn"](model=pipeline(LogisticRegression()), labels={"yes": "no", "no": "yes"}).ask(
        asked(text="good")
    )
    assert (plain.text, swapped.text) == ("yes", "no")
    assert swapped.probabilities == {"no": plain.probabilities["yes"], "yes": plain.probabilities["no"]}


async def test_a_pipeline_without_probabilities() -> None:
    system = SYSTEMS["sklearn"](model=pipeline(LinearSVC()))
    response = await system.ask(asked(text="bad film"))
    assert (response.text, response.probabilities) == ("no", None)


def few_rows(*labels: str, last: object = None) -> Any:
    """Run four texts, of which the data label only some."""
    fitted = make_pipeline(TfidfVectorizer(), last or LogisticRegression()).fit(TEXTS * 2, CLASSES * 2)
    cases = [
        Case(id=f"t/{n}", turns=(Turn(fields={"text": text}, expected=tuple(labels[n : n + 1])),))
        for n, text in enumerate(TEXTS)
    ]
    system = mutatis.system("sklearn", model=fitted, label="lr")
    return mutatis.run(system, cases, ["upper-case"], task="classification", settings={"confirm": 0})


@pytest.mark.parametrize("last", [LogisticRegression(), LinearSVC()])
def test_labels_are_the_models_and_not_those_of_a_few_rows(last: object) -> None:
    [row] = few_rows("praise", last=last).report["summary"]
    assert (row["satisfied"], row["error"]) == (4, 0)


def test_labels_that_the_data_spell_otherwise_keep_their_spelling() -> None:
    [row] = few_rows("Praise").report["summary"]
    assert (row["satisfied"], row["error"]) == (4, 0)


def test_labels_under_other_names_than_the_models_are_an_error_that_names_both() -> None:
    run = few_rows("1", "2")
    assert run.report["summary"][0]["error"] > 0
    assert "expected one of: 1, 2" in run.frame("verdicts")["reason"].iloc[0]


async def test_fields_are_joined_in_order() -> None:
    system = SYSTEMS["sklearn"](model=pipeline(LogisticRegression()), fields=["title"])
    assert (await system.ask(asked(title="bad", body="good good"))).text == "no"
    with pytest.raises(UsageError, match="the case has no field 'title'; it has: text"):
        await system.ask(asked(text="x"))


def test_what_the_pipeline_really_sees() -> None:
    folding = SYSTEMS["sklearn"](model=pipeline(LogisticRegression()))
    keeping = SYSTEMS["sklearn"](model=pipeline(LogisticRegression(), lowercase=False))
    lower, upper = {"text": "good film"}, {"text": "GOOD film"}
    assert folding.token_ids(lower) == folding.token_ids(upper)
    assert keeping.token_ids(lower) != keeping.token_ids(upper)
    assert folding.token_ids(lower) != folding.token_ids({"text": "good good film"})


class Shout:
    """Unpickling it says so."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (logging.getLogger("shout").warning, ("loaded",))


def test_a_file_is_warned_of_before_it_is_loaded(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "model.joblib"
    joblib.dump([Shout()], file)
    with pytest.raises(UsageError, match="is a list"):
        SYSTEMS["sklearn"](model=str(file))
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    warned, loaded = caplog.messages
    assert f'loading {file}, which runs code from it: use only files you trust; sha256 = "{digest}"' in warned
    assert loaded == "loaded"


def test_a_file_that_is_another_than_pinned_is_not_loaded(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "model.joblib"
    joblib.dump(pipeline(LogisticRegression()), file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    system = SYSTEMS["sklearn"](model=str(file), sha256=digest)
    assert system.label == "sklearn:model"
    assert SYSTEMS["sklearn"](model=str(file), sha256=digest[:16]).identity == system.identity
    assert caplog.messages == []
    joblib.dump([Shout()], file)
    with pytest.raises(UsageError, match=f"expected {digest}; the file was not loaded"):
        SYSTEMS["sklearn"](model=str(file), sha256=digest)
    assert caplog.messages == []
    joblib.dump(pipeline(LogisticRegression(C=3.0)), file)
    assert SYSTEMS["sklearn"](model=str(file)).identity != system.identity
    with pytest.raises(UsageError, match="sha256"):
        SYSTEMS["sklearn"](model=str(file), sha256="abc")


async def test_a_skops_file_runs_no_code(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    skops = pytest.importorskip("skops.io", reason="the extra skops is not installed")
    file = tmp_path / "model.skops"
    skops.dump(pipeline(LogisticRegression()), file)
    system = SYSTEMS["sklearn"](model=str(file))
    assert (await system.ask(asked(text="good"))).text == "yes"
    assert caplog.messages == []
    skops.dump({"own": Own()}, file)
    with pytest.raises(
        UsageError, match=r"from outside scikit-learn: .*Own; if you trust these types, set trusted = \["
    ):
        SYSTEMS["sklearn"](model=str(file))


class Own:
    """A type that nobody knows."""

    def __init__(self) -> None:
        self.value = 1


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        SYSTEMS["sklearn"](model=str(tmp_path / "none.joblib"))
    broken = tmp_path / "broken.joblib"
    broken.write_bytes(b"not a model")
    with pytest.raises(UsageError, match="cannot be loaded"):
        SYSTEMS["sklearn"](model=str(broken))
    with pytest.raises(UsageError, match="is a list; expected a fitted pipeline"):
        SYSTEMS["sklearn"](model=[1])
