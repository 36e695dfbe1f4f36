"""Any chatbot with a JSON interface as the system under test, with or without its own sessions.

The request is a template. Any string in it may contain {placeholders}: the name of a field or material, or one of
{question} (the turn's text), {messages}, {history}, {fields}, {tools} and {session}. If a string consists only of
{messages}, {history}, {fields} or {tools}, the list or object itself takes its place.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from mutatis.core.errors import SystemFailure, UsageError, check_braces, unknown_placeholder
from mutatis.core.system import Conversation, Response, System
from mutatis.options import Options
from mutatis.secrets.environment import address_from_environment, from_environment
from mutatis.secrets.masking import without_secrets
from mutatis.secrets.scanning import Secret, secrets_in
from mutatis.systems.addresses import checked_url
from mutatis.systems.function import plain_text
from mutatis.systems.registry import SYSTEMS
from mutatis.systems.replies import Reply, reply_in
from mutatis.systems.transport import TIMEOUT, Connections, Endpoint, Refused, Seconds, brief_value, written
from mutatis.text.visible import on_one_line

NO_QUESTION = frozenset({"session", "history", "tools"})
"""Placeholders that do not contain the question."""

_WANTS_SESSION = re.compile(r"session|conversation|dialog|thread|chat.?id", re.IGNORECASE)
"""Matches words in an error message that suggest that a session is missing."""

Method = Literal["POST", "GET", "PUT", "PATCH", "DELETE"]


def values_of(conversation: Conversation, session: str) -> dict[str, Any]:
    """Return the values of all placeholders for a conversation."""
    fields = dict(conversation.fields)
    history = [{"question": _question(earlier), "answer": answer} for earlier, answer in conversation.history]
    return {
        "question": plain_text(conversation),
        **fields,
        "prompt": conversation.messages[-1].content,
        "messages": [message.to_record() for message in conversation.messages],
        "tools": list(conversation.tools),
        "history": history,
        "fields": fields,
        "session": session,
    }


def _question(fields: Mapping[str, str]) -> str:
    return fields.get("question") or next(iter(fields.values()), "")


QUESTION: Mapping[str, Any] = {"question": "{question}", "history": "{history}"}
MESSAGE: Mapping[str, Any] = {"message": "{message}", "messages": "{messages}", "history": "{history}"}
"""Default requests: `QUESTION` for tasks with a question, `MESSAGE` for chat. Tools are added if there are any."""

USUAL = "usual"
"""Name of the default request: the one for questions or the one for chat, depending on the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One kind of HTTP request: method, address, body template, and where to find the result in the answer.

    Attributes:
        method: the HTTP method.
        url: the address as the user wrote it.
        address: the address that is requested, with values from the environment filled in.
        request: the template of the body: None for no body, `USUAL` for the default request.
        response: the path of the text in the answer; "" for the whole body, None to look under the usual names.
        calls: the path of the tool calls in the answer; None to look under the usual names.
    """

    method: str
    url: str = field(repr=False)
    address: str = field(repr=False)
    request: Any = field(repr=False)
    response: str | None
    calls: str | None = None

    def template(self, values: Mapping[str, Any]) -> Any:
        """Return the body template for a turn."""
        if self.request == USUAL:
            usual = MESSAGE if "message" in values["fields"] else QUESTION
            return {**usual, "tools": "{tools}"} if values["tools"] else usual
        return self.request

    def filled(self, values: Mapping[str, Any]) -> tuple[str, bytes | None]:
        """Return the address and the body of the request for a turn. Raise UsageError if a placeholder has no value."""
        template = self.template(values)
        body = None if template is None else written(fill(template, values))
        if "{" not in self.address:
            return self.address, body
        return str(fill(self.address, {name: quote(text_for(name, values), safe="") for name in values})), body

    def record(self) -> dict[str, Any]:
        """Return the request as JSON data that identify the system, without secrets."""
        request, url = without_secrets(self.request), without_secrets(self.url)
        calls = {} if self.calls is None else {"calls": self.calls}
        return {"method": self.method, "url": url, "request": request, "response": self.response, **calls}


@dataclass(slots=True, kw_only=True)
class HttpSystem(System):
    """A chatbot behind a JSON interface. Every request carries the whole conversation, unless the bot is stateful.

    A bot is `stateful` if it stores the state of its dialogues. It is asked one question at a time through `session()`,
    and `start`, if given, is the request that begins a dialogue.
    """

    label: str
    endpoint: Endpoint
    call: Call
    revision: str
    public_headers: Mapping[str, str] = field(default_factory=dict)
    stateful: bool = False
    start: Call | None = None
    taken: bool = field(default=False, init=False)
    """Whether the bot has accepted any request so far."""

    def __post_init__(self) -> None:
        self.sees_results = self.call.request == USUAL or "messages" in placeholders(self.call.request)
        self.note = self.endpoint.note  # names the values that were masked by guess
        if self.stateful:
            self.session = self._session  # a system without sessions lacks the attribute

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the data that identify the bot: address, template, revision, and headers, without secrets."""
        identity = {"type": "http", "revision": self.revision, "headers": self.public_headers}
        start = {"start": self.start.record()} if self.start else {}
        return {**identity, **self.call.record(), **({"stateful": True} if self.stateful else {}), **start}

    async def ask(self, conversation: Conversation) -> Response:
        """Send the filled-in template and return the text found at the response path.

        A stateful bot is asked in a new session. Raise UsageError if the conversation already has earlier turns.
        """
        if not self.stateful:
            return await self._asked(conversation, "")
        if conversation.history:
            raise UsageError(f"{self.label} keeps its own dialogues; ask through session()")
        return await Session(system=self).send(conversation)

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[Session]:
        yield Session(system=self)

    def check(self, conversation: Conversation) -> None:
        """Raise UsageError if the request for this turn, or the one that starts a dialogue, cannot be built."""
        for call in filter(None, (self.call, self.start)):
            call.filled(values_of(conversation, ""))

    async def close(self) -> None:
        """Close the connections to the bot."""
        await self.endpoint.close()

    async def _asked(self, conversation: Conversation, session: str) -> Response:
        try:
            reply = await self._send(self.call, values_of(conversation, session))
        except Refused as error:
            raise self._with_hint(error) from None
        self.taken = True
        return reply.response(self.endpoint, "" if self.call.response is None else f" at {self.call.response!r}")

    def _with_hint(self, error: Refused) -> Refused:
        """Return the error for a rejected request, with a hint on the request format if none was accepted so far."""
        if self.taken or error.status not in (400, 422):
            return error
        if not self.stateful and _WANTS_SESSION.search(str(error).partition("HTTP ")[2]):
            hint = "it seems to need a session: 'mutatis init --http URL' writes a `session` line to begin with"
        elif self.call.request == USUAL:
            hint = (
                "the endpoint may not use the usual request: set request = {...}; 'mutatis init --http URL' shows how"
            )
        else:
            return error
        return Refused(f"{error}; {hint}", status=error.status, code=error.code)

    async def _send(self, call: Call, values: Mapping[str, Any]) -> Reply:
        url, body = call.filled(values)
        received = await self.endpoint.send(body, method=call.method, url=url)
        return reply_in(received, call.response, self.endpoint, call.calls)


@dataclass(slots=True, kw_only=True)
class Session:
    """A dialogue with a bot that stores its state. The session id is created or requested before the first question."""

    system: HttpSystem
    id: str = ""

    async def send(self, conversation: Conversation) -> Response:
        """Send the next question in the dialogue."""
        if not self.id:
            start = self.system.start
            self.id = await self._started(start, conversation) if start else uuid.uuid4().hex
        return await self.system._asked(conversation, self.id)

    async def _started(self, start: Call, conversation: Conversation) -> str:
        session = (await self.system._send(start, values_of(conversation, ""))).value
        if isinstance(session, bool) or not isinstance(session, str | int) or not str(session).strip():
            seen = brief_value(session, self.system.endpoint.mask)
            raise SystemFailure(self.system.endpoint.named(f"expected a session at {start.response!r}, found {seen}"))
        return str(session)


class SessionStart(Options):
    """The request that starts a dialogue.

    Attributes:
        url: address of the request.
        method: HTTP method, by default POST.
        request: body of the request; empty by default.
        response: path of the session id in the answer. The id becomes {session}.
    """

    url: str
    method: Method = "POST"
    request: Mapping[str, Any] | None = None
    response: str = "session"


@SYSTEMS.register("http")
class HttpOptions(Options):
    """Options of any chatbot behind a JSON interface.

    Attributes:
        url: address for questions. It may contain {session}, and env:NAME for a secret:
            "https://my.bot/chat?key=env:BOT_KEY".
        method: HTTP method, by default POST.
        headers: HTTP headers; values may contain env:NAME.
        request: the body as a template. The default for the chat task is {"message": "{message}", "messages":
            "{messages}", "history": "{history}"}; for other tasks it is {"question": "{question}", "history":
            "{history}"}.
        response: path of the text in the answer, such as "choices[0].text"; "" uses the whole body. By default the text
            is looked up under common names ("answer", "reply", "response", ...), and a body that is not JSON is the
            answer itself. In a stream (server-sent events, JSON lines), this is the path within each event.
        calls: path of the tool calls in the answer, such as "choices[0].message.tool_calls"; by default they are looked
            up under their usual names.
        session_start: for a bot that stores the state of its dialogues: {url, method, request, response}. The value
            found at `response` becomes {session}. Without this option, Mutatis creates an id for each dialogue.
        timeout: seconds to wait for a complete answer.
        revision: any string; change it whenever the bot is redeployed.
        connections: maximum number of simultaneous connections; 0 for the run's concurrency.
        ends: additional words that the server uses for the end of a complete answer. An answer that ends with an
            unknown word gets no verdict.
        label: the bot's name in reports; by default its address.
    """

    url: str
    method: Method = "POST"
    headers: Mapping[str, str] = {}
    request: Mapping[str, Any] | None = None
    response: str | None = None
    calls: str | None = None
    session_start: SessionStart | None = None
    timeout: Seconds = TIMEOUT
    revision: str = ""
    connections: Connections = 0
    ends: Sequence[str] = ()
    label: str | None = None

    def _check_placeholders(self) -> None:
        """Raise UsageError if neither request nor address contains the question, as all requests would be the same."""
        check_braces("system type 'http': url or request", json.dumps([self.url, self.request], default=str))
        if (self.request is None and self.method != "GET") or placeholders([self.request, self.url]) - NO_QUESTION:
            return
        sent = (
            f"request {brief_value(without_secrets(self.request))}"
            if self.request is not None
            else f"url {without_secrets(self.url)!r}"
        )
        raise UsageError(
            f"system type 'http': {sent} has no placeholder for the question, so every question would be the same; "
            'for example: request = {text = "{question}"}, or url = ".../ask?q={question}"'
        )

    def build(self) -> System:
        """Build the system, which is stateful if the options use sessions."""
        __tracebackhide__ = True  # pytest --showlocals shows variables, and these hold keys
        headers, secrets = from_environment(self.headers)
        self._check_placeholders()
        template: Any = USUAL if self.request is None and self.method != "GET" else self.request
        call, of_call = _call(self, "url", template, self.calls)
        start, of_start = None, tuple[Secret, ...]()
        if self.session_start is not None:
            start, of_start = _call(self.session_start, "session_start.url", self.session_start.request)
            of_start = (*of_start, *secrets_in(self.session_start.model_dump()))
        endpoint = Endpoint(
            url=call.url,
            headers=headers,
            secrets=(*secrets, *of_call, *of_start, *secrets_in(template)),
            key_hint="check the headers and the environment variables they name",
            timeout=self.timeout,
            connections=self.connections,
            ends=self.ends,
        )
        return HttpSystem(
            label=on_one_line(endpoint.mask(self.label or self.url)),
            endpoint=endpoint,
            call=call,
            revision=self.revision,
            public_headers=without_secrets(self.headers),
            # Without a start, Mutatis makes up the session's id, and the system keeps the history under it.
            stateful=start is not None or "{session}" in json.dumps([call.url, template]),
            start=start,
        )


def _call(
    options: HttpOptions | SessionStart, option: str, request: Any, calls: str | None = None
) -> tuple[Call, tuple[Secret, ...]]:
    """Return a request with its address, which is the value of `option`, and the secrets from the environment in it."""
    url = checked_url(options.url, option)
    address, secrets = address_from_environment(url, option)
    made = Call(
        method=options.method, url=url, address=address, request=request, response=options.response, calls=calls
    )
    return made, secrets


# Templates of requests: JSON in which `{name}` stands for a part of the question.

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
_WHOLE = frozenset({"messages", "history", "fields", "tools"})
"""Placeholders that become a list or an object if they are the only content of a string."""


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Replace all placeholders of a template in one pass. Braces inside the inserted values are not replaced.

    >>> fill({"q": "{question}", "log": "{history}"}, {"question": "{x}", "history": []})
    {'q': '{x}', 'log': []}
    """
    if isinstance(template, Mapping):
        return {key: fill(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if not isinstance(template, str):
        return template
    whole = _PLACEHOLDER.fullmatch(template)
    if whole and whole.group(1) in _WHOLE:
        return values[whole.group(1)]
    return _PLACEHOLDER.sub(lambda match: text_for(match.group(1), values), template)


def placeholders(template: Any) -> set[str]:
    """Return the names of the placeholders that a template contains.

    >>> sorted(placeholders({"q": ["{question}", 3], "{key}": "in {session}"}))
    ['question', 'session']
    """
    if isinstance(template, Mapping):
        template = list(template.values())  # keys are sent as they are
    if isinstance(template, list):
        return {name for item in template for name in placeholders(item)}
    return set(_PLACEHOLDER.findall(template)) if isinstance(template, str) else set()


def text_for(name: str, values: Mapping[str, Any]) -> str:
    """Return a placeholder's value as text. Raise UsageError if it has no value."""
    if name not in values:
        raise unknown_placeholder("the request template", name, "there is", values)
    value = values[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
