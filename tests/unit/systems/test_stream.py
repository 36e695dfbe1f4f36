"""What the pieces of a reply come to: one text, why it ended, and whether it came to its end at all."""

from __future__ import annotations

import json

import pytest

from mutatis.core.system import Finish
from mutatis.systems.stream import events, joined

SSE = "text/event-stream"


def sse(*data, end=True):
    told = [event if isinstance(event, str) else json.dumps(event) for event in data]
    return "".join(f"data: {event}\n\n" for event in told) + "data: [DONE]\n\n" * end


def read(body, media=SSE):
    body_events = events(body, media)
    assert body_events is not None
    return joined(body_events)


def texts(*pieces, end=True):
    return sse(*({"text": piece} for piece in pieces), end=end)


def delta(text, reason=None):
    return {"object": "chat.completion.chunk", "choices": [{"delta": {"content": text}, "finish_reason": reason}]}


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_only_carriage_returns_and_line_feeds_end_a_line(mark):
    inside = f"one{mark}two"
    assert read(f"data: {inside}\n\n").text == inside
    line = json.dumps({"response": inside, "done": True}, ensure_ascii=False)
    assert read(f"{line}\n", "application/x-ndjson").text == inside


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_of_the_three_line_ends_will_do(end):
    assert read(end.join(["data: It is", "", ": keep-alive", "", "data:  open.", "", ""])).text == "It is open."


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["1", "10"], "110"),
        (["2", "2", "0"], "220"),
        (["10", "100"], "10100"),
        (["-", "--"], "---"),
        (["ha", "ha"], "haha"),
        (["It", "It is", "It is open."], "It is open."),
        (["It", "It is"], "It is"),
        (["I", "I am here."], "I am here."),
        (["Y", "Ye", "Yes"], "Yes"),
        (["1", "10", "10 ", "10 km"], "10 km"),
        (["It is", "It is", "It is open."], "It is open."),
        (["", "It", "It is open."], "It is open."),
        (["1", "10", "100", ""], "110100"),
        (["No", "No, sir", "."], "NoNo, sir."),
    ],
)
def test_pieces_that_repeat_the_reply_so_far_are_told_from_those_that_go_on_with_it(pieces, text):
    assert read(texts(*pieces)).text == text


@pytest.mark.parametrize("name", ["delta", "token"])
def test_what_is_called_a_piece_is_one(name):
    pieces = events(sse(*({name: piece} for piece in ("Go", "Go on", "Go on."))), SSE)
    assert joined(pieces).text == joined(pieces, lambda data: (data[name], True)).text == "GoGo onGo on."


def test_a_last_event_with_the_whole_reply_does_not_say_it_twice():
    body = sse(
        {"type": "response.created", "response": {"status": "in_progress", "output": []}},
        {"type": "response.output_text.delta", "delta": "It is"},
        {"type": "response.output_text.delta", "delta": " open."},
        {"type": "response.output_text.done", "text": "It is open."},
        {"type": "response.completed", "response": {"output": [{"content": [{"text": "It is open."}]}]}},
        end=False,
    )
    assert read(body).text == "It is open."
    assert read(body).ended


@pytest.mark.parametrize("kind", ["end", "done", "message_end"])
def test_an_end_that_tells_the_whole_reply_does_not_say_it_twice(kind):
    for last in ({"type": kind, "text": "Yes"}, {"event": kind, "text": "Yes"}):
        assert read(sse({"text": "Yes"}, last, end=False)).text == "Yes"
        assert read(sse({"text": "Y"}, {"text": "es"}, last, end=False)).text == "Yes"
    assert read(sse({"text": "Yes"}) + f"event: {kind}\ndata: bye\n\n").text == "Yes"


def test_what_a_model_thinks_is_no_part_of_its_reply():
    body = sse(
        {"type": "reasoning-delta", "delta": "They ask about Monday."},
        {"type": "text-delta", "delta": "It is open."},
        {"type": "finish"},
    )
    assert read(body).text == "It is open."


CUT = {
    "OpenAI": [delta("It is"), delta(" open.")],
    "OpenAI without nulls": [{"choices": [{"delta": {"content": "It is"}}]}],
    "Anthropic": [{"type": "message_start"}, {"type": "content_block_delta", "delta": {"text": "It is"}}],
    "Ollama": [{"response": "It is", "done": False}, {"response": " open.", "done": False}],
    "llama.cpp": [{"content": "It is", "stop": False}],
    "Dashscope": [{"output": {"text": "It is", "finish_reason": "null"}}],
    "half an event": [{"text": "It is"}, '{"text": " op'],
}
LAST = {
    "OpenAI": delta("", "stop"),
    "OpenAI without nulls": {"choices": [{"delta": {}, "finish_reason": "stop"}]},
    "Anthropic": {"type": "message_stop"},
    "Ollama": {"response": "", "done": True, "done_reason": "stop"},
    "llama.cpp": {"content": "", "stop": True, "stop_type": "eos"},
    "Dashscope": {"output": {"text": "It is open.", "finish_reason": "stop"}},
}


@pytest.mark.parametrize("kind", CUT)
def test_a_stream_that_says_it_goes_on_and_does_not_has_not_ended(kind):
    assert not read(sse(*CUT[kind], end=False)).ended
    rows = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in CUT[kind])
    assert not read(rows, "application/x-ndjson").ended


@pytest.mark.parametrize("kind", LAST)
def test_its_own_end_mark_ends_it(kind):
    assert read(sse(*CUT[kind], LAST[kind], end=False)).ended
    assert read(sse(*CUT[kind], LAST[kind], end=False)).finish is Finish.STOP


def test_done_ends_any_stream_and_one_without_marks_ends_where_it_ends():
    assert read(sse(*CUT["OpenAI"])).ended
    assert read(sse("It is", " open.", end=False)).ended
    assert read(sse({"text": "It is open."}, end=False)).ended


@pytest.mark.parametrize(
    ("last", "finish"),
    [
        (delta("", "length"), Finish.LENGTH),
        (delta("", "content_filter"), Finish.FILTERED),
        ({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}, Finish.LENGTH),
        ({"response": "", "done": True, "done_reason": "length"}, Finish.LENGTH),
        ({"content": "", "stop": True, "stop_type": "limit"}, Finish.LENGTH),
        ({"token": {"text": "."}, "details": {"finish_reason": "length"}}, Finish.LENGTH),
        ({"candidates": [{"finishReason": "MAX_TOKENS"}]}, Finish.LENGTH),
        ({"candidates": [{"finishReason": "SAFETY"}]}, Finish.FILTERED),
        ({"response": {"incomplete_details": {"reason": "max_output_tokens"}}}, Finish.LENGTH),
        ({"event_type": "stream-end", "finish_reason": "MAX_TOKENS"}, Finish.LENGTH),
    ],
)
def test_why_it_ended_is_read(last, finish):
    reply = read(sse({"text": "It is"}, last))
    assert (reply.finish, reply.ended) == (finish, True)


@pytest.mark.parametrize(
    "error",
    [
        'data: {"error": {"message": "overloaded"}}\n\n',
        'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}\n\n',
        "event: error\ndata: overloaded\n\n",
        'data: {"type": "response.failed", "response": {"error": {"message": "overloaded"}}}\n\n',
        'data: {"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "overloaded"}}]}\n\n',
        'data: {"errorMessage": "overloaded"}\n\n',
        'data: {"errors": [{"message": "overloaded"}]}\n\n',
        'data: {"success": false, "message": "overloaded"}\n\n',
        'data: {"status": "error", "message": "overloaded"}\n\n',
    ],
)
@pytest.mark.parametrize("after", ["", "data: [DONE]\n\n"])
def test_an_error_after_text_is_an_error(error, after):
    assert "overloaded" in str(read(f'data: {{"text": "It is"}}\n\n{error}{after}').error)


@pytest.mark.parametrize("media", ["", "text/plain", "application/octet-stream"])
@pytest.mark.parametrize(
    "body",
    [
        ":) Hello",
        "id: 12345 is your order",
        "data: 5 GB are in it",
        "event: the opening\ndata: by Monday",
        ": a\n\n: b\n",
    ],
)
def test_a_text_that_begins_like_a_stream_is_none(body, media):
    assert events(body, media) is None


@pytest.mark.parametrize("media", ["", "text/plain", "application/octet-stream", SSE])
def test_a_stream_is_known_whatever_it_is_called(media):
    assert read('\ufeffevent: token\ndata: {"text": "Hi"}\n\n', media).text == "Hi"
    assert read('{"text": "Hi"}\n{"text": "!"}\n', media).text == "Hi!"


def test_a_tool_that_failed_is_no_error_of_the_reply():
    reply = read(
        sse({"text": "It is"}, {"type": "tool_result", "status": "failed", "message": "x"}, {"text": " open."})
    )
    assert (reply.error, reply.text) == (None, "It is open.")
    assert read(sse({"text": "It is", "status": "working", "success": True})).error is None


def test_text_that_happens_to_be_json_stays_text_among_text():
    assert read(sse("See ", "[1]", ", ", "{}", " and ", '"two"', ".")).text == 'See [1], {} and "two".'
    assert read(sse('"See"', '" \\n two"')).text == "See \n two"
    assert read('data: {"text": "a"}\ndata: {"text": "b"}\n\n').text == "ab"
