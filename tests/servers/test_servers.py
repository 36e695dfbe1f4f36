"""Mutatis against servers that others wrote. `make servers` installs what they need and runs these."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest

from mutatis.core.calls import ToolCall
from mutatis.core.errors import AccessDenied, Retryable, SystemFailure
from mutatis.core.system import Conversation, Finish, Message, Response
from mutatis.query import Limits, QueryLayer, Store
from mutatis.systems import SYSTEMS
from mutatis.systems.local import CARRIED
from support.fault_proxy import faulty
from support.real_servers import KEY, RealServer, litellm_proxy, llama_cpp, transformers_serve
from support.server import Act

VENV = os.environ.get("MUTATIS_SERVERS", "")
if not VENV:
    pytest.skip("real servers are started by `make servers` alone (MUTATIS_SERVERS)", allow_module_level=True)

TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tells the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
QUESTION = "what is the good film ?"
ONE_WORD: dict[str, Any] = {"max_tokens": 16, "timeout": 300, "extra_body": {"stop": [" "]}}
"""How an answer ends by itself, whatever the model would say."""

LONG = "the good film is not very dull . " * 100
"""About a thousand tokens."""


@pytest.fixture(scope="module", params=["llama.cpp", "transformers serve", "LiteLLM"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Each server in turn; it runs as long as its tests."""
    folder = tmp_path_factory.mktemp("server")
    with ExitStack() as stack:
        if request.param == "transformers serve":
            for package in ("torch", "transformers", "fastapi", "uvicorn"):
                pytest.importorskip(package)
            yield stack.enter_context(transformers_serve(folder))
            return
        for package in ("xllamacpp", CARRIED):
            if importlib.util.find_spec(package) is None:
                pytest.skip(f"{package} is not installed")
        if request.param == "LiteLLM":
            program = Path(VENV) / "bin" / "litellm"
            if not program.exists():
                pytest.skip(f"LiteLLM is not installed ({program})")
            behind = stack.enter_context(llama_cpp())
            yield stack.enter_context(litellm_proxy(program, folder, behind))
            return
        yield stack.enter_context(llama_cpp())


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def question(text: str = QUESTION, **more: Any) -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),), fields={"question": text}, **more)


async def ask(server: RealServer, conversation: Conversation | None = None, **options: Any) -> Response:
    """Ask once."""
    base = {"model": server.model, "base_url": server.url, "max_tokens": 16, "timeout": 300}
    system = SYSTEMS["openai"](**{**base, **options})
    try:
        return await system.ask(conversation or question())
    finally:
        await system.close()


async def refused(server: RealServer, conversation: Conversation | None = None, **options: Any) -> SystemFailure:
    """Ask once and return why there is no answer: one line without the key."""
    with pytest.raises(SystemFailure) as caught:
        await ask(server, conversation, **options)
    told = str(caught.value)
    assert "\n" not in told
    assert KEY not in told
    assert "wrong-key" not in told
    return caught.value


async def test_an_answer_comes_with_its_tokens_counted(server):
    answer = await ask(server)
    assert answer.text
    assert answer.prompt_tokens > 5
    assert 0 < answer.completion_tokens <= 16


async def test_a_streamed_answer_is_the_one_that_comes_whole(server):
    whole, streamed = await ask(server), await ask(server, stream=True)
    assert streamed.text.strip() == whole.text.strip()
    assert streamed.finish is whole.finish
    assert (streamed.prompt_tokens, streamed.completion_tokens) == (whole.prompt_tokens, whole.completion_tokens)


@pytest.mark.parametrize("stream", [False, True])
async def test_an_answer_that_was_cut_off_says_so(server, stream):
    answer = await ask(server, question("Tell me a long story ."), max_tokens=3, stream=stream)
    assert answer.finish is Finish.LENGTH


def about_the_weather() -> Conversation:
    """Return a question after another one that took a call and its result: a small model does as was done before."""
    call = ToolCall(name="weather", arguments={"city": "Rome"}, id="c1")
    said = (
        Message(role="user", content="What is the weather in Rome ?"),
        Message(role="assistant", content="", calls=(call,)),
        Message(role="tool", content="sunny", call_id="c1"),
        Message(role="user", content="What is the weather in Paris ?"),
    )
    return Conversation(messages=said, tools=(TOOL,))


@pytest.mark.parametrize("stream", [False, True])
async def test_a_call_of_a_tool_is_read(server, stream):
    asked = about_the_weather()
    if not server.calls_tools:  # its model has random weights: tools are taken, and nobody can say what it answers
        assert (await ask(server, asked, stream=stream)).text
        return
    answer = await ask(server, asked, max_tokens=60, stream=stream, extra_body={"tool_choice": "required"})
    assert [(call.name, call.arguments) for call in answer.calls] == [("weather", {"city": "Paris"})]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_call_that_is_cut_off_in_its_arguments_is_none_that_may_be_carried_out(server, stream):
    if not server.calls_tools:
        pytest.skip(f"{server.name}: nobody can make its model call a tool")
    demanded = {"tool_choice": "required"}
    answer = await ask(server, about_the_weather(), max_tokens=16, stream=stream, extra_body=demanded)
    assert answer.finish is Finish.LENGTH
    assert [bool(call.malformed) for call in answer.calls] == [True]


@pytest.mark.parametrize("stream", [False, True])
async def test_tools_that_are_not_needed_are_not_called(server, stream):
    if not server.calls_tools:
        pytest.skip(f"{server.name}: nobody can say what its model answers")
    answer = await ask(server, question("Tell me a joke.", tools=(TOOL,)), stream=stream)
    assert answer.calls == ()
    assert answer.text


@pytest.mark.parametrize("stream", [False, True])
async def test_probabilities_of_tokens_are_read_where_the_server_tells_them(server, stream):
    answer = await ask(server, top_logprobs=3, stream=stream)
    if not server.tells_chances:
        assert answer.decisions is None
        return
    assert len(answer.decisions) == answer.completion_tokens
    assert all(0.0 < sum(outcomes.values()) <= 1.000_01 for outcomes in answer.decisions.values())


async def test_an_answer_is_held_to_a_schema_where_the_server_can_do_it(server):
    if not server.calls_tools:
        pytest.skip(f"{server.name} takes no response_format")
    schema = {"type": "object", "properties": {"days": {"enum": [365, 366]}}, "required": ["days"]}
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    asked = question("How many days has a leap year ?", options={"response_format": form})
    answer = await ask(server, asked, max_tokens=60)  # the form lets the model put blanks, as many as it likes
    assert json.loads(answer.text)["days"] in {365, 366}


@pytest.mark.parametrize(
    "act",
    [Act(status=429, retry_after="0"), Act(status=500), Act(status=503), Act(cut="before"), Act(cut="inside")],
    ids=["429", "500", "503", "no answer", "half an answer"],
)
@pytest.mark.parametrize("stream", [False, True])
async def test_a_passing_fault_in_front_is_asked_through_and_paid_for_once_more(server, act, stream):
    with faulty(server.url, [act]) as proxy:
        options = ONE_WORD if server.stops_at else {"max_tokens": 16, "timeout": 300}
        system = SYSTEMS["openai"](model=server.model, base_url=proxy.url, stream=stream, **options)
        layer = QueryLayer(system, Store(None), Limits(retries=2, longest_wait=0.01))
        # Where it cannot be ended, it is cut off: an answer all the same, after the same faults.
        cut_off = pytest.raises(SystemFailure, match="cut off at the token limit")
        try:
            with nullcontext() if server.stops_at else cut_off:
                answer = await layer.ask(question())
                assert answer.text == (await ask(server, stream=stream, **options)).text
        finally:
            await system.close()
    assert proxy.statuses == [act.status if act.status != 200 else 0, 200]


async def test_a_fault_that_stays_is_told_after_the_last_try(server):
    with faulty(server.url, [Act(status=500)] * 3) as proxy:
        system = SYSTEMS["openai"](model=server.model, base_url=proxy.url, **ONE_WORD)
        layer = QueryLayer(system, Store(None), Limits(retries=2, longest_wait=0.01))
        with pytest.raises(SystemFailure, match="HTTP 500"):
            await layer.ask(question())
        await system.close()
    assert proxy.statuses == [500, 500, 500]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_prompt_longer_than_the_context_fails_for_itself(server, stream):
    if not server.has_limit:
        assert (await ask(server, question(LONG), stream=stream)).prompt_tokens > 256
        return
    error = await refused(server, question(LONG), stream=stream)
    assert not isinstance(error, AccessDenied | Retryable)
    assert "context" in str(error)
    assert (await ask(server)).text


@pytest.mark.parametrize("stream", [False, True])
async def test_another_models_name_is_refused_with_both_names_where_the_server_knows_its_own(server, stream):
    if not server.knows_models:
        assert (await ask(server, model="nobody/nothing", stream=stream)).text
        return
    error = await refused(server, model="nobody/nothing", stream=stream)
    assert "nobody/nothing" in str(error)
    assert not isinstance(error, Retryable)


async def test_a_wrong_key_denies_everything_and_names_the_variable(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-key-0123456789")
    if not server.asks_for_key:
        assert (await ask(server)).text
        return
    error = await refused(server)
    assert isinstance(error, AccessDenied)
    assert "OPENAI_API_KEY" in str(error)


def test_a_campaign_asks_every_question_once(server, command):
    (command.folder / "questions.txt").write_text(f"{QUESTION}\nwho was the great soup ?\n")
    (command.folder / "run.toml").write_text(
        "\n".join(
            [
                'relations = ["upper-case", "add-spaces"]',
                "noise_floor = 1\nconfirm = 1\nshrink = 1",
                f'[system]\ntype = "openai"\nmodel = "{server.model}"\nbase_url = "{server.url}"',
                "max_tokens = 12\ntimeout = 300",
                '[data]\ntask = "chat"\nformat = "lines"\npath = "questions.txt"',
            ]
        )
    )
    first = command("run", "run.toml", "--out", "out")
    assert first.code in (0, 1, 3), first.err  # 3: a small model's answers are often cut off
    report = json.loads((command.folder / "out" / "report.json").read_text())
    assert report["run"]["queries"]["paid"] > 4
    assert KEY not in (command.folder / "out" / "report.json").read_text()
    command("run", "run.toml", "--out", "out", "--offline")
    again = json.loads((command.folder / "out" / "report.json").read_text())
    assert again["run"]["queries"]["paid"] == 0
    assert again["summary"] == report["summary"]
