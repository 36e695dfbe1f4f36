from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from mutatis.context import cues
from mutatis.context.cues import self_resolved, self_resolved_as_published


@pytest.fixture(autouse=True)
def fresh_pipeline():
    for kept in (cues.pipeline, cues.referring):
        kept.cache_clear()
    yield
    for kept in (cues.pipeline, cues.referring):
        kept.cache_clear()


@pytest.fixture
def without_spacy(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setitem(sys.modules, "coreferee", None)


@pytest.mark.parametrize(
    ("question", "resolved"),
    [
        ("Where was Nora Quinn born?", True),
        ("Who is Ann?", True),
        ("Ann?", False),
        ("Who left?", False),
        ("Where was she born?", False),
        ("What else did Nora build?", False),
        ("Was the tower tall?", False),
        ("What did Nora do then?", False),
        ("Did Nora say that she was tired?", False),
        ("What about Nora Quinn?", False),
    ],
)
def test_surface_cues(without_spacy, question, resolved):
    assert self_resolved(question) is resolved


class Token(SimpleNamespace):
    """A token as spaCy gives it, as far as the check looks."""


class Document(list):
    """A parsed question whose pronouns resolve to `antecedents`."""

    def __init__(self, tokens, antecedents):
        super().__init__(tokens)
        self._ = SimpleNamespace(coref_chains=SimpleNamespace(resolve=lambda token: antecedents))


class NoModel(Exception):
    """As coreferee's errors are: of no kind that spaCy or Python raise."""


def install(monkeypatch, antecedents, fail=False, no_coreferee_model=False):
    def pipeline(text):
        third = SimpleNamespace(get=lambda name: ["3"])
        return Document([Token(text="she", pos_="PRON", morph=third)], antecedents)

    def add_pipe(name):
        if no_coreferee_model:
            print("Please load the Coreferee models")
            raise NoModel(name)

    pipeline.add_pipe = add_pipe
    spacy = ModuleType("spacy")

    def load(name):
        if fail or name != "en_core_web_sm":
            raise OSError(f"no model {name}")
        return pipeline

    spacy.load = load
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    monkeypatch.setitem(sys.modules, "coreferee", ModuleType("coreferee"))


def test_a_pronoun_with_its_antecedent_inside_the_question(monkeypatch):
    install(monkeypatch, [Token(pos_="PROPN")])
    assert self_resolved("Did Nora say that she was tired?")


@pytest.mark.parametrize("antecedents", [None, [], [Token(pos_="PRON")]])
def test_a_pronoun_without_antecedent(monkeypatch, antecedents):
    install(monkeypatch, antecedents)
    assert not self_resolved("Did Nora say that she was tired?")


def test_packages_without_models_leave_the_surface_cues(monkeypatch):
    install(monkeypatch, [Token(pos_="PROPN")], fail=True)
    assert not self_resolved("Did Nora say that she was tired?")


def test_a_model_that_coreferee_has_none_for_is_no_crash_and_prints_nothing(monkeypatch, capsys):
    install(monkeypatch, [Token(pos_="PROPN")], no_coreferee_model=True)
    assert not self_resolved("Did Nora say that she was tired?")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("question", "resolved"),
    [
        ("Where was Nora Quinn born?", True),
        ("What did Nora do then?", True),  # the papers look for pronouns, not for ellipsis
        ("Was the tower tall?", True),
        ("What about that one?", True),
        ("Why then?", False),  # under three words
        ("Where was she born?", False),
        ("Did Nora say that she was tired?", False),  # only coreferee finds Nora
    ],
)
def test_the_published_check_sees_pronouns_only(without_spacy, question, resolved):
    assert self_resolved_as_published(question) is resolved


def test_the_published_check_takes_an_antecedent_inside_the_question(monkeypatch):
    install(monkeypatch, [Token(pos_="PROPN")])
    assert self_resolved_as_published("Did Nora say that she was tired?")
