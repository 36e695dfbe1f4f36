"""What the study of RLTest4Chatbot prints, counted again from its committed runs; imports neither study nor package."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recipes.recount import interval

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "studies" / "rltest4chatbot"
MASKED = "wordnet, neighbours, masked model"
BY_RULES = {"data": "multiwoz21", "attack": "hybrid", "validity": "published", "operators": "wordnet, neighbours"}
BEFORE = BY_RULES | {"validity": "thesis"}
METHODS = {"random": "random", "the thesis' agent": "multi-pdqn, thesis", "`filled`": "filled"}
"""The columns of the study's tables, and what their runs are called."""

TRACKERS = {"builtin:tracker": 3, "trade": 3, "simpletod": 1}
"""In the order of the tables, with the seeds that a cell has where it says nothing else."""

Runs = Sequence[dict[str, Any]]


def committed(wanted: dict[str, str]) -> Runs:
    """Return the runs with these values."""
    with lzma.open(STUDY / "results" / "runs.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [run for run in map(json.loads, lines) if {name: run.get(name) for name in wanted} == wanted]


@pytest.fixture(scope="module")
def runs() -> Runs:
    """Return the runs by the rules of today."""
    return committed(BY_RULES)


@pytest.fixture(scope="module")
def with_masked_model() -> Runs:
    return committed(BEFORE | {"operators": MASKED})


def of(runs: Runs, tracker: str, method: str, k: int) -> Runs:
    """Return the runs of a cell, each seed once."""
    chosen = [run for run in runs if (run["tracker"], run["method"], run["k"]) == (tracker, method, k)]
    assert len({run["seed"] for run in chosen}) == len(chosen)
    return chosen


def percent(runs: Runs, part: str, whole: str) -> str:
    counts = np.array([[run[part], run[whole]] for run in runs]).sum(0)
    return f"{100 * counts[0] / counts[1]:.1f}"


def cell(runs: Runs, usual: int) -> str:
    """Return valid edits, failures of these, and distinct failures per 1,000 with interval, as the README has them."""
    rates = f"{percent(runs, 'valid', 'places')}%, {percent(runs, 'failures', 'valid')}%"
    note = "" if len(runs) == usual else f" ({len(runs)} seed{'s' * (len(runs) > 1)})"
    return f"{rates}, {per_thousand(runs)}{note}"


def per_thousand(runs: Runs) -> str:
    """Return distinct failures per 1,000 follow-ups, with their interval."""
    places = np.array([counts[:2] for run in runs for counts in run["by dialogue"]])
    distinct, proposals = places.sum(0)
    low, high = (round(1000 * bound) for bound in interval(places[:, 0].tolist(), places[:, 1].tolist()))
    return f"{1000 * distinct / proposals:.0f} ({low} to {high})"


def test_tables_of_searches_are_those_of_the_runs(runs: Runs) -> None:
    text = (STUDY / "README.md").read_text(encoding="utf-8").partition("## Figures")[2].partition("## What they say")[0]
    tables = re.findall(r"^\| k \| random \|.*\n\|[-|]+\n(?:\|.*\n)+", text, re.M)
    assert len(tables) == len(TRACKERS)
    for table, (tracker, usual) in zip(tables, TRACKERS.items(), strict=True):
        head, _, *rows = [
            [cell_text.strip() for cell_text in line.strip("|").split("|")] for line in table.strip().splitlines()
        ]
        cells = {k: [of(runs, tracker, METHODS[name], k) for name in head[1:]] for k in range(1, 7)}
        counted = [[str(k), *(cell(group, usual) if group else "not run" for group in row)] for k, row in cells.items()]
        assert rows == counted, tracker


def test_the_table_of_single_edits_and_dialtest_is_that_of_the_runs(runs: Runs) -> None:
    text = (STUDY / "README.md").read_text(encoding="utf-8").partition("### One edit, and DialTest")[2]
    rows = [[cell_text.strip() for cell_text in line.split("|")[1:-1]] for line in text.partition("##")[0].splitlines()]
    told = {row[0]: [row[1], row[3]] for row in rows if len(row) == 5}
    names = {"built-in tracker": "builtin:tracker", "TRADE": "trade", "SimpleTOD": "simpletod"}
    for name, tracker in names.items():
        groups = [of(runs, tracker, method, 3) for method in ("single", "dialtest")]
        assert told[name] == [cell(group, 1 if tracker == "simpletod" else 3) for group in groups], name


def test_figures_of_the_page_of_reproductions_are_those_of_the_runs(runs: Runs, with_masked_model: Runs) -> None:
    page = (ROOT / "docs" / "reproductions.md").read_text(encoding="utf-8").partition("## RLTest4Chatbot")[2]
    lines = [line.split("|") for line in page.splitlines() if line.startswith("|")]
    rows = {line[1].strip(): line[3].strip() for line in lines}

    def over_k(tracker: str, method: str, part: str, whole: str) -> str:
        return ", ".join(percent(of(runs, tracker, method, k), part, whole) for k in range(1, 7)) + " %"

    names, methods = {"trade": "TRADE", "builtin:tracker": "Built-in tracker"}, ("multi-pdqn, thesis", "random")
    for title, counts in (("Fig. 4.1", ("valid", "places")), ("Fig. 4.2", ("failures", "valid"))):
        told = next(text for name, text in rows.items() if name.startswith(title))
        each = [f"{said} " + "; ".join(over_k(t, m, *counts) for m in methods) for t, said in names.items()]
        assert told == ". ".join(each)
    simple = [over_k("simpletod", method, "failures", "valid") for method in methods]
    told = next(text for name, text in rows.items() if name.startswith("A.1"))
    assert re.findall(r"(?:[\d.]+, ){5}[\d.]+ %", told) == simple
    trackers = ("trade", "simpletod", "builtin:tracker")
    single = [percent(of(runs, tracker, "single", 3), "failures", "valid") for tracker in trackers]
    assert next(text for name, text in rows.items() if name.startswith("4.3")) == (
        f"{single[0]} %; {single[1]} %; built-in tracker {single[2]} %"
    )
    now, masked = (
        [
            f"{percent(group, 'failures', 'valid')} %, {percent(group, 'valid', 'places')} %"
            for group in (of(each, tracker, "dialtest", 3) for tracker in trackers)
            if group
        ]
        for each in (runs, with_masked_model)
    )
    assert next(text for name, text in rows.items() if name.startswith("4.7")) == (
        f"{now[0]}; {now[1]}; built-in tracker {now[2]}. "
        f"With a small masked model (before): {masked[0]}; built-in tracker {masked[1]}"
    )


def test_right_turns_and_inertia_of_the_page_are_those_of_the_runs(runs: Runs) -> None:
    page = (ROOT / "docs" / "reproductions.md").read_text(encoding="utf-8").partition("## RLTest4Chatbot")[2]
    names = {"trade": "TRADE", "simpletod": "SimpleTOD", "builtin:tracker": "built-in tracker"}
    right, inertia = {}, {}
    for tracker, name in names.items():
        [line] = {run["seeds"] for run in runs if run["tracker"] == tracker}
        right[name] = re.findall(r"^(\d+) of .*, (\d+) of (\d+) turns", line)[0]
        groups = [of(runs, tracker, "multi-pdqn, thesis", k) for k in range(1, 7)]
        means = [float(np.mean([run["inertia"] for run in group])) for group in groups]
        inertia[name] = f"{name} {min(means):.1f} to {max(means):.1f}"
    counts = {name: (f"{int(turns):,}", whole) for name, (whole, turns, _) in right.items()}
    assert (
        "| TRADE {} right turns, {} right dialogues; ".format(*counts["TRADE"])
        + "SimpleTOD {}, {}; ".format(*counts["SimpleTOD"])
        + "built-in tracker {}, {} |".format(*counts["built-in tracker"])
    ) in page
    assert f"| {', '.join(inertia.values())} learned; " in page
    for name, dialogues in (("TRADE", ""), ("SimpleTOD", " on 400 dialogues")):
        _, turns, asked = right[name]
        assert re.search(rf"{name} \([a-z ]*{100 * int(turns) / int(asked):.1f} %{dialogues}\)", page)


def test_what_a_masked_model_changes_is_what_the_runs_say(with_masked_model: Runs) -> None:
    text = (STUDY / "README.md").read_text(encoding="utf-8").partition("## With a masked language model")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.partition("##")[0].splitlines()]
    names, methods = {"TRADE": "trade", "built-in tracker": "builtin:tracker"}, {"DialTest": "dialtest"}
    told = {row[0]: row[1:6] for row in rows if row[0].endswith(tuple(names))}
    plain = committed(BEFORE)
    counted = {}
    for what in ("DialTest", "random edits"):
        for name, tracker in names.items():
            without, with_it = (
                of(each, tracker, methods.get(what, "random"), 3) for each in (plain, with_masked_model)
            )
            assert len(without) == len(with_it) == 3
            rates = [f"{percent(each, 'failures', 'valid')} %" for each in (without, with_it)]
            valid = f"{percent(with_it, 'valid', 'places')} %"
            counted[f"{what}, {name}"] = [*rates, valid, per_thousand(without), per_thousand(with_it)]
    assert told == counted


def test_the_k_that_is_run_within_the_hour_finds_what_the_stored_runs_of_its_seed_found(runs: Runs) -> None:
    stored = [run for run in runs if (run["tracker"], run["k"], run["seed"]) == ("builtin:tracker", 3, 0)]
    printed = (STUDY / "tables-k3.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines()]
    told = {row[1]: [row[3].split()[0], row[4].split()[0]] for row in rows if row[0] == "3"}
    for method in ("random", "multi-pdqn, thesis", "single", "dialtest"):
        [run] = [run for run in stored if run["method"] == method]
        rates = [percent([run], *counts) + "%" for counts in (("valid", "places"), ("failures", "valid"))]
        assert told[method] == rates
