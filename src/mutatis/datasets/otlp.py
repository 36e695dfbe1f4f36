"""Turns OpenTelemetry traces (OTLP as JSON) that follow the `gen_ai.*` conventions into conversations.

Since version 1.37, messages are attributes of a span (`gen_ai.input.messages`, `gen_ai.output.messages`). Before that,
they were events or log records (`gen_ai.user.message`, ..., `gen_ai.choice`). A model receives the whole conversation
at each step, so the span with the most messages represents it. Traces are treated as untrusted data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from mutatis.core.calls import RESULTS, TOOLS, ToolCall, json_material, read_tools
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.parsing import NotReadable, json_of
from mutatis.datasets.reader import DATASETS
from mutatis.reading import DataFile, read_text

_EVENTS = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
_ANSWER = "gen_ai.choice"
_DEEPEST = 50
"""Maximum nesting depth of values. Arguments of calls are never nested this deeply."""

_SPANS = ("resourceSpans", "scopeSpans", "spans")
_LOGS = ("resourceLogs", "scopeLogs", "logRecords")
_CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedMessage:
    """A message in a trace: its role and text, an assistant's tool calls, and a tool's results by call id."""

    role: str
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True, kw_only=True)
class TracedStep:
    """The content of one span: its conversation, the messages to and from the model, and the available tools."""

    conversation: str
    end: int
    trace: str = ""
    inputs: list[TracedMessage] = field(default_factory=list)
    outputs: list[TracedMessage] = field(default_factory=list)
    tools: list[Any] = field(default_factory=list)


@DATASETS.register("otlp", task="chat", tasks=("chat", "tool-call"))
def otlp(file: DataFile) -> Iterator[Case]:
    """Read OpenTelemetry traces (OTLP JSON, or a batch per line) with `gen_ai` messages: one case per conversation."""
    steps: dict[str, TracedStep] = {}
    results: dict[tuple[str, str], str] = {}
    spans = model_spans = 0
    for kind, entry in _entries(file):
        spans += kind == "span"
        attributes = _attributes(entry)
        if kind == "span" and not any(name.startswith("gen_ai.") for name in attributes) and not _events(entry):
            continue
        model_spans += kind == "span"
        _tool_result(_trace(entry), attributes, results)
        step = steps.setdefault(str(_named(entry, "spanId") or len(steps)), TracedStep(conversation="", end=0))
        _read_into(step, entry, attributes)
    asking = [step for step in steps.values() if any(m.role == "user" and m.text for m in step.inputs)]
    if not asking:
        raise UsageError(f"{file.path}: {_nothing(spans, model_spans)}")
    tool_call = any(step.tools or message.calls for step in asking for message in (*step.inputs, *step.outputs))
    for number, step in enumerate(_longest(asking), start=1):
        case = _case(step, f"{file.name}/{number}", results)
        yield replace(case, task="tool-call") if tool_call else case


def _nothing(spans: int, model_spans: int) -> str:
    if not model_spans:
        return f"{spans} spans, none with gen_ai attributes; expected traces of a language model (OTLP as JSON)"
    return f"{model_spans} gen_ai spans, none of which contains messages; set {_CAPTURE}=true where they are recorded"


def _entries(file: DataFile) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the spans and log records in a file, each with its kind ("span" or "log")."""
    text = read_text(file.path, file.encoding)
    try:
        batches = [json_of(text)]
    except NotReadable:
        lines = enumerate(text.split("\n"), start=1)  # other line separators may be part of a text
        batches = [_batch(line, f"{file.path}: line {number}") for number, line in lines if line.strip()]
    for batch in batches:
        for inner in batch if isinstance(batch, list) else [batch]:
            yield from (("span", entry) for entry in _along(inner, _SPANS))
            yield from (("log", entry) for entry in _along(inner, _LOGS))


_NUMBER = re.compile(r"-?[0-9]{1,20}")
_VALUES = ("stringValue", "boolValue", "doubleValue", "bytesValue", "intValue", "arrayValue", "kvlistValue")
_FIELDS = (*_LOGS, *_SPANS, "traceId", "spanId", "endTimeUnixNano", "eventName")
_SNAKE = {name: re.sub("[A-Z]", lambda m: f"_{m[0].lower()}", name) for name in (*_FIELDS, *_VALUES)}
"""Field names in snake case, as used in the protocol's own files."""


def _batch(line: str, where: str) -> Any:
    try:
        return json_of(line)
    except NotReadable as error:
        raise UsageError(
            f"{where}: not JSON: {error}; expected OTLP as JSON, either one document or one batch per line"
        ) from None


def _along(place: Any, path: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects at the end of a path through nested lists. Field names may be in camel case or snake case."""
    if not isinstance(place, Mapping):
        return
    if not path:
        yield place
        return
    for entry in _listed(_named(place, path[0])):
        yield from _along(entry, path[1:])


def _named(place: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field, whose name may be in camel case (JSON) or snake case (the protocol's own files)."""
    return place[name] if name in place else place.get(_SNAKE[name])


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(text: str) -> int | None:
    """Return a string as an integer of at most 64 bits, or None if it is not one."""
    return int(text) if _NUMBER.fullmatch(text) else None


def _value(value: Any, depth: int = 0) -> Any:
    """Return the Python value of an OTLP AnyValue."""
    if not isinstance(value, Mapping) or depth > _DEEPEST:
        return None
    for name in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
        if (plain := _named(value, name)) is not None:
            return plain
    if (plain := _named(value, "intValue")) is not None:  # in OTLP's JSON, integers of 64 bits are strings
        number = _number(str(plain))
        return str(plain) if number is None else number
    if isinstance(inner := _named(value, "arrayValue"), Mapping):
        return [_value(item, depth + 1) for item in _listed(inner.get("values"))]
    if isinstance(inner := _named(value, "kvlistValue"), Mapping):
        return _pairs(inner.get("values"), depth + 1)
    return None


def _pairs(entries: Any, depth: int = 0) -> dict[str, Any]:
    return {str(e.get("key")): _value(e.get("value"), depth) for e in _listed(entries) if isinstance(e, Mapping)}


def _attributes(entry: Mapping[str, Any]) -> dict[str, Any]:
    return _pairs(entry.get("attributes"))


def _data(value: Any) -> Any:
    """Return structured data, parsing it if it is given as a JSON string."""
    if not isinstance(value, str):
        return value
    try:
        return json_of(value)
    except NotReadable:
        return value


def _objects(value: Any) -> list[Mapping[str, Any]]:
    value = _data(value)
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _events(entry: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the name and content of each message in the events of a span, or in a log record."""
    said: list[tuple[str, Mapping[str, Any]]] = []
    for event in _listed(entry.get("events")):
        if isinstance(event, Mapping) and _is_message(event.get("name")):
            said.append((str(event["name"]), _attributes(event)))
    attributes = _attributes(entry)
    name = _named(entry, "eventName") or attributes.get("event.name")
    if _is_message(name):
        body = _data(_value(entry.get("body")))
        said.append((str(name), {**attributes, **(body if isinstance(body, Mapping) else {"content": body})}))
    return said


def _is_message(name: Any) -> bool:
    return isinstance(name, str) and (name in _EVENTS or name == _ANSWER)


def _read_into(step: TracedStep, entry: Mapping[str, Any], attributes: Mapping[str, Any]) -> None:
    """Add the content of a span, or of one of its log records, to `step`."""
    step.trace = step.trace or _trace(entry)
    step.conversation = step.conversation or str(attributes.get("gen_ai.conversation.id") or step.trace)
    step.end = max(step.end, _number(str(_named(entry, "endTimeUnixNano"))) or 0)
    step.tools = step.tools or _tools(attributes.get("gen_ai.tool.definitions"))
    step.inputs += map(_of_parts, _objects(attributes.get("gen_ai.input.messages")))
    first_choice = _objects(attributes.get("gen_ai.output.messages"))[:1]
    step.outputs += map(_of_parts, first_choice)
    for name, content in _events(entry):
        if name == _ANSWER:
            if not step.outputs:
                message = _data(content.get("message"))
                step.outputs.append(_of_event("assistant", message if isinstance(message, Mapping) else content))
        else:
            step.inputs.append(_of_event(_EVENTS[name], content))


def _tools(value: Any) -> list[Any]:
    """Return the valid tool definitions in OpenAI's format, dropping everything else."""
    tools: list[Any] = []
    for entry in _objects(value):
        with suppress(UsageError):
            tools += read_tools([entry])
    return tools


def _trace(entry: Mapping[str, Any]) -> str:
    return str(_named(entry, "traceId") or "")


def _tool_result(trace: str, attributes: Mapping[str, Any], results: dict[tuple[str, str], str]) -> None:
    """Record the result of a tool call by trace and call id, since call ids are unique only within a trace."""
    called, result = attributes.get("gen_ai.tool.call.id"), attributes.get("gen_ai.tool.call.result")
    if called and result is not None:
        results[trace, str(called)] = _text(result)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _call(record: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    try:
        return (ToolCall.from_record({**record, "result": None}),)
    except UsageError:
        return ()


def _of_parts(message: Mapping[str, Any]) -> TracedMessage:
    """Convert a message from the format of `gen_ai.input.messages`, which has a role and parts."""
    parts = _objects(message.get("parts")) or _objects(message.get("content"))
    texts = [_text(part.get("content") or part.get("text")) for part in parts if part.get("type") == "text"]
    if not parts and isinstance(message.get("content"), str):
        texts = [message["content"]]
    answers = [part for part in parts if part.get("type") == "tool_call_response"]
    return TracedMessage(
        role=str(message.get("role")),
        text="\n".join(texts),
        calls=tuple(call for part in parts if part.get("type") == "tool_call" for call in _call(part)),
        results=tuple((str(p.get("id")), _text(p.get("response", p.get("result")))) for p in answers),
    )


def _of_event(role: str, content: Mapping[str, Any]) -> TracedMessage:
    """Convert a message from the older format, which is an event in OpenAI's format."""
    text = _data(content.get("content")) if isinstance(content.get("content"), str) else content.get("content")
    text = _text(text.get("content")) if isinstance(text, Mapping) and "content" in text else content.get("content")
    calls = tuple(call for entry in _objects(content.get("tool_calls")) for call in _call(entry))
    if role == "tool":
        return TracedMessage(role=role, results=((str(content.get("id")), _text(text)),))
    return TracedMessage(role=str(content.get("role") or role), text=_text(text), calls=calls)


def _longest(steps: Sequence[TracedStep]) -> list[TracedStep]:
    """Return the steps that are not continued by another step of the same conversation, in their original order."""
    begun: set[tuple[str, int]] = set()
    kept = []
    numbered = sorted(enumerate(steps), key=lambda entry: (len(entry[1].inputs), entry[1].end), reverse=True)
    for number, step in numbered:  # longest first, as a longer step begins with the messages of those that it continues
        marks = list(_beginnings(step, step.conversation or str(number)))
        if marks[-1] not in begun:
            kept.append((number, step))
        begun.update(marks)
    return [step for _, step in sorted(kept, key=lambda entry: entry[0])]


def _beginnings(step: TracedStep, conversation: str) -> Iterator[tuple[str, int]]:
    """Yield a hash for each prefix of a step's input. Steps whose inputs begin in the same way share hashes."""
    mark = 0
    for message in step.inputs:
        mark = hash((mark, repr(message)))
        yield conversation, mark


def _case(step: TracedStep, case_id: str, results: Mapping[tuple[str, str], str]) -> Case:
    """Return a case whose question is a conversation's last user message and whose history is all earlier messages.

    The step has a user message.
    """
    messages = [*step.inputs, *step.outputs]
    step_results = {call_id: text for message in messages for call_id, text in message.results}
    turns: list[Turn] = []
    for message in messages:
        if message.role == "user" and message.text:
            turns.append(Turn(fields={"message": message.text}))
        elif turns and message.role == "assistant":
            # A call without a result in its own step may have one in another step of the same trace.
            texts = [step_results.get(call.id, results.get((step.trace, call.id))) for call in message.calls]
            calls = [replace(call, result=text) for call, text in zip(message.calls, texts, strict=True)]
            last = turns[-1]
            turns[-1] = replace(last, calls=(*last.calls, *calls), reply=message.text or last.reply)
    recorded = [
        {"name": call.name, "arguments": dict(call.arguments), "result": call.result}
        for turn in turns
        for call in turn.calls
        if call.result is not None
    ]
    turns[-1] = replace(turns[-1], calls=(), reply=None)  # the system under test answers the last message anew
    material = {name: value for name, value in ((TOOLS, step.tools), (RESULTS, recorded)) if value}
    return Case(
        id=case_id,
        turns=tuple(turns),
        material=json_material(material),
        ask_turns=(len(turns) - 1,),
    )
