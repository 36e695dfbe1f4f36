"""Trains a TRADE tracker: examples from cases, the loss, the loop over the data.

Differences from the published training: the generator learns only from slots that have a value (the gate decides the
others, and a written "none" would never be read), the right word before is always given, and words are left out at
random so that copying is learned from little data.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.functional import cross_entropy

from mutatis.core.cases import Case
from mutatis.rltest4chatbot.metrics import StateAccuracy, state_accuracy
from mutatis.rltest4chatbot.states import DONT_CARE, SLOTS, slot_name, usual_value
from mutatis.rltest4chatbot.trackers.history import END, SPECIAL, UNKNOWN, Encoded, Vocabulary, history_words, tokenise
from mutatis.rltest4chatbot.trackers.trade_model import (
    DESCRIPTION,
    FORMAT,
    GATES,
    LONGEST_VALUE,
    VERSION,
    WEIGHTS,
    DialogueBatch,
    Read,
    Sizes,
    TradeNetwork,
    TradeTracker,
)

Turns = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A dialogue up to one turn: its turns, its words, the annotated state, and the words of each slot's value."""

    turns: Turns
    words: tuple[str, ...]
    state: dict[str, str]
    values: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a tracker is trained.

    Attributes:
        features: size of embeddings and hidden states.
        dropped: rate of dropout.
        omitted: share of words that are read as unknown in training.
        rarest: how often a word must occur to be in the vocabulary.
        turns: share of the turns seen in an epoch, drawn anew each time: turns of one dialogue teach much the same.
    """

    features: int = 256
    epochs: int = 30
    batch: int = 32
    rate: float = 1e-3
    dropped: float = 0.3
    omitted: float = 0.08
    rarest: int = 2
    turns: float = 0.5
    seed: int = 0
    device: str = "cpu"


NONE_YET = (-1.0, -1.0)
"""Worth less than any epoch."""


def worth(figures: StateAccuracy) -> tuple[float, float]:
    """Return what epochs are chosen by: joint goal accuracy, then slot F1.

    The first epochs are right about the same few turns, those whose state is empty: by joint accuracy alone the first
    of them stays, a network that predicts nothing.
    """
    return figures.joint, figures.f1


@dataclass(slots=True, kw_only=True)
class Curve:
    """One row per epoch: losses, seconds, and the figures on the dialogues held out."""

    rows: list[dict[str, float]] = field(default_factory=list)


def examples_of(cases: Iterable[Case]) -> list[Example]:
    """Return an example for every annotated turn."""
    examples = []
    for case in cases:
        turns: Turns = []
        before = ""
        for turn in case.turns:
            turns = [*turns, (before, turn.fields["utterance"])]
            before = turn.reply or ""
            if turn.expected:
                words = tuple(history_words(turns))
                state = json.loads(turn.expected[0])
                examples.append(Example(turns=turns, words=words, state=state, values=_targets(state, words)))
    return examples


def _targets(state: dict[str, str], words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words to be written for each slot: a spelling of the dialogue where there is one, else the usual."""
    text = f" {' '.join(words)} "
    targets = {}
    for slot, value in state.items():
        name = slot_name(slot)
        spellings = [spelling for part in value.split("|") for spelling in (usual_value(name, part), part)]
        candidates = [tuple(tokenise(spelling)) for spelling in spellings if spelling]
        spoken = [candidate for candidate in candidates if candidate and f" {' '.join(candidate)} " in text]
        if candidates:
            targets[name] = (spoken or candidates)[0]
    return targets


def vocabulary_of(examples: Sequence[Example], rarest: int) -> Vocabulary:
    """Return the words of the values, and those that occur at least `rarest` times in whole dialogues."""
    longest: dict[str, Example] = {}
    for example in examples:
        longest[example.turns[0][1] + str(example.turns[0])] = example
    counts = Counter(word for example in longest.values() for word in example.words)
    values = {word for example in examples for value in example.values.values() for word in value}
    frequent = sorted(word for word, count in counts.items() if count >= rarest)
    return Vocabulary(tuple(dict.fromkeys((*SPECIAL, *sorted(values), *frequent))))


def _omitting(encoded: Encoded, share: float, unknown: int, rng: random.Random) -> Encoded:
    if not share:
        return encoded
    read = tuple(unknown if rng.random() < share else number for number in encoded.read)
    return Encoded(read=read, copied=encoded.copied, lacking=encoded.lacking)


def loss_of(
    network: TradeNetwork, vocabulary: Vocabulary, examples: Sequence[Example], encoded: Sequence[Encoded], device: str
) -> tuple[Any, Any]:
    """Return the losses of gate and generator for a batch."""
    batch = DialogueBatch.of(encoded, device)
    read = network.read(batch)
    slots = network.sizes.slots
    gates = torch.zeros(len(examples), len(slots), dtype=torch.long)
    written: list[dict[int, list[int]]] = [{} for _ in examples]
    for row, example in enumerate(examples):
        for place, slot in enumerate(slots):
            value = example.values.get(slot)
            if value is None:
                continue
            care = value == (DONT_CARE,)
            gates[row, place] = GATES.index("dontcare" if care else "pointer")
            if not care:
                words = (*value[: LONGEST_VALUE - 1], END)
                written[row][place] = [_number(word, encoded[row], vocabulary) for word in words]
    gate = cross_entropy(read.gates.flatten(0, 1), gates.flatten().to(device))
    if not any(written):
        return gate, gate.new_zeros(())
    return gate, score(network, batch, read, *(part.to(device) for part in _filled_up(written)))


def score(network: TradeNetwork, batch: DialogueBatch, read: Read, wanted: Tensor, right: Tensor) -> Tensor:
    """Return the mean negative log probability of the correct words, given the correct previous words.

    `wanted` (B, W) contains, for each dialogue, the slots whose values are to be learnt, and `right` (B, W, T) the
    words of these values. Both are padded with -1.
    """
    slots = wanted.clamp_min(0)
    shape = (*slots.shape, network.sizes.features)
    hidden = read.hidden.gather(1, slots[..., None].expand(shape)).flatten(0, 1)  # (B * W, H)
    entering = network.queries()[slots].flatten(0, 1)  # (B * W, H)
    total, count = read.memory.new_zeros(()), (right >= 0).sum()
    for step in range(right.shape[2]):
        if step:
            entering = network.enter(right[:, :, step - 1].flatten().clamp_min(0))
            hidden = network.decoder(entering, hidden)
        scores = (hidden.view(shape) @ read.memory.transpose(1, 2)).masked_fill(read.outside[:, None], -1e9)
        pointing = scores.softmax(-1)  # (B, W, L)
        context = pointing @ read.memory  # (B, W, H)
        # The comparison with the vocabulary takes most of the time, so it leaves out values that have ended.
        rows, columns = (right[:, :, step] >= 0).nonzero(as_tuple=True)
        word, state = right[rows, columns, step, None], hidden.view(shape)[rows, columns]  # (N, 1), (N, H)
        share = network.share(state, context[rows, columns], entering.view(shape)[rows, columns])
        in_vocabulary = word < network.sizes.words
        number = torch.where(in_vocabulary, word, SPECIAL.index(UNKNOWN))
        generated = (state @ network.words.weight.T).log_softmax(-1).gather(1, number).exp() * in_vocabulary
        copied = (pointing[rows, columns] * (batch.copied[rows] == word)).sum(-1, keepdim=True)
        total = total - (share * generated + (1 - share) * copied).clamp_min(1e-9).log().sum()
    return total / count


def _number(word: str, encoded: Encoded, vocabulary: Vocabulary) -> int:
    """Return the number by which the network writes a word, or the number for unknown words."""
    if word in encoded.lacking:
        return len(vocabulary) + encoded.lacking.index(word)
    return vocabulary.numbers.get(word, vocabulary.numbers[UNKNOWN])


def _filled_up(written: Sequence[dict[int, list[int]]]) -> tuple[Any, Any]:
    """Return the slots (B, W) and the words (B, W, T) of the values, filled up with -1."""
    most, longest = max(map(len, written)), max(len(words) for values in written for words in values.values())
    wanted = torch.full((len(written), most), -1)
    right = torch.full((len(written), most, longest), -1)
    for row, values in enumerate(written):
        for column, (place, words) in enumerate(values.items()):
            wanted[row, column] = place
            right[row, column, : len(words)] = torch.tensor(words)
    return wanted, right


def accuracy_of(
    tracker: TradeTracker, examples: Sequence[Example], device: str = "cpu", batch: int = 64
) -> StateAccuracy:
    """Return how well a tracker does on examples."""
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].words))
    pairs: list[tuple[dict[str, str], Any]] = [({}, {})] * len(examples)
    for first in range(0, len(order), batch):
        places = order[first : first + batch]
        for place, (state, _) in zip(places, tracker.track([examples[p].turns for p in places], device), strict=True):
            pairs[place] = (examples[place].state, state)
    return state_accuracy(pairs, slots=tracker.slots)


def train(
    examples: Sequence[Example],
    held_out: Sequence[Example],
    settings: Settings,
    *,
    slots: Sequence[str] = SLOTS,
    start: Callable[[Vocabulary], Any] | None = None,
    tell: Callable[[str], None] = print,
    keep: Callable[[TradeTracker], None] = lambda _: None,
) -> tuple[TradeTracker, Curve]:
    """Train a tracker and return the state of its best epoch on `held_out` (`worth`).

    Args:
        examples: what it learns from.
        held_out: what epochs are chosen by; never what it is reported on.
        settings: how.
        slots: what it tracks.
        start: gives first word embeddings (V, H) for a vocabulary; random without.
        tell: is given a line per epoch.
        keep: is given the tracker after each epoch that is the best so far.
    """
    torch.manual_seed(settings.seed)
    rng = random.Random(settings.seed)
    vocabulary = vocabulary_of(examples, settings.rarest)
    sizes = Sizes(words=len(vocabulary), features=settings.features, slots=tuple(slots))
    network = TradeNetwork(sizes, settings.dropped).to(settings.device)
    if start is not None:
        with torch.no_grad():
            network.words.weight.copy_(torch.as_tensor(start(vocabulary)))
    encoded = [vocabulary.encode(example.words) for example in examples]
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.rate)
    steps = settings.epochs * (int(settings.turns * len(examples)) // settings.batch + 2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=settings.rate, total_steps=steps)
    curve, best, kept = Curve(), NONE_YET, network.state_dict()
    for epoch in range(1, settings.epochs + 1):
        started, network_losses = time.perf_counter(), [0.0, 0.0]
        network.train()
        batches = _batches(encoded, settings, rng)
        for places in batches:
            unknown = vocabulary.numbers[UNKNOWN]
            shown = [_omitting(encoded[place], settings.omitted, unknown, rng) for place in places]
            losses = loss_of(network, vocabulary, [examples[place] for place in places], shown, settings.device)
            optimiser.zero_grad()
            # The gate's loss is a mean over all slots, most of which are silent; it counts more than once.
            (5 * losses[0] + losses[1]).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            network_losses = [
                total + loss.item() / len(batches) for total, loss in zip(network_losses, losses, strict=True)
            ]
        tracker = TradeTracker(network=network, vocabulary=vocabulary, training=_record(settings, curve))
        figures = accuracy_of(tracker, held_out, settings.device)
        row = {"epoch": epoch, "gate": network_losses[0], "generator": network_losses[1]}
        row |= {
            "joint": figures.joint,
            "slot": figures.slot,
            "f1": figures.f1,
            "seconds": time.perf_counter() - started,
        }
        curve.rows.append(row)
        tell("  ".join(f"{name} {value:.4g}" for name, value in row.items()))
        if worth(figures) > best:
            best = worth(figures)
            kept = {name: weights.detach().clone() for name, weights in network.state_dict().items()}
            keep(tracker)
    network.load_state_dict(kept)
    return TradeTracker(network=network, vocabulary=vocabulary, training=_record(settings, curve)), curve


def _record(settings: Settings, curve: Curve) -> dict[str, Any]:
    named = ("features", "epochs", "batch", "rate", "dropped", "omitted", "rarest", "turns", "seed")
    return {"settings": {name: getattr(settings, name) for name in named}, "curve": curve.rows}


def _batches(encoded: Sequence[Encoded], settings: Settings, rng: random.Random) -> list[list[int]]:
    """Return batches of dialogues of like length, in random order."""
    size, wanted = settings.batch, max(1, int(settings.turns * len(encoded)))
    order = sorted(
        rng.sample(range(len(encoded)), wanted), key=lambda place: (len(encoded[place].read) // 16, rng.random())
    )
    batches = [order[first : first + size] for first in range(0, len(order), size)]
    rng.shuffle(batches)
    return batches


def save(tracker: TradeTracker, folder: Path) -> None:
    """Write the weights and a description of the tracker to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    description = {
        "format": FORMAT,
        "version": VERSION,
        "sizes": asdict(tracker.network.sizes),
        "vocabulary": list(tracker.vocabulary.words),
        "training": dict(tracker.training),
    }
    save_file(
        {name: tensor.contiguous().cpu() for name, tensor in tracker.network.state_dict().items()}, folder / WEIGHTS
    )
    (folder / DESCRIPTION).write_text(json.dumps(description, ensure_ascii=False, indent=1), encoding="utf-8")
