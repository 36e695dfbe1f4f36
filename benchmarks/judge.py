"""Pairs judged per second: 20,000 pairs with repeated texts, beside one pair embedded at a time.

`python benchmarks/judge.py [--pairs 20000] [--alone 40]`. The texts are made here: names, places and numbers in short
answers and sentences, as follow-ups of one question repeat them.
"""

from __future__ import annotations

import argparse
import random
import time

from mutatis.core.measure import Comparison
from mutatis.measures import judge
from mutatis.text import embedder

PLACES = ("Arden", "Belmont", "Corvale", "Dunmere", "Elsing", "Farrow", "Gorley", "Hexton", "Ilmar", "Jorvik")
THINGS = ("mill", "bridge", "school", "harbour", "library", "station", "market", "tower", "garden", "theatre")
FRAMES = (
    "{place}",
    "It is in {place}.",
    "The {thing} was built in {place}.",
    "Most people say that the {thing} of {year} stands in {place}, near the river.",
    "I am not certain, but the records of {year} place the {thing} at {place}.",
    "in {year}",
    "unknown",
)


def make_pairs(count: int, seed: int = 7) -> list[Comparison]:
    """Return comparisons over a few thousand distinct texts."""
    draw = random.Random(seed)

    def text(building: str) -> str:
        return draw.choice(FRAMES).format(place=draw.choice(PLACES), thing=building, year=draw.randint(1960, 1969))

    things = [draw.choice(THINGS) for _ in range(count)]
    return [
        Comparison(reference=(text(building),), answer=text(building), question=f"Where was the {building} built?")
        for building in things
    ]


def timed(name: str, comparisons: list[Comparison]) -> float:
    """Return pairs per second in one call."""
    made = judge(name).measure
    start = time.perf_counter()
    made.compare(comparisons)
    return len(comparisons) / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--alone", type=int, default=40, help="pairs for the one-at-a-time comparison")
    chosen = parser.parse_args()
    comparisons = make_pairs(chosen.pairs)
    lexical = timed("answer-equivalence-lexical", comparisons)
    print(f"answer-equivalence-lexical  {lexical:10.0f} pairs/s")
    if not embedder.embedder_is_installed():
        print("the semantic extra is not installed: no comparison with embeddings")
        return
    embedder.embed(["loads the model"])
    alone = time.perf_counter()
    for comparison in comparisons[: chosen.alone]:
        model = embedder.load()
        model.encode([str(comparison.reference[0])])
        model.encode([str(comparison.answer)])
    ratio_alone = chosen.alone / (time.perf_counter() - alone)
    semantic = timed("answer-equivalence", comparisons)
    print(f"one pair at a time          {ratio_alone:10.1f} pairs/s")
    print(f"answer-equivalence          {semantic:10.0f} pairs/s = {semantic / ratio_alone:.0f} times as many")


if __name__ == "__main__":
    main()
