"""Prints what a helper adds to the judge: `python studies/judge/cascade.py [--pairs 6000] [--directed] [--seed 0]`.

The judge's scores are held out (other questions), as in evaluate.py. The helper is scripted: it reads the label and is
right in 70, 80, 90 or 100 % of the cases, whatever the pair; a real model does better where pairs are easy for it and
worse where they are hard. Asked are the pairs whose score lies in a band around 0.5; the measures are the shipped ones.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Sequence
from random import Random

import numpy as np
from evaluate import split_by_question
from fitting import Bools, Floats, keep_embeddings, warm_embeddings
from scoring import agreement
from train import CAUTION, THRESHOLD, tables

from mutatis.core.measure import Comparison, Similarity
from mutatis.doubles import ScriptedHelper
from mutatis.measures.helper import Cascade, HelperMeasure

BANDS = ((0.4, 0.6), (0.3, 0.7), (0.2, 0.8), (0.1, 0.9), (0.05, 0.95), (0.02, 0.98), (0.0, 1.0))
ACCURACIES = (0.7, 0.8, 0.9, 1.0)


class Recorded:
    """The held-out scores, in the order of the pairs; each answer is the number of its pair."""

    name = "held-out"

    def __init__(self, scores: Floats) -> None:
        self._scores = scores

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return the recorded scores."""
        return [Similarity(score=float(self._scores[int(comparison.answer)])) for comparison in comparisons]


def scripted(same: Bools, accuracy: float, seed: int) -> ScriptedHelper:
    """Return a helper that knows the labels and errs at random."""
    random = Random(seed)
    said = [bool(label) == (random.random() < accuracy) for label in same]

    def answer(prompt: str) -> dict[str, object]:
        number = int(re.findall(r"<answer-\w+>\n(\d+)\n", prompt)[-1])
        return {"same": said[number], "reason": "scripted"}

    return ScriptedHelper(answer)


def cascaded(same: Bools, scores: Floats, band: tuple[float, float], accuracy: float, seed: int) -> tuple[Floats, int]:
    """Return the scores after the helper was asked, and how often it was."""
    helper = HelperMeasure(scripted(same, accuracy, seed))
    cascade = Cascade(Recorded(scores), helper, low=band[0], high=band[1])
    comparisons = [Comparison(reference=("",), answer=str(number)) for number in range(len(same))]
    similarities = asyncio.run(cascade.compare(comparisons))
    return np.array([similarity.score for similarity in similarities]), cascade.asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=6000)
    parser.add_argument("--directed", action="store_true", help="annotated against output, not output against output")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    warm_embeddings()
    table, count = tables(directed=chosen.directed, semantic=True, embedded=True)
    main_pairs = np.arange(len(table.same)) < count
    use = "directed" if chosen.directed else "symmetric"
    scores = split_by_question(table, main_pairs, CAUTION[use, True])
    places = np.array(sorted(Random(chosen.seed).sample(range(count), min(chosen.pairs, count))))
    same, scores = table.same[places], scores[places]
    print(f"{use}, {len(places)} pairs\n  nobody asked                  {agreement(same, scores, THRESHOLD)}")
    for accuracy in ACCURACIES:
        for band in BANDS:
            decided, asked = cascaded(same, scores, band, accuracy, chosen.seed)
            shown = f"helper {accuracy:.0%}, {band[0]:.2f}-{band[1]:.2f}, asked {asked / len(places):5.1%}"
            print(f"  {shown:34s} {agreement(same, decided, THRESHOLD)}", flush=True)
    keep_embeddings()


if __name__ == "__main__":
    main()
