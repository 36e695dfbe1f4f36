"""Inspect AI models as systems under test: any provider that Inspect supports, by Inspect's model names.

Inspect handles retries, connection limits and keys. If it finally gives up, the question counts as failed. The system
also works while Inspect is running an evaluation of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pydantic

from mutatis.core.errors import SystemFailure, UsageError, check_known
from mutatis.core.extras import require
from mutatis.core.system import Conversation, Finish, Message, Response, System
from mutatis.guarding import ends_us, running_task
from mutatis.options import Options, check_options
from mutatis.secrets.environment import cleaned
from mutatis.secrets.masking import without_secrets
from mutatis.systems.endings import CUT_SHORT
from mutatis.systems.registry import SYSTEMS
from mutatis.text.visible import named

_HERE = ("mockllm", "none")
"""Providers that run without an external service."""

_ENDINGS = {"max_tokens": Finish.LENGTH, "model_length": Finish.LENGTH, "content_filter": Finish.FILTERED}
"""How an answer ended, by the reason that Inspect reports.

"unknown" is left out on purpose: Inspect also uses it for answers without a reason, which count as complete.
"""


@dataclass(slots=True, kw_only=True)
class InspectSystem(System):
    """An Inspect AI model (`inspect_ai.model.Model`) as the system under test.

    Attributes:
        label: its name in reports; by default "inspect:" and the model's name.
        address: address of the provider; by default the model's own, or "".
        args: arguments of the provider.
    """

    label: str = ""
    model: Any
    name: str = ""
    parameters: Mapping[str, Any]
    address: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = self.name or str(self.model)
        self.label = self.label or f"inspect:{self.name}"
        self.address = str(self.address or getattr(getattr(self.model, "api", None), "base_url", None) or "")
        provider = self.name.partition("/")[0]
        self.endpoint = None if provider in _HERE else provider

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the model's name with its provider, its address, and the options sent, but no keys."""
        return {
            "type": "inspect",
            "model": self.name,
            "endpoint": without_secrets(self.address),
            "args": without_secrets(self.args),
            "parameters": without_secrets(self.parameters),
        }

    async def ask(self, conversation: Conversation) -> Response:
        """Ask the model. Raise SystemFailure if Inspect gives up or the answer is empty."""
        output = await self.generate(conversation)
        usage, calls = output.usage, output.message.tool_calls or ()
        finish = _ENDINGS.get(output.stop_reason, Finish.STOP)
        if not output.completion.strip() and not calls and finish is not Finish.FILTERED:
            raise SystemFailure(f"{self.name}: empty answer{CUT_SHORT if finish is Finish.LENGTH else ''}")
        return Response(
            text=output.completion,
            calls=tuple(_call(call) for call in calls),
            finish=finish,
            prompt_tokens=usage.input_tokens if usage is not None else 0,
            completion_tokens=usage.output_tokens if usage is not None else 0,
        )

    async def generate(self, conversation: Conversation) -> Any:
        """Return the model's raw output (`inspect_ai.model.ModelOutput`). Raise SystemFailure if the call fails."""
        from inspect_ai.model import GenerateConfig
        from inspect_ai.tool import ToolInfo

        task = running_task()
        tools = [
            ToolInfo.model_validate({**tool["function"], "description": tool["function"].get("description") or ""})
            for tool in conversation.tools
        ]
        config = GenerateConfig.model_validate({**self.parameters, **conversation.options})
        try:
            output = await self.model.generate([_message(m) for m in conversation.messages], tools=tools, config=config)
        except BaseException as error:  # Inspect cancels requests of its own, which are failures of the model
            if ends_us(error, task):
                raise
            raise SystemFailure(f"{self.name}: {named(error, cleaned)}") from error
        if output.error:
            raise SystemFailure(f"{self.name}: {cleaned(output.error)}")
        if not output.choices:
            raise SystemFailure(f"{self.name}: Inspect returned an output without choices")
        return output


def _message(message: Message) -> Any:
    from inspect_ai import model
    from inspect_ai.tool import ToolCall

    if message.role == "tool":
        return model.ChatMessageTool(content=message.content, tool_call_id=message.call_id)
    if message.role == "assistant":
        calls = [ToolCall(id=call.id, function=call.name, arguments=dict(call.arguments)) for call in message.calls]
        return model.ChatMessageAssistant(content=message.content, tool_calls=calls or None)
    kind = model.ChatMessageSystem if message.role == "system" else model.ChatMessageUser
    return kind(content=message.content)


def _call(call: Any) -> Any:
    """Return a tool call in the format that `Response` expects.

    Arguments that Inspect could not parse are kept as text.
    """
    arguments = call.arguments if call.parse_error is None else str(call.arguments)
    return {"id": call.id, "name": call.function, "arguments": arguments}


@SYSTEMS.register("inspect")
class InspectOptions(Options):
    """Options of a model from any Inspect AI provider, such as "anthropic/claude-opus-5-5" or "ollama/llama3".

    Attributes:
        model: provider and model, as in `inspect eval --model`.
        base_url: address of the provider, if it is not the default one.
        temperature: sampling temperature; 0 selects the most likely answer, and "default" sends no temperature.
        config: further options sent with each question, under Inspect's names (`max_tokens`, `seed`, `top_p`, ...).
        args: arguments of the provider (`inspect eval -M`).
        label: the model's name in reports.
    """

    model: str = pydantic.Field(min_length=1)
    base_url: str | None = None
    temperature: float | Literal["default"] = 0.0
    config: Mapping[str, Any] = {}
    args: Mapping[str, Any] = {}
    label: str | None = None

    def build(self) -> System:
        """Build the system. Inspect checks the provider and its key at this point.

        Raises:
            MissingExtra: Inspect AI is not installed.
            UsageError: Inspect rejects the model or a key of `config`.
        """
        require("inspect", f"system type 'inspect' ({self.model})", "inspect_ai")
        from inspect_ai.model import GenerateConfig, get_model

        check_known("key in config of system type 'inspect':", self.config, GenerateConfig.model_fields)
        heat = {} if self.temperature == "default" else {"temperature": self.temperature}
        parameters = {**heat, **self.config}
        check_options(GenerateConfig, parameters, "system type 'inspect': config", word="key")
        try:
            model = get_model(self.model, base_url=self.base_url, **self.args)
        except Exception as error:
            raise UsageError(f"system type 'inspect': {self.model}: {named(error, cleaned)}") from None
        return InspectSystem(
            label=self.label or "", model=model, parameters=parameters, address=self.base_url or "", args=self.args
        )
