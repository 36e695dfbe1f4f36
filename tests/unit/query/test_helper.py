"""A helper made of a system: what is sent, what is told apart, and what its faults become."""

from __future__ import annotations

import pytest

from mutatis.core.errors import AccessDenied, MalformedAnswer, Retryable, SystemFailure
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.helper import SystemHelper
from mutatis.systems.transport import Refused
from mutatis.testing import ScriptedSystem

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def helper(answer):
    model = ScriptedSystem({"*": answer}, "model")
    return SystemHelper(QueryLayer(model, Store(None), Limits(retries=0))), model


async def test_a_prompt_gives_text():
    asked, model = helper("  fine \n")
    assert await asked.complete("Say it.") == "fine"
    [conversation] = model.asked
    assert [(m.role, m.content) for m in conversation.messages] == [("user", "Say it.")]


async def test_draw_attempt_and_temperature_are_asked_anew_and_equal_ones_are_not():
    asked, model = helper("x")
    for _ in range(2):
        await asked.complete("p")
        await asked.complete("p", draw=1)
        await asked.complete("p", attempt=1)
        await asked.complete("p", temperature=0.7)
    assert len(model.asked) == 4


async def test_draw_and_attempt_are_never_sent():
    # Endpoints refuse keys they do not know.
    asked, model = helper("x")
    await asked.complete("p", draw=2, attempt=1)
    await asked.complete("p", draw=2, attempt=1, temperature=0.7)
    assert [dict(c.options) for c in model.asked] == [{}, {"temperature": 0.7}]


@pytest.mark.parametrize("answer", ['{"text": "a"}', '```json\n{"text": "a"}\n```', '```\n{"text": "a"}\n```\n'])
async def test_data_is_read_also_from_a_fence(answer):
    asked, _ = helper(answer)
    assert await asked.complete("p", SCHEMA) == {"text": "a"}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("not JSON", "not JSON"),
        ('{"text": 1}', "another form"),
        ("[]", "another form"),
        ('{"text": "a"', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 10_000, "not JSON"),
    ],
)
async def test_malformed_data_is_a_failure_of_its_own(answer, says):
    asked, _ = helper(answer)
    with pytest.raises(MalformedAnswer, match=says):
        await asked.complete("p", SCHEMA)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (SystemFailure("empty"), SystemFailure),
        (AccessDenied("wrong key"), AccessDenied),
        (Retryable("busy", after=1.0), SystemFailure),
        (Refused("too long", status=400, code="context_length_exceeded"), SystemFailure),
    ],
)
async def test_every_fault_of_the_system_names_the_helper(fault, kind):
    asked, _ = helper(fault)
    with pytest.raises(kind, match=r"^helper model: "):
        await asked.complete("p")
