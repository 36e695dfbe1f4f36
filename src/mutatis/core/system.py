"""The interfaces of systems under test and helper models, with their questions and answers."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

from mutatis.core.calls import Tool, ToolCall, shown_json
from mutatis.core.errors import SystemFailure, UsageError, check_word
from mutatis.core.removed import names_removed

__getattr__ = names_removed(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation in the usual chat format.

    Attributes:
        calls: the tool calls in an assistant's message, each with an id.
        call_id: in a tool's message, the id of the call that it answers.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""

    def to_record(self) -> dict[str, Any]:
        """Return the message as JSON data in the usual chat format."""
        record: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.call_id:
            record["tool_call_id"] = self.call_id
        if self.calls:
            record["content"] = self.content or None
            record["tool_calls"] = [_call_record(call) for call in self.calls]
        return record


def _call_record(call: ToolCall) -> dict[str, Any]:
    arguments = call.malformed or json.dumps(dict(call.arguments), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The input to a system for one turn.

    Attributes:
        messages: the prompt in chat form, including earlier turns and answers.
        fields: the turn's named input texts and the case's material, for systems that do not use a prompt.
        history: earlier (fields, answer) exchanges of this dialogue, oldest first.
        case_id: id of the case, for logs; never part of a cache key.
        turn: index of the turn in its case; never part of a cache key.
        options: sampling options for this question only (`temperature`), which override the system's own.
        marks: numbers that distinguish this question from an identical one, such as a helper's draw and attempt. They
            are part of the cache key but are never sent.
        tools: the tools that the system may call, in OpenAI's form.
        kind: the kind of answer that the task expects, or "" if no task asks; never part of a cache key.
    """

    messages: tuple[Message, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    history: tuple[tuple[Mapping[str, str], str], ...] = ()
    case_id: str = ""
    turn: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    marks: Mapping[str, int] = field(default_factory=dict)
    tools: tuple[Tool, ...] = ()
    kind: str = ""


class Finish(StrEnum):
    """The reason why an answer ended."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A system's answer.

    Attributes:
        text: the answer as given; empty if it consists only of calls.
        value: the answer as parsed by the task; None before parsing, or if parsing failed.
        probabilities: probabilities of the labels, if the system provides them; they sum to one.
        decisions: for an answer made of several decisions (slots of a dialogue state, steps of decoding), the
            probabilities of each decision's outcomes, or of the likeliest outcomes.
        finish: why the answer ended.
        ended: the reason as named by the system, if `finish` is `Finish.UNKNOWN`.
        prompt_tokens, completion_tokens: usage as reported by the system; 0 if it is not reported.
        latency: seconds from sending the question to receiving the full answer. If it is 0, Mutatis measures it; this
            includes a request that starts a dialogue.
        asked_at: time when the question was sent, in seconds since the epoch. If it is 0, Mutatis sets it.
        stored: whether the answer came from the store.
        calls: the tool calls in the answer, in order, with their results if an agent continued. They may be passed as
            mappings with `name` and `arguments`.
        data: the answer as JSON data, if the system gives data in addition to a text or instead of one.
        refusal: the words of a refusal, if the system keeps them separate from the text.

    Raises:
        SystemFailure: `finish` is neither a `Finish` nor the name of one, or something in `calls` is not a call.
    """

    text: str = ""
    value: Any = None
    probabilities: Mapping[str, float] | None = None
    decisions: Mapping[str, Mapping[str, float]] | None = None
    finish: Finish = Finish.STOP
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency: float = 0.0
    asked_at: float = 0.0
    stored: bool = False
    calls: tuple[ToolCall, ...] = ()
    data: Any = None
    refusal: str = ""
    ended: str = ""

    def __post_init__(self) -> None:
        if self.calls != ():
            object.__setattr__(self, "calls", _read_calls(self.calls))
        if type(self.finish) is not Finish:  # made for every answer: our own pay one comparison
            try:
                check_word("finish", self.finish, tuple(Finish))
            except UsageError as error:  # an answer is the system's: what is odd in it is its failure, not wrong use
                raise SystemFailure(str(error)) from None
            object.__setattr__(self, "finish", Finish(self.finish))

    @property
    def said(self) -> str:
        """The whole answer in readable form: its text or refusal, its data, and its calls as code, one per line."""
        return answer_in_words(self.text or self.refusal, self.data, self.calls)


def plain_string(value: object) -> str:
    """Return a value as a string of the class `str`. Strings of a subclass (NumPy's, an enumeration) keep their text.

    >>> plain_string(Finish.STOP), type(plain_string(Finish.STOP)), plain_string(5)
    ('stop', <class 'str'>, '5')
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def answer_in_words(text: str, data: Any, calls: Iterable[ToolCall]) -> str:
    """Return an answer as readable text, with each call written as code on its own line."""
    written = "" if data is None or text else json.dumps(data, ensure_ascii=False, default=str)
    return "\n".join(part for part in (text, written, *map(str, calls)) if part)


def _read_calls(calls: object) -> tuple[ToolCall, ...]:
    try:
        if not isinstance(calls, Sequence) or isinstance(calls, str):
            raise UsageError(f"calls are {shown_json(calls)}; expected a list of calls")
        return tuple(_read_call(call) for call in calls)
    except UsageError as error:  # an answer is the system's: what is odd in it is its failure, not wrong use
        raise SystemFailure(f"the answer's calls cannot be read: {error}") from None


def _read_call(call: object) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    if not isinstance(call, Mapping):
        raise UsageError(f'a call is {shown_json(call)}; expected {{"name": text, "arguments": object}}')
    return ToolCall.from_record(call)


class DialogueSession(Protocol):
    """A dialogue with a system that keeps track of its own dialogues."""

    async def send(self, conversation: Conversation) -> Response:
        """Send the next turn and return the answer. Raise SystemFailure if there is no usable answer."""


class System:
    """A system under test, with a label, an identity and a method `ask`. Subclasses may offer more.

    Inheriting is optional: `as_system` adds defaults for missing parts to any other class.

    Attributes:
        label: its name in reports.
        note: a line shown to users before any question is sent.
        free: whether its answers cost nothing and may be missing. Such a system is sent all questions, even if many
            fail.
        endpoint: the remote service that answers, or None; a gate requires that it is actually queried.
        classes: the labels of a classifier, as it returns them. A few rows of data may lack some labels.
        sees_results: whether it reads all messages of a conversation, including results of tools.
        constrained: whether its output can be constrained to a JSON schema, sent as `response_format` in a
            conversation's options.
        ask_many: answers many conversations at once, each with a response or a failure.
        session: begins a dialogue, for a bot that keeps track of its own dialogues. They are sent and stored as a
            whole, and `ask` is not used.
        token_ids: returns the tokens that a classifier reads from a turn's fields, after its own normaliser, tokenizer
            and truncation. A follow-up with the same tokens as its source changes nothing.
    """

    label: str
    note: str = ""
    free: bool = False
    endpoint: object = None
    classes: Sequence[str] = ()
    sees_results: bool = True
    constrained: bool = False
    ask_many: Callable[[Sequence[Conversation]], Awaitable[Sequence[Response | SystemFailure]]] | None = None
    session: Callable[[], AbstractAsyncContextManager[DialogueSession]] | None = None
    token_ids: Callable[[Mapping[str, str]], Sequence[Any]] | None = None

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything that affects answers, as JSON data: endpoint, model, revision, sampling parameters and so on."""
        raise NotImplementedError

    async def ask(self, conversation: Conversation) -> Response:
        """Answer one conversation, by default as a batch of one. Raise SystemFailure if there is no usable answer."""
        if self.ask_many is None:
            raise UsageError(f"{self.label} keeps its own dialogues; ask through session()")
        [answer] = await self.ask_many([conversation])
        if isinstance(answer, SystemFailure):
            raise answer
        return answer

    def check(self, conversation: Conversation) -> None:
        """Raise UsageError if the request for this conversation refers to something that the conversation lacks."""

    def close(self) -> Awaitable[None] | None:
        """Close connections and threads. A later question opens new ones. Subclasses may use a coroutine function."""
        return None


class _Adopted(System):
    """An adapter for a system that does not inherit from `System`, with defaults for missing parts."""

    def __init__(self, system: Any) -> None:
        self._system = system
        for name in _PARTS:
            if has_part(system, name):
                setattr(self, name, getattr(system, name))

    @property
    def identity(self) -> Mapping[str, Any]:
        identity: Mapping[str, Any] = self._system.identity
        return identity


_PARTS = ("label", *(name for name in vars(System) if not name.startswith("_") and name != "identity"))


def has_part(value: object, name: str) -> bool:
    """Return True if a system has its own version of a method or attribute, not just the default from `System`.

    >>> has_part(System(), "ask"), has_part(System(), "ask_many")
    (False, False)
    """
    part = inspect.getattr_static(value, name, None)  # an object that makes up its attributes is no system
    return part is not None and part is not getattr(System, name, None)


def is_system(value: object) -> bool:
    """Return True if an object can answer single conversations or batches, or can hold dialogues of its own."""
    return any(has_part(value, name) for name in ("ask", "ask_many", "session"))


def as_system(value: Any) -> System:
    """Return `value` if it inherits from `System`, or else a system that adds defaults for the parts it lacks.

    Raises:
        UsageError: the object cannot answer questions, or has no label or no identity.
    """
    if not is_system(value):
        raise UsageError(f"{value!r} is not a system; expected an object with `ask` or `session`")
    if not (has_part(value, "label") and has_part(value, "identity")):
        raise UsageError(
            f"{value!r} can be asked, but lacks a label (its name in reports) or an identity (a dictionary of "
            "everything that affects its answers, used to store them)"
        )
    return value if isinstance(value, System) else _Adopted(value)


@runtime_checkable
class ServiceEndpoint(Protocol):
    """Optional information about the service behind a system, shared by everything that uses the service in a run."""

    @property
    def origin(self) -> str:
        """The scheme, host and port of the service. Endpoints that share them fail together."""

    @property
    def timeout(self) -> float:
        """The maximum number of seconds to wait for one answer; 0 means no limit."""


async def close_all(systems: Iterable[Any]) -> None:
    """Close every system that has a `close` method. Functions and pipelines have none."""
    for system in systems:
        if hasattr(system, "close") and (closing := system.close()) is not None:
            await closing


class Helper(Protocol):
    """A language model that makes follow-ups, extracts knowledge or judges. It is never the system under test.

    If its attribute `constrained` is true, `complete` also receives a JSON schema for the answer as `form`. If it has a
    method `reject`, this is called for each unusable answer. It takes the arguments of `complete`, with a reason
    instead of the schema.
    """

    async def complete(
        self,
        prompt: str,
        schema: Mapping[str, Any] | None = None,
        *,
        draw: int = 0,
        attempt: int = 0,
        temperature: float = 0.0,
    ) -> Any:
        """Return the answer to `prompt`: text, or data that fits the JSON `schema`.

        Raise SystemFailure if there is no usable answer.
        """


def is_constrained(helper: object) -> bool:
    """Return True if a helper's output can be constrained to a JSON schema."""
    return bool(getattr(helper, "constrained", False))


class Annotator(Protocol):
    """Adds the facts about a follow-up's turns that matching needs. It sees inputs only, never answers.

    The attribute `languages` may list the languages that it can read; the default is all.
    """

    name: str

    async def annotate(self, source: Any, follow_up: Any, helper: Helper | None) -> Sequence[Mapping[str, Any]]:
        """Return one mapping of annotations for each turn of `follow_up`, a `Case` derived from `source`."""
