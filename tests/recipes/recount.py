"""Counts a run again from its `verdicts.jsonl`, for LLMorph, METAL, families and searches by edits.

Imports nothing of mutatis: the definitions are those of the specifications, written down a second time. What verdicts
do not say (labels of the data, how many dialogues there were) is given by the test, which wrote the data.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Row = Mapping[str, Any]

LLMORPH = frozenset(
    {
        *("replace-characters", "delete-characters", "leet", "add-characters", "add-spaces", "swap-characters"),
        *("shuffle-inside-words", "synonyms", "insert-words", "antonyms", "shuffle-sentences"),
        *("random-keywords", "remove-keywords", "no-change", "paraphrase", "sentence-mood", "extend-premise"),
        *("extend-hypothesis", "chained-hypothesis", "premise-from-premise", "random-sentence", "upper-case"),
        *("back-translation", "keyboard-typos", "misspell", "ocr-noise", "voice", "same-category"),
        *("swap-symmetric", "swap-asymmetric", "number", "exclamation", "emphasis", "negation"),
        *("capital-keywords", "tense"),
    }
)
"""The 36 published relations."""


def rows_of(folder: Path) -> list[Row]:
    """Return the verdicts of a run on the first asking."""
    lines = (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["repeat"] == 0]


def decided(rows: Iterable[Row]) -> list[Row]:
    """Return the verdicts that are a success or a violation."""
    return [row for row in rows if row["outcome"] in ("satisfied", "violated")]


def violated(rows: Iterable[Row]) -> list[Row]:
    """Return the violations."""
    return [row for row in rows if row["outcome"] == "violated"]


def share(part: int, whole: int, places: int = 6) -> float | None:
    """Return a share as reports round it."""
    return round(part / whole, places) if whole else None


def mean(values: Sequence[float]) -> float | None:
    """Return a mean as reports round it."""
    return round(statistics.fmean(values), 6) if values else None


def by(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """Return the rows by the values of some fields."""
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in names)].append(row)
    return groups


def summary(rows: Iterable[Row]) -> dict[tuple[Any, ...], dict[str, int]]:
    """Return the outcomes of each system, task and relation, as the summary of a report has them."""
    return {
        key: {outcome: sum(row["outcome"] == outcome for row in group) for outcome in OUTCOMES}
        for key, group in by(rows, "system", "task", "relation").items()
    }


OUTCOMES = ("satisfied", "violated", "invalid", "error")


# LLMorph: testing by relations beside testing by labels.


def llmorph(rows: Sequence[Row]) -> dict[str, Any]:
    """Return accuracy by labels, and the overlap of what labels and relations accuse, per system and task."""
    counted: dict[str, Any] = {"label-based": {}, "published": {}, "ours": {}, "relations": []}
    for (system, task), rows_of_task in sorted(by(decided(rows), "system", "task").items()):
        name = f"{system} on {task}"
        label = {
            (r["source"], r["turn"]): r["outcome"] == "violated" for r in rows_of_task if r["relation"] == "label-based"
        }
        wrong = sum(label.values())
        counted["label-based"][name] = {
            "sources": len(label),
            "right": len(label) - wrong,
            "wrong": wrong,
            "accuracy": share(len(label) - wrong, len(label)),
        }
        tests = [row for row in rows_of_task if row["relation"] != "label-based"]
        for group in ("published", "ours"):
            part = [row for row in tests if (row["relation"] in LLMORPH) == (group == "published")]
            if part:
                counted[group][name] = _overlap(part, label)
                counted["relations"] += [
                    {"row": name, "relation": relation, "origin": group, **_split(mine, label)}
                    for (relation,), mine in sorted(by(part, "relation").items())
                ]
    return counted


def _overlap(rows: Sequence[Row], label: Mapping[tuple[str, int], bool]) -> dict[str, Any]:
    tested = {(row["source"], row["turn"]) for row in rows} & set(label)
    accused = {(row["source"], row["turn"]) for row in violated(rows)} & tested
    wrong = {place for place in tested if label[place]}
    return {
        "judged": len(rows),
        "violated": len(violated(rows)),
        "rate": share(len(violated(rows)), len(rows)),
        "sources": len(tested),
        "both": len(accused & wrong),
        "only_relations": len(accused - wrong),
        "only_labels": len(wrong - accused),
        "neither": len(tested - wrong - accused),
        "labels_found": share(len(accused & wrong), len(wrong)),
        "new_beside_labels": share(len(accused - wrong), len(accused)),
        "jaccard": share(len(accused & wrong), len(accused | wrong)),
    }


def _split(rows: Sequence[Row], label: Mapping[tuple[str, int], bool]) -> dict[str, Any]:
    bugs = [label.get((row["source"], row["turn"])) for row in violated(rows)]
    return {
        "judged": len(rows),
        "violated": len(bugs),
        "rate": share(len(bugs), len(rows)),
        "source_right": bugs.count(False),
        "source_wrong": bugs.count(True),
    }


# METAL inside dialogues: every question perturbed, one follow-up dialogue per perturbation.


def metal(rows: Sequence[Row], dialogues: int, perturbations: Sequence[str], unanswerable: int) -> dict[str, Any]:
    """Return all figures of one system's run of METAL on so many dialogues, so many of whose questions have no answer.

    Each perturbation is a relation, a test case of each dialogue, and asks every question once more.
    """
    perturbed = [row for row in rows if row["relation"] in perturbations]
    judged, bugs = decided(perturbed), violated(perturbed)
    reference = [row for row in rows if row["relation"] == "reference-based"]
    wrong = {(row["source"], row["turn"]) for row in violated(reference)}
    right = {(row["source"], row["turn"]) for row in reference if row["outcome"] == "satisfied"}
    levels, questions = _levels(bugs, wrong, right), len(reference)
    cases = dialogues * len(perturbations)
    return {
        "seeds": dialogues,
        "seeds_left_out": 0,  # every dialogue could be perturbed
        "seeds_lost": [],
        "test_cases": cases,
        "turns": questions * len(perturbations),
        "unanswerable": unanswerable * len(perturbations),
        "undecided_context": 0,  # the order stays, and nothing is checked
        "outcomes": dict(Counter(f"{row['relation']}_{row['outcome']}" for row in perturbed)),
        "reference": {
            "questions": questions,
            "bugs": len(wrong),
            "errors": sum(row["outcome"] == "error" for row in reference),
            "dialogues": len({source for source, _ in wrong | right}),
            "effective": len({source for source, _ in wrong}),
            **_scores(reference),
        },
        "detections": {
            **{name: sum(row["relation"] == name for row in perturbed) for name in perturbations},
            "total": len(perturbed),
        },
        "nbugs": len(bugs),
        "rate": share(len(bugs), len(judged)),
        "retc": share(len({row["followups"][0]["case"] for row in bugs}), cases),
        "bptc": share(len(bugs), cases),
        "levels": levels,
        "cv": _spread([levels["l1"], levels["l2"], levels["l3"]]),
        "cv_l1_l2": _spread([levels["l1"], levels["l2"]]),
        **_scores(perturbed),
        "critical": sum(row["score"] < 0.05 for row in bugs),
        "per_relation": {
            name: {
                "detections": sum(row["relation"] == name for row in perturbed),
                **_contribution([row for row in bugs if row["relation"] == name], len(bugs), wrong, right),
            }
            for name in perturbations
        },
        "per_perturbation": {
            name: {
                "test_cases": dialogues,
                "turns": questions,
                "unanswerable": unanswerable,
                "changed": len(part := [row for row in perturbed if row["relation"] == name]),
                "detections": {other: len(part) if other == name else 0 for other in perturbations},
                "test_cases_touched": len({row["source"] for row in part}),
                **_scores(part),
                **_contribution([row for row in bugs if row["relation"] == name], len(bugs), wrong, right),
            }
            for name in perturbations
        },
    }


def _scores(rows: Sequence[Row]) -> dict[str, float | None]:
    return {
        "mean_score": mean([row["score"] for row in decided(rows)]),
        "mean_bug_score": mean([row["score"] for row in violated(rows)]),
        "rate_of_scored": share(len(violated(rows)), len(decided(rows))),
    }


def _contribution(
    part: Sequence[Row], bugs: int, wrong: Collection[tuple[str, int]], right: Collection[tuple[str, int]]
) -> dict[str, Any]:
    return {
        "bugs": len(part),
        "share": share(len(part), bugs),
        "levels": _levels(part, wrong, right),
        "mean_score_of_bugs": mean([row["score"] for row in part]),
        "critical": sum(row["score"] < 0.05 for row in part),
    }


def _levels(
    bugs: Sequence[Row], wrong: Collection[tuple[str, int]], right: Collection[tuple[str, int]]
) -> dict[str, int]:
    effective = {source for source, _ in wrong}
    counts = {"l1": 0, "l2": 0, "l3": 0, "unlevelled": 0}
    for row in bugs:
        place = (row["source"], row["turn"])
        if place in wrong:
            counts["l1"] += 1
        elif place not in right:
            counts["unlevelled"] += 1
        else:
            counts["l2" if row["source"] in effective else "l3"] += 1
    return counts


def _spread(counts: Sequence[int]) -> float | None:
    middle = sum(counts) / len(counts)
    if not middle:
        return None
    return round(math.sqrt(sum((n - middle) ** 2 for n in counts) / (len(counts) - 1)) / middle, 6)


# Families of a classifier: one relation per value of the parameter.


def families(rows: Sequence[Row], labels: Mapping[str, str]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return, per system and relation, what became of all items; `labels` are those of the data."""
    answers = {(row["system"], row["source"]): row["source_output"]["text"] for row in rows if row["source_output"]}
    counted = {}
    made: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        made[row["system"], row["relation"]].append(row)
    for key, group in made.items():
        bugs, unchanged = len(violated(group)), sum(row["unchanged"] for row in group)
        pairs = [
            (labels[row["source"]], answers[row["system"], row["source"]] if row["unchanged"] else _said(row))
            for row in group
        ]
        counted[key] = {
            "violated": bugs,
            "satisfied": len(decided(group)) - bugs,
            "unchanged": unchanged,
            "rr": share(bugs, len(decided(group)) + unchanged),
            "acc": share(sum(a == b for a, b in pairs), len(pairs)),
            "mcc": gorodkin(pairs),
        }
    return counted


def _said(row: Row) -> str:
    return str(row["followups"][0]["output"]["text"])


def gorodkin(pairs: Sequence[tuple[str, str]]) -> float:
    """Return the correlation coefficient for several classes, from its definition by the confusion matrix."""
    names = sorted({label for pair in pairs for label in pair})
    cells = Counter(pairs)
    right, total = sum(cells[name, name] for name in names), len(pairs)
    true = {name: sum(cells[name, other] for other in names) for name in names}
    said = {name: sum(cells[other, name] for other in names) for name in names}
    covariance = right * total - sum(true[name] * said[name] for name in names)
    spread = (total**2 - sum(n**2 for n in said.values())) * (total**2 - sum(n**2 for n in true.values()))
    return round(covariance / math.sqrt(spread), 6) if spread else 0.0


# Searches by edits: a failure counts once per final text, and an inherited one not at all.


def edits(rows: Sequence[Row], families_of_edits: Sequence[str]) -> dict[str, Any]:
    """Return what one system's run of a search by edits found: of testing, where it first learnt."""
    learning = [row for row in rows if row.get("part") == "learning"]
    clean = [row for row in rows if row["relation"] == "as-annotated"]
    rows = [row for row in rows if row["relation"] == "small-edits" and row.get("part") != "learning"]
    actions = np.array([row["action"] for row in rows], dtype=float)  # null becomes nan: it did not matter there
    mattered = actions[:, ~np.isnan(actions).all(axis=0)]
    outcomes = Counter(row["outcome"] for row in rows)
    valid = outcomes["satisfied"] + outcomes["violated"]
    bugs = violated(rows)
    fresh = {
        (row["source"], row["turn"], tuple(row["followups"][0]["input"].values()))
        for row in bugs
        if not row["inherited"]
    }
    low, high = interval(
        [sum(place[0] == source for place in fresh) for (source,) in by(rows, "source")],
        [len(group) for group in by(rows, "source").values()],
    )
    used: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    sources = set()
    for row in rows:
        if row["followups"]:
            steps = row["followups"][0]["derivation"]["steps"]
            sources |= {step["parameters"]["synonyms"] for step in steps if step["transformation"] == "word-replace"}
            names = {
                step["transformation"] for step in steps if step.get("turns") is None or step["turns"] == [row["turn"]]
            }
            used.update(names & set(families_of_edits))
            failed.update(names & set(families_of_edits) if row["outcome"] == "violated" else ())
    return {
        "follow-ups": len(rows),
        "valid rate": share(valid, len(rows), 4),
        "failure rate": share(len(bugs), valid, 4),
        "inherited": sum(bool(row["inherited"]) for row in bugs),
        "distinct": len(fresh),
        "turns": len({place[:2] for place in fresh}),
        "distinct per 1000": round(1000 * len(fresh) / len(rows), 1),
        "from": round(1000 * round(low, 6), 1),
        "to": round(1000 * round(high, 6), 1),
        "inertia": round(float(np.nanvar(mattered, axis=0).sum()), 4),
        "dimensions": mattered.shape[1],
        "families": {name: {"used": used[name], "failed": failed[name]} for name in families_of_edits if used[name]},
        "synonyms": ", ".join(sorted(sources)) or None,
        "learning": {
            "follow-ups": len(learning),
            "inputs": len({row["source"] for row in learning}),
            "inputs tested": len({row["source"] for row in rows}),
        },
        "seeds": _seeds(clean),
    }


def interval(successes: Sequence[int], trials: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of a rate over clusters: Clopper and Pearson for as many trials as they are worth.

    Korn and Graubard 1998: n / (1 + (m - 1) icc), times the quotient of t quantiles; icc by analysis of variance, drawn
    towards 1 as if one more cluster beside those with both outcomes had said so.
    """
    from scipy.stats import beta, t

    hits, sizes = np.array(successes, dtype=float), np.array(trials, dtype=float)
    n, k, rate = sizes.sum(), len(sizes), hits.sum() / sizes.sum()
    weighted = (sizes**2).sum() / n
    between = (sizes * (hits / sizes - rate) ** 2).sum() / (k - 1)
    within = (hits * (1 - hits / sizes)).sum() / (n - k)
    typical = (n - weighted) / (k - 1)
    icc = float(np.clip((between - within) / (between + (typical - 1) * within), 0, 1))
    informed = min((hits > 0).sum(), (hits < sizes).sum())
    icc += (1 - icc) / (informed + 1)
    worth = (t.ppf(0.975, n - 1) / t.ppf(0.975, k - 1)) ** 2 * n / (1 + (weighted - 1) * icc)
    worth = max(worth, n / weighted)
    successful = rate * worth
    return (
        float(beta.ppf(0.025, successful, worth - successful + 1)),
        float(beta.ppf(0.975, successful + 1, worth - successful)),
    )


def _seeds(clean: Sequence[Row]) -> dict[str, Any]:
    right = [row["outcome"] == "satisfied" for row in clean]
    return {
        "inputs": len({row["source"] for row in clean}),
        "right at every turn": sum(
            all(r["outcome"] == "satisfied" for r in group) for group in by(clean, "source").values()
        ),
        "turns": len(right),
        "right turns": sum(right),
        "joint goal accuracy": share(sum(right), len(right), 4),
    }
