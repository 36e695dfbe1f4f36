"""Turns any system into a helper, which takes prompts, returns checked text or data, and records every answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema

from mutatis.core.errors import AccessDenied, AnswerCutOff, MalformedAnswer, SystemFailure
from mutatis.core.system import Conversation, Message
from mutatis.prompting import Replacements, unfenced
from mutatis.query.layer import QueryLayer
from mutatis.text.visible import named, on_one_line


class SystemHelper:
    """An adapter that gives the query layer of a language model the interface `mutatis.core.system.Helper`.

    `replaced` has the user's own prompts.
    """

    def __init__(self, layer: QueryLayer, replaced: Replacements | None = None) -> None:
        self.layer, self.replaced = layer, replaced or {}

    @property
    def constrained(self) -> bool:
        """True if the language model's output can be constrained to a JSON schema."""
        return self.layer.system.constrained

    async def complete(self, prompt: str, schema: Mapping[str, Any] | None = None, **marks: Any) -> Any:
        """Return the answer to `prompt` as text, or as data that fit the JSON `schema`.

        `marks` are `draw`, `attempt` and `temperature`, which are part of the key, so a different draw or attempt asks
        again. A temperature of 0 is not sent, so that the system's own setting applies, which is 0 unless the user
        changes it. A further mark, `form`, is the schema of a text that the caller parses. It constrains the output of
        systems that support this, and is ignored by others.

        Raises:
            SystemFailure: the helper failed; MalformedAnswer if its answer does not fit the schema, AnswerCutOff if it
                ended at the token limit.
        """
        conversation = self._conversation(prompt, schema, **marks)
        try:
            text = (await self.layer.ask(conversation)).text.strip()
        except SystemFailure as error:
            kind = next(kind for kind in (AccessDenied, AnswerCutOff, SystemFailure) if isinstance(error, kind))
            raise kind(f"helper {self.layer.system.label}: {error}") from error
        try:
            return text if schema is None else _data(text, schema)
        except MalformedAnswer as error:
            self.layer.reject(conversation, str(error))
            raise

    def reject(self, prompt: str, reason: str, **marks: Any) -> None:
        """Record that the answer to a prompt is unusable. `marks` are the ones that it was asked with.

        The next run asks again, and the summary counts the answer as unusable.
        """
        self.layer.reject(self._conversation(prompt, **marks), reason)

    def _conversation(
        self,
        prompt: str,
        schema: Mapping[str, Any] | None = None,
        *,
        draw: int = 0,
        attempt: int = 0,
        temperature: float = 0.0,
        form: Mapping[str, Any] | None = None,
    ) -> Conversation:
        options: dict[str, Any] = {"temperature": temperature} if temperature else {}
        held_to = schema or form
        if self.constrained and held_to is not None:
            options["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": held_to}}
            if temperature:
                options["seed"] = attempt + 1  # another try is another draw, and the same one in every run
        return Conversation(
            messages=(Message(role="user", content=prompt),),
            options=options,
            marks={"draw": draw, "attempt": attempt},
        )


def _data(text: str, schema: Mapping[str, Any]) -> Any:
    try:
        value = json.loads(unfenced(text))
        jsonschema.validate(value, schema)
    except (ValueError, RecursionError) as error:  # also brackets a thousand deep, and numbers of ten thousand digits
        raise MalformedAnswer(f"the helper's answer is not JSON ({named(error)}): {text[:80]!r}") from error
    except jsonschema.ValidationError as error:
        raise MalformedAnswer(f"the helper's answer has the wrong form: {on_one_line(error.message)[:120]}") from error
    return value
