"""JSON chatbots of any shape, with and without sessions, and what can go wrong with them."""

from __future__ import annotations

import pytest
from aiohttp import web

import mutatis
from mutatis.core.errors import AccessDenied, Retryable, SystemFailure, UsageError
from mutatis.core.system import Conversation, Message
from mutatis.core.task import TASKS
from mutatis.systems import SYSTEMS
from support.server import serve


def talk(question="Why?", history=(), story="Once {question} upon."):
    messages = [Message(role="system", content=story)]
    for earlier, answer in history:
        messages += [Message(role="user", content=earlier), Message(role="assistant", content=answer)]
    messages.append(Message(role="user", content=question))
    return Conversation(
        messages=tuple(messages),
        fields={"story": story, "question": question},
        history=tuple(({"question": q}, a) for q, a in history),
    )


class Bot:
    """A bot that keeps its dialogues: it answers with how many questions a session has had."""

    def __init__(self, answer=None, status=200):
        self.sessions: dict[str, list[str]] = {}
        self.seen: list[tuple[str, dict, dict]] = []
        self.answer, self.status = answer, status

    async def start(self, request):
        self.seen.append((request.path, await request.json(), dict(request.headers)))
        name = f"s{len(self.sessions) + 1}"
        self.sessions[name] = []
        return web.json_response({"data": {"id": name}})

    async def reply(self, request):
        body = await request.json() if request.can_read_body else {}
        self.seen.append((request.path, body, dict(request.headers)))
        if self.answer is not None or self.status != 200:
            return web.Response(text=self.answer or "", status=self.status, content_type="application/json")
        dialogue = self.sessions.setdefault(request.match_info.get("name", body.get("session", "")), [])
        dialogue.append(body.get("q", ""))
        return web.json_response({"choices": [{"text": f"answer {len(dialogue)}"}]})

    @property
    def routes(self):
        return [
            web.post("/start", self.start),
            web.post("/bot", self.reply),
            web.get("/bot", self.reply),
            web.post("/bot/{name}", self.reply),
        ]


def root(server):
    return server.url.removesuffix("/v1")


async def test_the_template_is_filled_in_one_pass_and_the_answer_read_by_its_path():
    bot = Bot()
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](
            url=f"{root(server)}/bot",
            request={"q": "{question}", "about": "Text: {story}", "log": "{history}", "all": "{messages}", "n": 3},
            response="choices[0].text",
        )
        response = await system.ask(talk("Is {story} ok?", [("Who?", "Ann")]))
        await system.close()
    assert response.text == "answer 1"
    sent = bot.seen[0][1]
    assert sent["q"] == "Is {story} ok?"
    assert sent["about"] == "Text: Once {question} upon."
    assert sent["log"] == [{"question": "Who?", "answer": "Ann"}]
    assert sent["all"][-1] == {"role": "user", "content": "Is {story} ok?"}
    assert sent["n"] == 3


async def test_headers_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("BOT_TOKEN", "tok-1\n")
    bot = Bot()
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](
            url=f"{root(server)}/bot", headers={"Authorization": "Bearer env:BOT_TOKEN"}, response="choices.0.text"
        )
        await system.ask(talk())
        await system.close()
    assert bot.seen[0][2]["Authorization"] == "Bearer tok-1"


async def test_a_bot_with_sessions_is_asked_for_one_and_gets_the_questions_in_turn():
    bot = Bot()
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](
            url=f"{root(server)}/bot/{{session}}",
            request={"q": "{question}"},
            response="choices.0.text",
            session_start={"url": f"{root(server)}/start", "request": {"text": "{story}"}, "response": "data.id"},
        )
        for _ in range(2):
            async with system.session() as session:
                first = await session.send(talk("Who?"))
                second = await session.send(talk("Why?", [("Who?", first.text)]))
            assert (first.text, second.text) == ("answer 1", "answer 2")
        await system.close()
    assert bot.sessions == {"s1": ["Who?", "Why?"], "s2": ["Who?", "Why?"]}
    assert bot.seen[0][1] == {"text": "Once {question} upon."}


async def test_a_session_id_of_our_own_is_new_for_each_dialogue():
    bot = Bot()
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](
            url=f"{root(server)}/bot", request={"q": "{question}", "session": "{session}"}, response="choices.0.text"
        )
        assert system.identity["stateful"] is True
        for _ in range(2):
            async with system.session() as session:
                await session.send(talk("Who?"))
                assert (await session.send(talk("Why?"))).text == "answer 2"
        await system.close()
    assert len(bot.sessions) == 2


async def test_what_stands_in_an_address_is_escaped():
    bot = Bot()
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot/{{question}}", request={}, response="choices.0.text")
        await system.ask(talk("a/b?c=d&e f"))
        await system.close()
    assert list(bot.sessions) == ["a/b?c=d&e f"]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("{nope", "not JSON"),
        ("<html><body>Welcome</body></html>", "is a web page"),
        ("{}", "cannot find the reply in the answer.*it has: nothing"),
        ('{"error": "no", "code": "E7"}', "it has: error, code.*set it: response.*or --set system.response="),
        ('{"answer": null}', "empty answer"),
        ('{"answer": null, "error": "overloaded"}', "empty answer"),
        ('{"answer": " "}', "empty answer"),
        ('{"answer": true}', "expected text, found true"),
        ('{"answer": {"a": 1}}', "it has: a"),
        ("[1]", "cannot find the reply in the answer"),
        (
            '{"result": {"replies": [{"type": "text", "value": "Hello."}]}}',
            r"it has: replies.*perhaps at 'result\.replies\[0\]\.value'; set it: response = .result\.",
        ),
    ],
)
async def test_answers_without_text_are_failures_that_say_where_it_was_looked_for(answer, says):
    bot = Bot(answer=answer)
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot")
        with pytest.raises(SystemFailure, match=says):
            await system.ask(talk())
        await system.close()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("just text", "just text"),
        ('"quoted"', "quoted"),
        ('{"message": "what was asked", "reply": "Hi!", "ms": 12}', "Hi!"),
        ('{"id": 7, "utterance": "Hi!"}', "Hi!"),
        ('{"utterance": "Hi!", "ms": 12, "sources": ["faq"]}', "Hi!"),
        ('{"whatever": "Hi!"}', "Hi!"),
        ('{"choices": [{"message": {"role": "assistant", "content": "Hi!"}}]}', "Hi!"),
        ('{"messages": [{"content": "what was asked"}, {"content": "Hi!"}]}', "Hi!"),
        ('[{"recipient_id": "x", "text": "Hi!"}, {"recipient_id": "x", "text": "And?"}]', "Hi!\nAnd?"),
        ('{"data": {"answer": 12.5}}', "12.5"),
    ],
)
async def test_the_reply_is_found_by_the_name_that_bots_give_it(answer, text):
    bot = Bot(answer=answer)
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot")
        assert (await system.ask(talk())).text == text
        await system.close()


async def test_a_message_is_sent_with_the_dialogue_in_the_usual_shape():
    bot = Bot(answer='{"reply": "Hi!"}')
    case = mutatis.cases([["Where is it?", "And why?"]])[0]
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot")
        await system.ask(TASKS["chat"].converse(case, 1, ["There."]))
        await system.close()
    assert bot.seen[-1][1] == {
        "message": "And why?",
        "messages": [
            {"role": "user", "content": "Where is it?"},
            {"role": "assistant", "content": "There."},
            {"role": "user", "content": "And why?"},
        ],
        "history": [{"question": "Where is it?", "answer": "There."}],
    }


async def test_a_body_that_is_no_json_can_be_taken_as_it_is():
    bot = Bot(answer="just text")
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot?q={{question}}", response="", method="GET")
        assert (await system.ask(talk())).text == "just text"
        await system.close()


@pytest.mark.parametrize(
    ("status", "kind"), [(401, AccessDenied), (404, AccessDenied), (503, Retryable), (422, SystemFailure)]
)
async def test_statuses_mean_the_same_as_at_other_endpoints(status, kind):
    bot = Bot(status=status)
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot")
        with pytest.raises(SystemFailure) as caught:
            await system.ask(talk())
        await system.close()
    assert type(caught.value) is kind or (
        kind is SystemFailure and not isinstance(caught.value, AccessDenied | Retryable)
    )


@pytest.mark.parametrize(
    ("said", "options", "hint"),
    [
        (
            '{"detail": "field required: session_id"}',
            {},
            "need a session: 'mutatis init --http URL' writes a `session`",
        ),
        ('{"error": "no conversationId"}', {"request": {"q": "{question}"}}, "need a session"),
        ('{"detail": "field required: input"}', {}, r"set request = \{\.\.\.\}; 'mutatis init --http URL' shows how"),
        ('{"detail": "too long"}', {"request": {"q": "{question}"}}, ": too long$"),
        ('{"error": "bad session"}', {"request": {"q": "{question}", "s": "{session}"}}, ": bad session$"),
    ],
)
@pytest.mark.parametrize("status", [400, 422])
async def test_the_first_refusal_of_a_bot_that_wants_something_else_says_how_to_say_it(said, options, hint, status):
    bot = Bot(answer=said, status=status)
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot", **options)
        for _ in range(2):
            with pytest.raises(SystemFailure, match=hint):
                await asked(system)
        bot.answer, bot.status = '{"reply": "Hi!"}', 200
        assert (await asked(system)).text == "Hi!"
        bot.answer, bot.status = said, status
        with pytest.raises(SystemFailure) as told:
            await asked(system)
        assert "mutatis init" not in str(told.value)
        await system.close()


async def asked(system):
    if system.session:
        async with system.session() as session:
            return await session.send(talk())
    return await system.ask(talk())


async def test_of_an_error_page_the_words_are_told():
    page = "<!DOCTYPE html><html><head><style>p {}</style></head><body><h1>Not Found</h1><!-- x --><p>No such bot</p>"
    bot = Bot(status=404, answer=page)
    async with serve(extra=bot.routes) as server:
        system = SYSTEMS["http"](url=f"{root(server)}/bot")
        with pytest.raises(AccessDenied, match="HTTP 404: Not Found No such bot; check the path of the address"):
            await system.ask(talk())
        await system.close()


async def test_an_unknown_placeholder_is_told_with_those_there_are():
    system = SYSTEMS["http"](url="http://127.0.0.1:9/bot", request={"q": "{query}"})
    with pytest.raises(UsageError, match=r"placeholder \{query\}; there is: \{question\}"):
        await system.ask(talk())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"request": {"text": "hello"}}, 'request {"text": "hello"} has no placeholder for the question'),
        ({"request": {}}, "request {} has no placeholder"),
        ({"request": {"{question}": "hello"}}, "has no placeholder"),  # keys are sent as they are
        ({"request": {"id": "{session}", "log": ["{history}"]}}, "has no placeholder"),
        ({"method": "GET"}, "url 'http://h/b' has no placeholder"),
        ({"method": "GET", "url": "http://h/b?token=GEHEIM"}, "url 'http://h/b?token=***' has no placeholder"),
    ],
)
def test_a_request_that_asks_everybody_the_same_is_refused(options, said):
    with pytest.raises(UsageError) as caught:
        SYSTEMS["http"](**{"url": "http://h/b", **options})
    assert said in str(caught.value)
    assert 'request = {text = "{question}"}' in str(caught.value)
    assert "GEHEIM" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"request": {"a": [{"b": "about {story}"}]}},
        {"request": {"text": "hello"}, "url": "http://h/b?q={question}"},
        {"method": "GET", "url": "http://h/{question}"},
        {"request": {"log": "{messages}"}},
        {"session_start": {"url": "http://h/new", "request": {"hello": "there"}}},
    ],
)
def test_a_request_that_says_what_is_asked_is_sent(options):
    assert SYSTEMS["http"](**{"url": "http://h/b", **options}).label


def test_wrong_options_are_told():
    with pytest.raises(UsageError, match=r"unknown option in session_start of .*: 'uri'; did you mean 'url'"):
        SYSTEMS["http"](url="http://h/b", session_start={"uri": "x"})
    with pytest.raises(UsageError, match="did you mean 'response'"):
        SYSTEMS["http"](url="http://h/b", respons="x")
    with pytest.raises(UsageError, match="expected one of: POST"):
        SYSTEMS["http"](url="http://h/b", method="FETCH")
