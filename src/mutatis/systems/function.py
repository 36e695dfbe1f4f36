"""A Python function as the system under test: `my_bot.py:answer`, `package.module:answer` or a callable.

Its answers are stored under its version (`versions.py`).
"""

from __future__ import annotations

import contextvars
import functools
import hashlib
import importlib
import inspect
import json
import math
import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pydantic

from mutatis.core.errors import SystemFailure, UsageError, names_text, refuse_class, shortened, unknown_name
from mutatis.core.probabilities import as_chances
from mutatis.core.system import Conversation, Response, System, plain_string
from mutatis.guarding import ends_us, run_file, running_task
from mutatis.options import Options
from mutatis.reading import near_file
from mutatis.secrets.environment import cleaned
from mutatis.systems.registry import SYSTEMS
from mutatis.systems.replies import NAMES, NotThere, calls_found, calls_of, guessed
from mutatis.systems.threads import Threads
from mutatis.systems.versions import file_of, hash_of_file, version_of
from mutatis.text.harms import is_harm
from mutatis.text.normalisation import listed_words
from mutatis.text.visible import named as named_safely

Input = Literal["text", "fields", "messages"]
_PLACE_IN_MEMORY = re.compile(r" at 0x[0-9a-f]+")


def plain_text(conversation: Conversation) -> str:
    """Return a turn's message or text, or else its question, or else its only field, as plain text.

    If the turn has several fields that belong together (premise and hypothesis, context and question), return its whole
    prompt.
    """
    fields = conversation.fields
    for name in ("message", "text"):
        if name in fields:
            return fields[name]
    if "question" in fields and "context" not in fields:
        return fields["question"]
    if len(fields) == 1:
        return next(iter(fields.values()))
    return conversation.messages[-1].content


@dataclass(slots=True, kw_only=True)
class FunctionSystem(System):
    """A system under test that calls a Python function. Functions that are not coroutines run in a thread."""

    label: str
    function: Callable[..., Any]
    input: Input
    revision: str
    target: str
    wants_history: bool
    threads: Threads
    wants_tools: bool = False
    needs_tools: bool = False
    """Whether the function requires an argument `tools`. If it has a default, cases without tools use the default."""
    kind: str = "function"
    """The name of the system type that is shown to users."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the data that identify the system: the function's path, its revision, and the form of its input."""
        return {"type": self.kind, "target": self.target, "revision": self.revision, "input": self.input}

    def __post_init__(self) -> None:
        # Results of tools are messages: with a text or fields, they would not reach the function.
        self.sees_results = self.input == "messages"

    async def ask(self, conversation: Conversation) -> Response:
        """Call the function. Any exception becomes a SystemFailure that names it."""
        arguments, named = self._arguments(conversation)
        return as_response(await self._call(arguments, named), self.target, conversation.kind)

    async def close(self) -> None:
        """Stop the worker threads once they are idle."""
        self.threads.close()

    async def _call(self, argument: Any, named: Mapping[str, Any]) -> Any:
        """Call the function, in a thread unless it is a coroutine function. Its exceptions become SystemFailures."""
        task = running_task()
        try:
            if inspect.iscoroutinefunction(self.function):
                return await self.function(argument, **named)
            call = functools.partial(contextvars.copy_context().run, self.function, argument, **named)
            result = await self.threads.run(call)
            return await result if inspect.isawaitable(result) else result
        except SystemFailure:
            raise
        except BaseException as error:  # `sys.exit()` in a bot ends its answer, not the campaign
            if ends_us(error, task):
                raise
            raise SystemFailure(_described(self.target, error) + self._hint(argument, error)) from error

    def _hint(self, argument: Any, error: BaseException) -> str:
        """Return a hint on how to receive messages or fields, if the function failed because it expected them."""
        if not isinstance(argument, str) or not isinstance(error, TypeError | AttributeError):
            return ""
        by_name = "string indices" in str(error) or str(error).startswith("'str' object has no attribute 'get'")
        return f'; it is given {self.input}: input = "messages" or "fields" gives it those' if by_name else ""

    def _arguments(self, conversation: Conversation) -> tuple[Any, dict[str, Any]]:
        named: dict[str, Any] = {}
        if self.wants_history:
            named["history"] = [(dict(fields), answer) for fields, answer in conversation.history]
        if self.wants_tools and (conversation.tools or self.needs_tools):
            named["tools"] = [dict(tool) for tool in conversation.tools]
        if self.input == "text":
            return plain_text(conversation), named
        if self.input == "fields":
            return dict(conversation.fields), named
        return [message.to_record() for message in conversation.messages], named


@dataclass(slots=True, kw_only=True)
class BatchFunctionSystem(FunctionSystem):
    """A system under test that calls a function with a list of inputs and expects one answer for each."""

    ask = System.ask

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Call the function once for all conversations.

        If the function returns an exception in place of an answer, only that conversation fails.
        """
        prepared = [self._arguments(conversation) for conversation in conversations]
        names = {name: None for _, arguments in prepared for name in arguments}
        # A case without tools passes none: both `tools` and `history` are lists, which may be empty.
        named = {name: [arguments.get(name, []) for _, arguments in prepared] for name in names}
        results = await self._call([argument for argument, _ in prepared], named)
        if not isinstance(results, Sequence) or isinstance(results, str) or len(results) != len(conversations):
            size = len(results) if isinstance(results, Sequence) else type(results).__name__
            raise SystemFailure(f"{self.target}: expected a list of {len(conversations)} answers, got {size}")
        answers: list[Response | SystemFailure] = []
        for result, conversation in zip(results, conversations, strict=True):
            try:
                answers.append(as_response(result, self.target, conversation.kind))
            except SystemFailure as error:
                answers.append(error)
        return answers


def as_response(result: Any, target: str, kind: str = "") -> Response:
    """Convert a function's result to a Response.

    The result may be a string, a number, a Response, or a dict of probabilities by label. It may also be a dict with
    "text" or "label" and "probabilities", or a message: {"text" or "content": ..., "calls" or "tool_calls": [{"name",
    "arguments"}]}. If a text is expected (`kind`), other dicts are searched for the reply; if calls are expected, they
    are searched for calls or a reply, and a list of calls is accepted. All others become JSON text: a grader's
    {"winner": "A", "reason": "..."}, a moderator's {"flagged": True}, extracted data, or a chatbot's answer in data.

    >>> as_response({"yes": 0.75, "no": 0.25}, "bot").text
    'yes'
    >>> as_response({"answer": "By boat.", "sources": ["p. 3"]}, "bot", "text").text
    'By boat.'
    """
    if isinstance(result, Response):
        has_reply = kind == "text" and not result.text and _has_reply(result.data)
        return replace(result, text=_reply(result.data, target).text) if has_reply else result
    if isinstance(result, SystemFailure):
        raise result
    if isinstance(result, Exception):
        raise SystemFailure(_described(target, result))
    if isinstance(result, str):
        return Response(text=plain_string(result))
    if isinstance(result, bool) or (_is_of_numpy(result) and type(result).__name__ in ("bool", "bool_")):
        return Response(text="yes" if result else "no")
    is_nan = isinstance(result, numbers.Real) and result != result  # the text "nan" would be an answer
    if not is_nan and (isinstance(result, int | float) or _is_of_numpy(result)):
        try:
            return Response(text=str(result))
        except Exception as error:  # an integer with more digits than Python is willing to write
            raise SystemFailure(f"{target} returned a number that cannot be written: {named_safely(error)}") from None
    if isinstance(result, Mapping) and result:
        return _from_mapping(result, target, kind)
    if isinstance(result, list) and result and kind == "calls":
        with suppress(UsageError):
            return Response(calls=calls_of(result))
    raise _not_expected(result, target, kind)


_EXPECTED = {
    "text": f"a string, Response(text=...) or an object with the text under one of: {names_text(NAMES, 8)}",
    "calls": (
        'a text, a list of calls ({"name": ..., "arguments": {...}}), a message with them under "tool_calls", or '
        "Response(calls=[...])"
    ),
}
"""Descriptions of a function's expected result, for the kinds of answer that have their own."""


def _not_expected(result: Any, target: str, kind: str) -> SystemFailure:
    advice = "; return extracted data that are a list as Response(data=[...])" if isinstance(result, list) else ""
    expected = _EXPECTED.get(kind, f"a string, a number, a label, probabilities or a Response{advice}")
    return SystemFailure(f"{target} returned {_brief(result)}; expected {expected}")


def _has_reply(result: Any) -> bool:
    """Return True if an object has a usual name for a reply. Without one, all of it may be the answer."""
    return isinstance(result, Mapping) and not result.keys().isdisjoint(NAMES) and not _are_numbers(result)


def _reply(result: Mapping[Any, Any], target: str) -> Response:
    """Return the reply in an object, which is looked up as in the answer of an `http` system."""
    try:
        reply = guessed(dict(result))
    except (NotThere, RecursionError):
        reply = None
    if reply is None:
        raise _not_expected(result, target, "text")
    return as_response(reply, target)


def _calls_or_reply(result: Mapping[Any, Any], target: str) -> Response:
    """Return the calls and the reply in an object that is not a message."""
    calls = calls_found(result)
    reply = next((result[name] for name in NAMES if isinstance(result.get(name), str)), "")
    if not calls and not reply:
        raise _not_expected(result, target, "calls")
    return Response(text=plain_string(reply), calls=calls)


def _from_mapping(result: Mapping[Any, Any], target: str, kind: str) -> Response:
    """Convert a function's dict to a Response: tool calls, a judgement, a text or label, or probabilities by label."""
    calls = next((result[name] for name in CALLS if isinstance(result.get(name), list | tuple)), None)
    # {"content": "Yes."}, {"role": "assistant", "content": "Yes."}
    is_message = "content" in result and (len(result) == 1 or not {"role", *CALLS}.isdisjoint(result))
    if calls is not None or is_message:  # as the interfaces of language models return it
        content, refusal = str(result.get("text") or result.get("content") or ""), str(result.get("refusal") or "")
        return Response(text=content, calls=calls or (), refusal=refusal)
    if kind == "calls":
        return _calls_or_reply(result, target)
    if kind == "text" and "probabilities" not in result and _has_reply(result):
        return _reply(result, target)
    if kind in ("data", "state") and (len(result) > 1 or _are_numbers(result)):  # {"nights": 2, "people": 4}
        return Response(text=_as_json(result, target))
    text = result.get("text", result.get("label"))
    if text is None and len(result) == 1 and not _REPLIES.isdisjoint(result):  # {"reply": "Yes."}
        text = next((value for value in result.values() if isinstance(value, str)), None)
    if text is not None or "probabilities" in result:  # {"label": "positive", "probabilities": {"positive": 0.9}}
        return _labelled(text, result.get("probabilities"), result, target)
    is_score = len(result) == 1 and not _JUDGED.isdisjoint(map(str, result))  # {"score": 4}
    if is_score or not _are_numbers(result):  # {"winner": "A", "reason": ...}, {"hotel-stars": "4"}
        return Response(text=_as_json(result, target))
    return _labelled(None, result, result, target)  # {"positive": 0.9, "negative": 0.1}


def _labelled(text: Any, chances: Any, result: Mapping[Any, Any], target: str) -> Response:
    """Return a Response with probabilities by label, if `chances` is not None.

    Without a text, the likeliest label is the answer. `result` is what the function returned, for error messages.
    """
    if chances is not None:
        try:
            chances = {plain_string(label): float(chance) for label, chance in chances.items()}
        except Exception:
            raise SystemFailure(
                f"{target} returned {_brief(result)}; expected probabilities that are numbers"
            ) from None
    if text is None:
        if not chances:
            raise SystemFailure(f"{target} returned {_brief(result)}; expected a label or probabilities")
        # The label decides between equal chances, so that the order of the dict does not matter.
        text = max(chances, key=lambda label: (chances[label], label))
    # A moderator scores each harm by itself, so its scores need not sum to one. With other labels, that is a mistake.
    scores = as_chances(chances) if chances and all(map(is_harm, chances)) else {"probabilities": chances}
    try:
        return Response(text=plain_string(text), **scores)
    except Exception as error:
        raise SystemFailure(f"{target} returned a label that cannot be written: {named_safely(error)}") from None


_JUDGED = listed_words("verdict winner better preferred preference choice score rating flagged blocked allowed")
"""Keys that mark a dict of one number as the result of a grader or moderator."""

CALLS = ("calls", "tool_calls")
"""Keys for tool calls in a message or a record, in addition to a text or instead of it."""

_REPLIES = listed_words("reply answer response output message")
"""Keys for the reply in the result of a chatbot's function, if it returns nothing else."""


def _are_numbers(values: Mapping[Any, Any]) -> bool:
    """Return True if a mapping has only numbers of any library as values, as probabilities by label do."""
    try:
        return all(not isinstance(value, bool | str) and math.isfinite(float(value)) for value in values.values())
    except Exception:
        return False


def _as_json(result: Mapping[Any, Any], target: str) -> str:
    try:
        return json.dumps(dict(result), ensure_ascii=False, default=_without_numpy)
    except (TypeError, ValueError, RecursionError):
        raise SystemFailure(f"{target} returned {_brief(result)}; expected probabilities or JSON data") from None


def _is_of_numpy(value: Any) -> bool:
    """Return True if a value is a number, truth value or array of NumPy, which need not be installed."""
    return type(value).__module__ == "numpy"


def _without_numpy(value: Any) -> Any:
    """Return a value of NumPy as Python's own, so that it can be written as JSON."""
    if _is_of_numpy(value):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not JSON data")


def _brief(value: Any) -> str:
    text = named_safely(value)
    if inspect.isgenerator(value) or inspect.isasyncgen(value):
        return "a generator: join its pieces into one text"
    if _PLACE_IN_MEMORY.search(text):  # differs from call to call, so equal failures would not look equal
        return f"an object of class {type(value).__name__}"
    return shortened(text, 80)


def _described(target: str, error: BaseException) -> str:
    return f"{target} raised {named_safely(error, cleaned)}"


def _module(place: str, what: str) -> ModuleType:
    """Import a Python file, or a module by its dotted name. Errors begin with `what`."""
    path = Path(place).expanduser().resolve() if place.endswith(".py") else None
    if path is not None and not path.is_file():
        raise UsageError(f"{what}: no such file: {path}{near_file(path) if path.parent.is_dir() else ''}")
    try:
        if path is None:
            return importlib.import_module(place)
        # The hash keeps files of the same name in different folders apart.
        return run_file(path, f"mutatis_user_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}")
    except BaseException as error:
        if ends_us(error):
            raise
        raise UsageError(f"{what}: importing {place}: {named_safely(error, cleaned)}") from error


def imported(target: str, kind: str) -> Any:
    """Import and return the object named by a target such as "my_bot.py:answer" or "package.module:answer".

    Raises:
        UsageError: the module does not exist or has no such name; the message begins with `kind` and the target.
    """
    place, colon, name = target.rpartition(":")
    what = f"{kind} {target!r}"
    if not colon or not place or not name:
        raise UsageError(f'{what}: expected "my_bot.py:answer" or "package.module:answer"')
    target_object: Any = _module(place, what)
    for part in name.split("."):
        if not hasattr(target_object, part):
            names = [
                key for key in vars(target_object) if callable(getattr(target_object, key)) and not key.startswith("_")
            ]
            raise unknown_name(f"function in {place}:", part, names)
        target_object = getattr(target_object, part)
    return target_object


def _parameters(function: Callable[..., Any], name: str) -> Mapping[str, inspect.Parameter]:
    """Return a function's parameters by name, after the first one, which receives the input.

    A built-in function without a signature has none.

    Raises:
        UsageError: the function cannot be called with one input, so every question would fail.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return {}
    others = dict([*signature.parameters.items()][1:])  # a function's only parameter may be named `history`
    try:
        signature.bind("", **dict.fromkeys({"history", "tools"} & others.keys(), ()))
    except TypeError as error:
        raise UsageError(
            f"function system {name!r}: {error}; expected a function of one argument, the input; it may also take "
            "`history` (the earlier exchanges) and `tools`"
        ) from None
    return others


def target_name(target: object) -> str:
    """Return the target without its folder, so that a system keeps its name if its file is moved."""
    if not isinstance(target, str):
        return str(getattr(target, "__qualname__", type(target).__name__))
    place, _, function = target.rpartition(":")
    return f"{Path(place).name if place.endswith('.py') else place}:{function}"


@SYSTEMS.register("function")
class FunctionOptions(Options):
    """A Python function: "my_bot.py:answer", "package.module:answer" or a callable.

    Attributes:
        target: the function, as "my_bot.py:answer", as "package.module:answer" or as a callable. It may be a coroutine
            function.
        input: what the function receives: plain text, the fields as a dict, or the messages as a list of dicts. A
            further parameter named `history` receives the earlier turns, as a list of (fields, answer), and one named
            `tools` receives the available tools in OpenAI's format.
        batch: whether the function takes a list of inputs and returns a list of answers.
        revision: version of the function. The default is a hash of its file or, for a callable, of its contents.
        threads: maximum number of concurrent calls, unless it is a coroutine function; use 1 if it is not thread-safe.
        label: the system's name in reports.
    """

    target: str | Callable[..., Any]
    input: Input = "text"
    batch: bool = False
    revision: str | None = None
    threads: int = pydantic.Field(default=8, ge=1)
    label: str | None = None

    def build(self) -> System:
        """Import the function and return the system that calls it."""
        target = self.target
        called = imported(target, "function system") if isinstance(target, str) else target
        name = target_name(target)
        if not callable(called):
            what = f"function system {name!r}: {name.rpartition(':')[2]}"
            raise UsageError(f"{what} is {called!r:.60}; expected a function")
        refuse_class(f"function system {name!r}", called)
        # If the target names the function, the hash of its file is enough.
        file = file_of(called) if isinstance(target, str) else None
        revision = self.revision or (version_of(called, name) if file is None else hash_of_file(file))
        parameters = _parameters(called, name)
        tools = parameters.get("tools")
        method = getattr(type(called), "__call__")  # noqa: B004, B009
        if not inspect.isroutine(called) and inspect.iscoroutinefunction(method):
            called = functools.partial(method, called)  # so that the object is recognised as a coroutine function
        system = BatchFunctionSystem if self.batch else FunctionSystem
        return system(
            label=self.label or f"function:{name}",
            function=called,
            input=self.input,
            revision=revision,
            target=name,
            wants_history="history" in parameters,
            wants_tools=tools is not None,
            needs_tools=tools is not None and tools.default is inspect.Parameter.empty,
            threads=Threads(self.threads),
        )
