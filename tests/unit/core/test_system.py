"""The optional parts of a system: what is declared is recognised, in every system that ships, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

import mutatis
from mutatis.assembly.replicas import offers
from mutatis.campaign.observe import Observer, Target
from mutatis.core.system import (
    Conversation,
    NamedSystem,
    Response,
    System,
    close_all,
    costs_nothing,
    endpoint_of,
    is_remote,
    is_system,
    note_of,
)
from mutatis.query import QueryLayer, Store
from mutatis.testing import ScriptedBot, ScriptedSystem

ADDRESS = "http://127.0.0.1:9/chat"


class Full:
    """Has every part."""

    label = "full"
    free = True
    note = "costs a fortune"
    endpoint = "somewhere"
    closed = 0

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"type": "full"}

    async def ask(self, conversation: Conversation) -> Response:
        return Response(text="0.5")

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response]:
        return [Response(text="0.5") for _ in conversations]

    @asynccontextmanager
    async def session(self) -> Any:
        yield self

    def token_ids(self, fields: Mapping[str, str]) -> Sequence[Any]:
        return list(fields.values())

    async def close(self) -> None:
        self.closed += 1


def made(kind: str, **options: Any) -> System:
    return mutatis.system(kind, **options)


class Held(ScriptedSystem):
    """A model that can be held to a schema."""

    constrained = True


class Loose(ScriptedSystem):
    """A model of a kind that can be held to a schema, which this one cannot."""

    constrained = False


SYSTEMS: list[tuple[Any, list[str]]] = [
    (Held({"*": "a"}, "held"), ["constrained", "sees_results"]),
    (Loose({"*": "a"}, "loose"), ["sees_results"]),
    (ScriptedSystem({"*": "a"}), ["sees_results"]),
    (ScriptedBot({"*": "a"}), ["session", "sees_results"]),
    (Full(), ["ask_many", "session", "token_ids", "free", "endpoint"]),
    (made("builtin", name="sentiment"), ["ask_many", "sees_results"]),
    (made("function", target=str.upper, revision="1"), []),
    (made("function", target=str.upper, revision="1", batch=True), ["ask_many"]),
    (made("openai", model="m", base_url="http://127.0.0.1:9/v1"), ["endpoint", "sees_results"]),
    (made("http", url=ADDRESS), ["endpoint", "sees_results"]),
    (made("http", url=ADDRESS, request={"text": "{question}", "id": "{session}"}), ["session", "endpoint"]),
]


@pytest.mark.parametrize(("system", "parts"), SYSTEMS, ids=lambda value: getattr(value, "label", None))
def test_systems_offer_what_they_declare(system: Any, parts: list[str]) -> None:
    assert offers(system) == parts
    assert is_system(system)
    assert isinstance(system, NamedSystem)
    layer = QueryLayer(system, Store(None))
    assert (layer.stateful, layer.is_endpoint) == ("session" in parts, "endpoint" in parts)
    observer = Observer(Target(label=system.label, layer=layer, tasks={}))
    assert (observer._token_ids is not None) == ("token_ids" in parts)


def test_what_is_none_or_false_is_not_there() -> None:
    system = Full()
    system.free, system.note, system.endpoint = False, "", None  # type: ignore[assignment]
    assert (costs_nothing(system), note_of(system), is_remote(system), endpoint_of(system)) == (False, "", False, None)
    assert (costs_nothing(object()), note_of(object()), is_remote(object()), endpoint_of(object())) == (
        False,
        "",
        False,
        None,
    )
    assert not is_system(object())
    assert not is_system(len)


def test_an_endpoint_that_tells_nothing_is_one_all_the_same() -> None:
    assert is_remote(Full())
    assert endpoint_of(Full()) is None
    endpoint = endpoint_of(made("http", url=ADDRESS))
    assert endpoint is not None
    assert (endpoint.origin, endpoint.gives_up_after) == ("http://127.0.0.1:9", 120.0)


def test_what_has_something_to_close_is_closed() -> None:
    system = Full()
    asyncio.run(close_all([system, object(), system]))
    assert system.closed == 2


def test_a_note_of_a_system_is_one_of_the_run() -> None:
    from mutatis.assembly import HandedOver, assemble
    from mutatis.config import check

    cases = mutatis.cases(["fine"], task="sentiment")
    with Store(None) as store:
        objects = HandedOver(systems=[Full()], cases=cases, relations=["upper-case"])
        campaign = assemble(check({}, objects=("systems", "data")), store, objects)
    assert "costs a fortune" in campaign.notes
