"""A TRADE tracker, which converts dialogues into states with a network and its vocabulary (Wu et al. 2019, section 2).

The network has a shared encoder, a slot gate and a pointer-generator. Shapes: B dialogues, L words, S slots, H
features, V words in the vocabulary, X words in a batch beyond it. This is the only module of trackers that imports
torch at import time.

A tracker is stored as a folder with `model.safetensors` (weights) and `trade.json` (sizes, vocabulary, and a record of
the training). These files hold only data, so loading them runs no code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import dropout

from mutatis.extending import UsageError, json_of
from mutatis.rltest4chatbot.states import DONT_CARE
from mutatis.rltest4chatbot.trackers.history import END, SPECIAL, UNKNOWN, Encoded, Vocabulary, history_words

GATES = ("none", "dontcare", "pointer")
LONGEST_VALUE = 10
"""Maximum number of words in a value, including the end mark."""

_PADDING, _UNKNOWN, _END = SPECIAL.index("<pad>"), SPECIAL.index(UNKNOWN), SPECIAL.index(END)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes that determine the shape of the network. The names in `slots` have the form `domain-slot`."""

    words: int
    features: int
    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueBatch:
    """A batch of dialogues as tensors.

    `read` and `copied` have the shape (B, L), and `lengths` has the shape (B,). `copied` has the numbers of all words,
    including X (`extra`) words beyond the vocabulary, which `read` does not have.
    """

    read: Tensor
    copied: Tensor
    lengths: Tensor
    extra: int

    @classmethod
    def of(cls, encoded: Sequence[Encoded], device: Any = "cpu") -> DialogueBatch:
        """Create a batch from encoded dialogues, padded to equal length.

        An empty dialogue counts as one word of padding.
        """
        longest = max(1, *(len(inputs.read) for inputs in encoded))
        read = torch.full((len(encoded), longest), _PADDING, dtype=torch.long)
        copied = read.clone()
        for row, inputs in enumerate(encoded):
            read[row, : len(inputs.read)] = torch.tensor(inputs.read, dtype=torch.long)
            copied[row, : len(inputs.copied)] = torch.tensor(inputs.copied, dtype=torch.long)
        lengths = torch.tensor([max(1, len(inputs.read)) for inputs in encoded])
        extra = max(len(inputs.lacking) for inputs in encoded)
        return cls(read=read.to(device), copied=copied.to(device), lengths=lengths, extra=extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Result of encoding a batch and taking the first decoding step for every slot.

    Shapes: `memory` (B, L, H); `outside` (B, L), true for padding; `hidden` (B, S, H); `gates` (B, S, 3), as logits.
    """

    memory: Tensor
    outside: Tensor
    hidden: Tensor
    gates: Tensor


class TradeNetwork(nn.Module):  # type: ignore[misc]
    """An encoder, a slot gate and a generator that share their word embeddings. One decoder serves all slots."""

    def __init__(self, sizes: Sizes, rate: float = 0.0) -> None:
        super().__init__()
        self.sizes, self.rate = sizes, rate
        domains = sorted({slot.partition("-")[0] for slot in sizes.slots})
        names = sorted({slot.partition("-")[2] for slot in sizes.slots})
        pairs = [(domains.index(s.partition("-")[0]), names.index(s.partition("-")[2])) for s in sizes.slots]
        size = sizes.features
        self.words = nn.Embedding(sizes.words, size, padding_idx=_PADDING)
        self.domains, self.slots = nn.Embedding(len(domains), size), nn.Embedding(len(names), size)
        self.onward = nn.GRU(size, size, batch_first=True)
        self.homeward = nn.GRU(size, size, batch_first=True)
        self.decoder = nn.GRUCell(size, size)
        self.gate = nn.Linear(size, len(GATES))
        self.generate = nn.Linear(3 * size, 1)
        self.register_buffer("pairs", torch.tensor(pairs), persistent=False)
        nn.init.normal_(self.words.weight, std=0.1)
        nn.init.normal_(self.domains.weight, std=0.1)
        nn.init.normal_(self.slots.weight, std=0.1)

    def queries(self) -> Tensor:
        """Return the decoder's first input for each slot, the sum of its domain and slot embeddings (S, H)."""
        return self.domains(self.pairs[:, 0]) + self.slots(self.pairs[:, 1])

    def read(self, batch: DialogueBatch) -> Read:
        """Encode the dialogues and make the first decoding step for every slot."""
        embedded = dropout(self.words(batch.read), self.rate, self.training)
        memory, last, outside = self._encoded(embedded, batch.lengths.to(embedded.device))
        memory = dropout(memory, self.rate, self.training)
        rows, slots, size = len(memory), len(self.sizes.slots), self.sizes.features
        queries = dropout(self.queries(), self.rate, self.training).expand(rows, slots, size)
        start = last[:, None].expand(rows, slots, size)
        hidden = self.decoder(queries.reshape(-1, size), start.reshape(-1, size)).view(rows, slots, size)
        scores = (hidden @ memory.transpose(1, 2)).masked_fill(outside[:, None], -1e9)
        context = scores.softmax(-1) @ memory
        return Read(memory=memory, outside=outside, hidden=hidden, gates=self.gate(context))

    def _encoded(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Encode words, and return all states (B, L, H), the last states (B, H) and a padding mask (B, L).

        The states of the forward and backward passes are added. A bidirectional GRU over packed sequences would give
        the same result, but the time to train it on a CPU is quadratic in the length.
        """
        places = torch.arange(embedded.shape[1], device=embedded.device)[None]
        outside = places >= lengths[:, None]
        turned = torch.where(outside, places, lengths[:, None] - 1 - places)[..., None].expand_as(embedded)
        onward, _ = self.onward(embedded)
        homeward, _ = self.homeward(embedded.gather(1, turned))
        ends = (lengths - 1)[:, None, None].expand(-1, 1, embedded.shape[2])
        last = (onward.gather(1, ends) + homeward.gather(1, ends)).squeeze(1)
        return onward + homeward.gather(1, turned), last, outside

    def write(self, batch: DialogueBatch, read: Read, wanted: Tensor) -> tuple[Tensor, Tensor]:
        """Write the values of some slots, choosing the most likely word at each step.

        A word is generated from the vocabulary with the probability `share`, and otherwise copied from the dialogue,
        where it may be one of the `extra` words beyond the vocabulary.

        Args:
            batch: the dialogues.
            read: the result of `read` for these dialogues.
            wanted: the dialogue and slot of each value, of shape (N, 2).

        Returns:
            The words (N, T) and their probabilities (N, T).
        """
        rows = wanted[:, 0]
        hidden, entering = read.hidden[rows, wanted[:, 1]], self.queries()[wanted[:, 1]]
        memory, outside, copied = read.memory[rows], read.outside[rows], batch.copied[rows]
        words: list[Tensor] = []
        chances: list[Tensor] = []
        while len(words) < LONGEST_VALUE:
            if words:
                entering = self.enter(words[-1])
                hidden = self.decoder(entering, hidden)
            generated, pointing, share = self.mixture(hidden, entering, memory, outside)
            mixed = torch.cat((share * generated.softmax(-1), share.new_zeros(len(rows), batch.extra)), -1)
            best = mixed.scatter_add(1, copied, (1 - share) * pointing).max(-1)
            words.append(best.indices)
            chances.append(best.values)
            if bool((torch.stack(words) == _END).any(0).all()):
                break
        return torch.stack(words, 1), torch.stack(chances, 1)

    def enter(self, words: Tensor) -> Tensor:
        """Return the decoder's next input for words (N,) just written. Words without an embedding count as unknown."""
        embedded = self.words(torch.where(words < self.sizes.words, words, _UNKNOWN))
        return dropout(embedded, self.rate, self.training)

    def mixture(
        self, hidden: Tensor, entering: Tensor, memory: Tensor, outside: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the vocabulary's logits (N, V), copy weights for the dialogue's words (N, L), and `share` (N, 1)."""
        scores = (memory @ hidden[:, :, None]).squeeze(-1).masked_fill(outside, -1e9)
        pointing = scores.softmax(-1)
        context = (pointing[:, None] @ memory).squeeze(1)
        return hidden @ self.words.weight.T, pointing, self.share(hidden, context, entering)

    def share(self, hidden: Tensor, context: Tensor, entering: Tensor) -> Tensor:
        """Return the probability that a word is generated rather than copied."""
        mixed: Tensor = self.generate(torch.cat((hidden, context, entering), -1)).sigmoid()
        return mixed


FORMAT, VERSION = "mutatis/trade", 1
WEIGHTS, DESCRIPTION = "model.safetensors", "trade.json"
NONE, OTHER = "(none)", "(other)"
"""Outcomes for a slot that are not values: the slot is empty, or it has a value other than the one chosen."""

_DIGITS = 5


Tracked: TypeAlias = tuple[dict[str, str], dict[str, dict[str, float]]]
"""The state of a dialogue, and for each slot the probabilities of its outcomes (values, dontcare, none, other)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeTracker:
    """A trained network with its vocabulary. `training` records how it was trained."""

    network: TradeNetwork
    vocabulary: Vocabulary
    training: Mapping[str, Any] = field(default_factory=dict)

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that the tracker determines values for."""
        return tuple(self.network.sizes.slots)

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
        state: dict[str, str] = {}
        decisions: dict[str, dict[str, float]] = {}
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
        return state, decisions


def load_trade(folder: Path) -> TradeTracker:
    """Load a tracker from a folder.

    Raises:
        UsageError: the folder does not exist, its description is damaged or in another format, or the weights do not
            match it.
    """
    description = _description(folder)
    try:
        record = description["sizes"]
        vocabulary = Vocabulary(tuple(description["vocabulary"]))
        sizes = Sizes(words=len(vocabulary), features=record["features"], slots=tuple(record["slots"]))
    except (KeyError, TypeError) as error:
        raise UsageError(
            f"{folder / DESCRIPTION} is damaged: {error} is missing or malformed; train the model again"
        ) from None
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
        description: dict[str, Any] = json_of(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is damaged: {error}; copy or train the model again") from None
    written_as = (description.get("format"), description.get("version")) if isinstance(description, dict) else None
    if written_as != (FORMAT, VERSION):
        raise UsageError(
            f"{path} is not a TRADE checkpoint of the format {FORMAT!r}, version {VERSION}; train the model again"
        )
    return description


def checkpoint_hash(folder: Path) -> str:
    """Return a hash of a checkpoint's weights and description."""
    digest = hashlib.sha256()
    for name in (WEIGHTS, DESCRIPTION):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]
