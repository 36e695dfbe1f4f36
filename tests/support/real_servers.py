"""Servers that others wrote, started on loopback for a test: llama.cpp's, `transformers serve`, LiteLLM's proxy."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KEY = "sk-of-the-server-7f3a91c2d4"
CONTEXT = 384
"""Tokens of a prompt and its answer together."""

STARTED_WITHIN = 300.0
"""Seconds until a server that does not answer is given up."""


@dataclass(frozen=True, kw_only=True)
class RealServer:
    """A server that runs.

    Attributes:
        url: its base URL, which ends in /v1.
        model: what it calls its model.
        asks_for_key: whether it refuses who lacks `KEY`.
        calls_tools: whether its model can be made to call a tool.
        knows_models: whether it refuses the name of another model.
        has_limit: whether it refuses a prompt that is longer than its context.
        tells_chances: whether it tells the probabilities of tokens.
        stops_at: whether its answers can be ended by a text.
    """

    name: str
    url: str
    model: str
    asks_for_key: bool = True
    calls_tools: bool = True
    knows_models: bool = True
    has_limit: bool = True
    tells_chances: bool = True
    stops_at: bool = True


@contextmanager
def llama_cpp() -> Iterator[RealServer]:
    """Run llama.cpp's server with the carried model."""
    import xllamacpp

    from mutatis.systems.local import WITH_TOOLS, carried_weights, template_of

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(carried_weights())
    parameters.n_ctx, parameters.n_parallel, parameters.verbosity = CONTEXT, 1, -1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.api_keys, parameters.chat_template = [KEY], template_of(WITH_TOOLS)
    parameters.cache_prompt = parameters.warmup = parameters.ui = False
    server = xllamacpp.Server(parameters)
    yield RealServer(name="llama.cpp", url=f"{server.listening_address}/v1", model="smollm2", knows_models=False)
    del server


@contextmanager
def transformers_serve(folder: Path) -> Iterator[RealServer]:
    """Run `transformers serve` with a model of random weights."""
    from support.tiny_models import make_generator

    model, port = str(make_generator(folder)), free_port()
    code = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", code, "serve", model, "--host", "127.0.0.1", "--port", port, "--device", "cpu"]
    offline = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1"}
    with running(command, offline, f"http://127.0.0.1:{port}/health"):
        yield RealServer(
            name="transformers serve",
            url=f"http://127.0.0.1:{port}/v1",
            model=model,
            asks_for_key=False,
            calls_tools=False,
            has_limit=False,
            tells_chances=False,
            stops_at=False,  # of a vocabulary of whole words it makes the error "substring not found"
        )


@contextmanager
def litellm_proxy(program: Path, folder: Path, behind: RealServer) -> Iterator[RealServer]:
    """Run LiteLLM's proxy in front of another server."""
    port, config = free_port(), folder / "litellm.yaml"
    served = {"model": f"openai/{behind.model}", "api_base": behind.url, "api_key": KEY}
    settings = {  # JSON is YAML
        "model_list": [{"model_name": "small", "litellm_params": served}],
        "general_settings": {"master_key": KEY},
        "router_settings": {"num_retries": 0, "disable_cooldowns": True},
        "litellm_settings": {"telemetry": False, "num_retries": 0},
    }
    config.write_text(json.dumps(settings))
    command = [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", port, "--telemetry", "False"]
    offline = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "127.0.0.1", "DISABLE_ADMIN_UI": "True"}
    with running(command, offline, f"http://127.0.0.1:{port}/health/liveliness"):
        yield RealServer(name="LiteLLM", url=f"http://127.0.0.1:{port}/v1", model="small")


def free_port() -> str:
    """Return a port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str], answers_at: str) -> Iterator[None]:
    """Run a server in a process of its own from when it answers at an address."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_PROXY"))}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as told,
        subprocess.Popen(command, env={**kept, **environment}, stdout=told, stderr=subprocess.STDOUT) as server,
    ):
        try:
            given_up = time.monotonic() + STARTED_WITHIN
            while not _answers(answers_at):
                if server.poll() is not None or time.monotonic() > given_up:
                    told.seek(0)
                    raise RuntimeError(f"{command[0]} did not start:\n{told.read()[-3000:]}")
                time.sleep(0.2)
            yield
        finally:
            server.terminate()
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                server.kill()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
