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
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.system import (
    Conversation,
    Message,
    Response,
    ServiceEndpoint,
    System,
    as_system,
    close_all,
    is_system,
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
    (Full(), ["ask_many", "session", "token_ids", "free", "endpoint", "sees_results"]),
    (made("builtin", name="sentiment"), ["ask_many", "sees_results"]),
    (made("function", target=str.upper, revision="1"), []),
    (made("function", target=str.upper, revision="1", batch=True), ["ask_many"]),
    (made("openai", model="m", base_url="http://127.0.0.1:9/v1"), ["endpoint", "sees_results"]),
    (made("http", url=ADDRESS), ["endpoint", "sees_results"]),
    (made("http", url=ADDRESS, request={"text": "{question}", "id": "{session}"}), ["session", "endpoint"]),
]


@pytest.mark.parametrize(("system", "parts"), SYSTEMS, ids=lambda value: getattr(value, "label", None))
def test_systems_offer_what_they_declare(system: Any, parts: list[str]) -> None:
    assert is_system(system)
    assert offers(as_system(system)) == parts
    layer = QueryLayer(system, Store(None))
    assert (layer.stateful, layer.is_endpoint) == ("session" in parts, "endpoint" in parts)
    observer = Observer(Target(layer=layer, tasks={}))
    assert (observer._token_ids is not None) == ("token_ids" in parts)


def test_what_is_none_or_false_is_not_there() -> None:
    system = Full()
    system.free, system.note, system.endpoint = False, "", None  # type: ignore[assignment]
    adopted = as_system(system)
    assert (adopted.free, adopted.note, adopted.endpoint) == (False, "", None)
    assert not QueryLayer(system, Store(None)).is_endpoint
    assert not is_system(object())
    assert not is_system(len)
    assert not is_system(System())


QUESTION = Conversation(messages=(Message(role="user", content="How many?"),))


class Plain:
    """Inherits nothing, and has as little as a system may have."""

    label = "plain"
    identity: Mapping[str, Any] = {"type": "plain"}

    async def ask(self, conversation: Conversation) -> Response:
        return Response(text="two")


class Heir(System):
    """Inherits the defaults, and answers many questions at once."""

    label = "heir"

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"type": "heir"}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        return [SystemFailure("nothing was asked") if not c.messages else Response(text="two") for c in conversations]


@pytest.mark.parametrize("system", [Plain(), Heir()], ids=["inherits nothing", "inherits"])
def test_a_part_that_a_system_lacks_has_its_default(system: Any) -> None:
    whole = as_system(system)
    assert (whole.label, whole.note, whole.free, whole.endpoint, whole.classes) == (system.label, "", False, None, ())
    assert (whole.sees_results, whole.constrained, whole.session, whole.token_ids) == (True, False, None, None)
    assert dict(whole.identity) == {"type": system.label}
    assert whole.check(QUESTION) is None
    assert whole.close() is None
    assert asyncio.run(whole.ask(QUESTION)).text == "two"
    assert as_system(whole) is whole


def test_a_batch_of_one_fails_as_its_question_does() -> None:
    with pytest.raises(SystemFailure, match="nothing was asked"):
        asyncio.run(Heir().ask(Conversation(messages=())))


def test_a_bot_that_keeps_its_dialogues_is_not_asked_alone() -> None:
    with pytest.raises(UsageError, match=r"^bot keeps its own dialogues; ask through session\(\)$"):
        asyncio.run(as_system(ScriptedBot({"*": "a"}, "bot")).ask(QUESTION))


@pytest.mark.parametrize("lacks", ["label", "identity", "ask"])
def test_what_lacks_a_necessary_part_is_no_system(lacks: str) -> None:
    parts = {name: part for name, part in vars(Plain).items() if name != lacks}
    for bases in ((), (System,)):
        with pytest.raises(UsageError, match="lacks a label" if lacks != "ask" else "expected an object with `ask`"):
            as_system(type("Less", bases, parts)())


def test_answers_from_a_file_are_not_handed_results() -> None:
    system = Full()
    system.session = None  # type: ignore[assignment, method-assign]
    free = Target(layer=QueryLayer(system, Store(None)), tasks={})
    plain = Target(layer=QueryLayer(Plain(), Store(None)), tasks={})
    assert (free.takes_steps, plain.takes_steps) == (False, True)


def test_an_endpoint_that_tells_nothing_is_one_all_the_same() -> None:
    assert QueryLayer(Full(), Store(None)).is_endpoint
    endpoint = made("http", url=ADDRESS).endpoint
    assert isinstance(endpoint, ServiceEndpoint)
    assert (endpoint.origin, endpoint.timeout) == ("http://127.0.0.1:9", 120.0)


def test_what_has_something_to_close_is_closed() -> None:
    system = Full()
    asyncio.run(close_all([system, object(), system]))
    assert system.closed == 2


def test_a_note_of_a_system_is_one_of_the_run() -> None:
    from mutatis.assembly.campaign import HandedOver, assemble
    from mutatis.config import check

    cases = mutatis.cases(["fine"], task="sentiment")
    with Store(None) as store:
        objects = HandedOver(systems=[Full()], cases=cases, relations=["upper-case"])
        campaign = assemble(check({}, objects=("systems", "data")), store, objects)
    assert "costs a fortune" in campaign.notes
