"""Any OpenAI-compatible endpoint as the system under test: POST to /chat/completions.

Answers are parsed leniently, because different servers omit different parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pydantic

from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.gathering import present
from mutatis.core.system import Conversation, Finish, Response, System
from mutatis.options import Options
from mutatis.secrets.environment import address_from_environment, from_environment, secret
from mutatis.secrets.masking import without_secrets
from mutatis.secrets.scanning import Secret, secrets_in
from mutatis.systems.addresses import checked_url
from mutatis.systems.endings import ending_of
from mutatis.systems.registry import SYSTEMS
from mutatis.systems.replies import Reply, calls_of, reply_in
from mutatis.systems.stream import data_of, events
from mutatis.systems.token_probabilities import asked_for, decisions_in
from mutatis.systems.transport import TIMEOUT, Connections, Endpoint, Received, Refused, Seconds, brief_value, written
from mutatis.text.visible import on_one_line

BASE_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
_FILTER_CODES = frozenset({"content_filter", "content_policy_violation"})
_ELSEWHERE = "(is it an OpenAI-compatible endpoint? its base_url usually ends in /v1)"
_OWN = frozenset({"messages", "model", "stream", "n"})


@dataclass(slots=True, kw_only=True)
class OpenAISystem(System):
    """A model behind an OpenAI-compatible endpoint.

    Requests go to `address`. The endpoint's own address, which messages show, keeps env:NAME in place of its value.
    """

    label: str
    endpoint: Endpoint
    address: str = field(repr=False)
    parameters: Mapping[str, Any] = field(repr=False)
    revision: str
    public_headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.note = self.endpoint.note  # names the values that were masked by guess

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the endpoint, the revision and every parameter that is sent, including the model but not the key."""
        return {
            "type": "openai",
            "endpoint": self.endpoint.public_url,
            "revision": self.revision,
            "parameters": without_secrets(self.parameters),
            "headers": self.public_headers,
        }

    async def ask(self, conversation: Conversation) -> Response:
        """Send the messages and return the first choice.

        Raises:
            AccessDenied, Retryable, SystemFailure: as raised by `transport`. An answer without text is a SystemFailure.
        """
        messages = [message.to_record() for message in conversation.messages]
        tools = {"tools": list(conversation.tools)} if conversation.tools else {}
        body = written({**self.parameters, **conversation.options, **tools, "messages": messages})
        try:
            received = await self.endpoint.send(body, url=self.address)
        except Refused as error:
            if error.code in _FILTER_CODES:  # the answer was withheld, which is not a failure of the request
                return Response(finish=Finish.FILTERED)
            raise
        return self._response(received)

    async def close(self) -> None:
        """Close the connections to the bot."""
        await self.endpoint.close()

    def _response(self, received: Received) -> Response:
        """Return the answer in a body or in a stream. Raise SystemFailure if it is empty or a web page."""
        if received.text.lstrip()[:1] == "<":
            raise SystemFailure(
                self.endpoint.named(
                    f"the answer is a page {_ELSEWHERE}: {brief_value(received.text, self.endpoint.mask)}"
                )
            )
        stream = events(received.text, received.media)
        if stream is None:
            data = self.endpoint.parse(received.json)
            reply, tokens, usage = self._reply(data), decisions_in([data], self.endpoint.mask_answer), usage_in([data])
        else:
            reply = reply_in(received, None, self.endpoint)
            tokens = decisions_in(data_of(stream, '"logprobs"'), self.endpoint.mask_answer)
            usage = usage_in(data_of(stream[::-1], '"usage"'))  # the last event with counts contains the totals
        return reply.response(self.endpoint, decisions=tokens, **usage)

    def _reply(self, data: Any) -> Reply:
        """Return the reply in an answer that is not a stream."""
        try:
            message = data["choices"][0]["message"]
            content = message.get("content")
            called = message.get("tool_calls") or message.get("function_call")  # the older form
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._malformed(data) from None
        if isinstance(content, list):  # several parts, of which only texts can be read
            content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
        ending = ending_of(data, self.endpoint.ends)
        if ending.error is not None:
            raise self._malformed({"error": ending.error})
        refusal = message.get("refusal") or ""
        text = content or refusal  # a refusal may have a field of its own, beside an empty content
        if not isinstance(text, str) or not isinstance(refusal, str):
            raise self._malformed(data)
        try:
            calls = calls_of(called, self.endpoint.mask_answer)
        except UsageError as error:
            raise SystemFailure(self.endpoint.named(f"the answer's tool_calls cannot be read: {error}")) from None
        return Reply(value=text, finish=ending.finish, ended=ending.ended, calls=calls, refusal=refusal)

    def _malformed(self, data: Any) -> SystemFailure:
        if isinstance(data, dict) and data.get("error"):
            error = data["error"]
            reason = error.get("message", error) if isinstance(error, dict) else error
            return SystemFailure(self.endpoint.named(brief_value(reason, self.endpoint.mask)))
        shown = brief_value(data, self.endpoint.mask)
        return SystemFailure(self.endpoint.named(f"the answer has no choices[0].message.content {_ELSEWHERE}: {shown}"))


def refuse_ours(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return additional keys for a request. Raise ValueError for keys that Mutatis sets itself."""
    for name in body:
        if name in _OWN:
            raise ValueError(f"it must not set {name!r}")
    return body


@SYSTEMS.register("openai")
class OpenAIOptions(Options):
    """Options of a model behind any OpenAI-compatible endpoint.

    Attributes:
        model: name of the model.
        base_url: the address up to and including the version, such as http://127.0.0.1:8000/v1; may contain env:NAME.
        api_key_env: the environment variable that contains the key; by default OPENAI_API_KEY, if it is set.
        temperature: sampling temperature, 0 by default; "default" sends none.
        max_tokens: maximum number of tokens in an answer; by default the server's own limit.
        seed: sampling seed, sent if given.
        stream: whether to request the answer as a stream, which some gateways require.
        top_logprobs: number of candidates for each token, up to 20, that are kept with their probabilities, as a
            measure of the model's uncertainty.
        extra_body: additional keys of the request, such as {top_p = 0.9}; they override the options above.
        headers: additional headers; values may contain env:NAME.
        timeout: seconds to wait for a complete answer.
        revision: any string; change it after redeployment, so that questions are asked again instead of using stored
            answers.
        connections: maximum number of simultaneous connections; 0 for the run's concurrency.
        ends: additional words that the server uses for the end of a complete answer. An answer that ends with an
            unknown word gets no verdict.
        label: the model's name in reports.
    """

    model: str
    base_url: str = BASE_URL
    api_key_env: str | None = None
    temperature: float | Literal["default"] = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    stream: bool = False
    top_logprobs: int = pydantic.Field(default=0, ge=0, le=20)
    extra_body: Mapping[str, Any] = {}
    headers: Mapping[str, str] = {}
    timeout: Seconds = TIMEOUT
    revision: str = ""
    connections: Connections = 0
    ends: Sequence[str] = ()
    label: str | None = None

    _not_ours = pydantic.field_validator("extra_body")(refuse_ours)

    def build(self) -> System:
        """Read the key from the environment and build the system."""
        __tracebackhide__ = True  # pytest --showlocals shows variables, and these hold keys
        base = checked_url(self.base_url, "base_url").removesuffix("/chat/completions")
        url = f"{base}/chat/completions"
        variable = self.api_key_env or KEY_VARIABLE
        key = secret(variable, "api_key_env" if self.api_key_env else "")
        if self.api_key_env and not key:
            at = without_secrets(base)
            raise UsageError(f"the environment variable {variable} is not set; it must contain the key of {at}")
        headers, secrets = from_environment(self.headers)
        address, of_address = address_from_environment(url, "base_url")
        hint = f"check the key in the environment variable {variable}" if key else f"set the variable {variable}"
        endpoint = Endpoint(
            url=url,
            headers={**({"Authorization": f"Bearer {key}"} if key else {}), **headers},
            secrets=(*secrets, *of_address, *secrets_in(self.extra_body), *([Secret(key)] if key else [])),
            key_hint=hint,
            absent_hint="check the model's name and the address",
            timeout=self.timeout,
            connections=self.connections,
            ends=self.ends,
        )
        return OpenAISystem(
            label=on_one_line(endpoint.mask(self.label or f"openai:{self.model}")),
            endpoint=endpoint,
            address=address,
            parameters=self._parameters(),
            revision=self.revision,
            public_headers=without_secrets(self.headers),
        )

    def _parameters(self) -> dict[str, Any]:
        temperature = None if self.temperature == "default" else self.temperature
        sent = present(temperature=temperature, max_tokens=self.max_tokens, seed=self.seed)
        if self.stream:  # without this option, most servers do not report the usage of a stream
            sent |= {"stream": True, "stream_options": {"include_usage": True}}
        sent |= {"model": self.model, **asked_for(self.top_logprobs), **self.extra_body}
        if sent.get("stream_options") == {}:  # {} in `extra_body` removes it, for servers that reject it
            del sent["stream_options"]
        return sent


def usage_in(pieces: Iterable[Any]) -> dict[str, int]:
    """Return the number of prompt tokens and of answer tokens from the first piece of an answer that has any.

    `pieces` are the JSON data of an answer in OpenAI's format: one object, or the events of a stream.

    >>> usage_in([{"usage": {"prompt_tokens": 7}}]), usage_in([{"usage": None}])
    ({'prompt_tokens': 7, 'completion_tokens': 0}, {})
    """
    usages = (data.get("usage") for data in pieces if isinstance(data, dict))
    names = ("prompt_tokens", "completion_tokens")
    counts = ({name: _count(usage.get(name)) for name in names} for usage in usages if isinstance(usage, dict))
    return next((count for count in counts if any(count.values())), {})


def _count(value: Any) -> int:
    """Return a token count if it is valid, or 0.

    The store can hold only 64 bits, so larger counts are invalid.
    """
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62 else 0
