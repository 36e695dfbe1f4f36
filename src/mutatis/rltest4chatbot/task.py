"""The task `dialogue-state`, with its prompt file and the parser for its answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutatis.extending import PARSERS, Case, Response, Unparsable, answer_text, is_refusal, quoted, register_task
from mutatis.rltest4chatbot.states import read_state


@dataclass(frozen=True, slots=True, kw_only=True)
class StateParser:
    """Parses a dialogue state: a JSON object with slots and values, either alone or within other text."""

    def parse(self, response: Response, case: Case) -> dict[str, str]:
        """Return the state, which may be empty (`{}`)."""
        text = answer_text(response)
        state = read_state(text)
        if state is None:
            why = "a refusal" if is_refusal(text) else "no state"
            raise Unparsable(f'{why}: {quoted(text)}; expected a JSON object such as {{"hotel-area": "east"}}')
        return state

    def uninformative(self, value: Any) -> bool:
        """Return True if no slot has a value."""
        return not value


PARSERS["state"] = StateParser()
register_task(Path(__file__).with_name("dialogue-state.toml"))
