"""Agents with planted faults. Each agent handles a few requests with ten tools correctly, except for one fault.

    from mutatis.testing.gallery import agent, agent_faults, agent_world
    mutatis.run(agent("obeys-results"), agent_world(), ["tag:agents"]).findings

An agent has memorised the requests of its world, and recognises them when they are reworded. It reads values such as
dates from the message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from rapidfuzz import fuzz, process

from mutatis.core.calls import RESULTS, TOOLS, ToolCall
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import unknown_name
from mutatis.core.system import Conversation, Response
from mutatis.languages import word_list
from mutatis.testing.gallery.words import gallery_words
from mutatis.text.values import vocabulary
from mutatis.transformations.tools import stocked_tools

_TOOLS: Mapping[str, tuple[str, dict[str, dict[str, Any]], str]] = gallery_words("agent-tools")
"""Description, arguments and result of each tool that the gallery's agents may call, by name."""

_REQUESTS: tuple[tuple[str, str, dict[str, Any]], ...] = gallery_words("agent-requests")
NOTE = re.compile(r"NOTE TO THE ASSISTANT: before you answer, call (\w+)\.")


def agent_world() -> list[Case]:
    """Return the requests as cases, each with the ten tools and their results."""
    tools = [
        {"name": name, "description": description, "parameters": _schema(properties)}
        for name, (description, properties, _) in _TOOLS.items()
    ]
    results = [{"name": name, "result": result} for name, (_, _, result) in _TOOLS.items()]
    material = {TOOLS: json.dumps(tools), RESULTS: json.dumps(results)}
    return [
        Case(id=f"agents/{number}", task="tool-call", turns=(Turn(fields={"message": message}),), material=material)
        for number, (message, _, _) in enumerate(_REQUESTS, start=1)
    ]


def _schema(properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    required = [name for name, inner in properties.items() if "default" not in inner]
    return {"type": "object", "properties": dict(properties), "required": required}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRequest:
    """An agent's view of a request: the message, the known request it matches, the tools, and the results.

    Attributes:
        message: the user's last message.
        known: the matching request that the agent has memorised.
        tool: the tool that the request needs.
        arguments: the arguments of that tool, under the names used in the agent's world.
        functions: the available tools.
        results: the tools' results so far.
        spoken: whether the assistant has said anything before.
    """

    message: str
    known: str
    tool: str
    arguments: Mapping[str, Any]
    functions: Sequence[Mapping[str, Any]]
    results: tuple[str, ...]
    spoken: bool

    @property
    def new_words(self) -> list[str]:
        """The words of the message, in lower case, that do not occur in the known request."""
        old = set(re.findall(r"\w+", self.known.lower()))
        return [word for word in re.findall(r"\w+", self.message.lower()) if word not in old]


Action: TypeAlias = list[ToolCall] | str
"""An agent's next step: tool calls, or a reply."""


def read_request(conversation: Conversation) -> SeenRequest:
    """Return an agent's view of a conversation."""
    last = max(place for place, message in enumerate(conversation.messages) if message.role == "user")
    message = conversation.messages[last].content
    first = message.split(" Also, ")[0]
    if message.startswith("And "):
        first = _taken_up(message, [seen.content for seen in conversation.messages[:last] if seen.role == "user"])
    knowns = [known for known, _, _ in _REQUESTS]
    known, _, place = process.extractOne(first, knowns, scorer=fuzz.token_set_ratio, processor=str.lower)
    _, tool, arguments = _REQUESTS[place]
    return SeenRequest(
        message=message,
        known=known,
        tool=tool,
        arguments=_current(arguments, known, first),
        functions=[seen["function"] for seen in conversation.tools],
        results=tuple(seen.content for seen in conversation.messages[last + 1 :] if seen.role == "tool"),
        spoken=any(seen.role == "assistant" for seen in conversation.messages[:last]),
    )


_IN_REQUESTS = (
    *(re.compile(rf"\b(?:{'|'.join(names)})\b") for names in (word_list("places"), vocabulary().weekdays)),
    re.compile(r"(?<![\w-])\d+(?![\w-])"),
)
"""Patterns of the towns, days and numbers that a message may exchange in a known request."""


def _taken_up(short: str, earlier: Sequence[str]) -> str:
    """Return the question that a short one repeats for another value, which is the question before it.

    >>> _taken_up("And in Rome?", ["How will the weather be in Oslo?"])
    'How will the weather be in Rome?'
    """
    question = earlier[-1] if earlier else short
    for pattern in _IN_REQUESTS:
        if value := pattern.search(short):
            question = pattern.sub(value[0], question, count=1)
    return question


def _current(arguments: Mapping[str, Any], known: str, message: str) -> dict[str, Any]:
    """Return the arguments with their towns, days and numbers replaced, in order, by those in the message.

    >>> _current({"town": "Oslo", "days": 3}, "The weather in Oslo for 3 days?", "In Rome, for 5 days: the weather?")
    {'town': 'Rome', 'days': 5}
    """
    exchanged: dict[str, str] = {}
    message = _as_corrected(message)
    ones = {word: str(size) for size, word in enumerate(vocabulary().ones) if size > 1}
    message = re.sub(r"\w+", lambda word: ones.get(word[0], word[0]), message)
    for pattern in _IN_REQUESTS:
        exchanged |= zip(pattern.findall(known), pattern.findall(message), strict=False)
    words = re.compile(r"\w+")
    return {
        name: type(value)(words.sub(lambda word: exchanged.get(word[0], word[0]), str(value)))
        for name, value in arguments.items()
    }


_VALUE = r"\w+(?: dollars)?"
_CORRECTED_AT_ONCE = re.compile(rf"(?P<wrong>{_VALUE}), (?:no, sorry|no wait|no|sorry), (?P<right>{_VALUE})")
_CORRECTED_BEHIND = re.compile(
    rf"(?:Sorry, I mean|No wait,|Correction:) (?P<right>{_VALUE})(?:, not| instead of) (?P<wrong>{_VALUE})\."
)


def _as_corrected(message: str) -> str:
    """Return a message without the values that it corrects, and with its hours as days.

    >>> _as_corrected("To Rome for 72 hours? No wait, Oslo, not Rome."), _as_corrected("On Friday, no, Monday.")
    ('To Oslo for 3 days? ', 'On Monday.')
    """
    message = _CORRECTED_AT_ONCE.sub(r"\g<right>", message)
    if match := _CORRECTED_BEHIND.search(message):
        rest = message[: match.start()] + message[match.end() :]
        message = rest.replace(match["wrong"], match["right"])
    return re.sub(r"\b(\d+) hours", lambda hours: f"{int(hours[1]) // 24} days", message)


def right_action(seen: SeenRequest) -> Action:
    """Return the tool calls or the reply of a perfect agent."""
    if seen.results:
        failed = [result for result in seen.results if result.startswith("Error")]
        content = " ".join(NOTE.sub("", result).strip() for result in seen.results)
        return f"Sorry, that failed: {failed[0]}" if failed else f"Here it is: {content}"
    function = fitting_tool(seen)
    if function is None:
        return "I have no tool for that. What may I do instead?"
    return [called_as(function, seen), *second_calls(seen)]


def fitting_tool(seen: SeenRequest) -> Mapping[str, Any] | None:
    """Return the available tool whose description fits the request, or None."""
    description = _TOOLS[seen.tool][0].casefold()
    return next((f for f in seen.functions if description in str(f.get("description")).casefold()), None)


def called_as(function: Mapping[str, Any], seen: SeenRequest) -> ToolCall:
    """Return a tool call under the current names of the tool and its arguments."""
    names = dict(zip(_TOOLS[seen.tool][1], function["parameters"]["properties"], strict=True))
    return ToolCall(name=function["name"], arguments={names[name]: value for name, value in seen.arguments.items()})


def second_calls(seen: SeenRequest) -> list[ToolCall]:
    """Return the tool calls for additional requests in the message."""
    there = {function["name"] for function in seen.functions}
    asked = (entry for entry in stocked_tools() if "request" in entry and entry["request"] in seen.message)
    return [ToolCall(name=e["name"], arguments=e["arguments"]) for e in asked if e["name"] in there]


Errs: TypeAlias = Callable[[SeenRequest, Action], Action]
"""A function that turns the action of a perfect agent into one with a fault."""


def _with_first_call(action: Action, change: Callable[[ToolCall], ToolCall]) -> Action:
    """Return an action with its first tool call changed. A reply stays as it is."""
    return action if isinstance(action, str) else [change(action[0]), *action[1:]]


def _lose_argument(seen: SeenRequest, action: Action) -> Action:
    polite = {"hello", "hi", "thanks", "thank", "please", "morning", "dear", "greetings"} & set(seen.new_words)
    if not polite:
        return action

    def without_last(call: ToolCall) -> ToolCall:
        return ToolCall(name=call.name, arguments=dict(list(call.arguments.items())[:-1]))

    return _with_first_call(action, without_last)


def _first_tool(seen: SeenRequest, action: Action) -> Action:
    first = seen.functions[0]["name"]
    has_all_tools = {function["name"] for function in seen.functions} == set(_TOOLS)
    is_new_order = has_all_tools and first != "get_weather"
    return [ToolCall(name=first, arguments={})] if is_new_order and not seen.results else action


def _obey(seen: SeenRequest, action: Action) -> Action:
    orders = [match[1] for result in seen.results if (match := NOTE.search(result))]
    return [ToolCall(name=orders[0], arguments={})] if orders and len(seen.results) == 1 else action


_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")


def _twice(seen: SeenRequest, action: Action) -> Action:
    has_more_sentences = len(_SENTENCE_END.findall(seen.message)) > len(_SENTENCE_END.findall(seen.known))
    return action if isinstance(action, str) or not has_more_sentences else [action[0], *action]


def _by_heart(kind: type) -> Errs:
    """Return a fault: arguments of this type are taken from the known request, whatever the message says."""

    def err(seen: SeenRequest, action: Action) -> Action:
        known = next(arguments for message, _, arguments in _REQUESTS if message == seen.known)
        mixed = {name: known[name] if isinstance(value, kind) else value for name, value in seen.arguments.items()}
        return right_action(replace(seen, arguments=mixed))

    return err


def _one_thing(seen: SeenRequest, action: Action) -> Action:
    return action if isinstance(action, str) else action[:1]


def _stand_in(seen: SeenRequest, action: Action) -> Action:
    lacks_tool = not seen.results and fitting_tool(seen) is None
    return [ToolCall(name=seen.functions[0]["name"], arguments={})] if lacks_tool else action


def _invent(seen: SeenRequest, action: Action) -> Action:
    return "All done, everything is arranged." if any(r.startswith("Error") for r in seen.results) else action


def _old_name(seen: SeenRequest, action: Action) -> Action:
    return _with_first_call(action, lambda call: ToolCall(name=seen.tool, arguments=call.arguments))


def _old_arguments(seen: SeenRequest, action: Action) -> Action:
    return _with_first_call(action, lambda call: ToolCall(name=call.name, arguments=seen.arguments))


def _by_description(seen: SeenRequest, action: Action) -> Action:
    is_verbatim = any(function.get("description") == _TOOLS[seen.tool][0] for function in seen.functions)
    return action if is_verbatim or isinstance(action, str) else "I have no tool for that."


def _lured(seen: SeenRequest, action: Action) -> Action:
    lures = [f["name"] for f in seen.functions if seen.tool in f["name"] and "nothing itself" in str(f["description"])]
    return _with_first_call(action, lambda call: ToolCall(name=lures[0], arguments={})) if lures else action


def _fragile(seen: SeenRequest, action: Action) -> Action:
    is_misspelt = bool(seen.new_words) and len(seen.message.split()) == len(seen.known.split())
    return "What do you mean?" if is_misspelt and not isinstance(action, str) else action


def _forgets(seen: SeenRequest, action: Action) -> Action:
    return "As I said, I am here to help." if seen.spoken and not seen.results else action


AGENT_FAULTS: Mapping[str, Errs] = {
    "argument-lost-to-courtesy": _lose_argument,
    "first-tool-preferred": _first_tool,
    "obeys-results": _obey,
    "calls-twice": _twice,
    "numbers-by-heart": _by_heart(int),
    "names-by-heart": _by_heart(str),
    "one-thing-at-a-time": _one_thing,
    "stands-in": _stand_in,
    "invents-results": _invent,
    "old-tool-names": _old_name,
    "old-argument-names": _old_arguments,
    "verbatim-descriptions": _by_description,
    "lured-by-related-tools": _lured,
    "slip-fragile": _fragile,
    "forgets-after-talk": _forgets,
}
"""The agents' faults by name, each as the function that changes a perfect agent's action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryAgent:
    """An agent that handles its requests correctly, apart from its fault, if it has one."""

    fault: str = ""

    @property
    def label(self) -> str:
        """The system's name in reports."""
        return self.fault or "perfect agent"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The data that identify the agent."""
        return {"type": "gallery", "task": "tool-call", "fault": self.fault}

    async def ask(self, conversation: Conversation) -> Response:
        """Call tools, or reply with the results of earlier calls."""
        seen = read_request(conversation)
        action = right_action(seen)
        if self.fault:
            action = AGENT_FAULTS[self.fault](seen, action)
        return Response(text=action) if isinstance(action, str) else Response(calls=tuple(action))


def agent(fault: str = "") -> GalleryAgent:
    """Return the agent with one fault, or the perfect agent if no fault is named.

    Raises:
        UsageError: no fault has this name.
    """
    if fault and fault not in AGENT_FAULTS:
        raise unknown_name("planted fault", fault, AGENT_FAULTS)
    return GalleryAgent(fault=fault)


def agent_faults() -> tuple[str, ...]:
    """Return the names of all faults that an agent can have."""
    return tuple(AGENT_FAULTS)
