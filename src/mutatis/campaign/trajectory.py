"""What a system does with the tools that it calls: their results are handed to it, and it is asked on until it is done.

A call is answered by a recorded result of the case, else by a function of the user's, whose results are stored: source
and follow-ups, and the run that repeats them, see one world. A tool that may change something is called for a source
alone, and never again for the same call; a follow-up that calls it otherwise gets no result, and its way ends there.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mutatis.core.calls import Tool, ToolCall, results_in, tools_in
from mutatis.core.cases import Case
from mutatis.core.errors import OfflineMiss
from mutatis.core.system import Conversation, Message, Response
from mutatis.measures.tool_calls import compare_calls, tool_key
from mutatis.query import QueryLayer

MOST_STEPS = 12
"""How often a system is handed results in one turn: one that calls for ever is stopped there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswers:
    """Answers calls of tools.

    Attributes:
        live: asks the user's function; None without one.
        stored: the same function, of which nothing but stored results is served.
        reads: names of tools that are declared to change nothing.
        writes: names of those that are declared to change something, whatever their own hint says.
        consent: tools that change something may be called for follow-ups, too.
    """

    live: QueryLayer | None = None
    stored: QueryLayer | None = None
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    consent: bool = False

    def most_steps(self, case: Case) -> int:
        """Return how many questions a question on a case may bring with it: steps, and calls of the user's function.

        Of a step one call is counted: nobody knows how many tools a system calls at once.
        """
        if not tools_in(case.material) or not (results_in(case.material) or self.live):
            return 0
        return MOST_STEPS if self.live is None else 2 * MOST_STEPS

    async def result(self, case: Case, call: ToolCall) -> str | None:
        """Return what a call gives back; None where nobody may say.

        Raises:
            SystemFailure, BudgetExceeded: the user's function failed, or may not be asked any more.
        """
        tools = tools_in(case.material)
        recorded = _recorded(call, results_in(case.material), tools)
        if recorded is not None or self.live is None or self.stored is None:
            return recorded
        fields = {"name": call.name, "arguments": json.dumps(dict(call.arguments), sort_keys=True)}
        if not self.only_reads(call.name, tools):
            fields["source"] = case.source_id  # the same call for another source is another deed
        may_call = "source" not in fields or self.consent or case.derivation is None
        asked = Conversation(messages=(Message(role="user", content=str(call)),), fields=fields)
        try:
            return (await (self.live if may_call else self.stored).ask(asked)).text
        except OfflineMiss:
            return None

    def only_reads(self, name: str, tools: Sequence[Tool]) -> bool:
        """Whether a tool changes nothing: declared so, or by MCP's hint; of others nobody knows."""
        key = tool_key(name)
        if key in map(tool_key, self.writes):
            return False
        if key in map(tool_key, self.reads):
            return True
        tool = next((tool for tool in tools if tool_key(tool["function"]["name"]) == key), {})
        hints = tool.get("function", {}).get("annotations")
        return isinstance(hints, Mapping) and hints.get("readOnlyHint") is True

    async def followed(
        self, case: Case, conversation: Conversation, ask: Callable[[Conversation], Awaitable[Response]]
    ) -> tuple[Response, int]:
        """Ask, hand the results of calls over and ask on.

        Returns:
            The last answer with all the calls of the way, and how many questions the way took.
        """
        done: list[ToolCall] = []
        questions, response = 1, await ask(conversation)
        for _ in range(MOST_STEPS):
            results = await self._results(case, response)
            if results is None:
                break
            step = [
                replace(call, result=result, id=f"step_{len(done) + number}")
                for number, (call, result) in enumerate(zip(response.calls, results, strict=True), start=1)
            ]
            done += step
            said = Message(role="assistant", content=response.text, calls=tuple(step))
            told = (Message(role="tool", content=call.result or "", call_id=call.id) for call in step)
            conversation = replace(conversation, messages=(*conversation.messages, said, *told))
            questions, response = questions + 1, await ask(conversation)
        return replace(response, calls=(*done, *response.calls)) if done else response, questions

    async def _results(self, case: Case, response: Response) -> list[str] | None:
        """Return the results of all calls of an answer; None where there are none, or somebody else answered them."""
        if not response.calls or any(call.malformed or call.result is not None for call in response.calls):
            return None
        results = [await self.result(case, call) for call in response.calls]
        known = [result for result in results if result is not None]
        return known if len(known) == len(results) else None


def _recorded(call: ToolCall, results: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> str | None:
    """Return the recorded result of a call: of the same one, else what its tool gives back whatever it is asked."""
    named = [entry for entry in results if tool_key(str(entry["name"])) == tool_key(call.name)]
    for entry in named:
        if isinstance(entry.get("arguments"), Mapping):
            similarity = compare_calls([entry], [call.to_record()], tools)
            if not similarity.open and similarity.score >= 0.5:
                return _text(entry["result"])
    general = next((entry for entry in named if entry.get("arguments") is None), None)
    return None if general is None else _text(general["result"])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
