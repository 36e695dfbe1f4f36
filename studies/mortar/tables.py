"""The papers' tables from a MORTAR report, each with the published numbers beside ours, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import published as paper

Metrics = Mapping[str, Any]


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines)


def percent(value: float | None) -> str:
    """Return a share as text."""
    return "-" if value is None else f"{value:.1%}"


def later(report: Metrics) -> str:
    """Return Tables I and III to IX of the later paper; Table I alone where extraction lost every dialogue."""
    metrics = report["metrics"]["mortar"]
    systems, metal = metrics["systems"], metrics.get("methods", {}).get("metal", {})
    if not any(figures["seeds"] for figures in systems.values()):
        return f"{_reference(systems)}\n\n{lost(report)}"
    parts = [_reference(systems), _made(systems, metal), _effectiveness(systems, metal), _levels(systems, metal)]
    parts += [
        _uniqueness(metrics),
        _critical(metrics, {}),
        _matching(systems),
        _perturbations(systems),
        _relations(systems),
    ]
    return "\n\n".join(part for part in parts if part)


def _reference(systems: Metrics) -> str:
    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", 500, 7_983, bugs, percent(rate), cases)
        for name, (bugs, cases, rate) in paper.TABLE_I.items()
    ]
    for name, figures in systems.items():
        reference = figures["reference"] or {}
        rate = percent(reference["bugs"] / reference["questions"]) if reference else "-"
        rows.append(
            (
                name,
                reference.get("dialogues"),  # all of them, whatever MORTAR's extraction lost
                reference.get("questions"),
                reference.get("bugs"),
                rate,
                reference.get("effective"),
            )
        )
    return "### Table I: reference-based testing\n\n" + table(
        ("system", "dialogues", "questions", "bugs", "positive rate", "effective dialogues"), rows
    )


def _made(systems: Metrics, metal: Metrics) -> str:
    figures = next(iter(systems.values()))
    single = next(iter(metal.values()), None)
    rows = []
    for label, key in (("seeds", "seeds"), ("test cases", "test_cases"), ("questions", "turns"), ("detections", "")):
        values = [None if m is None else (m["detections"]["total"] if not key else m[key]) for m in (single, figures)]
        rows.append((label, *paper.TABLE_III[label], *values))
    return "### Table III: test cases\n\n" + table(
        ("", "METAL (paper)", "MORTAR (paper)", "METAL (ours)", "MORTAR (ours)"), rows
    )


def _effectiveness(systems: Metrics, metal: Metrics) -> str:
    def four(figures: Metrics | None) -> tuple[Any, ...]:
        if figures is None:
            return ("-",) * 4
        return (figures["nbugs"], percent(figures["retc"]), figures["bptc"], percent(figures["rate"]))

    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", a, percent(b), c, percent(d), e, percent(f), g, percent(h))
        for name, (a, b, c, d, e, f, g, h) in paper.EFFECTIVENESS.items()
    ]
    rows += [(name, *four(metal.get(name)), *four(figures)) for name, figures in systems.items()]
    heads = [f"{method} {what}" for method in ("METAL", "MORTAR") for what in ("NBugs", "RETC", "BPTC", "Rate+")]
    return "### Effectiveness (the table after Table III)\n\n" + table(("system", *heads), rows)


def _levels(systems: Metrics, metal: Metrics) -> str:
    def five(figures: Metrics | None) -> tuple[Any, ...]:
        if figures is None or figures["levels"] is None:
            return ("-",) * 5
        return (*(figures["levels"][level] for level in ("l1", "l2", "l3")), figures["cv_l1_l2"], figures["cv"])

    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", *row[:4], "-", *row[4:], "-") for name, row in paper.TABLE_IV.items()
    ]
    rows += [(name, *five(metal.get(name)), *five(figures)) for name, figures in systems.items()]
    heads = [f"{m} {w}" for m in ("METAL", "MORTAR") for w in ("L1", "L2", "L3", "CV of L1, L2", "CV of all three")]
    return "### Table IV: levels\n\n" + table(("system", *heads), rows)


def _uniqueness(metrics: Metrics) -> str:
    """Return Table V: of the bugs, as published, and of the questions that have any, which is ours."""
    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", *(" / ".join(map(percent, shares)) for shares in published), "", "")
        for name, published in paper.TABLE_V.items()
    ]
    for system, figures in metrics.get("uniqueness", {}).items():
        every, common = figures["all_seeds"], figures["common_seeds"]
        single, several = every["metal"], next(figures for method, figures in every.items() if method != "metal")
        shares = [_shares(figures) for figures in (single, common["metal"], several)]
        rows.append((system, *shares, *(percent(figures["share_of_questions"]) for figures in (single, several))))
    if len(rows) == len(paper.TABLE_V):
        return ""
    heads = ("METAL", "METAL, common seeds", "MORTAR", "METAL, of questions", "MORTAR, of questions")
    return "### Table V: unique bugs (L1 / L2 / L3 / overall)\n\n" + table(("system", *heads), rows)


def _shares(figures: Metrics) -> str:
    return " / ".join(percent(part["share"]) for part in (*(figures[level] for level in ("l1", "l2", "l3")), figures))


def _matching(systems: Metrics) -> str:
    figures = next(iter(systems.values()))
    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", *row[:2], "-", "-", "-", *row[2:]) for name, row in paper.TABLE_VI.items()
    ]
    for name, made in figures["per_perturbation"].items():
        tags = [made.get(tag, 0) for tag in ("equivalent", "altered", "undecided")]
        counts = [made["detections"].get(key, 0) for key in ("mr1", "mr2", "mr3", "mr4")]
        rows.append((name, made["turns"], made["unanswerable"], *tags, *counts))
    totals = [figures["detections"].get(key, 0) for key in ("mr1", "mr2", "mr3", "mr4")]
    rows.append(("sum", figures["turns"], figures["unanswerable"], "", "", figures["undecided_context"], *totals))
    heads = ("", "questions", "unanswerable", "equivalent", "altered", "undecided", "MR1", "MR2", "MR3", "MR4")
    return "### Table VI: perturbations and relations\n\n" + table(heads, rows)


def lost(report: Metrics) -> str:
    """Return how many dialogues extraction lost, of those that were given to it (V-D1)."""
    figures = next(iter(report["metrics"]["mortar"]["systems"].values()))
    return (
        f"Dialogues lost by extraction: {figures['seeds_left_out']} of {figures['seeds_left_out'] + figures['seeds']}."
    )


def _perturbations(systems: Metrics) -> str:
    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", *(f"{bugs:,} ({percent(share)})" for bugs, share in row))
        for name, row in paper.TABLE_VII.items()
    ]
    for name, figures in systems.items():
        by_kind = figures["per_perturbation"]
        rows.append((name, *(f"{by_kind[p]['bugs']:,} ({percent(by_kind[p]['share'])})" for p in paper.PERTURBATIONS)))
    return "### Table VII: bugs per perturbation\n\n" + table(("system", *paper.PERTURBATIONS), rows)


def _relations(systems: Metrics) -> str:
    keys = ("mr1", "mr2", "mr3", "mr4")
    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", *(f"{bugs:,} ({share:.2%})" for bugs, share in row))
        for name, row in paper.TABLE_VIII.items()
    ]
    for name, figures in systems.items():
        by_kind = figures["per_relation"]
        rows.append((name, *(f"{by_kind[k]['bugs']:,} ({percent(by_kind[k]['share'])})" for k in keys)))
    split: list[tuple[Any, ...]] = [(f"{k} (paper)", *map(percent, paper.TABLE_IX[k])) for k in keys]
    for name, figures in systems.items():
        for key in keys:
            by_kind = figures["per_relation"][key]
            levels = by_kind["levels"] or {}
            shares = [levels.get(x, 0) / by_kind["bugs"] if by_kind["bugs"] else None for x in ("l1", "l2", "l3")]
            split.append((f"{key} on {name}", *map(percent, shares)))
    return (
        "### Table VIII: bugs per relation\n\n"
        + table(("system", *(key.upper() for key in keys)), rows)
        + "\n\n### Table IX: levels per relation\n\n"
        + table(("relation", "L1", "L2", "L3"), split)
    )


def earlier(report: Metrics) -> str:
    """Return Tables 1, 2 and 4 to 7 and Figure 7 of the earlier paper; Table 3 needs people (`mutatis sheet`)."""
    metrics = report["metrics"]["mortar_v1"]
    systems, metal = metrics["systems"], metrics.get("methods", {}).get("metal", {})
    figures = next(iter(systems.values()))
    rows: list[tuple[Any, ...]] = [(f"{name} (paper)", *row) for name, row in paper.V1_TABLE_1.items()]
    for name, made in figures["per_perturbation"].items():
        rows.append((name, made["turns"], made.get("altered", 0), made["test_cases_touched"]))
    parts = ["### Table 1: answerability\n\n" + table(("", "rounds", "unanswerable", "dialogues with such"), rows)]
    if metal:
        rows = [(f"{name} (paper)", *row) for name, row in paper.V1_TABLE_2.items()]
        for name, made in next(iter(metal.values()))["per_perturbation"].items():
            rows.append((name, made["turns"], made.get("changed", 0), made["test_cases_touched"]))
        parts.append("### Table 2: METAL\n\n" + table(("", "rounds", "perturbed", "dialogues with such"), rows))
    parts.append(
        "Table 3 needs people: `mutatis sheet RUN context` and `mutatis agreement`. The paper's is "
        f"{' / '.join(map(str, paper.V1_TABLE_3))} (kappa 0.56 by its own numbers; its text says 0.6)."
    )
    parts.append(_performance(systems))
    bugs: list[tuple[Any, ...]] = [(f"{key} (paper)", *row) for key, row in paper.V1_TABLE_5.items()]
    parts.append("### Table 5: bugs per relation (paper)\n\n" + table(("", *paper.V1_SYSTEMS), bugs))
    ours = [
        (key, *(figures["per_relation"][key]["bugs"] for figures in systems.values())) for key in ("mr1", "mr2", "mr3")
    ]
    parts.append("### Table 5, ours\n\n" + table(("", *systems), ours))
    parts.append(
        _scores("### Table 6: scores under MR1", systems, paper.V1_TABLE_6, ("Original", *paper.PERTURBATIONS))
    )
    if metal:
        parts.append(_scores("### Table 7: scores under METAL", metal, paper.V1_TABLE_7, tuple(paper.V1_TABLE_2)))
        parts.append(_critical(metrics, paper.V1_FIGURE_7))
    return "\n\n".join(parts)


def _performance(systems: Metrics) -> str:
    """Return Table 4: people on a sheet are a system like any other (`--sheet`), so all systems stand in it."""
    original, perturbed, drop = paper.V1_TABLE_4
    rows: list[tuple[Any, ...]] = [("people (paper)", original, perturbed, f"{drop:.2%}")]
    for name, before, after in _originals(systems):
        rows.append((name, before, after, "-" if not before or after is None else f"{1 - after / before:.2%}"))
    return "### Table 4: mean score on original and perturbed dialogues\n\n" + table(
        ("system", "original", "perturbed", "drop"), rows
    )


def _originals(systems: Metrics) -> list[tuple[str, float | None, float | None]]:
    return [
        (name, (figures["reference"] or {}).get("mean_score"), figures["mean_score"])
        for name, figures in systems.items()
    ]


def critical(metrics: Metrics) -> dict[str, tuple[int, int, int]]:
    """Return per system on how many questions critical bugs were found by MORTAR alone, by both, by METAL alone."""
    critical_of = {system: figures["critical"] for system, figures in metrics.get("uniqueness", {}).items()}
    first = {
        name: next(key for key in figures if key not in ("metal", "all_methods"))
        for name, figures in critical_of.items()
    }
    return {
        name: (figures[first[name]], figures["all_methods"], figures["metal"]) for name, figures in critical_of.items()
    }


def _critical(metrics: Metrics, printed: Mapping[str, tuple[int, int, int]]) -> str:
    rows = [(f"{name} (paper)", *row) for name, row in printed.items()]
    rows += [(name, *row) for name, row in critical(metrics).items()]
    if len(rows) == len(printed):
        return ""
    title = "Figure 7: questions with critical bugs" if printed else "Questions with critical bugs"
    return f"### {title} (score below 0.05)\n\n" + table(("system", "MORTAR alone", "both", "METAL alone"), rows)


def _scores(title: str, systems: Metrics, printed: Mapping[str, Any], names: Sequence[str]) -> str:
    def shown(values: Sequence[float | None]) -> str:
        return " / ".join("-" if value is None else f"{value:.3f}" for value in values)

    rows: list[tuple[Any, ...]] = [
        (f"{name} (paper)", *(shown(row[column]) for column in names)) for name, row in printed.items()
    ]
    for name, figures in systems.items():
        made = {key.removesuffix("-wordnet"): row for key, row in figures["per_perturbation"].items()}
        scores = {"Original": figures["reference"] or {}, **made}
        keys = ("mean_score", "mean_bug_score", "rate_of_scored")
        rows.append((name, *(shown([scores.get(c, {}).get(key) for key in keys]) for c in names)))
    return f"{title} (mean score / of bugs / bug rate)\n\n" + table(("system", *names), rows)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
