"""A helper made of a system: what is sent, what is told apart, and what its faults become."""

from __future__ import annotations

from contextlib import suppress

import pytest

from mutatis.core.errors import AccessDenied, AnswerCutOff, MalformedAnswer, Retryable, SystemFailure
from mutatis.core.system import Finish, Response, is_constrained
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
        ('{"text": 1}', "the wrong form"),
        ("[]", "the wrong form"),
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
        (Response(text="and so on and so", finish=Finish.LENGTH), AnswerCutOff),
        (Retryable("busy", after=1.0), SystemFailure),
        (Refused("too long", status=400, code="context_length_exceeded"), SystemFailure),
    ],
)
async def test_every_fault_of_the_system_names_the_helper(fault, kind):
    asked, _ = helper(fault)
    with pytest.raises(kind, match=r"^helper model: "):
        await asked.complete("p")


FORM = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SENT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": FORM}}


class ConstrainedModel(ScriptedSystem):
    """A model that can be held to a schema."""

    constrained = True


def held(answer):
    model = ConstrainedModel({"*": answer}, "model")
    return SystemHelper(QueryLayer(model, Store(None), Limits(retries=0))), model


async def test_a_constrained_model_is_sent_the_form_of_a_text_or_of_data():
    asked, model = held('{"text": "a"}')
    assert is_constrained(asked)
    assert await asked.complete("p", form=FORM) == '{"text": "a"}'
    assert await asked.complete("q", FORM) == {"text": "a"}
    assert [dict(each.options) for each in model.asked] == [{"response_format": SENT}] * 2


async def test_another_model_is_not_told_of_the_form():
    # Endpoints refuse keys they do not know; what they say is read leniently instead.
    asked, model = helper('{"text": "a"}')
    assert not is_constrained(asked)
    await asked.complete("p", form=FORM)
    await asked.complete("q", FORM)
    assert [dict(each.options) for each in model.asked] == [{}, {}]


async def test_another_try_of_a_constrained_model_is_a_draw_of_a_seed_of_its_own():
    asked, model = held("{}")
    for attempt in (0, 1, 2):
        await asked.complete("p", form=FORM, attempt=attempt, temperature=0.7 if attempt else 0.0)
    assert [(each.options.get("temperature"), each.options.get("seed")) for each in model.asked] == [
        (None, None),
        (0.7, 2),
        (0.7, 3),
    ]


async def test_what_was_rejected_under_a_form_is_what_was_asked_under_it(tmp_path):
    way = {"form": FORM, "attempt": 1, "temperature": 0.7}
    for run, expected in enumerate((1, 1, 0), start=1):  # rejected by the first run, so asked once more by the second
        model = ConstrainedModel({"*": "{}"}, "model")
        with Store(tmp_path / "store.db") as store:
            layer = QueryLayer(model, store, Limits(retries=0))
            asked = SystemHelper(layer)
            await asked.complete("p", **way)
            if run == 1:
                asked.reject("p", "no use", **way)
                asked.reject("p", "no use", **way)
                assert layer.counts.unusable == 1
            await layer.drain()
        assert len(model.asked) == expected, f"run {run}"


async def test_data_of_another_form_is_rejected_under_the_form_that_it_was_asked_under(tmp_path):
    asked = []
    for answer in ('{"text": 1}', '{"text": "a"}'):
        model = ConstrainedModel({"*": answer}, "model")
        with Store(tmp_path / "store.db") as store:
            layer = QueryLayer(model, store, Limits(retries=0))
            with suppress(MalformedAnswer):
                asked.append(await SystemHelper(layer).complete("p", FORM))
            await layer.drain()
        assert len(model.asked) == 1
    assert asked == [{"text": "a"}]
