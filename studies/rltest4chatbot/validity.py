"""How many edits are valid: shuffled utterances, and uniformly random actions for each k, by both rules.

python studies/rltest4chatbot/validity.py --data test.json.xz
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable
from pathlib import Path

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.datasets import read
from mutatis.rltest4chatbot.actions import FAMILIES, perform
from mutatis.rltest4chatbot.edits import EditRates, Validity, edit_rates
from mutatis.rltest4chatbot.space import EditSpace

RULES = {"thesis": Validity(rule="thesis"), "strict": Validity()}


def shares(rates: Iterable[EditRates]) -> str:
    """Return the share of valid edits by each rule, and of those that changed nothing."""
    every = list(rates)
    valid = {name: sum(rule.broken(rate) is None for rate in every) / len(every) for name, rule in RULES.items()}
    unchanged = sum(not rate.changed for rate in every) / len(every)
    return "  ".join(f"{name} {share:6.1%}" for name, share in [*valid.items(), ("unchanged", unchanged)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--actions", type=int, default=600, help="random actions for each k")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    cases = read("multiwoz21", args.data)
    texts = [turn.fields["utterance"] for case in cases for turn in case.turns]
    shuffled = [(text, "".join(rng.sample(text, len(text)))) for text in texts]
    print(f"all characters shuffled, {len(texts)} utterances:  {shares(edit_rates(a, a, b) for a, b in shuffled)}")
    for combined in range(1, len(FAMILIES) + 1):
        space, rates = EditSpace(combined=combined), []
        for text in rng.choices(texts, k=args.actions):
            steps = space.steps(space.decode([rng.random() for _ in range(space.size)]), text)
            done = perform(text, steps)
            rates.append(edit_rates(done.source, done.after_words, done.final))
        print(f"k = {combined}, {args.actions} random actions:  {shares(rates)}")


if __name__ == "__main__":
    main()
