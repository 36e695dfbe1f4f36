"""Sources are observed once while they are remembered, and so many are."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.campaign import observe
from mutatis.campaign.observe import Observer, Target
from mutatis.core.cases import Case, Turn
from mutatis.core.task import TASKS
from mutatis.query import QueryLayer, Store
from mutatis.testing import ScriptedSystem


def case(number: int) -> Case:
    return Case(task="sentiment", id=f"d/{number}", turns=(Turn(fields={"text": f"film {number}"}),))


@pytest.fixture
def observer(monkeypatch: pytest.MonkeyPatch) -> Observer:
    monkeypatch.setattr(observe, "REMEMBERED", 2)
    layer: Any = QueryLayer(ScriptedSystem({"*": "0.5"}), Store(None))
    return Observer(Target(layer=layer, tasks={"sentiment": TASKS["sentiment"]}))


async def test_a_source_that_is_asked_for_again_is_the_same_observation(observer: Observer) -> None:
    first, new = observer.source(case(1))
    again, new_again = observer.source(case(1))
    _, other_repeat = observer.source(case(1), 1)
    assert (new, new_again, other_repeat) == (True, False, True)
    assert again is first
    observation = (await first)[0]
    assert observation.response is not None
    assert observation.response.value == 0.5


async def test_the_least_recently_used_source_is_forgotten_first(observer: Observer) -> None:
    seen = [observer.source(case(number)) for number in (1, 2, 1, 3, 1, 2)]
    assert [new for _, new in seen] == [True, True, False, True, False, True]
    await asyncio.gather(*{running for running, _ in seen})
