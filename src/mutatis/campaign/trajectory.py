"""Answers the tool calls of a system: returns the results to it and continues until it makes no more calls.

A call is answered by a result recorded in the case or else by the user's function. Results are stored, so that the
source, its follow-ups and repeated runs see the same state. By default, a tool that may change something is only called
when a source is sent for the first time, and never twice with the same arguments. In all other cases only a stored
result is used. Without one, the exchange ends.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mutatis.core.calls import Tool, ToolCall, known_call, results_in, text_or_json, tool_key, tools_in
from mutatis.core.cases import Case
from mutatis.core.errors import OfflineMiss, SystemFailure
from mutatis.core.system import Conversation, Message, Response
from mutatis.core.task import TASKS
from mutatis.measures.tool_calls import compare_calls
from mutatis.query import QueryLayer
from mutatis.text.visible import on_one_line

MOST_STEPS = 12
"""Maximum number of times that a system receives tool results within one turn."""

_LONGEST_CALL = 200
"""Maximum number of characters of a call that an error message quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswers:
    """Answers tool calls with recorded results or the user's function.

    Attributes:
        live: calls the user's function, if any.
        writing: the same function for calls that may change something, which are never repeated. If None, such calls
            get no result.
        stored: the same function, but never called: only the results of earlier calls are returned.
        kept: calls of an earlier run, whose results are used again.
        reads: names of tools that are declared to change nothing.
        writes: names of tools that are declared to change something, whatever hint they have.
        consent: True if tools that change something may be called for follow-ups, too.
    """

    live: QueryLayer | None = None
    writing: QueryLayer | None = None
    stored: QueryLayer | None = None
    kept: Sequence[ToolCall] = ()
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    consent: bool = False

    def most_steps(self, case: Case) -> int:
        """Return the maximum number of further questions that one question may cause.

        These are tool steps and calls of the user's function. One call is counted per step, although a system may make
        several calls at once.
        """
        may_call = bool(tools_in(case.material)) or TASKS[case.task].kind == "calls"  # an agent may have its own tools
        if not may_call or not (results_in(case.material) or self.live):
            return 0
        return MOST_STEPS if self.live is None else 2 * MOST_STEPS

    @property
    def layers(self) -> list[QueryLayer]:
        """The query layers through which the user's function may be called."""
        return [layer for layer in (self.live, self.writing) if layer is not None]

    async def result(self, case: Case, call: ToolCall, repeat: int = 0) -> str | None:
        """Return the result of a call, or None if it has not been recorded and the function may not be called.

        It is taken from the case, else from the same call in an earlier run, else from the user's function, whose
        results may be stored.

        Args:
            case: the case that was sent to the system.
            call: the tool call of the system.
            repeat: the repeat index of the question. A tool that may change something is only called at index 0 of a
                source, unless the user consents to more.

        Raises:
            SystemFailure, BudgetExceeded: the user's function failed, or may not be called any more.
            OfflineMiss: the function would have to be called, but the run is offline.
        """
        tools = tools_in(case.material)
        recorded = _recorded(call, results_in(case.material), tools)
        if recorded is None:
            recorded = next((kept.result for kept in self.kept if _is_same(kept, call)), None)
        if recorded is not None or self.live is None or not _is_allowed(call, tools):
            return recorded
        changes_nothing = self.only_reads(call, case)
        may_call = changes_nothing or self.consent or (case.derivation is None and repeat == 0)
        calling_layer = self.live if changes_nothing else self.writing
        layer = calling_layer if may_call else self.stored  # a call that may not be made can have a stored result
        if layer is None:
            return None
        known = known_call(call, case.material)
        fields = {"name": known.name, "arguments": json.dumps(dict(known.arguments), sort_keys=True)}
        if not changes_nothing:
            fields["source"] = case.question  # the same call for another source is another deed
        try:
            asked = Conversation(messages=(Message(role="user", content=str(known)),), fields=fields)
            return (await layer.ask(asked)).text
        except OfflineMiss:
            if may_call:
                raise
            return None
        except SystemFailure as error:
            raise SystemFailure(f"{on_one_line(str(known))[:_LONGEST_CALL]}: {error}") from error

    def only_reads(self, call: ToolCall, case: Case) -> bool:
        """Return True if a call changes nothing, because its tool is declared or hinted (MCP) to be read-only."""
        key = tool_key(known_call(call, case.material).name)
        if key in map(tool_key, self.writes):
            return False
        if key in map(tool_key, self.reads):
            return True
        function = _function(call, tools_in(case.material)) or {}
        hints = function.get("annotations")
        return isinstance(hints, Mapping) and hints.get("readOnlyHint") is True

    async def followed(
        self,
        case: Case,
        conversation: Conversation,
        ask: Callable[[Conversation], Awaitable[Response]],
        repeat: int = 0,
    ) -> tuple[Response, int]:
        """Send a question and return the results of tool calls to the system, until it makes no more calls.

        Returns:
            The last answer with all calls made on the way, and the number of questions asked.
        """
        done: list[ToolCall] = []
        questions, response = 1, await ask(conversation)
        for _ in range(MOST_STEPS):
            results = await self._results(case, response, repeat)
            if results is None:
                break
            answered = [
                replace(call, result=result, id=f"step_{number}")
                for number, (call, result) in enumerate(zip(response.calls, results, strict=True), start=len(done) + 1)
            ]
            done += answered
            request = Message(role="assistant", content=response.text, calls=tuple(answered))
            replies = (Message(role="tool", content=call.result or "", call_id=call.id) for call in answered)
            conversation = replace(conversation, messages=(*conversation.messages, request, *replies))
            questions, response = questions + 1, await ask(conversation)
        if done:
            response = replace(response, calls=(*done, *response.calls))
        return response, questions

    async def _results(self, case: Case, response: Response, repeat: int) -> list[str] | None:
        """Return the results of all calls in an answer.

        Return None if the answer has no calls, if a call already has a result, or if a call cannot be answered.
        """
        if not response.calls or any(call.malformed or call.result is not None for call in response.calls):
            return None
        results = [await self.result(case, call, repeat) for call in response.calls]
        known = [result for result in results if result is not None]
        return known if len(known) == len(results) else None


def _function(call: ToolCall, tools: Sequence[Tool]) -> Mapping[str, Any] | None:
    """Return the function description of the tool that a call names, or None if it is unknown."""
    functions = (tool["function"] for tool in tools)
    return next((function for function in functions if tool_key(function["name"]) == tool_key(call.name)), None)


def _is_allowed(call: ToolCall, tools: Sequence[Tool]) -> bool:
    """Return True if the tool exists and the call has all required arguments, so that the function can rely on them.

    If the case lists no tools, every call is allowed, because the agent has tools of its own.
    """
    function = _function(call, tools)
    if function is None:
        return not tools
    return all(name in call.arguments for name in function["parameters"].get("required") or ())


def _is_same(kept: ToolCall, call: ToolCall) -> bool:
    return (tool_key(kept.name), kept.arguments) == (tool_key(call.name), call.arguments)


def _recorded(call: ToolCall, results: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> str | None:
    """Return the recorded result of the same call, or else the result recorded for this tool with any arguments."""
    named = [entry for entry in results if tool_key(str(entry["name"])) == tool_key(call.name)]
    for entry in named:
        if isinstance(entry.get("arguments"), Mapping):
            similarity = compare_calls([entry], [call.to_record()], tools)
            if not similarity.open and similarity.score >= 0.5:
                return text_or_json(entry["result"])
    general = next((entry for entry in named if entry.get("arguments") is None), None)
    return None if general is None else text_or_json(general["result"])
