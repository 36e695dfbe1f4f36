"""The judge's training and test pairs: human judgements of real answers, and pairs written for this study.

Human judgements: the TriviaQA part of EVOUNA (Apache-2.0), read from the folder that MUTATIS_SHARED names or from
`shared` beside the repository; it is never copied into the repository.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from mutatis.core.measure import Comparison

SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
HANDWRITTEN = Path(__file__).with_name("handwritten.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A comparison and what people say of it.

    Attributes:
        comparison: what is judged.
        same: the human verdict.
        group: the question, by which folds are split.
        systems: the answering systems involved.
        weight: weight in training; 0 keeps a pair out of training (and in evaluation).
    """

    comparison: Comparison
    same: bool
    group: str
    systems: tuple[str, ...] = ()
    weight: float = 1.0


def shared() -> Path:
    """Return the folder of the public data."""
    folder = os.environ.get("MUTATIS_SHARED")
    return Path(folder) if folder else Path(__file__).resolve().parents[3] / "shared"


def evouna_path(part: str = "TQ") -> Path:
    """Return where the human judgements are expected: of TriviaQA (TQ), or of search-engine questions (NQ)."""
    return shared() / "data" / "evouna" / f"{part}.json.xz"


def fold_of(group: str, folds: int = 5) -> int:
    """Return the fold of a question, from a hash of its text; fold 0 is never trained on by the shipped models."""
    return int(hashlib.sha256(group.encode("utf-8")).hexdigest()[:8], 16) % folds


def evouna_records(path: Path | None = None) -> list[dict[str, object]]:
    """Return the proper records of the EVOUNA file."""
    with lzma.open(path or evouna_path(), "rt", encoding="utf-8") as file:
        return [record for record in json.load(file) if not record["improper"]]


def annotated_pairs(records: list[dict[str, object]]) -> list[Pair]:
    """Return annotated answer against output, five per question."""
    pairs = []
    for record in records:
        question = str(record["question"])
        golden = tuple(part for part in str(record["golden_answer"]).split("/") if part.strip())
        for system in SYSTEMS:
            comparison = Comparison(
                reference=golden, answer=str(record[f"answer_{system}"]), question=question, directed=True
            )
            pairs.append(
                Pair(comparison=comparison, same=bool(record[f"judge_{system}"]), group=question, systems=(system,))
            )
    return pairs


def output_pairs(records: list[dict[str, object]]) -> list[Pair]:
    """Return output against output: both right is same, one right and one wrong different, two wrong left out."""
    pairs = []
    for record in records:
        question = str(record["question"])
        for first, second in combinations(SYSTEMS, 2):
            right = (bool(record[f"judge_{first}"]), bool(record[f"judge_{second}"]))
            if not any(right):
                continue
            comparison = Comparison(
                reference=(str(record[f"answer_{first}"]),), answer=str(record[f"answer_{second}"]), question=question
            )
            pairs.append(Pair(comparison=comparison, same=all(right), group=question, systems=(first, second)))
    return pairs


def undirected_copies(pairs: list[Pair], weight: float) -> list[Pair]:
    """Return annotated pairs as if two systems had answered: the first accepted answer against the output."""
    return [
        replace(
            pair,
            comparison=replace(pair.comparison, reference=pair.comparison.reference[:1], directed=False),
            weight=weight,
        )
        for pair in pairs
    ]


def without_question(pairs: list[Pair], weight: float) -> list[Pair]:
    """Return a sixth of the pairs with the question withheld, so that the models also serve where none is known."""
    return [
        replace(pair, comparison=replace(pair.comparison, question=""), weight=weight)
        for pair in pairs
        if fold_of(f"without {pair.group}", 6) == 0
    ]


def handwritten_pairs(weight: float, *, directed: bool) -> list[Pair]:
    """Return the pairs written for this study, for what TriviaQA lacks."""
    entries = json.loads(HANDWRITTEN.read_text(encoding="utf-8"))["pairs"]
    return [
        Pair(
            comparison=Comparison(
                reference=(entry["reference"],),
                answer=entry["answer"],
                question=entry.get("question", ""),
                directed=directed,
            ),
            same=bool(entry["same"]),
            group=f"handwritten {number}",
            weight=weight,
        )
        for number, entry in enumerate(entries)
        if entry.get("directed", directed) is directed
    ]
