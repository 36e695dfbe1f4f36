"""The four families of encoders and decoders that classifiers are published with: XLNet, GPT-1, T5, XLM-RoBERTa.

Each is made tiny for the test, with random weights and a tokenizer in its family's manner, and run end to end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers")

import mutatis
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Finish, Message
from mutatis.systems import SYSTEMS
from support import tiny_models as tiny
from support.tiny_models import FAMILIES

TEXTS = ["the film is good", "bad", "the soup was not very good , it was dull", "a great film !", "who ?"] * 3


@pytest.fixture(scope="module", params=FAMILIES)
def classifier(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    return request.param, FAMILIES[request.param](tmp_path_factory.mktemp(request.param))


def asked(text: str) -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),), fields={"text": text})


async def test_a_batch_answers_as_one_question_does(classifier: tuple[str, Path]) -> None:
    system = SYSTEMS["transformers"](model=str(classifier[1]), batch_size=4)
    together = await system.ask_many([asked(text) for text in TEXTS])
    for text, response in zip(TEXTS, together, strict=True):
        alone = await system.ask(asked(text))
        assert response.text == alone.text
        assert response.probabilities == pytest.approx(alone.probabilities, abs=2e-5)
    assert len({round(response.probabilities["good"], 3) for response in together}) == len(set(TEXTS))


async def test_a_text_of_any_length_is_read(classifier: tuple[str, Path]) -> None:
    name, folder = classifier
    system = SYSTEMS["transformers"](model=str(folder))
    long = "good " * 700
    assert (await system.ask(asked(long))).text in tiny.LABELS
    # Relative positions have no limit and take the whole text; with its marks where the family has them.
    assert len(system.token_ids({"text": long})) == {"xlnet": 702, "t5": 701, "gpt1": 48, "xlm-roberta": 40}[name]


def test_a_whole_run_has_verdicts_and_no_errors(classifier: tuple[str, Path], tmp_path: Path) -> None:
    system = mutatis.system("transformers", model=str(classifier[1]))
    cases = [{"text": t, "labels": list(tiny.LABELS)} for t in dict.fromkeys(TEXTS)]
    run = mutatis.run(system, cases, ["upper-case", "duplicate-2"], task="classification", out=str(tmp_path / "run"))
    outcomes = {row.relation: (row.satisfied + row.violated, row.error) for row in run.summary}
    assert outcomes == {"upper-case": (5, 0), "duplicate-2": (5, 0)}


async def test_a_pair_of_fields_is_read_as_one(classifier: tuple[str, Path]) -> None:
    system = SYSTEMS["transformers"](model=str(classifier[1]))
    pair = Conversation(
        messages=(Message(role="user", content="?"),),
        fields={"premise": "the film is good", "hypothesis": "the film is bad"},
    )
    answers = await system.ask_many([pair, pair])
    assert [answer.text in tiny.LABELS for answer in answers] == [True, True]


async def test_a_text_that_does_not_fit_its_batch_is_asked_alone(tmp_path: Path) -> None:
    """T5 classifies at its end mark and wants as many of them in every text of a batch; a text may hold one itself."""
    system = SYSTEMS["transformers"](model=str(tiny.make_t5(tmp_path)))
    texts = ["the film", "the </s> film"]
    together = await system.ask_many([asked(text) for text in texts])
    assert [response.probabilities for response in together] == [
        (await system.ask(asked(text))).probabilities for text in texts
    ]


async def test_what_a_model_cannot_take_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = SYSTEMS["transformers"](model=str(tiny.make_t5(tmp_path)))
    forward = type(system.loaded.model).forward

    def picky(self: Any, input_ids: Any = None, **inputs: Any) -> Any:
        if (input_ids == tiny.WORDS.index("soup")).any():
            raise ValueError("no soup")
        return forward(self, input_ids=input_ids, **inputs)

    monkeypatch.setattr(type(system.loaded.model), "forward", picky)
    good, bad = await system.ask_many([asked("the film"), asked("the soup")])
    assert good.text in tiny.LABELS
    assert isinstance(bad, SystemFailure)
    assert "ValueError: no soup" in str(bad)


@pytest.mark.parametrize("make", [tiny.make_gpt1, tiny.make_t5], ids=["gpt1", "t5"])
async def test_generation(make: Any, tmp_path: Path) -> None:
    system = SYSTEMS["transformers"](model=str(make(tmp_path, classifies=False)), max_new_tokens=6)
    first, second = await system.ask(asked("the film is good")), await system.ask(asked("the film is good"))
    assert first.text == second.text != ""
    assert first.finish in (Finish.STOP, Finish.LENGTH)
    assert first.completion_tokens <= 6
    assert not first.text.startswith("the film is good")


async def test_what_t5_writes_takes_no_room_from_the_prompt(tmp_path: Path) -> None:
    folder = tiny.make_gpt1(tmp_path / "gpt1", classifies=False, longest=48)
    with pytest.raises(
        SystemFailure, match="the prompt has 44 tokens and the answer up to 6; the model accepts at most 48"
    ):
        await SYSTEMS["transformers"](model=str(folder), max_new_tokens=6).ask(asked("good " * 44))
    t5 = SYSTEMS["transformers"](model=str(tiny.make_t5(tmp_path / "t5", classifies=False)), max_new_tokens=6)
    assert (await t5.ask(asked("good " * 600))).text
