"""The thesis' tables beside ours, its figures, and what it lacks, from the runs in a folder.

python studies/rltest4chatbot/tables.py FOLDER [--print]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import published as thesis
from counting import (
    COLUMNS,
    Runs,
    by_rule,
    chosen,
    edits,
    failed,
    inertia,
    operators_of,
    per_thousand,
    row,
    share,
    shown,
    sizes,
    table,
    told_apart,
    total,
    valid,
)
from figures import draw
from methods import FITTED, MAIN, METHODS, THESIS, THESIS_SAMPLERS
from runs import known

from mutatis.analysis.intervals import exceeds

KS = range(1, 7)
SEARCH = {"RL": THESIS, "RS": "random"}
OURS = "multi-pdqn"
"""Our agent, which is gone: reward, noise and loss were not the thesis', so its runs are in no row of the thesis'."""

BEFORE = (
    "Here an edit had to change the text, the change of the impurity had no sign, and the size of an edit had a floor. "
    '"multi-pdqn" is an agent of ours that is gone. TRADE was another checkpoint of the '
    "same command, right in 1,732 of 7,372 turns, and SimpleTOD, right in 243 of 2,958."
)
FIRST = (
    "Here a word and two characters of any text might change, too, synonyms came from the package's lexicon, no "
    "neighbours were offered, a refused edit got -100 in place of its reward, and inertia is left out because random "
    "numbers that mattered nowhere were counted in it. TRADE was another checkpoint, of 24 epochs."
)


def trackers_of(runs: Runs) -> list[tuple[str, str]]:
    """Return the trackers and data of the runs, the thesis' trackers first, sampled ones left out."""
    pairs = dict.fromkeys((run["tracker"], run["data"]) for run in runs)
    order = [*thesis.KINDS.values()]
    kept = [each for each in pairs if not each[0].startswith("sampled")]
    return sorted(kept, key=lambda each: (order.index(each[0]) if each[0] in order else len(order), each))


def named(tracker: str, data: str) -> str:
    """Return what a tracker is called."""
    return f"{tracker}, {data}"


def ours(runs: Runs, of: thesis.Subject, **wanted: Any) -> Runs:
    """Return our runs on a tracker of the thesis."""
    model, version = of
    return chosen(runs, tracker=thesis.KINDS[model], data=thesis.FORMATS[version], **wanted)


def gap(runs: Runs, of: thesis.Subject) -> str:
    """Return why there are no runs of a kind."""
    model, version = of
    if ours(runs, of):
        return "not run"
    order = (version, model) if version == "2.2" else (model, version)
    return thesis.NOT_RUN[order[0]]


def published(runs: Runs, facts: dict[str, Any], others: Runs) -> list[str]:
    """Return Tables 4.2 to 4.7 and A.1 to A.9 beside ours; `others` are runs with other kinds of word edits."""
    return [_seeds(runs, facts), *_single(runs), *_inertia(runs), _dialtest(runs, others), *_by_k(runs)]


def _seeds(runs: Runs, facts: dict[str, Any]) -> str:
    lines = facts.get("seeds", {})
    rows = []
    for of in thesis.SUBJECTS:
        drawn = lines.get(f"{thesis.KINDS[of[0]]} on {thesis.FORMATS[of[1]]}")
        rows.append(
            [f"{of[0]}, MultiWOZ {of[1]}", "{} / {} dialogues".format(*thesis.SIZES[of]), drawn or gap(runs, of)]
        )
    rows += [[f"beside it: {name}", "", line] for name, line in lines.items() if name.split(" on ")[0] in _others(runs)]
    note = "Published: dialogues that the tracker has right at every turn, for training / for testing."
    return table("Table 4.2: seeds", ("tracker", "published", "ours"), rows, note)


def _others(runs: Runs) -> list[str]:
    known = set(thesis.KINDS.values())
    return [tracker for tracker in dict.fromkeys(run["tracker"] for run in runs) if tracker not in known]


def _single(runs: Runs) -> list[str]:
    tables = []
    for number, model in (("4.3", "TRADE"), ("4.4", "SimpleTOD")):
        rows = []
        for of in (of for of in thesis.SUBJECTS if of[0] == model):
            single = ours(runs, of, method="single")
            rows.append(
                [f"{model}, MultiWOZ {of[1]}", f"{thesis.SINGLE[of]} %", failed(single) if single else gap(runs, of)]
            )
        if number == "4.3":
            rows += _beside(runs, lambda group: [failed(group)], method="single")
        tables.append(table(f"Table {number}: failures of one random edit", ("tracker", "published", "ours"), rows))
    return tables


def _beside(runs: Runs, cells: Any, **wanted: Any) -> list[list[str]]:
    """Return a row for each tracker that the thesis has not."""
    beside = []
    for tracker, data in trackers_of(runs):
        group = chosen(runs, tracker=tracker, data=data, **wanted)
        if group and (tracker not in thesis.KINDS.values() or data not in thesis.FORMATS.values()):
            beside.append([f"beside it: {named(tracker, data)}", "", *cells(group)])
    return beside


def _inertia(runs: Runs) -> list[str]:
    tables = []
    columns = ("k", "published RL", "published RS", "here: the thesis' agent", "here: random")
    note = (
        "Here: sum over up to 116 dimensions / per dimension (uniform: 9.67 / 0.083; triggers are on or off, 0.25), "
        "each over the texts for which it matters. The published sum of random search, the same at every k, is that of "
        "about 40 uniform dimensions."
    )
    for number, model in (("4.5", "SimpleTOD"), ("4.6", "TRADE")):
        rows = []
        for k in KS:
            cells = [str(k), *(str(values[k - 1]) for values in thesis.INERTIA[model])]
            for method in (THESIS, "random"):
                group = ours(runs, (model, "2.1"), method=method, k=k)
                cells.append(inertia(group) if group else gap(runs, (model, "2.1")))
            rows.append(cells)
        tables.append(table(f"Table {number}: inertia, {model}", columns, rows, note))
    for tracker, data in trackers_of(runs):
        if tracker not in thesis.KINDS.values():
            rows = []
            for k in KS:
                each = [chosen(runs, tracker=tracker, data=data, method=m, k=k) for m in (THESIS, "random")]
                rows.append([str(k), "", "", *(inertia(group) if group else "not run" for group in each)])
            tables.append(table(f"Beside them: inertia, {named(tracker, data)}", columns, rows))
    return tables


def _dialtest(runs: Runs, others: Runs) -> str:
    columns = ("tracker", "RL failures", "RL valid", "DialTest failures", "DialTest valid")
    rows = []
    for model, values in thesis.DIALTEST.items():
        rows.append([f"{model}, published", *(f"{value} %" for value in values)])
        rows.append([f"{model}, here", *(_against_dialtest(ours(runs, (model, "2.1"))) or [gap(runs, (model, "2.1"))])])
    for tracker, data in trackers_of(runs):
        if tracker not in thesis.KINDS.values():
            rows.append([named(tracker, data), *_against_dialtest(chosen(runs, tracker=tracker, data=data))])
    for tracker, data in trackers_of(others):
        for words in operators_of(others):
            group = chosen(others, tracker=tracker, data=data, method="dialtest", operators=words)
            if group:
                rows.append([f"{named(tracker, data)}, words from {words}", "", "", failed(group), valid(group)])
    return table("Table 4.7: DialTest; the agent at the largest k", columns, rows)


def _against_dialtest(runs: Runs) -> list[str]:
    agents = chosen(runs, method=THESIS)
    agent = chosen(agents, k=max((run["k"] for run in agents), default=0))
    other = chosen(runs, method="dialtest")
    return [failed(agent), valid(agent), failed(other), valid(other)] if agent and other else []


def _by_k(runs: Runs) -> list[str]:
    tables = []
    columns = ("search", *(f"k = {k}" for k in KS))
    for (model, version, search), (failures, valids) in thesis.BY_K.items():
        rows = [["published", *(f"{a} / {b} %" for a, b in zip(failures, valids, strict=True))]]
        cells = [_both(ours(runs, (model, version), method=SEARCH[search], k=k)) for k in KS]
        rows.append(["here", *cells] if any(cells) else ["here", gap(runs, (model, version)), *[""] * 5])
        what = f"{model}, MultiWOZ {version}, {search}: failures / valid"
        group = ours(runs, (model, version), method=SEARCH[search])
        note = (
            f"Here, learnt from / tested on in a run: {sizes(group)} follow-ups; runs: {len(group)}." if group else ""
        )
        tables.append(table(f"Table {thesis.TABLES_BY_K[model, version, search]}: {what}", columns, rows, note))
    rows = []
    for tracker, data in trackers_of(runs):
        for search, method in SEARCH.items():
            each = [_both(chosen(runs, tracker=tracker, data=data, method=method, k=k)) for k in KS]
            rows.append([f"{named(tracker, data)}, {search}", *(cell or "not run" for cell in each)])
    note = "The thesis has no random search on TRADE, and no built-in tracker."
    return [*tables, table("The same for all trackers that were run", columns, rows, note)]


def _both(runs: Runs) -> str:
    return f"{failed(runs, interval=False)} / {valid(runs, interval=False)}" if runs else ""


def samplers(runs: Runs, facts: dict[str, Any]) -> str:
    """Return where the published valid rates of random search come from, and random samplers beside each other."""
    rows = []
    for version in ("2.1", "2.2"):
        values = thesis.BY_K["SimpleTOD", version, "RS"][1]
        rows.append([f"published, SimpleTOD, MultiWOZ {version}", *(f"{value} %" for value in values)])
    for data in (each for each in thesis.FORMATS.values() if each in facts):
        turns, longer = facts[data]["turns"], facts[data]["longer than"]
        cells = [f"{longer[str(4 * min(k, 3))] / turns:.2%}" for k in KS]
        rows.append([f"turns of {data} with more than 4, 8, 12, 12, 12, 12 words", *cells])
    for tracker, data in trackers_of(runs):
        for method, what in (
            ("random, first families once", "valid by count"),
            *((name, "valid") for name in ("random, first families once", "random, all repetitions", "random")),
            *((name, "valid") for name in (THESIS, OURS, *FITTED, "filled")),
        ):
            cells = []
            for k in KS:
                group = chosen(runs, tracker=tracker, data=data, method=method, k=k)
                cells.append(share(total(group, what), total(group, "places"), interval=False) if group else "not run")
            if set(cells) != {"not run"}:
                rows.append([f"{named(tracker, data)}: {method}, {what}", *cells])
    note = (
        "The published rates are the same from k = 3 on, while failures grow: they are those of one edit of each of "
        "the first k families, words first, valid where fewer than a quarter of the words are edited: the share of "
        "turns with more than 4 min(k, 3) words."
    )
    title = "Valid random edits: the published sampler and ours"
    return table(title, ("valid rate", *(f"k = {k}" for k in KS)), rows, note)


def searches(runs: Runs) -> list[str]:
    """Return every method at every k."""
    tables = []
    for tracker, data in trackers_of(runs):
        rows = []
        for k in KS:
            group = chosen(runs, tracker=tracker, data=data, k=k)
            for method in (name for name in METHODS if not _special(name)):
                each = [run for run in group if run["method"] == method]
                rows += [[str(k), method, *row(each)]] if each else []
        if rows:
            title = f"{named(tracker, data)}, validity {runs[0]['validity']}, words from {runs[0]['operators']}"
            note = "DialTest and single edits do not depend on k."
            tables.append(table(title, ("k", "search", *COLUMNS), rows, note))
    return tables


def _special(method: str) -> bool:
    return method not in (*MAIN, OURS, *FITTED, *THESIS_SAMPLERS, "dialtest", "single")


def variants(runs: Runs) -> list[str]:
    """Return what variants and remedies did at k = 3, beside Multi-PDQN, CMA-ES and what merely fills the bound."""
    tables = []
    for tracker, data in trackers_of(runs):
        rows = []
        for method in METHODS:
            if _special(method) or method in ("multi-pdqn", *FITTED, "filled", "evolutionary"):
                group = chosen(runs, tracker=tracker, data=data, k=3, method=method)
                first = [run for run in group if run["seed"] == 0]
                rows += [[method, shown(per_thousand(first)), *row(group)]] if group else []
        columns = ("search", "distinct per 1,000, seed 0", *COLUMNS)
        tables.append(table(f"Variants and remedies at k = 3, {named(tracker, data)}", columns, rows))
    return tables


def attacks(runs: Runs) -> str:
    """Return the three attacks at k = 3."""
    rows = []
    for tracker, data in trackers_of(runs):
        for attack in ("hybrid", "cumulative", "non-cumulative"):
            for method in ("random", THESIS, "multi-pdqn", "evolutionary", "filled"):
                group = chosen(runs, tracker=tracker, data=data, k=3, attack=attack, method=method, seed=0)
                rows += [[named(tracker, data), attack, method, *row(group)]] if group else []
    return table("Attacks at k = 3, seed 0", ("tracker", "attack", "search", *COLUMNS), rows)


def goals(runs: Runs) -> list[str]:
    """Return whether agents, the thesis', ours and ours fitted, find more than each other search, intervals apart."""
    ran = {run["method"] for run in runs}
    return [_goal(runs, method) for method in (THESIS, OURS, *FITTED) if method in ran]


def _goal(runs: Runs, method: str) -> str:
    rows = []
    others = (
        THESIS,
        OURS,
        "random",
        "random, all repetitions",
        "rejection",
        "scaled",
        "filled",
        "evolutionary",
        "dialtest",
    )
    for tracker, data in trackers_of(runs):
        for k in KS:
            group = chosen(runs, tracker=tracker, data=data, k=k, method=method)
            for other in others:
                beside = chosen(runs, tracker=tracker, data=data, k=k, method=other)
                if group and beside and other != method:
                    first, second = per_thousand(group), per_thousand(beside)
                    verdict = "more" if exceeds(first, second) else "less" if exceeds(second, first) else "as many"
                    rows.append([named(tracker, data), str(k), other, shown(first), shown(second), verdict])
    columns = ("tracker", "k", "beside", f"{method} per 1,000", "it per 1,000", f"{method} finds")
    return table(f"Does {method} find more distinct valid failures?", columns, rows)


def repeated(runs: Runs, facts: dict[str, Any]) -> list[str]:
    """Return what repeated asks say of a tracker that tells no probabilities."""
    rows = []
    for tracker in dict.fromkeys(run["tracker"] for run in runs if run["tracker"].startswith("sampled")):
        for name in (tracker, tracker.partition(":")[2]):
            for method in ("random", THESIS, "multi-pdqn, thesis' reward alone", "multi-pdqn"):
                group = [run for run in chosen(runs, tracker=name, k=3, method=method) if "gain" in run]
                gain = f"{sum(run['gain'] for run in group) / len(group):.4f}" if group else ""
                rows += [[name, method, gain, *row(group)]] if group else []
    note = (
        "gain: mean change of the uncertainty; of a sampled tracker from three asks, of the other from probabilities."
    )
    tables = (
        [table("Uncertainty by repeated asks", ("tracker", "search", "gain", *COLUMNS), rows, note)] if rows else []
    )
    if "asks" in facts:
        rows = [[number, *map(str, values)] for number, values in facts["asks"].items()]
        columns = ("asks", "rank correlation with the impurity of the probabilities", "answers that are all the same")
        tables.append(table("How well asks tell the uncertainty", columns, rows))
    return tables


def families(runs: Runs) -> list[str]:
    """Return how often each family and kind of edit was part of a failure; "-": its kinds were not told apart."""
    tables = []
    methods = ("random", THESIS, "multi-pdqn", "evolutionary", "filled")
    for tracker, data in trackers_of(runs):
        single = chosen(runs, tracker=tracker, data=data, method="single")
        groups = [chosen(runs, tracker=tracker, data=data, k=3, method=method) for method in methods]
        used, bad = edits(single, "edits"), edits(single, "edits of failures")
        failures = [edits(each, "edits of failures") for each in groups]
        names = sorted({*used, *(name for each in failures for name in each)})
        rows = []
        for name in names:
            cells = [share(bad[name], used[name]), share(bad[name], total(single, "failures"), interval=False)]
            for each, counts in zip(groups, failures, strict=True):
                cells.append(share(counts[name], total(each, "failures") * told_apart(each, name), interval=False))
            rows.append([name, *cells])
        columns = ("edit", "one edit: failures of valid", "one edit: share in failures")
        title = f"Families and kinds of edits, {named(tracker, data)}"
        tables.append(table(title, (*columns, *(f"{method}, k = 3: share in failures" for method in methods)), rows))
    return tables


def over_k(runs: Runs) -> list[str]:
    """Return what came of each method at every k, a table for each tracker."""
    tables = []
    for tracker, data in trackers_of(chosen(runs)):
        of = chosen(runs, tracker=tracker, data=data)
        rows: list[list[str]] = []
        for method in (name for name in METHODS if chosen(of, method=name)):
            each = [chosen(of, method=method, k=k) for k in KS]
            cells = [f"{_both(group)}, {shown(per_thousand(group))}" if group else "not run" for group in each]
            rows.append([method, *cells])
        columns = ("search", *(f"k = {k}" for k in KS))
        title = f"Failures / valid, and distinct per 1,000: {named(tracker, data)}, words from {of[0]['operators']}"
        note = f"Learnt from / tested on in a run: {sizes(of)} follow-ups; runs: {len(of)}."
        tables.append(table(title, columns, rows, note))
    return tables


def _in_full(runs: Runs) -> list[str]:
    """Return all that is counted of runs by one rule."""
    return [*goals(runs), *searches(runs), *variants(runs), attacks(runs), *families(runs)]


def write(folder: Path) -> str:
    """Write results.md and the figures beside the runs of a folder; return the thesis' tables and their place."""
    made = known(folder / "runs.jsonl")
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8")) if (folder / "facts.json").exists() else {}
    runs, before, first = (by_rule(made, rule) for rule in ("published", "thesis", "adapted"))
    others, older = _by_other_words(made, "published"), _by_other_words(made, "thesis")
    strict = [by_rule(made, "strict", name) for name in operators_of(made)]
    of_before = (table for each in (before, *older) for table in over_k(each))
    told = [*published(runs, facts, [run for group in others for run in group]), *over_k(runs)]
    told += [f"## Before 26 November 2026\n\n{BEFORE}\n", *of_before] if before else []
    parts: Sequence[str] = [
        "# Results\n\nMade by `study.py` from the runs beside it; the study's README.md says what they mean. Hybrid "
        "attacks where nothing else is said; 95 % intervals.\n",
        *("## The thesis' tables, and here\n", *told, "## Searches\n", samplers(runs, facts), *_in_full(runs)),
        *(("## Searches, before 26 November 2026\n", *_in_full(before)) if before else ()),
        *(table for each in (*others, *older, *strict) for table in searches(each)),
        *((f"## The first runs\n\n{FIRST}\n", samplers(first, facts), *_in_full(first)) if first else ()),
        *repeated(first or runs, facts),
    ]
    (folder / "results.md").write_text("\n".join(parts), encoding="utf-8")
    drawn = draw(runs, trackers_of(runs), folder)
    where = f"{len(made)} runs: {folder / 'results.md'}, {', '.join(map(str, drawn))}"
    return "\n".join([*told, where])


def _by_other_words(runs: Runs, validity: str) -> list[Runs]:
    """Return the runs by a rule, a list for each kind of word edits but the one that most of them had."""
    usual = {run["operators"] for run in by_rule(runs, validity)}
    ruled = {run["operators"] for run in runs if run["validity"] == validity} - usual
    return [by_rule(runs, validity, name) for name in operators_of(runs) if name in ruled]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--print", action="store_true", help="print Tables 4.2 to 4.7 and A.1 to A.9, too")
    args = parser.parse_args()
    tables = write(args.folder)
    print(tables if args.print else tables.splitlines()[-1])


if __name__ == "__main__":
    main()
