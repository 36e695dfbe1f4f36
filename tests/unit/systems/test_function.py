"""Python functions as systems."""

from __future__ import annotations

import asyncio
import functools
import json
import sys
import threading

import numpy
import pytest

from mutatis.core.errors import Retryable, SystemFailure, UsageError
from mutatis.core.system import Conversation, Finish, Message, Response
from mutatis.systems import SYSTEMS
from support.forked import in_a_fork


def talk(messages=("hello",), history=(), kind="", **fields):
    return Conversation(
        messages=tuple(Message(role="user", content=text) for text in messages),
        fields=fields,
        history=history,
        kind=kind,
    )


def build(target, **options):
    return SYSTEMS["function"](target=target, **options)


async def test_a_function_and_a_coroutine_function_answer():
    async def coroutine(text):
        return text[::-1]

    class Callable:
        async def __call__(self, text):
            return text[::-1]

    for target in (lambda text: text[::-1], coroutine, Callable(), functools.partial(lambda n, text: text[::-1], 1)):
        system = build(target, revision="1")
        response = await system.ask(talk(text="abc"))
        assert response.text == "cba"
        assert system.label.startswith("function:")


async def test_it_is_given_what_it_asks_for():
    seen = []

    def remember(text, history=None):
        seen.append((text, history))
        return "ok"

    past = (({"question": "Who?"}, "Ann"),)
    conversation = talk(("story", "Why?"), past, story="S", question="Why?")
    for kind in ("text", "fields", "messages"):
        await build(remember, input=kind).ask(conversation)
    assert [text for text, _ in seen] == [
        "Why?",
        {"story": "S", "question": "Why?"},
        [{"role": "user", "content": "story"}, {"role": "user", "content": "Why?"}],
    ]
    assert all(history == [({"question": "Who?"}, "Ann")] for _, history in seen)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"text": "a", "title": "b"}, "a"),
        ({"question": "q", "story": "s"}, "q"),
        ({"sentence": "only"}, "only"),
        ({"context": "c", "question": "q"}, "prompt"),
        ({"premise": "p", "hypothesis": "h"}, "prompt"),
        ({}, "prompt"),
    ],
)
async def test_plain_text_is_the_text_the_question_or_the_prompt(fields, text):
    assert (await build(lambda text: text).ask(talk(("prompt",), **fields))).text == text


@pytest.mark.parametrize(
    ("result", "text", "probabilities"),
    [
        ("fine", "fine", None),
        (0.5, "0.5", None),
        (True, "yes", None),
        ({"a": 0.2, "b": 0.8}, "b", {"a": 0.2, "b": 0.8}),
        ({"label": "a", "probabilities": {"a": 0.2, "b": 0.8}}, "a", {"a": 0.2, "b": 0.8}),
        ({"text": "hi"}, "hi", None),
        ({"reply": "hi"}, "hi", None),
        ({"role": "assistant", "content": "I cannot do that."}, "I cannot do that.", None),
        ({"content": "I cannot do that.", "tool_calls": None}, "I cannot do that.", None),
        ({"title": "A day out", "content": "By boat."}, '{"title": "A day out", "content": "By boat."}', None),
        ({"name": "Anna Berg", "nights": 2}, '{"name": "Anna Berg", "nights": 2}', None),
        ({"hotel": {"area": "north"}}, '{"hotel": {"area": "north"}}', None),
        ({"a": numpy.float32(0.25), "b": numpy.float32(0.75)}, "b", {"a": 0.25, "b": 0.75}),
        (numpy.str_("spam"), "spam", None),
        ({"label": numpy.str_("spam")}, "spam", None),
        (numpy.float32(0.1), "0.1", None),
        (numpy.int64(3), "3", None),
        (numpy.True_, "yes", None),
        ({"name": "Anna", "nights": numpy.int64(2)}, '{"name": "Anna", "nights": 2}', None),
        (Finish.LENGTH, "length", None),
        (Response(text="own", prompt_tokens=4), "own", None),
    ],
)
async def test_answers_of_several_shapes(result, text, probabilities):
    response = await build(lambda text: result).ask(talk(text="x"))
    assert (response.text, response.probabilities) == (text, probabilities)
    assert type(response.text) is str  # a label of NumPy or of an enumeration is a subclass


@pytest.mark.parametrize("result", [None, [], {}, {"a": object()}, object()])
async def test_what_is_no_answer_is_a_failure_that_shows_it(result):
    with pytest.raises(SystemFailure, match="returned"):
        await build(lambda text: result).ask(talk(text="x"))


async def test_a_list_is_a_failure_that_names_the_way_to_return_one():
    with pytest.raises(SystemFailure, match=r"returned \[\{'n': 1\}\]; expected .* as Response\(data=\[\.\.\.\]\)"):
        await build(lambda text: [{"n": 1}]).ask(talk(text="x"))


REPLIES = [
    ({"answer": "By boat.", "sources": [1, 2], "score": 0.83}, "By boat."),
    ({"answer": "By boat.", "text": "Boats go daily.", "label": "travel"}, "By boat."),
    ({"choices": [{"message": {"role": "assistant", "content": "By boat."}}]}, "By boat."),
    (Response(data={"answer": "By boat.", "sources": ["p. 3"]}), "By boat."),
    ({"yes": 0.75, "no": 0.25}, "yes"),
]
"""Objects from functions whose task expects a text, each with the reply in it."""


@pytest.mark.parametrize(("result", "text"), REPLIES)
async def test_a_text_is_looked_up_in_an_object_as_in_the_answer_of_a_server(result, text):
    assert (await build(lambda text: result).ask(talk(kind="text"))).text == text
    [response] = await build(lambda texts: [result], batch=True).ask_many([talk(kind="text")])
    assert response.text == text


async def test_an_object_without_a_name_for_a_reply_is_the_whole_answer_even_if_a_text_is_expected():
    data = {"total": 5, "currency": "EUR"}  # the only text is not the reply
    assert json.loads((await build(lambda text: data).ask(talk(kind="text"))).text) == data
    response = Response(data=data)
    assert await build(lambda text: response).ask(talk(kind="text")) == response


@pytest.mark.parametrize("result", [{"answer": None, "sources": []}, {"reply": {"pages": 3, "size": 4}}, None])
async def test_an_object_without_a_reply_is_a_failure_that_names_the_keys(result):
    with pytest.raises(SystemFailure, match=r"returned .*; expected .* Response\(text=\.\.\.\) or .*: answer, reply, "):
        await build(lambda text: result).ask(talk(kind="text"))


@pytest.mark.parametrize("kind", ["data", "state", "label", "number"])
async def test_an_object_is_the_whole_answer_where_no_text_is_expected(kind):
    response = await build(lambda text: {"answer": "By boat.", "pages": [3]}).ask(talk(kind=kind))
    assert response.text == '{"answer": "By boat.", "pages": [3]}'


@pytest.mark.parametrize(
    "result", [{"nights": 2, "people": 4}, {"total": 19}, {"text": "A lamp", "price": 12}, {"label": "A", "size": "b"}]
)
async def test_data_are_data_whatever_their_keys_and_values(result):
    response = await build(lambda text: result).ask(talk(kind="data"))
    assert json.loads(response.text) == result


@pytest.mark.parametrize(
    ("result", "text", "calls"),
    [
        ([{"name": "book", "arguments": {"room": "A"}}], "", ['book(room="A")']),
        ([{"type": "function", "function": {"name": "book", "arguments": '{"room": "A"}'}}], "", ['book(room="A")']),
        ({"message": {"role": "assistant", "tool_calls": [{"function": {"name": "book"}}]}}, "", ["book()"]),
        ({"reply": "I will.", "function_call": {"name": "book", "arguments": "{}"}}, "I will.", ["book()"]),
        ({"role": "assistant", "content": "Which room?", "tool_calls": None}, "Which room?", []),
        ({"role": "assistant", "content": None}, "", []),
        ({"output": "Which room?", "input": "A room"}, "Which room?", []),
        ("Which room?", "Which room?", []),
    ],
)
async def test_an_agent_returns_calls_a_message_or_a_reply(result, text, calls):
    response = await build(lambda text: result).ask(talk(kind="calls"))
    assert (response.text, [str(call) for call in response.calls]) == (text, calls)


@pytest.mark.parametrize("result", [{"tool": "book", "args": {}}, [], ["book"], [{"room": "A"}], None])
async def test_an_agent_that_returns_anything_else_gets_the_forms_of_calls(result):
    with pytest.raises(SystemFailure, match=r'returned .*; expected a text, .* "tool_calls", or Response\(calls='):
        await build(lambda text: result).ask(talk(kind="calls"))


async def test_the_refusal_of_a_message_is_kept():
    message = {"role": "assistant", "content": None, "refusal": "I must not help with that."}
    response = await build(lambda text: message).ask(talk(text="x"))
    assert (response.text, response.refusal, response.said) == ("", message["refusal"], message["refusal"])


async def test_an_exception_is_a_failure_that_names_it():
    def broken(text):
        raise KeyError("no\nsuch key")

    with pytest.raises(SystemFailure, match="broken raised KeyError") as caught:
        await build(broken).ask(talk(text="x"))
    assert "\n" not in str(caught.value)


async def test_a_failure_that_may_be_retried_is_passed_on():
    def busy(text):
        raise Retryable("busy", after=2.0)

    with pytest.raises(Retryable) as caught:
        await build(busy).ask(talk(text="x"))
    assert caught.value.after == 2.0


async def test_blocking_functions_run_side_by_side_up_to_the_number_of_threads():
    together = threading.Barrier(4, timeout=600)

    def wait(text):
        return str(together.wait() >= 0)

    system = build(wait, threads=4)
    answers = await asyncio.gather(*(system.ask(talk(text=str(n))) for n in range(4)))
    assert [answer.text for answer in answers] == ["True"] * 4


async def test_a_batch_function_is_called_once_and_its_failures_are_single():
    calls = []

    def classify(texts):
        calls.append(len(texts))
        return [ValueError("bad") if text == "b" else text.upper() for text in texts]

    system = build(classify, batch=True)
    answers = await system.ask_many([talk(text=text) for text in "abc"])
    assert calls == [3]
    assert [getattr(answer, "text", None) for answer in answers] == ["A", None, "C"]
    assert "ValueError" in str(answers[1])
    assert (await system.ask(talk(text="z"))).text == "Z"
    with pytest.raises(SystemFailure, match="expected a list of 2 answers, got 1"):
        await build(lambda texts: ["one"], batch=True).ask_many([talk(text="a"), talk(text="b")])


def test_the_revision_is_the_hash_of_the_file(tmp_path):
    path = tmp_path / "my_bot.py"
    path.write_text("def answer(text):\n    return 'one'\n")
    target = f"{path}:answer"
    first = build(target)
    assert first.label == "function:my_bot.py:answer"
    assert str(tmp_path) not in str(first.identity)
    assert asyncio.run(first.ask(talk(text="x"))).text == "one"
    assert build(target).identity == first.identity
    path.write_text("def answer(text):\n    return 'two, changed'\n")
    second = build(target)
    assert second.identity["revision"] != first.identity["revision"]
    assert asyncio.run(second.ask(talk(text="x"))).text == "two, changed"
    assert build(target, revision="v1").identity["revision"] == "v1"


async def test_a_function_of_a_module_can_be_named():
    assert (await build("html:escape").ask(talk(text="<"))).text == "&lt;"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("answer", "expected"),
        ("nowhere.py:answer", "no such file"),
        ("no_such_module_at_all:answer", "ModuleNotFoundError"),
        ("html:escap", "did you mean 'escape'"),
        ("html:__name__", "expected a function"),
        (7, "expected text or a callable"),
    ],
)
def test_wrong_targets_are_told(target, says):
    with pytest.raises(UsageError, match=says):
        build(target)


async def test_a_file_may_import_the_files_beside_it_and_shadows_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "prices_of_lamps.py").write_text("LAMP = 12")
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)  # a module that nobody has imported yet
    (tmp_path / "colorsys.py").write_text("raise OSError('not this')")
    code = "import colorsys\ndef answer(text):\n    import prices_of_lamps\n    return str(prices_of_lamps.LAMP)\n"
    (tmp_path / "bot_of_two_files.py").write_text(code)
    system = build(f"{tmp_path / 'bot_of_two_files.py'}:answer")
    assert (await system.ask(talk(text="How much is it?"))).text == "12"


def test_a_file_that_cannot_be_imported_is_told(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("def answer(:\n")
    with pytest.raises(UsageError, match="SyntaxError"):
        build(f"{path}:answer")


def test_a_misspelt_file_is_told_with_the_nearest(tmp_path):
    (tmp_path / "room_agent.py").write_text("def answer(text):\n    return text\n")
    with pytest.raises(UsageError, match=r"no such file: .*room_agnet\.py; did you mean 'room_agent\.py'\?$"):
        build(f"{tmp_path / 'room_agnet.py'}:answer")


def test_unknown_types_and_options_are_told():
    with pytest.raises(UsageError, match="did you mean 'openai'"):
        SYSTEMS["opnai"]
    with pytest.raises(UsageError, match="did you mean 'threads'"):
        build(str, thread=2)
    with pytest.raises(UsageError, match="expected one of: text, fields, messages"):
        build(lambda text: text, input="words")
    assert SYSTEMS["function"].options[0] == "target"
    assert {SYSTEMS[name].summary[-1] for name in SYSTEMS} == {"."}


def test_a_forked_process_asks_in_threads_of_its_own():
    system = build(lambda text: text.upper(), threads=1)

    def asked() -> str:
        return asyncio.run(system.ask(Conversation(messages=(Message(role="user", content="hello"),)))).text

    assert asked() == in_a_fork(asked) == "HELLO"


def test_the_only_parameter_of_a_function_receives_the_messages_whatever_its_name():
    def reply(history):
        return history[-1]["content"]

    system = build(reply, input="messages")
    assert asyncio.run(system.ask(talk(messages=("hi", "well?")))).text == "well?"
