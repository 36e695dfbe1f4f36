"""Items per second of a sweep over the paper's 13 relations, beside a loop that calls the checkpoint once per text.

    python benchmarks/sweep.py [CHECKPOINT] [--items 40] [--device cpu]

Both use the same sequence-classification checkpoint (a folder; without one, a small one with random weights is made) on
the same generated questions of title and body. The loop derives every follow-up beforehand and pays for each text of
every relation; the sweep derives, looks up, batches, asks, stores and judges. An item is one text under one relation.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import mutatis
import mutatis.tasks  # noqa: F401 - registers the tasks
from mutatis.core.cases import Case, Turn
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.core.system import Conversation, Message, System
from mutatis.core.transformation import derive
from mutatis.relations.content_quality import FAMILIES
from mutatis.search import derivations

_STOCK = """
how why do don't can't isn't i my list file loop sort the a in python error code value when run it
"""
WORDS = _STOCK.split()
THIRTEEN = [
    family.slug(v)
    for family in FAMILIES
    for v in list(family.published.values())[: 5 if family.name == "duplicate" else 4]
]


def questions(number: int) -> list[Case]:
    draw = Random(0)

    def text(least: int, most: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(least, most)))

    return [
        Case(id=f"made/{n}", turns=(Turn(fields={"title": text(4, 9), "body": text(10, 40)}),)) for n in range(number)
    ]


def small_checkpoint(folder: Path) -> Path:
    """Write an encoder with random weights and a tokenizer of the words above."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    known = ["<pad>", "<unk>", *dict.fromkeys([*WORDS, *(word.upper() for word in WORDS), "not", "is", "cannot"])]
    inner = Tokenizer(models.WordLevel({word: n for n, word in enumerate(known)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", unk_token="<unk>", model_max_length=128
    )
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": 4}
    config = BertConfig(vocab_size=len(known), num_attention_heads=4, max_position_embeddings=128, **sizes)
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


async def follow_ups(cases: list[Case]) -> list[dict[str, str]]:
    """Return the fields of every source and of every follow-up, unchanged ones included: 14 texts per question."""
    texts = [dict(case.turns[0].fields) for case in cases]
    for name in THIRTEEN:
        for case in cases:
            [plan] = derivations(Source(case=case, relations=(RELATIONS[name],)))
            texts.append(dict((await derive(case, plan)).turns[0].fields))
    return texts


async def one_by_one(system: System, texts: list[dict[str, str]]) -> None:
    """Ask every text by itself."""
    for fields in texts:
        message = Message(role="user", content="")
        await system.ask(Conversation(messages=(message,), fields=fields))


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the seconds on the clock and on the processor that `work` takes, and what it gives."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - clock, time.process_time() - processor, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", nargs="?", type=Path)
    parser.add_argument("--items", type=int, default=40)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = args.checkpoint or small_checkpoint(Path(folder))
        cases = questions(args.items)
        system = mutatis.system("transformers", model=str(checkpoint), device=args.device)
        texts = asyncio.run(follow_ups(cases))
        distinct = len({tuple(sorted(fields.items())) for fields in texts})
        asyncio.run(one_by_one(system, texts[:5]))  # warm
        mutatis.run(system, cases[:2], ["uppercase-100"], task="classification", settings={"confirm": 0})
        loop, loop_cpu, _ = timed(lambda: asyncio.run(one_by_one(system, texts)))
        swept, swept_cpu, run = timed(
            lambda: mutatis.run(system, cases, THIRTEEN, task="classification", settings={"confirm": 0})
        )
    paid = run.report["run"]["queries"]["paid"]
    noise = min(100, len(cases))
    print(f"{len(texts)} items: {len(cases)} questions and {len(THIRTEEN)} relations; {distinct} distinct inputs")
    for name, seconds, processor, note in (
        ("once per text", loop, loop_cpu, f"{len(texts)} calls"),
        ("sweep", swept, swept_cpu, f"{paid - noise} paid, and {noise} of the noise floor"),
    ):
        print(f"{name:14} {len(texts) / seconds:8.1f} items/s {processor:7.2f} CPU s  {note}")
    print(f"{'ratio':14} {loop / swept:8.2f}         {loop_cpu / swept_cpu:7.2f}")


if __name__ == "__main__":
    main()
