"""What other ways of asking an endpoint would leave of this process's time, beside what asking over aiohttp takes.

    python benchmarks/askers.py [--queries 3000] [--rounds 3] [--delay 0.05]

`handed over`: a question goes to a process of its own over a socket pair, which answers at once, and the answer comes
back; what that process would need to ask is not in it. `aiohttp` and, where it is installed, `pyreqwest` ask a server
in a process of its own and read the JSON of its answer. All are the processor's microseconds of this process for a
question, the best of the rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import socket
import subprocess
import sys
import time
from typing import Any

from throughput import bare, served

CONNECTIONS = (8, 64, 256)


class Asker(asyncio.Protocol):
    """The end of the socket pair that is this process's: questions by their numbers, a line of JSON each."""

    def __init__(self) -> None:
        self.waiting: dict[int, asyncio.Future[Any]] = {}
        self.rest = b""
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        """Keep what questions are written to."""
        self.transport = transport

    def ask(self, number: int, body: Any) -> asyncio.Future[Any]:
        """Write a question and return its answer that is to come."""
        self.waiting[number] = answer = asyncio.get_running_loop().create_future()
        self.transport.write(json.dumps([number, body]).encode() + b"\n")
        return answer

    def data_received(self, data: bytes) -> None:
        """Give the answers that have come whole to who waits for them."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            number, answer = json.loads(line)
            self.waiting.pop(number).set_result(answer)


def answer_all(descriptor: int) -> None:
    """Answer every line of a socket with an answer of a model: the other end of the pair."""
    with socket.socket(fileno=descriptor) as connection:
        reply = {"choices": [{"message": {"content": "0.7"}}], "usage": {"prompt_tokens": 50, "completion_tokens": 2}}
        lines = connection.makefile("rb")
        while line := lines.readline():
            number, _ = json.loads(line)
            connection.sendall(json.dumps([number, reply]).encode() + b"\n")


async def handed_over(bodies: list[Any], at_once: int) -> float:
    """Return the milliseconds of this process for a question that another process is handed."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, __file__, "--answer", str(theirs.fileno())]
    with theirs, subprocess.Popen(command, pass_fds=[theirs.fileno()]) as process:
        _, asker = await asyncio.get_running_loop().create_connection(Asker, sock=ours)
        await asker.ask(-1, {})  # it has started
        todo = iter(enumerate(bodies))

        async def worker() -> None:
            for number, body in todo:
                await asker.ask(number, body)

        began = time.process_time()
        await asyncio.gather(*(worker() for _ in range(at_once)))
        took = time.process_time() - began
        asker.transport.close()
        process.kill()
    return 1000 * took / len(bodies)


async def by_pyreqwest(url: str, bodies: list[bytes], connections: int) -> float:
    """Return the milliseconds of this process for a question that pyreqwest asks."""
    from pyreqwest.client import ClientBuilder

    todo = iter(bodies)
    async with ClientBuilder().build() as client:

        async def worker() -> None:
            for body in todo:
                request = client.post(f"{url}/chat/completions").header("Content-Type", "application/json")
                response = await request.body_bytes(body).build().send()
                json.loads(bytes(await response.bytes()))

        began = time.process_time()
        await asyncio.gather(*(worker() for _ in range(connections)))
        return 1000 * (time.process_time() - began) / len(bodies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--port", type=int, default=8907)
    parser.add_argument("--answer", type=int, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.answer is not None:
        answer_all(told.answer)
        return
    texts = (f"Rate sentence number {n} about a film that was quite good" for n in range(told.queries))
    bodies = [{"model": "m", "messages": [{"role": "user", "content": text}]} for text in texts]
    written = [json.dumps(body).encode() for body in bodies]
    with served(told.port, told.delay, chats=False) as url:
        for connections in CONNECTIONS:
            least: dict[str, float] = {}
            for _ in range(told.rounds):
                took = {"handed over": asyncio.run(handed_over(bodies, connections))}
                took["aiohttp"] = asyncio.run(bare(url, written, connections))[1]
                if importlib.util.find_spec("pyreqwest") is not None:
                    took["pyreqwest"] = asyncio.run(by_pyreqwest(url, written, connections))
                least = {name: min(value, least.get(name, value)) for name, value in took.items()}
            row = ", ".join(f"{name} {1000 * value:.0f} us" for name, value in least.items())
            print(f"{connections:4} connections: {row}", flush=True)


if __name__ == "__main__":
    main()
