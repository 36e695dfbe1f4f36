"""Builds cases of task `dialogue-state` for all formats, from utterances, replies and annotated states.

Our own format is JSONL: {"id", "turns": [{"utterance", "reply", "state": {"hotel-area": "east"}}]}. `reply` and `state`
are optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mutatis.extending import DATASETS, Case, DataFile, DataOptions, Record, Turn, unknown_name
from mutatis.rltest4chatbot.states import SLOTS, State, slot_name, state_text

FIELD = "utterance"
TURN_KEYS = frozenset({FIELD, "reply", "state", "annotations"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One exchange of a dialogue: the user's words, the service's reply, and the state after the user's words.

    `state` is None if the data are not annotated. `mentioned` are the values marked in the user's words.
    """

    utterance: str
    reply: str = ""
    state: State | None = None
    mentioned: tuple[str, ...] = ()


class StateOptions(DataOptions):
    """Options of data formats with dialogue states.

    Attributes:
        slots: "published" keeps the usual 30 slots of MultiWOZ, "all" keeps every slot.
    """

    slots: Literal["published", "all"] = "published"

    @property
    def kept(self) -> frozenset[str] | None:
        """The slots to keep, or None for all of them."""
        return frozenset(SLOTS) if self.slots == "published" else None


def state_case(case_id: str, exchanges: Sequence[Exchange], slots: Iterable[str] | None = None) -> Case:
    """Return the case for a dialogue. Its states keep only the given `slots`, or all by default.

    The service's replies are part of the input, because they are not the tracker's own answers.
    """
    kept = None if slots is None else frozenset(slots)
    turns: list[Turn] = []
    last_state: State = {}
    for exchange in exchanges:
        state: State = {slot: value for slot, value in (exchange.state or {}).items() if kept is None or slot in kept}
        new_values = [value for slot, value in state.items() if last_state.get(slot) != value]
        spoken = _spoken(exchange, [*new_values, *filter(None, state.values())])  # the new ones are listed first
        turns.append(
            Turn(
                fields={FIELD: exchange.utterance},
                reply=exchange.reply,
                expected=() if exchange.state is None else (state_text(state),),
                annotations={"protected": {"values": spoken}},
            )
        )
        last_state = last_state if exchange.state is None else state
    material = {"slots": ", ".join(sorted(kept))} if kept else {}
    return Case(id=case_id, turns=tuple(turns), material=material)


def _spoken(exchange: Exchange, values: Iterable[str]) -> list[str]:
    """Return the state values that occur in the utterance, as they are spelt there."""
    spoken = dict.fromkeys(exchange.mentioned)
    for value in values:
        for part in value.split("|"):
            if part.strip():
                pattern = rf"(?<!\w){re.escape(part.strip())}(?!\w)"
                spoken |= dict.fromkeys(m.group() for m in re.finditer(pattern, exchange.utterance, re.IGNORECASE))
    return list(spoken)


def own_turns(turns: Sequence[Record]) -> tuple[Turn, ...]:
    """Return the turns of a dialogue in our own format."""
    return state_case("", [_own_exchange(turn) for turn in turns]).turns


def _own_exchange(turn: Record) -> Exchange:
    for name in turn.data:
        if name not in TURN_KEYS:
            raise unknown_name(f"key in {turn.where}:", name, TURN_KEYS)
    state_data = turn.get("state", dict)
    if state_data is None:
        return Exchange(utterance=turn.need(FIELD, str), reply=turn.get("reply", str, ""))
    state = Record.of(f"{turn.where}, state", state_data)
    values: dict[str, str] = {}
    for slot in state.data:
        if "-" not in slot:
            raise turn.error("state", 'slots named domain-slot, such as "hotel-area"')
        values[slot_name(slot)] = state.need(slot, str)
    return Exchange(utterance=turn.need(FIELD, str), reply=turn.get("reply", str, ""), state=values)


DATASETS.turns["dialogue-state"] = own_turns


@DATASETS.register("states", task="dialogue-state", tasks=("dialogue-state",))
def states(file: DataFile) -> Iterator[Case]:
    """JSONL data with one dialogue per line, whose `turns` have an utterance, a reply and a state."""
    jsonl = DATASETS["jsonl"]
    yield from jsonl.cases(file, jsonl.model())
