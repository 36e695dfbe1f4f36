"""What is asked and who answers: contracts of systems under test and of helpers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeGuard, runtime_checkable

from mutatis.core.calls import Tool, ToolCall, shown_json
from mutatis.core.errors import SystemFailure, UsageError, check_word


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation in the usual chat form.

    Attributes:
        calls: the tools that a message of the assistant calls, each with an id.
        call_id: of a tool's message, the id of the call that it answers.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""

    def to_record(self) -> dict[str, Any]:
        """Return the message as chat interfaces take it."""
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
    """What a system is shown for one turn.

    Attributes:
        messages: the prompt in chat form, earlier turns and answers included.
        fields: the turn's named input texts and the case's material, for systems that want no prompt.
        history: earlier (fields, answer) exchanges of this dialogue, oldest first.
        case_id: id of the case, for logs; never part of a cache key.
        turn: index of the turn in its case; never part of a cache key.
        options: sampling options of this one question (`temperature`), which override the system's own.
        marks: what tells this question from an equal one (a helper's draw and attempt); part of the key, never sent.
        tools: what the system may call, in OpenAI's form.
    """

    messages: tuple[Message, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    history: tuple[tuple[Mapping[str, str], str], ...] = ()
    case_id: str = ""
    turn: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    marks: Mapping[str, int] = field(default_factory=dict)
    tools: tuple[Tool, ...] = ()


class Finish(StrEnum):
    """Why an answer ended."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer of a system.

    Attributes:
        text: the answer as given; empty where it is nothing but calls.
        value: the answer as parsed by the task; None until then, and where it cannot be parsed.
        probabilities: of the labels, where the system gives them; they sum to one.
        decisions: for an answer made of several decisions (slots of a dialogue state, steps of decoding), the
            probabilities of the outcomes of each, or of the likeliest of them.
        finish: why the answer ended.
        ended: the system's own word for an end that is `Finish.UNKNOWN`.
        prompt_tokens, completion_tokens: usage as the system reports it; 0 where it does not.
        latency: seconds from sending to the full answer.
        asked_at: seconds since the epoch when it was asked.
        stored: whether the answer came from the store.
        calls: the tools that it calls, in order; of an agent that went on, with their results. They may be handed
            over as mappings with `name` and `arguments`.
        data: the answer as JSON data, where the system gives data beside or instead of a text.
        refusal: the words in which the system itself says that it declines, where it says so apart from the text.

    Raises:
        SystemFailure: `finish` is neither a `Finish` nor the text of one, or something in `calls` is no call.
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
        if self.calls != () and not _are_calls(self.calls):
            object.__setattr__(self, "calls", _read_calls(self.calls))
        if type(self.finish) is not Finish:  # made for every answer: our own pay one comparison
            try:
                check_word("finish", self.finish, tuple(Finish))
            except UsageError as error:  # an answer is the system's: what is odd in it is its failure, not wrong use
                raise SystemFailure(str(error)) from None
            object.__setattr__(self, "finish", Finish(self.finish))

    @property
    def said(self) -> str:
        """The whole answer as people read it: its text or refusal, data, and its calls as code, one a line."""
        return answer_in_words(self.text or self.refusal, self.data, self.calls)


def answer_in_words(text: str, data: Any, calls: Iterable[ToolCall]) -> str:
    """Return the parts of an answer as one text, each call as code on a line of its own."""
    written = "" if data is None or text else json.dumps(data, ensure_ascii=False, default=str)
    return "\n".join(part for part in (text, written, *map(str, calls)) if part)


def _are_calls(calls: object) -> bool:
    return type(calls) is tuple and all(type(call) is ToolCall for call in calls)


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


@runtime_checkable
class NamedSystem(Protocol):
    """What every system says of itself."""

    label: str
    """Its name in reports."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return everything that changes answers, as JSON data: endpoint, model, revision, sampling parameters."""


@runtime_checkable
class AskableSystem(Protocol):
    """A system that answers one conversation at a time."""

    async def ask(self, conversation: Conversation) -> Response:
        """Answer one conversation; raise SystemFailure where there is no usable answer."""


class System(NamedSystem, AskableSystem, Protocol):
    """A system under test; what it may offer beyond that is said by the protocols below.

    A `StatefulSystem` needs no `ask`.
    """


class DialogueSession(Protocol):
    """One dialogue with a system that keeps it."""

    async def send(self, conversation: Conversation) -> Response:
        """Answer the next turn; raise SystemFailure where there is no usable answer."""


@runtime_checkable
class StatefulSystem(Protocol):
    """A bot that keeps the dialogue itself: its dialogues are asked and stored whole."""

    def session(self) -> AbstractAsyncContextManager[DialogueSession]:
        """Begin a dialogue."""


@runtime_checkable
class BatchSystem(Protocol):
    """A system that answers many conversations at once: the query layer collects them."""

    async def ask_many(self, conversations: Sequence[Conversation]) -> Sequence[Response | SystemFailure]:
        """Return the answer to each conversation, or why there is none."""


async def ask_alone(system: BatchSystem, conversation: Conversation) -> Response:
    """Ask a system that answers batches for one answer; raise its failure."""
    answer = (await system.ask_many([conversation]))[0]
    if isinstance(answer, SystemFailure):
        raise answer
    return answer


@runtime_checkable
class TokenizedSystem(Protocol):
    """A classifier that tells what it reads: a follow-up with the tokens of its source is vacuous."""

    def token_ids(self, fields: Mapping[str, str]) -> Sequence[Any]:
        """Return what is left of a turn's fields after its own normaliser, tokenizer and truncation."""


@runtime_checkable
class ClassifyingSystem(Protocol):
    """A classifier that tells which labels it can answer with: a few rows of data may hold fewer."""

    @property
    def classes(self) -> Sequence[str]:
        """Return its labels as it answers them; empty for a model that is no classifier."""


@runtime_checkable
class SteppingSystem(Protocol):
    """Says whether it can be handed what its calls gave back."""

    @property
    def sees_results(self) -> bool:
        """Whether it reads the messages of a conversation, results of tools among them."""


@runtime_checkable
class FreeSystem(Protocol):
    """A system whose answers may cost nothing and be missing: where `free` holds it is asked all, however many fail."""

    free: bool


@runtime_checkable
class NotedSystem(Protocol):
    """A system of which a user should be told something before it is asked; an empty note says nothing."""

    note: str


@runtime_checkable
class RemoteSystem(Protocol):
    """A system that a service elsewhere answers for, unless `endpoint` is None: a gate wants it asked."""

    endpoint: object


@runtime_checkable
class ServiceEndpoint(Protocol):
    """What an `endpoint` may tell of the service, for all who ask it in a run."""

    @property
    def origin(self) -> str:
        """Return scheme, host and port: endpoints that have them in common fail together."""

    @property
    def gives_up_after(self) -> float:
        """Return how many seconds one question takes at most; 0 for no limit."""


@runtime_checkable
class ClosableSystem(Protocol):
    """A system that holds connections or threads."""

    def close(self) -> Awaitable[None] | None:
        """Let go of them; asked again, the system opens others. It may be a coroutine function."""


def is_system(value: object) -> TypeGuard[System]:
    """Whether something can be asked, one conversation at a time or in dialogues of its own."""
    return isinstance(value, AskableSystem | StatefulSystem)


def costs_nothing(system: object) -> bool:
    """Whether a system's answers cost nothing and may be missing."""
    return isinstance(system, FreeSystem) and system.free


def sees_results(system: object) -> bool:
    """Whether a system can be handed what its calls gave back; a file cannot, nor who reads the last text alone."""
    return not costs_nothing(system) and not (isinstance(system, SteppingSystem) and not system.sees_results)


def note_of(system: object) -> str:
    """Return what a user should be told of a system before it is asked; empty where it has nothing to say."""
    return system.note if isinstance(system, NotedSystem) else ""


def classes_of(system: object) -> tuple[str, ...]:
    """Return the labels that a system can answer with; () where it does not tell."""
    return tuple(system.classes) if isinstance(system, ClassifyingSystem) else ()


def is_remote(system: object) -> bool:
    """Whether a service elsewhere answers for a system."""
    return isinstance(system, RemoteSystem) and system.endpoint is not None


def endpoint_of(system: object) -> ServiceEndpoint | None:
    """Return what a system tells of the service that answers for it; None where it tells nothing."""
    if isinstance(system, RemoteSystem) and isinstance(system.endpoint, ServiceEndpoint):
        return system.endpoint
    return None


async def close_all(systems: Iterable[object]) -> None:
    """Close the systems that have anything to close."""
    for system in systems:
        if isinstance(system, ClosableSystem) and (closing := system.close()) is not None:
            await closing


@runtime_checkable
class Constrained(Protocol):
    """A system, or a helper, that can be held to a JSON schema: what does not fit it cannot be written.

    A system is sent the schema as `response_format` in a conversation's options, a helper is handed it as `form`.
    """

    constrained: bool


def is_constrained(asked: object) -> bool:
    """Whether a system or a helper can be held to a JSON schema."""
    return isinstance(asked, Constrained) and asked.constrained


@runtime_checkable
class ChecksQuestions(Protocol):
    """A system that can tell beforehand that it cannot be asked: its request names what no question has."""

    def check(self, conversation: Conversation) -> None:
        """Raise UsageError where such a conversation cannot be asked; asks nothing."""


class Helper(Protocol):
    """A language model that makes follow-ups, extracts knowledge or judges; never the system under test."""

    async def complete(
        self,
        prompt: str,
        schema: Mapping[str, Any] | None = None,
        *,
        draw: int = 0,
        attempt: int = 0,
        temperature: float = 0.0,
    ) -> Any:
        """Return the answer to `prompt`: text, or data that fits the JSON `schema`; raise SystemFailure."""


@runtime_checkable
class RejectsAnswers(Protocol):
    """A helper that wants to know which of its answers could not be used, so that they are asked for again."""

    def reject(self, prompt: str, reason: str, *, draw: int = 0, attempt: int = 0, temperature: float = 0.0) -> None:
        """Note that the answer to `prompt`, with these marks, cannot be used."""


class Annotator(Protocol):
    """Adds facts about a follow-up's turns that matching needs; sees inputs only.

    An attribute `languages` may say in which it can read them; without it, in every one.
    """

    name: str

    async def annotate(self, source: Any, follow_up: Any, helper: Helper | None) -> Sequence[Mapping[str, Any]]:
        """Return one mapping of annotations per turn of `follow_up`, a `Case` derived from the `Case` `source`."""
