"""Trains SimpleTOD's dialogue-state part on one split of MultiWOZ 2.1 or 2.2 and reports it on another.

python studies/rltest4chatbot/train_simpletod.py --train val.json --test test.json --out checkpoint
python studies/rltest4chatbot/train_simpletod.py --train val.json --test test.json --out checkpoint --start gpt2-folder

Begins with a GPT-2 of the sizes that are named and byte pairs learnt from the training dialogues, or with a causal
model at hand (--start), whose tokens stay as they are: marks are then spelled with several. A twentieth of the training
dialogues chooses the epoch; the test split is looked at once, at the end.

The loss is that of every token, as published. Two options differ, for a model that begins with nothing and has few
dialogues to learn from: --context counts the dialogue's tokens less than the state's, and --swapped puts other values
into a share of the turns, in dialogue and state alike, so that values are copied and not remembered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from swapping import ValueSwapper
from torch.nn.functional import cross_entropy
from training import NONE_YET, Example, examples_of, worth

from mutatis.core.system import Conversation, Response
from mutatis.datasets import read
from mutatis.rltest4chatbot.metrics import StateAccuracy, state_accuracy
from mutatis.rltest4chatbot.states import read_state, slot_name
from mutatis.rltest4chatbot.trackers.simpletod import (
    BELIEF,
    BELIEF_END,
    CONTEXT,
    CONTEXT_END,
    SERVICE,
    START,
    USER,
    context_text,
    prompt_of,
)
from mutatis.systems import SYSTEMS
from mutatis.systems.transformers import longest_of

LONGEST_STATE = 150
"""Tokens kept free for a state, in training and in use."""

IGNORED = -100


def belief_text(state: Mapping[str, str]) -> str:
    """Return a state in the format that the model should write, including the end-of-state marker.

    For example: hotel area east , hotel stars 4 <|endofbelief|>
    """
    triples = [f"{slot_name(slot).replace('-', ' ', 1)} {value.lower()}" for slot, value in sorted(state.items())]
    return f"{' , '.join(triples)} {BELIEF_END}".lstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a model is trained.

    Attributes:
        turns: share of the turns that is seen in an epoch, drawn anew each time.
        context: what a token of the dialogue counts in the loss, where one of the state counts 1.
        swapped: share of the turns whose values are swapped for others of the same slots.
        half: whether the network multiplies in bfloat16, which some processors do four times as fast.
    """

    epochs: int = 20
    batch: int = 16
    rate: float = 1e-3
    turns: float = 0.5
    context: float = 1.0
    swapped: float = 0.0
    half: bool = False
    seed: int = 0
    device: str = "cpu"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="file of dialogues to learn from")
    parser.add_argument("--test", type=Path, required=True, help="file of dialogues to report on")
    parser.add_argument("--format", default="multiwoz21", choices=["multiwoz21", "multiwoz22", "states"])
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--start", type=Path, help="folder of a causal language model to begin with")
    parser.add_argument("--words", type=int, default=4000, help="byte pairs, without --start")
    parser.add_argument("--features", type=int, default=192)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--dropped", type=float, default=0.1, help="rate of dropout, without --start")
    parser.add_argument("--positions", type=int, default=768, help="tokens that the model takes, without --start")
    for name in ("epochs", "batch", "rate", "turns", "context", "swapped", "seed"):
        kind = type(getattr(Settings(), name))
        parser.add_argument(f"--{name}", type=kind, default=getattr(Settings(), name))
    parser.add_argument("--half", action="store_true", help="multiply in bfloat16")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--held-out", type=float, default=0.05, help="share of dialogues that choose the epoch")
    parser.add_argument("--chosen-by", type=int, default=200, help="turns of these that are decoded after an epoch")
    parser.add_argument("--tested", type=int, default=0, help="test turns that are decoded, drawn at random; 0: all")
    return parser.parse_args()


def beginning(args: argparse.Namespace, examples: Sequence[Example]) -> tuple[Any, Any]:
    """Return the tokenizer and the model that training begins with."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2Config, GPT2LMHeadModel

    torch.manual_seed(args.seed)
    if args.start is not None:
        model = AutoModelForCausalLM.from_pretrained(args.start, use_safetensors=True)
        return AutoTokenizer.from_pretrained(args.start), model
    tokenizer = byte_pairs(examples, args.words, args.positions)
    end = tokenizer.convert_tokens_to_ids(START)
    sizes = {"n_positions": args.positions, "n_embd": args.features, "n_layer": args.layers, "n_head": args.heads}
    dropped = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), args.dropped)
    config = GPT2Config(vocab_size=len(tokenizer), bos_token_id=end, eos_token_id=end, **sizes, **dropped)
    model = GPT2LMHeadModel(config)
    with torch.no_grad():
        model.transformer.wpe.weight.copy_(waves(args.positions, args.features))
    return tokenizer, model


def waves(positions: int, features: int) -> Any:
    """Return the sinusoids (positions, features) that the embeddings of positions begin with.

    GPT-2's random ones know nothing of who stands beside whom, which is what copying is learnt from.
    """
    steps = torch.exp(-math.log(10_000) * torch.arange(0, features, 2) / features)
    angles = torch.arange(positions)[:, None] * steps
    return 0.05 * torch.cat([angles.sin(), angles.cos()], 1)


def byte_pairs(examples: Sequence[Example], words: int, positions: int) -> Any:
    """Return a tokenizer of byte pairs learnt from dialogues, with the marks as tokens of their own."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    marks = [START, CONTEXT, CONTEXT_END, USER, SERVICE, BELIEF, BELIEF_END]
    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=words, special_tokens=marks, initial_alphabet=alphabet, show_progress=False
    )
    inner.train_from_iterator((f"{context_text(e.turns)} {belief_text(e.state)}" for e in examples), trainer)
    return PreTrainedTokenizerFast(tokenizer_object=inner, eos_token=START, model_max_length=positions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The tokens of a dialogue and its state, and how many of them are the dialogue's."""

    numbers: list[int]
    context: int


def line_of(tokenizer: Any, example: Example, longest: int) -> Line:
    """Return a dialogue and its state as tokens, without the oldest turns where there is no room for all."""
    prompt = prompt_of(tokenizer, example.turns, longest - LONGEST_STATE)
    state = tokenizer.encode(f" {belief_text(example.state)} {START}", add_special_tokens=False)
    return Line(numbers=[*prompt, *state][:longest], context=len(prompt))


def lines_of(
    tokenizer: Any, examples: Sequence[Example], longest: int, settings: Settings, rng: random.Random
) -> list[Line]:
    """Return the lines of one epoch: a share of the examples, values swapped in a share of these."""
    swapper = ValueSwapper.of(examples)
    wanted = rng.sample(examples, max(1, int(settings.turns * len(examples))))
    seen = [swapper.swapped(example, rng) if rng.random() < settings.swapped else example for example in wanted]
    return [line_of(tokenizer, example, longest) for example in seen]


def whole(tokenizer: Any, examples: Sequence[Example], longest: int) -> list[Example]:
    """Return the examples that the model takes whole: what the turns left out said cannot be learnt."""
    room = longest - LONGEST_STATE
    return [e for e in examples if len(tokenizer.encode(context_text(e.turns), add_special_tokens=False)) <= room]


def batches(lines: Sequence[Line], settings: Settings, rng: random.Random) -> Iterator[tuple[Any, Any, Any]]:
    """Yield tokens, what is to be learnt of them, and what each counts; lines of like length stand together."""
    order = sorted(range(len(lines)), key=lambda place: (len(lines[place].numbers) // 16, rng.random()))
    groups = [order[first : first + settings.batch] for first in range(0, len(order), settings.batch)]
    rng.shuffle(groups)
    for group in groups:
        longest = max(len(lines[place].numbers) for place in group)
        numbers = torch.zeros(len(group), longest, dtype=torch.long)
        labels = torch.full((len(group), longest), IGNORED)
        counts = torch.ones(len(group), longest)
        for row, place in enumerate(group):
            line = lines[place]
            numbers[row, : len(line.numbers)] = labels[row, : len(line.numbers)] = torch.tensor(line.numbers)
            counts[row, : line.context] = settings.context
        yield tuple(each.to(settings.device) for each in (numbers, labels, counts))


def loss_of(model: Any, numbers: Any, labels: Any, counts: Any, settings: Settings) -> Any:
    """Return the mean loss of the next token, weighted by what tokens count; those of no weight are not worked out."""
    learnt = (labels[:, 1:] != IGNORED) & (counts[:, 1:] > 0)
    with torch.autocast(torch.device(settings.device).type, torch.bfloat16, enabled=settings.half):
        hidden = model.base_model(input_ids=numbers).last_hidden_state[:, :-1]
        logits = model.get_output_embeddings()(hidden[learnt])
    losses = cross_entropy(logits.float(), labels[:, 1:][learnt], reduction="none")
    weights = counts[:, 1:][learnt]
    return (losses * weights).sum() / weights.sum()


def accuracy_of(folder: Path, examples: Sequence[Example], device: str) -> StateAccuracy:
    """Return how well the model in a folder tracks, asked as a system."""
    system: Any = SYSTEMS["simpletod"](model=str(folder), max_new_tokens=LONGEST_STATE, device=device)
    asked = []
    for example in examples:
        *before, (_, said) = example.turns
        users, replies = [user for _, user in before], [service for service, _ in example.turns[1:]]
        history = tuple(({"utterance": user}, reply) for user, reply in zip(users, replies, strict=True))
        asked.append(Conversation(fields={"utterance": said}, history=history, messages=()))
    answers = asyncio.run(system.ask_many(asked))
    written = [read_state(answer.text) or {} if isinstance(answer, Response) else {} for answer in answers]
    return state_accuracy([(example.state, state) for example, state in zip(examples, written, strict=True)])


def train(
    args: argparse.Namespace, learned: Sequence[Example], chosen: Sequence[Example], settings: Settings
) -> tuple[Any, list[dict[str, float]]]:
    """Train, keep the best epoch in the folder, and return the model and a row per epoch."""
    tokenizer, model = beginning(args, learned)
    model.to(settings.device)
    longest = longest_of(model, tokenizer)
    learned = whole(tokenizer, learned, longest)
    print(f"{len(learned)} turns are learnt from: those whose dialogue the model takes whole", flush=True)
    rng = random.Random(settings.seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=0.01)
    steps = settings.epochs * (int(settings.turns * len(learned)) // settings.batch + 2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=settings.rate, total_steps=steps)
    best, curve = NONE_YET, []
    for epoch in range(1, settings.epochs + 1):
        began, total, count = time.perf_counter(), 0.0, 0
        model.train()
        lines = lines_of(tokenizer, learned, longest, settings, rng)
        for numbers, labels, counts in batches(lines, settings, rng):
            loss = loss_of(model, numbers, labels, counts, settings)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total, count = total + loss.item(), count + 1
        learnt_in = time.perf_counter() - began
        model.eval().save_pretrained(args.out / "epoch")
        tokenizer.save_pretrained(args.out / "epoch")
        figures = accuracy_of(args.out / "epoch", chosen, settings.device)
        row = {"epoch": epoch, "loss": total / count, "joint": figures.joint, "slot": figures.slot, "f1": figures.f1}
        row |= {"steps": count, "seconds": learnt_in, "with decoding": time.perf_counter() - began}
        curve.append(row)
        print("  ".join(f"{name} {value:.4g}" for name, value in row.items()), flush=True)
        if worth(figures) > best:
            best = worth(figures)
            model.save_pretrained(args.out)
            tokenizer.save_pretrained(args.out)
    for file in (args.out / "epoch").iterdir():
        file.unlink()
    (args.out / "epoch").rmdir()
    return model, curve


def main() -> None:
    args = arguments()
    cases = read(args.format, args.train)
    rng = random.Random(args.seed)
    rng.shuffle(cases)
    held = max(1, round(args.held_out * len(cases)))
    learned, held_out = examples_of(cases[held:]), examples_of(cases[:held])
    chosen = rng.sample(held_out, min(args.chosen_by, len(held_out)))
    test = examples_of(read(args.format, args.test))
    tested = rng.sample(test, args.tested) if 0 < args.tested < len(test) else test
    print(f"{len(learned)} turns to learn from, {len(chosen)} to choose by, {len(tested)} of {len(test)} to report on")
    named = ("epochs", "batch", "rate", "turns", "context", "swapped", "half", "seed", "device")
    settings = Settings(**{name: getattr(args, name) for name in named})
    began = time.perf_counter()
    model, curve = train(args, learned, chosen, settings)
    seconds = time.perf_counter() - began
    size = sum(weights.numel() for weights in model.parameters())
    figures = accuracy_of(args.out, tested, settings.device)
    print(f"{size} parameters, {seconds:.0f} s of training on {settings.device}")
    print(
        f"simpletod  joint {figures.joint:.2%}  slot {figures.slot:.2%}  F1 {figures.f1:.2%}  ({figures.turns} turns)"
    )
    record = {"parameters": size, "seconds": seconds, "curve": curve}
    record["test"] = {name: getattr(figures, name) for name in figures.__slots__}
    (args.out / "results.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
