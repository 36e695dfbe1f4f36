"""Models of Inspect AI as systems; what asks Inspect itself is skipped where it is not installed."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from typing import Any

import pytest

from mutatis.core.errors import MissingExtra, SystemFailure, UsageError
from mutatis.core.system import Conversation, Finish, Message
from mutatis.systems import SYSTEMS
from mutatis.systems.inspect_models import InspectSystem
from mutatis.testing import sync

IS_THERE = importlib.util.find_spec("inspect_ai") is not None
needs_inspect = pytest.mark.skipif(not IS_THERE, reason="Inspect AI is not installed: pip install 'mutatis[inspect]'")
ASKED = Conversation(messages=(Message(role="system", content="Be brief."), Message(role="user", content="Who?")))


@pytest.mark.skipif(IS_THERE, reason="Inspect AI is installed")
def test_without_inspect_one_line_says_what_to_install() -> None:
    with pytest.raises(MissingExtra, match=r"'inspect' \(openai/gpt-4o\) needs .* pip install 'mutatis\[inspect\]'"):
        SYSTEMS["inspect"](model="openai/gpt-4o")


@pytest.mark.parametrize(("name", "remote"), [("openai/gpt-4o", True), ("mockllm/model", False)])
def test_a_gate_wants_a_service_asked_and_no_mock(name: str, remote: bool) -> None:
    assert (InspectSystem(label="m", model=None, name=name, parameters={}).endpoint is not None) is remote


def test_the_identity_tells_endpoints_apart_and_holds_no_key() -> None:
    key = "sk-abcdefgh12345678"
    common: dict[str, Any] = {"label": "m", "model": None, "name": "openai/gpt-4o"}
    common["parameters"] = {"max_tokens": 9, "extra_headers": {"x-api-key": key}}
    systems = [
        InspectSystem(**common, address=f"http://me:{key}@host/{path}", args={"api_key": key, "x": x})
        for path, x in (("one", 1), ("two", 1), ("one", 2))
    ]
    identities = [str(system.identity) for system in systems]
    assert len(set(identities)) == 3
    assert key not in str(identities)
    assert systems[0].identity["parameters"]["max_tokens"] == 9


@needs_inspect
def test_the_address_and_the_arguments_of_the_options_are_in_the_identity() -> None:
    system = SYSTEMS["inspect"](model="mockllm/shop", base_url="http://host/one", args={"zone": 1})
    assert (system.identity["endpoint"], system.identity["args"]) == ("http://host/one", {"zone": 1})


def mocked(output: Any) -> InspectSystem:
    from inspect_ai.model import ModelUsage, get_model

    output.usage = output.usage or ModelUsage()  # or Inspect counts with a tokenizer from the network
    model = get_model("mockllm/shop", custom_outputs=lambda *_: output, memoize=False)
    return InspectSystem(label="shop", model=model, name=str(model), parameters={"temperature": 0.0})


@needs_inspect
def test_an_answer_with_its_usage_and_end() -> None:
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm/shop", "Nora", stop_reason="max_tokens")
    output.usage = ModelUsage(input_tokens=7, output_tokens=2)
    response = sync(mocked(output).ask(ASKED))
    assert (response.text, response.finish) == ("Nora", Finish.LENGTH)
    assert (response.prompt_tokens, response.completion_tokens) == (7, 2)


@needs_inspect
def test_what_inspect_says_went_wrong_is_the_failure_of_one_question() -> None:
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm/shop", "", error="overloaded")
    output.usage = ModelUsage()
    with pytest.raises(SystemFailure, match="mockllm/shop: overloaded"):
        sync(mocked(output).ask(ASKED))


@needs_inspect
def test_a_key_that_inspect_does_not_know_is_told() -> None:
    with pytest.raises(UsageError, match="unknown key in config of system type 'inspect': 'heat'"):
        SYSTEMS["inspect"](model="mockllm/shop", config={"heat": 1})


@needs_inspect
def test_a_value_that_inspect_refuses_is_told_before_anything_is_asked() -> None:
    with pytest.raises(UsageError, match="config: max_tokens is 'many'; expected a valid integer"):
        SYSTEMS["inspect"](model="mockllm/shop", config={"max_tokens": "many"})


@needs_inspect
def test_a_tool_needs_no_description() -> None:
    from inspect_ai.model import ModelOutput

    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    output = ModelOutput.from_content("mockllm/shop", "Nora")
    assert sync(mocked(output).ask(replace(ASKED, tools=(tool,)))).text == "Nora"


@needs_inspect
@pytest.mark.parametrize(("reason", "says"), [("stop", "empty answer$"), ("max_tokens", "empty answer .cut off")])
def test_an_empty_answer_is_a_failure(reason: Any, says: str) -> None:
    from inspect_ai.model import ModelOutput

    with pytest.raises(SystemFailure, match=says):
        sync(mocked(ModelOutput.from_content("mockllm/shop", " ", stop_reason=reason)).ask(ASKED))


@needs_inspect
def test_an_answer_that_was_kept_back_may_be_empty() -> None:
    from inspect_ai.model import ModelOutput

    output = ModelOutput.from_content("mockllm/shop", "", stop_reason="content_filter")
    assert sync(mocked(output).ask(ASKED)).finish is Finish.FILTERED
