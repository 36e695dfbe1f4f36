"""A TRADE tracker, which converts dialogues into states with a network and its vocabulary.

It is stored as a folder with `model.safetensors` (weights) and `trade.json` (sizes, vocabulary, and a record of the
training). These files hold only data, so loading them runs no code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from mutatis.extending import UsageError, json_of
from mutatis.rltest4chatbot.states import DONT_CARE
from mutatis.rltest4chatbot.trackers.history import END, Encoded, Vocabulary, history_words
from mutatis.rltest4chatbot.trackers.trade_network import GATES, DialogueBatch, Read, Sizes, TradeNetwork

FORMAT, VERSION = "mutatis/trade", 1
WEIGHTS, DESCRIPTION = "model.safetensors", "trade.json"
NONE, OTHER = "(none)", "(other)"
"""Outcomes for a slot that are not values: the slot is empty, or it has a value other than the one chosen."""

_DIGITS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """The state of a dialogue, and for each slot the probabilities of its outcomes (values, dontcare, none, other)."""

    state: Mapping[str, str]
    decisions: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeTracker:
    """A trained network with its vocabulary. `training` records how it was trained."""

    network: TradeNetwork
    vocabulary: Vocabulary
    training: Mapping[str, Any] = field(default_factory=dict)

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots for which the tracker determines values."""
        slots: tuple[str, ...] = self.network.sizes.slots
        return slots

    def track(self, dialogues: Sequence[Sequence[tuple[str, str]]], device: str = "cpu") -> list[Tracked]:
        """Return the state after the last turn of each dialogue, which is given as (service, user) turns."""
        encoded = [self.vocabulary.encode(history_words(turns)) for turns in dialogues]
        self.network.eval()
        with torch.inference_mode():
            batch = DialogueBatch.of(encoded, device)
            read = self.network.read(batch)
            gates = read.gates.softmax(-1)
            wanted = (gates.argmax(-1) == GATES.index("pointer")).nonzero()
            values = self._values(batch, read, wanted, encoded) if len(wanted) else {}
        return [self._tracked(row, gates[row].tolist(), values) for row in range(len(encoded))]

    def _values(
        self, batch: DialogueBatch, read: Read, wanted: torch.Tensor, encoded: Sequence[Encoded]
    ) -> dict[tuple[int, int], tuple[str, float]]:
        """Return a value and its probability for each (dialogue, slot) pair in `wanted`."""
        chosen, chances = self.network.write(batch, read, wanted)
        values = {}
        for (row, slot), numbers, likely in zip(wanted.tolist(), chosen.tolist(), chances.tolist(), strict=True):
            words, total = [], 1.0
            for number, chance in zip(numbers, likely, strict=True):
                total *= min(1.0, chance)
                word = encoded[row].word(number, self.vocabulary)
                if word == END:
                    break
                words.append(word)
            values[row, slot] = (" ".join(words), total)
        return values

    def _tracked(
        self, row: int, gates: Sequence[Sequence[float]], values: Mapping[tuple[int, int], tuple[str, float]]
    ) -> Tracked:
        state, decisions = {}, {}
        for place, slot in enumerate(self.slots):
            none, care, pointer = gates[place]
            outcomes = {NONE: none, DONT_CARE: care}
            value, chance = values.get((row, place), ("", 0.0))
            if value:
                # A written "dontcare" is the same outcome as the gate's.
                outcomes[value] = outcomes.get(value, 0.0) + pointer * chance
                state[slot] = value
            elif care == max(none, care, pointer):
                state[slot] = DONT_CARE
            outcomes[OTHER] = max(0.0, 1 - sum(outcomes.values()))
            decisions[slot] = {outcome: round(chance, _DIGITS) for outcome, chance in outcomes.items()}
        return Tracked(state=state, decisions=decisions)

    def save(self, folder: Path) -> None:
        """Write the weights and a description of the tracker to a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        description = {
            "format": FORMAT,
            "version": VERSION,
            "sizes": asdict(self.network.sizes),
            "vocabulary": list(self.vocabulary.words),
            "training": dict(self.training),
        }
        save_file(
            {name: tensor.contiguous().cpu() for name, tensor in self.network.state_dict().items()}, folder / WEIGHTS
        )
        (folder / DESCRIPTION).write_text(json.dumps(description, ensure_ascii=False, indent=1), encoding="utf-8")


def load_trade(folder: Path) -> TradeTracker:
    """Load a tracker from a folder.

    Raises:
        UsageError: the folder does not exist, its description is damaged or in another format, or the weights do not
            match it.
    """
    description = _description(folder)
    try:
        record = description["sizes"]
        sizes = Sizes(words=record["words"], features=record["features"], slots=tuple(record["slots"]))
        vocabulary = Vocabulary(tuple(description["vocabulary"]))
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{folder / DESCRIPTION} is damaged: {error} is missing or malformed; train the model again"
        ) from None
    if len(vocabulary) != sizes.words:
        raise UsageError(
            f"{folder / DESCRIPTION} is damaged: the vocabulary has {len(vocabulary)} of {sizes.words} words; copy or "
            "train the model again"
        )
    network = TradeNetwork(sizes)
    try:
        network.load_state_dict(load_file(folder / WEIGHTS))
    except FileNotFoundError:
        raise UsageError(f"{folder} has no {WEIGHTS}; a TRADE checkpoint is a folder with both files") from None
    except (SafetensorError, RuntimeError, OSError, ValueError) as error:
        why = " ".join(str(error).split())[:160]
        raise UsageError(
            f"{folder / WEIGHTS} is damaged, or contains the weights of a different network: {why}"
        ) from None
    return TradeTracker(network=network.eval(), vocabulary=vocabulary, training=description.get("training", {}))


def _description(folder: Path) -> dict[str, Any]:
    path = folder / DESCRIPTION
    if not path.is_file():
        what = "no such folder" if not folder.exists() else f"has no {DESCRIPTION}"
        raise UsageError(f"TRADE checkpoint {str(folder)!r}: {what}; expected a folder written by the training command")
    try:
        description = json_of(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is damaged: {error}; copy or train the model again") from None
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise UsageError(f"{path} is not a TRADE checkpoint written by mutatis; expected format {FORMAT!r}")
    if description.get("version") != VERSION:
        raise UsageError(
            f"{path} has version {description.get('version')!r} of the format; expected version {VERSION}; train the "
            "model again"
        )
    return description


def checkpoint_hash(folder: Path) -> str:
    """Return a hash of a checkpoint's weights and description."""
    digest = hashlib.sha256()
    for name in (WEIGHTS, DESCRIPTION):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]
