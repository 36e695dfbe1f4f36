"""The `openai` system against a server nobody here wrote: `transformers serve` on a tiny model made in the test."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Finish, Message
from mutatis.systems import SYSTEMS
from support import tiny_models

MISSING = [
    name
    for name in ("transformers", "torch", "accelerate", "fastapi", "openai", "uvicorn")
    if not importlib.util.find_spec(name)
]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs 'transformers[serving]'; missing: {', '.join(MISSING)}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _serving(model: Path, log: Path):
    port = _free_port()
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", str(model)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
        try:
            yield process, f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _healthy(root: str) -> bool:
    try:
        with urllib.request.urlopen(f"{root}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


async def _ready(process: subprocess.Popen, root: str, log: Path) -> bool:
    """Wait until it answers; False where somebody took its port before it did."""
    while not await asyncio.to_thread(_healthy, root):
        if process.poll() is not None:
            if "address already in use" in log.read_text():
                return False
            pytest.fail(f"transformers serve ended with {process.returncode}: {log.read_text()[-2000:]}")
        await asyncio.sleep(0.1)
    return True


async def test_a_server_of_the_transformers_library_is_understood(tmp_path):
    model, log = tiny_models.make_generator(tmp_path / "model"), tmp_path / "serve.log"
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            process, root = stack.enter_context(_serving(model, log))
            if await _ready(process, root, log):
                break
        system = SYSTEMS["openai"](model=str(model), base_url=f"{root}/v1", max_tokens=6, seed=1, timeout=600)
        talk = Conversation(
            messages=(
                Message(role="system", content="answer yes , no"),
                Message(role="user", content="is the film good ?"),
            )
        )
        first = await system.ask(talk)
        again = await system.ask(talk)
        assert first.text == again.text != ""
        assert first.finish in (Finish.STOP, Finish.LENGTH)
        assert first.prompt_tokens > 0
        assert 1 <= first.completion_tokens <= 6
        stranger = SYSTEMS["openai"](model="no-such-model", base_url=f"{root}/v1", max_tokens=6, timeout=20)
        with pytest.raises(SystemFailure) as caught:
            await stranger.ask(talk)
        assert "\n" not in str(caught.value)
        await system.close()
        await stranger.close()
