"""A helper made of any system: prompts in, checked text or data out, every answer recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema

from mutatis.core.errors import AccessDenied, MalformedAnswer, SystemFailure
from mutatis.core.system import Conversation, Message
from mutatis.prompting import unfenced
from mutatis.query.layer import QueryLayer
from mutatis.text.visible import named, on_one_line


class SystemHelper:
    """Wraps the query layer of a language model as a `mutatis.core.system.Helper`."""

    def __init__(self, layer: QueryLayer) -> None:
        self.layer = layer

    async def complete(
        self,
        prompt: str,
        schema: Mapping[str, Any] | None = None,
        *,
        draw: int = 0,
        attempt: int = 0,
        temperature: float = 0.0,
    ) -> Any:
        """Return the answer to `prompt` as text, or as data that fits the JSON `schema`.

        Draw, attempt and temperature are part of the key, so another draw or attempt is asked anew. A temperature of 0
        is not sent: the system's own setting holds, which is 0 where the user does not say otherwise.

        Raises:
            SystemFailure: the helper failed; MalformedAnswer where its answer is not JSON of this schema.
        """
        conversation = _conversation(prompt, draw, attempt, temperature)
        try:
            text = (await self.layer.ask(conversation)).text.strip()
        except SystemFailure as error:
            kind = AccessDenied if isinstance(error, AccessDenied) else SystemFailure
            raise kind(f"helper {self.layer.system.label}: {error}") from error
        try:
            return text if schema is None else _data(text, schema)
        except MalformedAnswer as error:
            self.layer.reject(conversation, str(error))
            raise

    def reject(self, prompt: str, reason: str, *, draw: int = 0, attempt: int = 0, temperature: float = 0.0) -> None:
        """Note that the answer to a prompt cannot be used: the next run asks again, and the summary counts it."""
        self.layer.reject(_conversation(prompt, draw, attempt, temperature), reason)


def _conversation(prompt: str, draw: int, attempt: int, temperature: float) -> Conversation:
    return Conversation(
        messages=(Message(role="user", content=prompt),),
        options={"temperature": temperature} if temperature else {},
        marks={"draw": draw, "attempt": attempt},
    )


def _data(text: str, schema: Mapping[str, Any]) -> Any:
    try:
        value = json.loads(unfenced(text))
        jsonschema.validate(value, schema)
    except (ValueError, RecursionError) as error:  # also brackets a thousand deep, and numbers of ten thousand digits
        raise MalformedAnswer(f"the helper's answer is not JSON ({named(error)}): {text[:80]!r}") from error
    except jsonschema.ValidationError as error:
        raise MalformedAnswer(f"the helper's answer has another form: {on_one_line(error.message)[:120]}") from error
    return value
