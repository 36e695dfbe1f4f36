"""Local models, made tiny for the test."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

pytest.importorskip("transformers")

from mutatis.core.errors import MissingExtra, SystemFailure, UsageError
from mutatis.core.system import Conversation, Finish, Message
from mutatis.systems import SYSTEMS
from support import tiny_models


@pytest.fixture(scope="module")
def generator(tmp_path_factory):
    return tiny_models.make_generator(tmp_path_factory.mktemp("generator"))


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    return tiny_models.make_classifier(tmp_path_factory.mktemp("classifier"))


def talk(text, **fields):
    return Conversation(messages=(Message(role="user", content=text),), fields=fields or {"text": text})


async def test_generation_uses_the_chat_template_and_is_repeatable(generator):
    system = SYSTEMS["transformers"](model=str(generator), max_new_tokens=5)
    assert system.prompt(talk("the film").messages) == "user : the film </s> assistant :"
    first, second = await system.ask(talk("the film is good")), await system.ask(talk("the film is good"))
    assert first.text == second.text != ""
    assert first.prompt_tokens == 9
    assert 1 <= first.completion_tokens <= 5
    assert first.finish in (Finish.STOP, Finish.LENGTH)


async def test_a_model_without_chat_template_is_given_the_messages_as_text(tmp_path):
    system = SYSTEMS["transformers"](model=str(tiny_models.make_generator(tmp_path, chat=False)), max_new_tokens=3)
    messages = (Message(role="system", content="answer ."), Message(role="user", content="who ?"))
    assert system.prompt(messages) == "answer .\n\nwho ?\n"
    assert (await system.ask(Conversation(messages=messages))).text


async def test_a_prompt_longer_than_the_model_takes_is_a_failure_and_not_cut(generator):
    system = SYSTEMS["transformers"](model=str(generator))
    with pytest.raises(SystemFailure, match="the model accepts at most 256"):
        await system.ask(talk("good " * 300))


async def test_classification_gives_labels_and_probabilities_alone_as_in_a_batch(classifier):
    system = SYSTEMS["transformers"](model=str(classifier), batch_size=2)
    texts = ["the film is good", "the soup was not very good , it was dull", "bad", "a great film !"]
    many = await system.ask_many([talk(text) for text in texts])
    for text, response in zip(texts, many, strict=True):
        alone = await system.ask(talk(text))
        assert response.text == alone.text == max(alone.probabilities, key=alone.probabilities.get)
        assert response.probabilities == pytest.approx(alone.probabilities, abs=2e-5)
        assert sum(response.probabilities.values()) == pytest.approx(1.0, abs=1e-4)
    assert set(many[0].probabilities) == {"bad", "fair", "good"} == set(system.classes)


async def test_two_fields_are_given_as_a_pair_and_classes_may_be_renamed(classifier):
    system = SYSTEMS["transformers"](
        model=str(classifier), labels={"bad": "contradiction", "fair": "neutral", "good": "entailment"}
    )
    response = await system.ask(talk("?", premise="the film is good", hypothesis="the film is bad"))
    assert set(response.probabilities) == {"contradiction", "neutral", "entailment"} == set(system.classes)
    pair = system.token_ids({"premise": "good film", "hypothesis": "bad soup"})
    assert pair == [tiny_models.WORDS.index(word) for word in ("good", "film", "bad", "soup")]


def test_token_ids_are_those_after_truncation(classifier):
    system = SYSTEMS["transformers"](model=str(classifier))
    assert len(system.token_ids({"text": "good " * 500})) == 64


async def test_a_missing_field_is_told(classifier):
    system = SYSTEMS["transformers"](model=str(classifier), fields=["title"])
    with pytest.raises(UsageError, match="the case has no field 'title'; it has: text"):
        await system.ask(talk("good"))


def test_the_identity_follows_the_files(classifier, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(classifier, copy)
    before = SYSTEMS["transformers"](model=str(copy)).identity["revision"]
    assert before == SYSTEMS["transformers"](model=str(classifier)).identity["revision"]
    (copy / "config.json").write_text((copy / "config.json").read_text().replace("fair", "fine"))
    assert SYSTEMS["transformers"](model=str(copy)).identity["revision"] != before


def test_a_folder_without_a_model_is_told(tmp_path):
    with pytest.raises(UsageError, match="neither a folder with a model nor available from the hub"):
        SYSTEMS["transformers"](model=str(tmp_path))


def test_damaged_weights_are_told_in_one_line(generator, tmp_path):
    copy = shutil.copytree(generator, tmp_path / "copy")
    (copy / "model.safetensors").unlink()
    (copy / "pytorch_model.bin").write_bytes(b"junk")
    with pytest.raises(UsageError, match="cannot be loaded as text-generation") as refused:
        SYSTEMS["transformers"](model=str(copy))
    assert "\n" not in str(refused.value)


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"mutatis\[transformers\]"):
        SYSTEMS["transformers"](model="m")
