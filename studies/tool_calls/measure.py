"""How often the measure `tool-calls` is wrong, on pairs made of BFCL, beside a naive comparison.

python studies/tool_calls/measure.py [--wheel bfcl_eval-*.whl] [--half development|held-out] [--tau FILE] [--errors 20]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from bfcl import CallPair, files, pairs, questions
from naive import naive_same
from tau import made_pairs, tau_pairs

from mutatis.core.calls import read_tools
from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import MEASURES


def judged(made: Sequence[CallPair]) -> list[Similarity]:
    """Return what the measure says of each pair."""
    comparisons = [
        Comparison(
            reference=(pair.reference,),
            answer=pair.answer,
            question=pair.question.text,
            tools=read_tools(list(pair.question.tools)),
        )
        for pair in made
    ]
    return MEASURES["tool-calls"]().compare(comparisons)


def table(rows: Iterable[tuple[str, CallPair, Similarity]]) -> str:
    """Return shares by group: both right called different, one wrong called the same, open; and the naive one's."""
    groups: dict[str, list[tuple[CallPair, Similarity]]] = defaultdict(list)
    for name, pair, similarity in rows:
        groups[name].append((pair, similarity))
    head = "| | right pairs | called different | naive | wrong pairs | called the same | naive | open |"
    lines = [head, "|---|---|---|---|---|---|---|---|"]
    for name, members in groups.items():
        right = [(p, s) for p, s in members if p.same]
        wrong = [(p, s) for p, s in members if not p.same]
        alarms = sum(not s.open and s.score < 0.5 for _, s in right)
        missed = sum(not s.open and s.score >= 0.5 for _, s in wrong)
        naive_alarms = sum(not naive_same(p.reference, p.answer, p.question.tools) for p, _ in right)
        naive_missed = sum(naive_same(p.reference, p.answer, p.question.tools) for p, _ in wrong)
        cells = [
            *(len(right), share(alarms, len(right)), share(naive_alarms, len(right))),
            *(len(wrong), share(missed, len(wrong)), share(naive_missed, len(wrong))),
            share(sum(s.open for _, s in members), len(members)),
        ]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def share(part: int, whole: int) -> str:
    """Return a share in percent."""
    return f"{part / whole:.1%}" if whole else "-"


def main() -> None:
    """Print the tables, and some of the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel")
    parser.add_argument("--tau", help="the recorded trajectories, airline_gpt4o.jsonl.xz")
    parser.add_argument("--half", choices=("development", "held-out"), default="development")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    held_out = arguments.half == "held-out"
    asked = [q for q in questions(files(arguments.wheel)) if q.held_out == held_out]
    made = list(pairs(asked, arguments.seed))
    if arguments.tau:
        recorded = [*tau_pairs(Path(arguments.tau)), *made_pairs(Path(arguments.tau), arguments.seed)]
        made += [pair for pair in recorded if pair.question.held_out == held_out]
    told = judged(made)
    both = list(zip(made, told, strict=True))
    print(f"{len(asked)} questions, {len(made)} pairs, {arguments.half} half\n")
    print(table(("all", pair, similarity) for pair, similarity in both), "\n")
    print(table((pair.question.category, pair, similarity) for pair, similarity in both), "\n")
    print(table((pair.kind, pair, similarity) for pair, similarity in both))
    wrong = [(p, s) for p, s in both if s.open or p.same != (s.score >= 0.5)]
    for pair, similarity in sorted(wrong, key=lambda row: row[1].reason)[
        :: max(1, len(wrong) // (arguments.errors or 1))
    ]:
        if arguments.errors:
            kind = "open" if similarity.open else "MISSED" if not pair.same else "ALARM"
            print(f"{kind} {pair.kind} {pair.question.id}: {similarity.reason}")
            if not pair.same:
                print("    ", json.dumps(pair.reference)[:200], "\n    ", json.dumps(pair.answer)[:200])


if __name__ == "__main__":
    main()
