"""The task `dialogue-state` with its parser, its measures, and the recipe that runs it as in the thesis.

As in the thesis, only dialogues that the tracker gets right at every turn are used, 80 % for learning and 20 % for
testing (RLTest4Chatbot, Table 4.2). Later turns are asked after either edited or original turns, all six families of
edits are used, and only the two bounds of the thesis apply. The defaults of `[search] type = "multi-pdqn"` are stricter
about what counts as a small edit (docs/search.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutatis.extending import (
    PARSERS,
    RECIPES,
    Case,
    Recipe,
    Response,
    Similarity,
    Unparsable,
    answer_text,
    as_text,
    is_refusal,
    measure,
    quoted,
    register_task,
)
from mutatis.rltest4chatbot.states import State, accepted_values, differing_slots, read_state, values_text


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


def _state(value: Any) -> State:
    if isinstance(value, dict):
        return value
    return read_state(as_text(value)) or {}


def _compared(reference: Any, answer: Any, normalisation: str) -> Similarity:
    states = _state(reference), _state(answer)
    wrong = differing_slots(*states, normalisation)
    if not wrong:
        return Similarity(score=1.0, reason="the same state")
    before, after = (accepted_values(state, normalisation) for state in states)
    shown = [f"{slot}: {values_text(before, slot)} / {values_text(after, slot)}" for slot in wrong[:3]]
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return Similarity(score=1 - len(wrong) / len(before.keys() | after.keys()), reason=", ".join(shown) + more)


@measure("state", kinds=("state",), equal=1.0)
def state(reference: Any, answer: Any) -> Similarity:
    """Share of the slots with equal values, normalised as in evaluations of MultiWOZ.

    The states count as equal only if all slots agree.
    """
    return _compared(reference, answer, "usual")


@measure("state-exact", kinds=("state",), equal=1.0)
def state_exact(reference: Any, answer: Any) -> Similarity:
    """Share of the slots with equal values, compared as written.

    The states count as equal only if all slots agree.
    """
    return _compared(reference, answer, "none")


RECIPES.add(
    "rltest4chatbot",
    Recipe(
        name="rltest4chatbot",
        summary="An agent learns which edits of words and characters make a dialogue-state tracker fail.",
        paper="RLTest4Chatbot 2022",
        relations=(),
        settings={
            "search": {
                **{"type": "multi-pdqn", "combined": 6, "attack": "hybrid", "validity": "thesis"},
                **{"protect": "nothing", "synonyms": "installed"},
                **{"only_right": True, "held_out": 0.2, "proposals": 3000, "tested": 600},
            }
        },
    ),
)
