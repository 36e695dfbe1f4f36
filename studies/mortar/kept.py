"""How many perturbed questions METAL's baseline keeps: at the defaults, at the published strengths, in the papers.

    python studies/mortar/kept.py coqa:coqa-dev.json [--questions 600] [--seed 1] [--show 30]

A question is kept where its cosine to the original is at least 0.8; else it is put back. `--show` prints kept ones, to
be read.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from random import Random
from typing import Any

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.api import read_cases
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.metal import PERTURBATIONS, PERTURBATIONS_V1, STRENGTHS, WORDNET
from mutatis.text import embedder
from mutatis.transformations.metal import LEAST

PUBLISHED_V1 = {"metal-synonyms": 1_459 / 6_423, "metal-leet": 2_425 / 6_423, "metal-typos": 871 / 6_423}
PUBLISHED_V2 = 14_665 / 31_932


def perturbed(name: str, questions: list[str], parameters: Mapping[str, Any]) -> list[str]:
    """Return the questions as one perturbation leaves them; all draws are embedded together, which is faster."""
    made = TRANSFORMATIONS[name]
    options = {**parameters, "least_cosine": -1.0, "tries": 1}
    draws: list[list[str]] = []
    for number, text in enumerate(questions):
        rng = Random(f"{number}")
        draws.append([str(made.apply(text, rng, **options)) for _ in range(parameters.get("tries", 1))])
    pairs = [(text, draw) for text, drawn in zip(questions, draws, strict=True) for draw in drawn]
    near = dict(zip(pairs, embedder.cosines(pairs), strict=True))
    return [
        next((draw for draw in drawn if draw != text and near[text, draw] >= LEAST), text)
        for text, drawn in zip(questions, draws, strict=True)
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="FORMAT:PATH of dialogues")
    parser.add_argument("--questions", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    args = parser.parse_args()
    form, _, path = args.data.partition(":")
    every = [turn.fields["question"] for case in read_cases(form, path) for turn in case.turns]
    questions = Random(args.seed).sample(every, min(args.questions, len(every)))
    print("| relation | kept at the defaults | kept | in the paper |\n|---|---|---|---|")
    kept: dict[str, float] = {}
    shown: list[str] = []
    for name, (by, parameters) in STRENGTHS.items():
        plain = sum(a != b for a, b in zip(questions, perturbed(by, questions, {}), strict=True))
        pairs = [
            pair for pair in zip(questions, perturbed(by, questions, parameters), strict=True) if pair[0] != pair[1]
        ]
        kept[name] = len(pairs) / len(questions)
        paper = PUBLISHED_V1.get(by.removesuffix("-wordnet")) if name in (*PERTURBATIONS_V1, WORDNET[1]) else None
        told = "" if paper is None else f"{paper:.1%}"
        print(f"| {name} | {plain / len(questions):.1%} | {kept[name]:.1%} | {told} |", flush=True)
        shown += [f"{name}: {before} -> {after}" for before, after in Random(name).sample(pairs, min(len(pairs), 5))]
    for title, names in (
        ("by our lexicon", PERTURBATIONS),
        ("by WordNet", tuple(WORDNET[0] if name == "metal-synonyms" else name for name in PERTURBATIONS)),
    ):
        mean = sum(kept[name] for name in names) / len(names)
        print(f"| all four of the later version, synonyms {title} | | {mean:.1%} | {PUBLISHED_V2:.1%} |")
    print("\n".join(["", *shown[: args.show]]))


if __name__ == "__main__":
    main()
