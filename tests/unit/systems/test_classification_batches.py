"""Batches of a local classifier: order, like lengths together, and a tokenizer that several threads use."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

pytest.importorskip("transformers")

from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS
from support import tiny_models


def asked(text: str) -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),), fields={"text": text})


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return SYSTEMS["transformers"](
        model=str(tiny_models.make_classifier(tmp_path_factory.mktemp("model"))), batch_size=4
    )


TEXTS = [("the film was good " * (n % 7 + 1)).strip() + (" bad" if n % 3 else "") for n in range(30)]


async def test_answers_keep_the_order_of_the_questions(system: Any) -> None:
    together = await system.ask_many([asked(text) for text in TEXTS])
    alone = [await system.ask(asked(text)) for text in TEXTS]
    assert [r.text for r in together] == [r.text for r in alone]
    for batched, other in zip(together, alone, strict=True):
        assert batched.probabilities == pytest.approx(other.probabilities, abs=1e-4)


def test_what_is_cut_off_is_not_seen(system: Any) -> None:
    long = "good " * 100
    assert system.token_ids({"text": long}) == system.token_ids({"text": long + "bad"})
    assert system.token_ids({"text": "good"}) != system.token_ids({"text": "good bad"})


def test_reading_while_answering(system: Any) -> None:
    """Padding is a setting of the tokenizer: reading one text must not take it from a batch in another thread."""
    failures: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            system.token_ids({"text": "the film"})

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(20):
            asyncio.run(system.ask_many([asked(text) for text in TEXTS]))
    except ValueError as error:
        failures.append(error)
    finally:
        stop.set()
        reader.join()
    assert not failures
