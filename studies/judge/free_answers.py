"""Prints how the judge of free replies agrees with readers: `python studies/judge/free_answers.py [--read | --all]`.

Fresh: 120 pairs that served for nothing but this table: 60 real replies outside the older set, 60 of a
chatbot in twenty trades, written by somebody who knew nothing of the measure; two readers labelled each before it was
judged, and where they differ (2 of 120) nobody can tell. Older: 210 pairs, each labelled "same", "different" or "open"
(a reader cannot tell) by one reader before the measure was made: 120 real replies of ten words or more of two systems
to one question (TriviaQA part of EVOUNA: record and systems are kept here, the texts stay where they are), 90 written
for this study. Half of their questions, by number or by hash, served to make the rules ("tuned"); the other half is
held out. `--read` prints each decision of the tuned half. `--all` compares with the recorded verdicts instead: real
replies of ten words or more, both accepted ("same") or one of the two ("different"); people accepted or rejected each
reply by an annotated answer and read no two side by side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from pairs import evouna_path

from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import judge

PAIRS = Path(__file__).with_name("free_answers.json")
HALVES = ("tuned", "held out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A pair, what readers say of it, where it is from and whether it was tuned on, held out, or fresh."""

    comparison: Comparison
    label: str
    part: str
    half: str


def _settled(labels: list[str]) -> str:
    """Return what all readers say, "open" where they differ."""
    return labels[0] if len(set(labels)) == 1 else "open"


def read_pairs() -> Iterator[Read]:
    """Yield the pairs in order: first the real ones, then the written ones."""
    written_pairs = json.loads(PAIRS.read_text("utf-8"))
    with lzma.open(evouna_path(), "rt", encoding="utf-8") as file:
        records = json.load(file)
    for entry in (*written_pairs["evouna"], *written_pairs["fresh_evouna"]):
        record = records[entry["record"]]
        first, second = (record[f"answer_{system}"] for system in entry["systems"])
        comparison = Comparison(reference=(first,), answer=second, question=record["question"])
        yield _read(comparison, entry, "EVOUNA", entry["record"])
    for entry in (*written_pairs["written"], *written_pairs["fresh_written"]):
        comparison = Comparison(reference=(entry["first"],), answer=entry["second"], question=entry["question"])
        yield _read(comparison, entry, "written", int(hashlib.sha256(entry["question"].encode()).hexdigest()[:8], 16))


def _read(comparison: Comparison, entry: dict[str, Any], part: str, number: int) -> Read:
    half = "fresh" if "labels" in entry else HALVES[number % 2]
    return Read(comparison=comparison, label=_settled(entry.get("labels") or [entry["label"]]), part=part, half=half)


def said(similarity: Similarity, band: tuple[float, float] | None) -> str:
    """Return what a measure says of a pair: "same", "different" or "open"."""
    if similarity.open or (band is not None and band[0] <= similarity.score <= band[1]):
        return "open"
    return "same" if similarity.score >= 0.5 else "different"


def everything() -> Iterator[Read]:
    """Yield every pair of real replies of ten words or more, with what the recorded verdicts imply."""
    with lzma.open(evouna_path(), "rt", encoding="utf-8") as file:
        records = [record for record in json.load(file) if not record["improper"]]
    for record in records:
        for first_system, other in combinations(("chatgpt", "gpt4", "newbing"), 2):
            first, second = record[f"answer_{first_system}"], record[f"answer_{other}"]
            right = [record[f"judge_{first_system}"], record[f"judge_{other}"]]
            if min(len(first.split()), len(second.split())) >= 10 and any(right):
                comparison = Comparison(reference=(first,), answer=second, question=record["question"])
                yield Read(comparison=comparison, label="same" if all(right) else "different", part="all", half="")


def _all() -> None:
    pairs = list(everything())
    for name in ("answer-equivalence", "free-answers"):
        judging = judge(name)
        similarities = judging.measure.compare([pair.comparison for pair in pairs])
        counts = Counter(
            (pair.label, said(similarity, judging.undecided))
            for pair, similarity in zip(pairs, similarities, strict=True)
        )
        for (label, answer), count in sorted(counts.items()):
            print(f"{name:20} people: {label:10} judge: {answer:10} {count}")


def _precision(labels: list[str], answers: list[str], word: str) -> str:
    right = sum(label == answer == word for label, answer in zip(labels, answers, strict=True))
    return f"{right}/{answers.count(word)}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--read", action="store_true", help="print every decision of the tuned half")
    parser.add_argument("--all", action="store_true", help="compare with all recorded verdicts instead")
    chosen = parser.parse_args()
    if chosen.all:
        _all()
        return
    pairs = list(read_pairs())
    for name in ("answer-equivalence", "answer-equivalence-lexical", "free-answers"):
        judging = judge(name)
        similarities = judging.measure.compare([pair.comparison for pair in pairs])
        answers = [said(similarity, judging.undecided) for similarity in similarities]
        for part in ("EVOUNA", "written"):
            for half in (*HALVES, "fresh"):
                here = [at for at, pair in enumerate(pairs) if pair.part == part and pair.half == half]
                labels, told = [pairs[at].label for at in here], [answers[at] for at in here]
                decided = sum(answer != "open" for answer in told)
                print(
                    f"{name:27} {part:8} {half:9} decided {decided}/{len(here)}, "
                    f"different right {_precision(labels, told, 'different')} of {labels.count('different')}, "
                    f"same right {_precision(labels, told, 'same')} of {labels.count('same')}"
                )
        if chosen.read and name == "free-answers":
            for pair, answer, similarity in zip(pairs, answers, similarities, strict=True):
                if pair.half == "tuned":
                    print(f"\n{pair.label} -> {answer}: {similarity.reason}\n  Q {pair.comparison.question}")
                    print(f"  1 {pair.comparison.reference[0][:300]}\n  2 {pair.comparison.answer[:300]}")


if __name__ == "__main__":
    main()
