"""The data formats of task `dialogue-state`: our own, MultiWOZ 2.1 (`data.json` with goal and log) and 2.2.

Our own format is JSONL: {"id", "turns": [{"utterance", "reply", "state": {"hotel-area": "east"}}]}. `reply` and `state`
are optional. In MultiWOZ, each dialogue becomes a case, and each user utterance a turn whose reply is the service's
next utterance. States keep the values as written in the file. Different spellings of a value are unified when states
are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mutatis.extending import (
    DATASETS,
    Case,
    DataFile,
    DataOptions,
    FileName,
    Record,
    Turn,
    UsageError,
    find,
    read_json,
    read_lines,
    shown,
    unknown_name,
)
from mutatis.rltest4chatbot.states import SLOTS, State, slot_name, state_text

TASK = "dialogue-state"
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
        """The slots to keep, or None for all slots."""
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


DATASETS.turns[TASK] = own_turns


@DATASETS.register("states", task=TASK, tasks=(TASK,))
def states(file: DataFile) -> Iterator[Case]:
    """JSONL data with one dialogue per line, whose `turns` have an utterance, a reply and a state."""
    jsonl = DATASETS["jsonl"]
    yield from jsonl.cases(file, jsonl.model())


# MultiWOZ 2.1 and 2.2.

_NO_VALUES = frozenset({"", "not mentioned", "none"})
_SPLIT_FILES = {"val": "valListFile", "test": "testListFile"}


class Options21(StateOptions):
    """Options of MultiWOZ 2.1.

    Attributes:
        split: the part of the official folder to read; "test" by default.
    """

    split: Literal["train", "val", "test"] | None = None


class Options22(StateOptions):
    """Options of MultiWOZ 2.2.

    Attributes:
        schema_file: path of a schema.json; a state with a slot that is not in this file is then an error.
    """

    schema_file: FileName | None = None


@DATASETS.register("multiwoz21", task=TASK, tasks=(TASK,), options=Options21)
def multiwoz21(file: DataFile, options: Options21) -> Iterator[Case]:
    """MultiWOZ 2.1: a file that maps dialogue ids to logs, or the official folder. Options: `split` and `slots`."""
    for name, dialogue in _dialogues21(file, options.split).items():
        record = file.record(f"dialogue {name!r}", dialogue)
        log = record.objects("log", "entry")
        if not log:
            raise record.error("log", "at least one entry")
        exchanges = [_exchange21(log[place : place + 2]) for place in range(0, len(log), 2)]
        yield state_case(file.id(name.removesuffix(".json")), exchanges, options.kept)


def _dialogues21(file: DataFile, asked: str | None) -> dict[str, Any]:
    """Return the dialogues of a split (by default test) of a MultiWOZ 2.1 folder, or all dialogues of a single file."""
    if not file.path.is_dir():
        if asked is not None:
            raise UsageError(
                f"{file.path}: split only applies to the official folder, but this is a single file, which is read as "
                "one split"
            )
        return _object(file.path, file.json())
    split = asked or "test"
    data = _object(file.path / "data.json", read_json(file.path / "data.json", file.encoding))
    listed = {part: _listed(file, name) for part, name in _SPLIT_FILES.items()}
    # There is no list of the training dialogues: they are those in no list.
    names = data.keys() - listed["val"] - listed["test"] if split == "train" else listed[split]
    kept = {name: data[name] for name in data if name in names}
    missing = sorted(names - data.keys())
    if missing:
        raise UsageError(
            f"{file.path}: data.json has no dialogue {missing[0]!r}, which the list of the {split} split contains"
        )
    return kept


def _listed(file: DataFile, name: str) -> set[str]:
    # Some copies of version 2.1 name the lists .json; they hold one name per line all the same.
    named = file.path / f"{name}.json"
    path = named if named.is_file() else find(file.path / f"{name}.txt")
    return {line.strip() for _, line in read_lines(path, file.encoding)}


def _object(path: Path, data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise UsageError(f"{path}: expected a JSON object that maps dialogue ids to dialogues, found {shown(data)}")
    return data


def _exchange21(entries: Sequence[Record]) -> Exchange:
    user, service = entries[0], entries[1] if len(entries) > 1 else None
    mentioned = []
    for span in user.get("span_info", list, []):
        if not isinstance(span, list) or len(span) < 3 or not isinstance(span[2], str):
            raise user.error("span_info", "a list of [act, slot, value, first, last]")
        mentioned.append(span[2])
    return Exchange(
        utterance=user.need("text", str),
        reply=service.need("text", str) if service else "",
        state=_state21(service) if service else None,
        mentioned=tuple(mentioned),
    )


def _state21(service: Record) -> dict[str, str] | None:
    metadata = service.get("metadata", dict)
    if not metadata:
        return None
    state: dict[str, str] = {}
    for domain, forms in metadata.items():
        form = Record.of(f"{service.where}, metadata of {domain!r}", forms)
        for part, prefix in (("semi", ""), ("book", "book")):
            slots = Record.of(f"{form.where}, {part!r}", form.get(part, dict, {}))
            for slot, value in slots.data.items():
                if slot == "booked":
                    continue
                text = "|".join(value) if isinstance(value, list) else slots.need(slot, str)
                if text.strip().lower() not in _NO_VALUES:
                    state[slot_name(f"{domain}-{prefix}{slot}")] = text
    return state


@DATASETS.register("multiwoz22", task=TASK, tasks=(TASK,), options=Options22)
def multiwoz22(file: DataFile, options: Options22) -> Iterator[Case]:
    """MultiWOZ 2.2 and other schema-guided dialogues: a file, or a folder of dialogues_*.json."""
    schema = _schema(Path(options.schema_file)) if options.schema_file else None
    for part in _files22(file.path):
        inner = DataFile(path=part, name=file.name, task=file.task, encoding=file.encoding)
        for dialogue in inner.documents("dialogue"):
            exchanges = _exchanges22(dialogue, schema)
            yield state_case(file.id(dialogue.id("dialogue_id")), exchanges, options.kept)


def _files22(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    parts = sorted(path.glob("dialogues_*.json*"))
    if not parts:
        raise UsageError(
            f"{path}: the folder contains no dialogues_*.json; expected the folder of one split of MultiWOZ 2.2"
        )
    return parts


def _schema(path: Path) -> frozenset[str]:
    services = DataFile(path=path, name="schema", task=TASK).documents("service")
    return frozenset(slot_name(slot.text("name")) for service in services for slot in service.objects("slots", "slot"))


def _exchanges22(dialogue: Record, schema: frozenset[str] | None) -> list[Exchange]:
    """Return a dialogue as exchanges: each turn of the user with the turn of the system after it, if there is one.

    The states are None up to the first annotated turn. After it, a turn without annotations keeps the state.
    """
    exchanges: list[Exchange] = []
    turns = dialogue.objects("turns", "turn")
    if not turns:
        raise dialogue.error("turns", "at least one turn")
    speakers = [_speaker22(turn) for turn in turns]
    state: dict[str, str] | None = None
    for place, turn in enumerate(turns):
        if speakers[place] == "SYSTEM":
            continue
        mentioned: list[str] = []
        for frame in turn.optional_objects("frames", "frame"):
            mentioned += [_span22(turn, slot) for slot in frame.optional_objects("slots", "slot")]
            annotated = _state22(frame, schema)
            if annotated is not None:
                service = frame.text("service")
                others = {slot: value for slot, value in (state or {}).items() if not slot.startswith(f"{service}-")}
                state = others | annotated
        has_reply = speakers[place + 1 : place + 2] == ["SYSTEM"]
        exchanges.append(
            Exchange(
                utterance=turn.need("utterance", str),
                reply=turns[place + 1].need("utterance", str) if has_reply else "",
                state=state,
                mentioned=tuple(filter(None, mentioned)),
            )
        )
    if not exchanges:
        raise dialogue.error("turns", "at least one turn of the speaker USER")
    return exchanges


def _speaker22(turn: Record) -> str:
    speaker: str = turn.text("speaker").upper()
    if speaker not in ("USER", "SYSTEM"):
        raise turn.error("speaker", "USER or SYSTEM")
    return speaker


def _state22(frame: Record, schema: frozenset[str] | None) -> dict[str, str] | None:
    state_data = frame.get("state", dict)
    if state_data is None:
        return None
    inner = Record.of(f"{frame.where}, state", state_data)
    values = Record.of(f"{inner.where}, slot_values", inner.need("slot_values", dict))
    state: dict[str, str] = {}
    for slot in values.data:
        alternatives = values.need(slot, list)
        if not all(isinstance(value, str) for value in alternatives):
            raise values.error(slot, "a list of texts")
        name = slot_name(slot if "-" in slot else f"{frame.text('service')}-{slot}")
        if schema is not None and name not in schema:
            raise unknown_name(f"slot in {values.where}; not in the schema:", name, schema)
        state[name] = "|".join(alternatives)
    return state


def _span22(turn: Record, slot: Record) -> str:
    start, end = slot.get("start", int), slot.get("exclusive_end", int)
    if start is None or end is None:
        return ""
    text: str = turn.need("utterance", str)
    return text[start:end]
