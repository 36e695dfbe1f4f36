"""Counts a dialogue campaign again from `verdicts.jsonl` and the dialogues' own file; imports nothing of mutatis.

Two answers count as the same where their texts are equal, which is true of scripted systems only.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recipes.recount import mean, share

PAPERS_NAMES = {
    "round-shuffle": "DRS", "round-reduction": "DRR", "round-duplication": "DRD",
    "round-shuffle-reduction": "DSR", "round-shuffle-duplication": "DSD",
}  # fmt: skip
SHORT = {
    "mortar": {
        "context-preserving": "mr1", "context-altering": "mr2", "inner-consistency": "mr3", "inter-divergence": "mr4",
    },
    "mortar_v1": {"answerable-or-unknown": "mr1", "same-answerability": "mr2", "other-answerability": "mr3"},
}  # fmt: skip
PAIRS = {"mortar": ("mr1", "mr2"), "mortar_v1": ("mr1",)}
DIVERGENT = {"mortar": "mr4", "mortar_v1": "mr3"}
Row = Mapping[str, Any]


def rows_of(folder: Path) -> list[Row]:
    """Return the verdicts of a run."""
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]


def unanswerable_of(path: Path) -> set[tuple[str, int]]:
    """Return the questions of a file of dialogues that have no answer, by the id that their case gets."""
    turns = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        for turn, asked in enumerate(dialogue["turns"]):
            if asked.get("answerable") is False:
                turns.add((f"{path.stem}/{dialogue['id']}", turn))
    return turns


def spread(counts: Sequence[int]) -> float | None:
    """Return the sample deviation over the mean, worked out from its definition."""
    middle = sum(counts) / len(counts)
    if not middle:
        return None
    return round((sum((n - middle) ** 2 for n in counts) / (len(counts) - 1)) ** 0.5 / middle, 6)


def perturbation(member: Row) -> str:
    """Return the papers' name of what made a follow-up."""
    [step] = member["derivation"]["steps"]
    return PAPERS_NAMES.get(step["transformation"], step["transformation"])


def revealing(row: Row, divergent: bool) -> set[str]:
    """Return the test cases that hold an answer of a violating pair."""
    members = row["followups"]
    if len(members) == 1:
        return {members[0]["case"]}
    cases = set()
    for i, member in enumerate(members):
        for other in members[i + 1 :]:
            same = member["output"]["text"] == other["output"]["text"]
            apart = member["role"] != other["role"]
            if (divergent and apart and same) or (not divergent and not same):
                cases |= {member["case"], other["case"]}
    return cases


def levelled(bugs: Iterable[Row], wrong: set[tuple[str, int]]) -> dict[str, int]:
    """Return the bugs per level; every question of these campaigns has a reference."""
    counts = Counter({"l1": 0, "l2": 0, "l3": 0, "unlevelled": 0})
    ineffective = {source for source, _ in wrong}
    for row in bugs:
        question = (row["source"], row["turn"])
        counts["l1" if question in wrong else "l2" if row["source"] in ineffective else "l3"] += 1
    return dict(counts)


def recount(rows: Sequence[Row], method: str, unanswerable: set[tuple[str, int]]) -> dict[str, Any]:
    """Return what the report says of `method` (`mortar` or `mortar_v1`), from the verdicts alone."""
    short = SHORT[method]
    matched = [row | {"mr": short[row["relation"]]} for row in rows if row["relation"] in short]
    bugs = [row for row in matched if row["outcome"] == "violated"]
    decided = [row for row in matched if row["outcome"] in ("satisfied", "violated")]
    reference = [row for row in rows if row["relation"] == "reference-based"]
    wrong = {(row["source"], row["turn"]) for row in reference if row["outcome"] == "violated"}
    cases = {m["case"]: (row["source"], m) for row in matched for m in row["followups"]}
    asked = [(source, turn) for source, m in cases.values() for turn in m["derivation"]["origin"]]
    scored = [row for row in decided if row["mr"] == "mr1"]
    levels = levelled(bugs, wrong)
    return {
        "seeds": len({row["source"] for row in matched}),
        "test_cases": len(cases),
        "turns": len(asked),
        "unanswerable": sum(question in unanswerable for question in asked),
        "detections": {**Counter(row["mr"] for row in matched), "total": len(matched)},
        "outcomes": dict(Counter(f"{row['mr']}_{row['outcome']}" for row in matched)),
        "nbugs": len(bugs),
        "rate": share(len(bugs), len(decided)),
        "retc": share(len(set().union(*(revealing(row, row["mr"] == DIVERGENT[method]) for row in bugs))), len(cases)),
        "bptc": share(len(bugs), len(cases)),
        "levels": levels,
        "cv": spread([levels["l1"], levels["l2"], levels["l3"]]),
        "cv_l1_l2": spread([levels["l1"], levels["l2"]]),
        "mean_score": mean([row["score"] for row in scored]),
        "mean_bug_score": mean([row["score"] for row in scored if row["outcome"] == "violated"]),
        "rate_of_scored": share(sum(row["outcome"] == "violated" for row in scored), len(scored)),
        "critical": sum(row["score"] < 0.05 for row in bugs),
        "reference": {
            "questions": len(reference),
            "bugs": len(wrong),
            "dialogues": len({row["source"] for row in reference if row["outcome"] in ("violated", "satisfied")}),
            "effective": len({source for source, _ in wrong}),
            "mean_score": mean([row["score"] for row in reference]),
        },
        "per_perturbation": per_perturbation(matched, cases, wrong, unanswerable, method),
        "per_relation": {
            key: {
                "detections": sum(row["mr"] == key for row in matched),
                **contribution([row for row in bugs if row["mr"] == key], len(bugs), wrong),
            }
            for key in short.values()
        },
    }


def contribution(part: Sequence[Row], bugs: int, wrong: set[tuple[str, int]]) -> dict[str, Any]:
    """Return what a part of all bugs comes to: number, share, levels, scores."""
    return {
        "bugs": len(part),
        "share": share(len(part), bugs),
        "levels": levelled(part, wrong),
        "mean_score_of_bugs": mean([row["score"] for row in part]),
        "critical": sum(row["score"] < 0.05 for row in part),
    }


def critical_overlap(rows: Sequence[Row], method: str) -> tuple[int, int, int]:
    """Return on how many questions `method` alone, both, and METAL alone found a bug with a score below 0.05."""
    bugs = [row for row in rows if row["outcome"] == "violated" and row["score"] < 0.05]
    ours = {(row["source"], row["turn"]) for row in bugs if row["relation"] in SHORT[method]}
    metal = {(row["source"], row["turn"]) for row in bugs if row["relation"].startswith("metal-")}
    return len(ours - metal), len(ours & metal), len(metal - ours)


def per_perturbation(
    group: Sequence[Row],
    cases: Mapping[str, tuple[str, Row]],
    wrong: set[tuple[str, int]],
    unanswerable: set[tuple[str, int]],
    method: str,
) -> dict[str, dict[str, Any]]:
    """Return the figures of each perturbation; a group counts for each that one of its members came from."""
    counted: dict[str, dict[str, Any]] = {}
    bugs = sum(row["outcome"] == "violated" for row in group)
    for name in PAPERS_NAMES.values():
        involved = [row for row in group if name in {perturbation(m) for m in row["followups"]}]
        worst: dict[str, list[Row]] = defaultdict(list)
        for row in involved:
            pair = [row["followups"][i] for i in row["worst"]] or row["followups"]
            if row["outcome"] == "violated" and name in {perturbation(m) for m in pair}:
                worst[row["mr"]].append(row)
        credited = [row for part in worst.values() for row in part]
        made = [(source, m) for source, m in cases.values() if perturbation(m) == name]
        asked = [(source, turn) for source, m in made for turn in m["derivation"]["origin"]]
        counted[name] = {
            "test_cases": len(made),
            "turns": len(asked),
            "unanswerable": sum(question in unanswerable for question in asked),
            "detections": {key: sum(row["mr"] == key for row in involved) for key in SHORT[method].values()},
            **contribution(credited, bugs, wrong),
            **tagged([row for row in involved if row["mr"] in PAIRS[method]], unanswerable),
            **scores([row for row in involved if row["mr"] == "mr1"]),
        }
    return counted


def tagged(pairs: Sequence[Row], unanswerable: set[tuple[str, int]]) -> dict[str, int]:
    """Return how many turns have an equivalent context, how many not, and the test cases that hold such.

    The later version leaves unanswerable questions out, so it has no verdicts on them; to the earlier one they are
    altered wherever they stand.
    """
    altered = []
    for row in pairs:
        [member] = row["followups"]
        if member["annotations"]["context"] == "altered" or (row["source"], row["turn"]) in unanswerable:
            altered.append(member["case"])
    return {
        "equivalent": len(pairs) - len(altered),
        "altered": len(altered),
        "test_cases_touched": len(set(altered)),
    }


def scores(rows: Sequence[Row]) -> dict[str, float | None]:
    """Return mean scores, and the rate of bugs, of answers that should be the reference's."""
    decided = [row for row in rows if row["outcome"] in ("satisfied", "violated")]
    bugs = [row["score"] for row in decided if row["outcome"] == "violated"]
    return {
        "mean_score": mean([row["score"] for row in decided]),
        "mean_bug_score": mean(bugs),
        "rate_of_scored": share(len(bugs), len(decided)),
    }
