"""Five recorded judges of LLMBar Natural, replayed: does the verdict go with the answers when they change places?

    python studies/kinds/graders.py

Zeng et al. 2023 (LLMBar) asked each judge about 100 pairs in both orders. The recorded verdicts become two files: the
pairs, and what each judge said to every order; `recorded` systems answer from it, so nobody is asked.
"""

from __future__ import annotations

import json
import lzma
import os
import tempfile
from pathlib import Path
from typing import Any

import mutatis
from mutatis.analysis.intervals import wilson

JUDGES = ("GPT-4", "ChatGPT", "LLaMA2", "PaLM2", "Falcon")
ROUTE = {"straight": {"1": "A", "2": "B"}, "swapped": {"1": "B", "2": "A"}}
"""Which place the answer stood in that was preferred; what LLMBar could not read is "None", and stays that."""


def shared() -> Path:
    """Return the folder of LLMBar's data."""
    root = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    return root / "data" / "llmbar"


def _read(name: str) -> Any:
    with lzma.open(shared() / name, "rt", encoding="utf-8") as file:
        return json.load(file)


def write(folder: Path) -> list[dict[str, Any]]:
    """Write `pairs.jsonl` and `verdicts.jsonl` into a folder; return the pairs with their labels."""
    pairs, recorded = _read("natural.json.xz"), _read("natural_recorded.json.xz")
    cases, said = [], []
    for number, pair in enumerate(pairs):
        shown = {"instruction": pair["input"], "answer_a": pair["output_1"], "answer_b": pair["output_2"]}
        cases.append({"id": str(number), **shown})
        orders = {"straight": shown, "swapped": shown | {"answer_a": pair["output_2"], "answer_b": pair["output_1"]}}
        for judge in JUDGES:
            for order, fields in orders.items():
                winner = recorded[judge][number][order]
                said.append({**fields, "judge": judge, "verdict": ROUTE[order].get(winner, winner)})
    for name, rows in (("pairs.jsonl", cases), ("verdicts.jsonl", said)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / name).write_text(lines, encoding="utf-8")
    return list(pairs)


def replay(folder: Path) -> mutatis.Run:
    """Return the run of `swap-answers` on all judges, on the files that `write` wrote."""
    systems = [
        mutatis.system(
            "recorded", path=str(folder / "verdicts.jsonl"), system=judge, fields={"system": "judge"}, label=judge
        )
        for judge in JUDGES
    ]
    cases = mutatis.read_cases("jsonl", folder / "pairs.jsonl", task="pairwise-judge")
    return mutatis.run(systems, cases, ["swap-answers"], out=folder / "out")


def places(folder: Path) -> dict[str, dict[str, int]]:
    """Return how often each judge kept to the first place and to the second, from the verdicts of a run."""
    counts = {judge: {"first": 0, "second": 0} for judge in JUDGES}
    for line in (folder / "out" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines():
        verdict = json.loads(line)
        if verdict["relation"] == "swap-answers" and verdict["outcome"] == "violated":
            place = {"A": "first", "B": "second"}[verdict["source_output"]["text"]]
            counts[verdict["system"]][place] += 1
    return counts


def longer(pairs: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return how many verdicts (of both orders) went to the longer answer, of how many; people under "labels"."""
    recorded = _read("natural_recorded.json.xz")
    lengths = [(len(pair["output_1"].split()), len(pair["output_2"].split())) for pair in pairs]
    wins = {judge: [row[order] for row in recorded[judge] for order in ROUTE] for judge in JUDGES}
    wins["labels"] = [str(pair["label"]) for pair in pairs for _ in ROUTE]
    twice = [length for length in lengths for _ in ROUTE]
    shares = {}
    for who, verdicts in wins.items():
        told = [(win, pair) for win, pair in zip(verdicts, twice, strict=True) if win != "None" and pair[0] != pair[1]]
        shares[who] = sum((win == "1") == (pair[0] > pair[1]) for win, pair in told), len(told)
    return shares


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = write(folder)
        run, lengths = replay(folder), longer(pairs)
        kept = places(folder)
        rows = {row.system: row for row in run.report.summary if row.relation == "swap-answers"}
        print(
            "| judge | judged | violated | 95 % | keeps to the first | to the second | not read | prefers the longer |"
        )
        print("|---|---|---|---|---|---|---|---|")
        for judge in JUDGES:
            row, (many, of) = rows[judge], lengths[judge]
            low, high = wilson(row.violated, row.judged)
            print(
                f"| {judge} | {row.judged} | {row.violated} | {low:.0%} to {high:.0%} | {kept[judge]['first']} "
                f"| {kept[judge]['second']} | {row.error} | {many} of {of} ({many / of:.0%}) |"
            )
        many, of = lengths["labels"]
        print(f"| people's labels | | | | | | | {many} of {of} ({many / of:.0%}) |")


if __name__ == "__main__":
    main()
