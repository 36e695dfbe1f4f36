"""An OpenAI-compatible server of two weak baselines, so that the study needs no language model.

`overlap-nli` calls a hypothesis entailed when the premise holds nearly all its words, contradicted when only one of the
two has a negation, else neutral. `between-words` names a relation by the words between the two entities. Both are real
systems with real weaknesses; neither knows anything of the relations that test them.

    python studies/llmorph/baseline_server.py --port 8700
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re

from aiohttp import web

WORD = re.compile(r"[a-z0-9']+")
NEGATIONS = {"not", "no", "never", "nobody", "nothing", "none", "without"}
STOP = {"a", "an", "the", "is", "are", "was", "were", "be", "of", "in", "on", "at", "to", "and", "with", "by", "for"}


def field(prompt: str, name: str) -> str:
    """Return the text between the tags of a field."""
    match = re.search(rf"<{name}>\n(.*?)\n</{name}>", prompt, re.DOTALL)
    return match.group(1) if match else ""


def overlap_nli(prompt: str) -> str:
    """Return entailment, contradiction or neutral by shared words."""
    premise = set(WORD.findall(field(prompt, "premise").lower()))
    hypothesis = set(WORD.findall(field(prompt, "hypothesis").lower()))
    negated = [any(w in NEGATIONS or w.endswith("n't") for w in words) for words in (premise, hypothesis)]
    content = hypothesis - STOP
    if negated[0] != negated[1]:
        return "contradiction"
    return "entailment" if content and len(content & premise) >= 0.75 * len(content) else "neutral"


def between_words(prompt: str) -> str:
    """Return the content words between the first mentions of head and tail, at most four of them."""
    text, head, tail = (field(prompt, name) for name in ("text", "first", "second"))
    start, end = text.find(head), text.find(tail)
    if start < 0 or end < 0:
        return "no relation"
    between = text[start + len(head) : end] if start < end else text[end + len(tail) : start]
    words = [word for word in WORD.findall(between.lower()) if word not in STOP]
    return " ".join(words[:4]) if 0 < len(words) <= 12 else "no relation"


MODELS = {"overlap-nli": overlap_nli, "between-words": between_words}


async def complete(request: web.Request) -> web.Response:
    """Answer one chat completion."""
    body = await request.json()
    if body.get("model") not in MODELS:
        return web.json_response({"error": {"message": f"model {body.get('model')!r} not found"}}, status=404)
    answer = MODELS[body["model"]](body["messages"][-1]["content"])
    choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    used = sum(len(message["content"]) for message in body["messages"]) // 4
    usage = {"prompt_tokens": used, "completion_tokens": 2, "total_tokens": used + 2}
    return web.Response(
        text=json.dumps({"object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}),
        content_type="application/json",
    )


async def serve(port: int) -> web.AppRunner:
    """Start the server on loopback and return its runner."""
    app = web.Application(client_max_size=16 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", complete)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    return runner


async def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8700)
    args = parser.parse_args()
    await serve(args.port)
    print(f"serving {', '.join(MODELS)} at http://127.0.0.1:{args.port}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
