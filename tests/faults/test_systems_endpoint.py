"""Everything that can go wrong at an endpoint, each against a scripted server on loopback."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from mutatis.core.errors import AccessDenied, Retryable, SystemFailure, UsageError
from mutatis.core.system import Conversation, Finish, Message
from mutatis.systems import SYSTEMS
from support.parts import ask_openai
from support.server import Act, serve, until

KEY = "sk-very-secret-123"


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def talk(text="How many legs has a spider?"):
    return Conversation(messages=(Message(role="user", content=text),), fields={"question": text})


async def asked(*script, **options):
    """Ask once against a script; return the response or the error, and the server."""
    return await ask_openai(script, talk(), **options)


async def test_an_answer_comes_with_usage():
    response, server = await asked(Act(text="eight"), seed=3, max_tokens=9, extra_body={"top_p": 0.5})
    assert (response.text, response.finish) == ("eight", Finish.STOP)
    assert (response.prompt_tokens, response.completion_tokens) == (7, 3)
    body = server.bodies[0]
    assert {k: body[k] for k in ("model", "temperature", "seed", "max_tokens", "top_p")} == {
        "model": "m",
        "temperature": 0.0,
        "seed": 3,
        "max_tokens": 9,
        "top_p": 0.5,
    }
    assert body["messages"] == [{"role": "user", "content": "How many legs has a spider?"}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_options_of_one_question_override_those_of_the_system():
    async with serve() as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url)
        await system.ask(Conversation(messages=talk().messages, options={"temperature": 0.7}))
        await system.close()
    assert server.bodies[0]["temperature"] == 0.7


async def test_a_secret_of_the_address_comes_from_the_environment_and_is_shown_nowhere(monkeypatch):
    monkeypatch.setenv("GATE_KEY", "v1")  # the path that the server has
    async with serve([Act(text="eight"), Act(status=400, error={"message": "no such v1"})]) as server:
        base = f"{server.url.removesuffix('/v1')}/env:GATE_KEY"
        system = SYSTEMS["openai"](model="m", base_url=base)
        assert (await system.ask(talk())).text == "eight"
        assert system.identity["endpoint"] == f"{base}/chat/completions"
        with pytest.raises(SystemFailure, match=r"env:GATE_KEY/chat/completions: HTTP 400"):
            await system.ask(talk())
        await system.close()
    monkeypatch.delenv("GATE_KEY")
    with pytest.raises(UsageError, match="base_url needs the environment variable GATE_KEY, which is not set"):
        SYSTEMS["openai"](model="m", base_url=base)


async def test_a_newline_in_the_key_does_not_break_the_call(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f"  {KEY}\n")
    response, server = await asked(Act(text="eight"))
    assert response.text == "eight"
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("status", [401, 403])
async def test_a_wrong_key_is_one_clear_line_that_names_the_variable_and_never_the_key(status):
    error, server = await asked(Act(status=status, error={"message": f"Incorrect API key: {KEY}\nbye"}))
    assert isinstance(error, AccessDenied)
    assert "OPENAI_API_KEY" in str(error)
    assert str(status) in str(error)
    assert KEY not in str(error)
    assert "\n" not in str(error)
    assert server.requests == 1


async def test_without_a_key_the_error_says_which_variable_to_set(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    error, server = await asked(Act(status=401))
    assert "set the variable OPENAI_API_KEY" in str(error)
    assert "Authorization" not in server.headers[0]


async def test_an_unknown_model_is_refused_for_good():
    error, _ = await asked(Act(status=404, error={"message": "model m does not exist"}))
    assert isinstance(error, AccessDenied)
    assert "model m does not exist; check the model's name and the address" in str(error)


async def test_spent_quota_is_refused_for_good_although_its_status_is_429():
    error, _ = await asked(Act(status=429, error={"message": "no money", "code": "insufficient_quota"}))
    assert isinstance(error, AccessDenied)


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [(400, "no_db_connection", "OPENAI_API_KEY"), (429, "budget_exceeded", "quota"), (400, "budget_exceeded", "quota")],
)
async def test_what_litellm_says_of_a_key_in_the_type_beside_a_code_that_repeats_the_status(status, kind, says):
    told = {"message": "No.", "type": kind, "param": None, "code": str(status)}
    error, _ = await asked(Act(status=status, error=told))
    assert isinstance(error, AccessDenied)
    assert says in str(error)
    assert KEY not in str(error)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
async def test_overload_and_server_faults_may_be_tried_again(status):
    error, server = await asked(Act(status=status))
    assert isinstance(error, Retryable)
    assert error.after is None
    assert server.requests == 1


async def test_retry_after_in_seconds_is_carried():
    error, _ = await asked(Act(status=429, retry_after="7"))
    assert error.after == 7.0


async def test_retry_after_as_a_date_is_carried():
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=9000), usegmt=True)
    error, _ = await asked(Act(status=503, retry_after=moment))
    assert 8000 < error.after <= 9000


async def test_a_bad_request_fails_alone_and_is_not_tried_again():
    error, _ = await asked(Act(status=400, error={"message": "context length exceeded"}))
    assert isinstance(error, SystemFailure)
    assert not isinstance(error, AccessDenied | Retryable)
    assert "context length exceeded" in str(error)


async def test_a_moved_address_is_told_and_not_followed():
    error, server = await asked(Act(status=308))
    assert isinstance(error, AccessDenied)
    assert "moved" in str(error)
    assert server.requests == 1


async def test_a_timeout_may_be_tried_again():
    error, _ = await asked(Act(silent=True), timeout=0.05)
    assert isinstance(error, Retryable)
    assert "0.05 s" in str(error)


@pytest.mark.parametrize("where", ["before", "inside"])
async def test_a_cut_connection_may_be_tried_again(where):
    error, _ = await asked(Act(cut=where))
    assert isinstance(error, Retryable)
    assert "\n" not in str(error)


async def test_an_unreachable_server_may_be_tried_again(unused_tcp_port):
    system = SYSTEMS["openai"](model="m", base_url=f"http://127.0.0.1:{unused_tcp_port}/v1")
    with pytest.raises(Retryable, match="cannot be reached"):
        await system.ask(talk())
    await system.close()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("<html>proxy</html>", "is a page (is it an OpenAI-compatible endpoint?"),
        ('{"choices": [', "not JSON"),
        ("[]", "no choices"),
        ('{"choices": []}', "no choices"),
        ('{"choices": [{"message": null}]}', "no choices"),
        ('{"choices": [{"message": {"content": 7}}]}', "no choices"),
        ('{"error": {"message": "model is loading"}}', "model is loading"),
        ('{"choices": [{"message": {"content": null}}]}', "empty answer"),
        ('{"choices": [{"message": {"content": "  "}, "finish_reason": "length"}]}', "max_tokens"),
        ("[" * 100_000, "not JSON"),
    ],
)
async def test_malformed_and_empty_answers_are_failures_of_the_system(raw, says):
    error, _ = await asked(Act(raw=raw))
    assert isinstance(error, SystemFailure)
    assert not isinstance(error, AccessDenied | Retryable)
    assert says in str(error)
    assert len(str(error)) < 400


async def test_a_filtered_answer_is_marked_as_what_it_is():
    response, _ = await asked(Act(text="", finish="content_filter"))
    assert response.finish is Finish.FILTERED
    response, _ = await asked(Act(status=400, error={"message": "no", "code": "content_filter"}))
    assert (response.finish, response.text) == (Finish.FILTERED, "")


async def test_a_truncated_answer_is_marked_as_what_it_is():
    response, _ = await asked(Act(text="eigh", finish="length"))
    assert response.finish is Finish.LENGTH


async def test_an_answer_of_a_megabyte_is_read_whole():
    response, _ = await asked(Act(text="x", size=2**20))
    assert len(response.text) == 2**20


async def test_content_in_parts_and_refusals_are_text():
    response, _ = await asked(
        Act(raw='{"choices": [{"message": {"content": [{"type": "text", "text": "ei"}, {"text": "ght"}]}}]}')
    )
    assert response.text == "eight"
    response, _ = await asked(Act(raw='{"choices": [{"message": {"content": null, "refusal": "I will not."}}]}'))
    assert response.text == "I will not."


async def test_lone_surrogates_can_be_sent():
    async with serve([Act(text="ok")]) as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url)
        response = await system.ask(talk("broken \ud83d text"))
        await system.close()
    assert response.text == "ok"


async def test_one_session_serves_many_questions_at_once():
    import asyncio

    async with serve(default=Act(silent=True)) as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url)
        asking = asyncio.gather(*(system.ask(talk(str(n))) for n in range(20)))
        await until(lambda: server.in_flight == 20)
        server.release()
        answers = await asking
        await system.close()
    assert len({answer.text for answer in answers}) == 20


def test_a_system_can_be_used_in_one_event_loop_after_another():
    import asyncio

    async def once(system, server_script):
        async with serve(server_script) as server:
            system.address = f"{server.url}/chat/completions"
            answer = await system.ask(talk())
            await system.close()
            return answer.text

    system = SYSTEMS["openai"](model="m", base_url="http://127.0.0.1:9/v1")
    assert asyncio.run(once(system, [Act(text="one")])) == "one"
    assert asyncio.run(once(system, [Act(text="two")])) == "two"


def test_no_secret_reaches_identity_label_or_representation(monkeypatch):
    monkeypatch.setenv("BOT_TOKEN", "tok-abc")
    system = SYSTEMS["openai"](
        model="m", base_url="http://127.0.0.1:9/v1", headers={"X-Token": "env:BOT_TOKEN", "X-Api-Key": "literal"}
    )
    shown = f"{system.identity} {system.label} {system!r}"
    assert all(hidden not in shown for hidden in (KEY, "tok-abc", "literal"))
    bot = SYSTEMS["http"](url="http://127.0.0.1:9/bot", headers={"Authorization": "Bearer env:BOT_TOKEN"})
    assert "tok-abc" not in f"{bot.identity} {bot.label} {bot!r}"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"modell": "m"}, "did you mean 'model'"),
        ({}, "needs the option 'model'"),
        ({"model": "m", "temperature": "hot"}, "temperature is 'hot'; expected a number or 'default'"),
        ({"model": "m", "max_tokens": 1.5}, "expected a whole number"),
        ({"model": "m", "base_url": "localhost:8000"}, "expected an address"),
        ({"model": "m", "base_url": "http://me:pass@host/v1"}, "user name or password"),
        ({"model": "m", "api_key_env": "NOT_SET_ANYWHERE"}, "NOT_SET_ANYWHERE is not set"),
        ({"model": "m", "extra_body": {"messages": []}}, "must not set 'messages'"),
        ({"model": "m", "timeout": 0}, "more than 0"),
        ({"model": "m", "headers": {"X": "env:NOT_SET_ANYWHERE"}}, "NOT_SET_ANYWHERE"),
        ({"model": "m", "headers": {"X": "Bearer ${TOKEN}"}}, r"header 'X' contains \${TOKEN}, .*; expected env:TOKEN"),
    ],
)
def test_wrong_options_are_told_before_anything_is_asked(options, says):
    with pytest.raises(UsageError, match=says):
        SYSTEMS["openai"](**options)


def streamed(*chunks):
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def piece(text, finish=None):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


USED = {"prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13}


@pytest.mark.parametrize(
    "chunks",
    [
        [piece("eight"), piece(" legs", "stop"), {"choices": [], "usage": USED}],  # OpenAI, llama.cpp
        [piece("eight"), {**piece(" legs", "stop"), "usage": USED}],  # transformers serve
        [{**piece("eight"), "usage": {**USED, "completion_tokens": 1}}, {**piece(" legs", "stop"), "usage": USED}],
    ],
)
async def test_a_streamed_answer_comes_with_usage_as_a_whole_one_does(chunks):
    response, server = await asked(Act(raw=streamed(*chunks)), stream=True)
    assert (response.text, response.prompt_tokens, response.completion_tokens) == ("eight legs", 11, 2)
    assert server.bodies[0]["stream_options"] == {"include_usage": True}


async def test_usage_of_a_stream_is_not_asked_for_where_the_user_says_so():
    answer = Act(raw=streamed(piece("eight", "stop")))
    response, server = await asked(answer, stream=True, extra_body={"stream_options": {}})
    assert (response.text, response.prompt_tokens, response.completion_tokens) == ("eight", 0, 0)
    assert "stream_options" not in server.bodies[0]
