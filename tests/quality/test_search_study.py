"""The study of searches, end to end on a few dialogues: right seeds, every method, tables beside the thesis."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Case, Step, Turn
from mutatis.core.search import Source
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import Validity
from mutatis.rltest4chatbot.space import EditSpace, Move, Site
from support.nursery import Interpreter
from support.studies import load_study

STUDY = Path(__file__).resolve().parents[2] / "studies" / "rltest4chatbot"
METHODS = ("random", "filled", "dialtest", "single", "evolutionary", "multi-pdqn, thesis", "evolutionary, fitted")
METHODS = (*METHODS, "random, first families once")
MODELS = ("masked-language-model", "neighbour")


def run(interpreter: Interpreter, script: str, *arguments: object) -> str:
    done = interpreter.run(STUDY / script, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_one_command_gives_runs_tables_and_figures(tmp_path: Path, interpreter: Interpreter) -> None:
    data = ("--data", f"states:{mutatis.sample('bookings')}", "--tracker", "builtin:tracker", "--out", tmp_path)
    few = (
        "--synonyms",
        "lexicon",
        "--vectors",
        "none",
        "--k",
        3,
        "--seeds",
        1,
        "--train",
        40,
        "--test",
        20,
        "--methods",
        *METHODS,
    )
    told = run(interpreter, "study.py", *data, *few)
    runs = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    plain = [run for run in runs if run["validity"] == "published" and run["attack"] == "hybrid"]
    assert {run["method"] for run in plain} == set(METHODS)
    for done in runs:
        assert done["proposals"] == 20
        assert done["distinct"] <= done["failures"] - done["inherited"] <= done["valid"] <= done["places"]
        assert sum(counts[0] for counts in done["by dialogue"]) == done["distinct"]
        # Seeds are turns that the tracker gets right: a failure is another state than the annotated one, too.
        assert done["method"] == "dialtest" or done["wrong by labels"] == done["failures"]
    assert [run["trained"]["proposals"] for run in plain if run["trained"]] == [40] * 3
    assert "dialogues right at every turn" in told
    results = (tmp_path / "results.md").read_text()
    assert "| SimpleTOD, MultiWOZ 2.1 | 7.79 % | not run: no fine-tuned weights at hand" in results
    # What each search found is printed, too: `make reproductions` compares it.
    printed = [line for line in told.splitlines() if line.startswith("| 3 |")]
    assert {line.split("|")[2].strip() for line in printed} <= set(METHODS)
    assert len(printed) > 1
    assert set(printed) <= set(results.splitlines())
    for number in ("4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "A.2", "A.3", "A.5", "A.6", "A.8", "A.9"):
        assert f"### Table {number}: " in results
    assert {path.name for path in tmp_path.glob("*.svg")} == {"figure-4.1.svg", "figure-4.2.svg"}
    # Once more: runs that stand in the folder are not made again, and the same runs give the same files.
    drawn = (tmp_path / "figure-4.1.svg").read_bytes()
    assert "'valid'" not in run(interpreter, "study.py", *data, *few)
    assert (tmp_path / "results.md").read_text() == results
    assert (tmp_path / "figure-4.1.svg").read_bytes() == drawn


def made_run(seed: int, **counts: Any) -> dict[str, Any]:
    job = {"tracker": "trade", "method": "random", "k": 3, "seed": seed, "attack": "hybrid", "validity": "published"}
    return {**job, "data": "multiwoz21", **counts}


@pytest.mark.long
def test_cells_of_tables_are_counted_from_runs_by_hand(tmp_path: Path, interpreter: Interpreter) -> None:
    first = {"places": 10, "valid": 8, "failures": 4, "inherited": 1, "wrong by labels": 5, "distinct": 3}
    second = {"places": 10, "valid": 9, "failures": 2, "inherited": 0, "wrong by labels": 2, "distinct": 2}
    first |= {"distinct turns": 2, "inertia": 14.0, "dimensions": 116, "by dialogue": [[2, 5, 7], [1, 5, 7]]}
    second |= {"distinct turns": 2, "inertia": 15.0, "dimensions": 116, "by dialogue": [[0, 6, 8], [2, 4, 8]]}
    for each in (first, second):
        each |= {"edits": {"char-drop": each["valid"]}, "edits of failures": {"char-drop": each["failures"]}}
    runs = [made_run(0, **first), made_run(1, **second), made_run(2, **{**first, "validity": "strict"})]
    runs += [made_run(0, **{**first, "data": "multiwoz22", "method": "multi-pdqn, thesis", "k": 2})]
    runs += [made_run(0, **{**second, "validity": "thesis", "method": "multi-pdqn, thesis", "k": 2})]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    run(interpreter, "tables.py", tmp_path)
    lines = [line for line in (tmp_path / "results.md").read_text().splitlines() if line.startswith("| 3 | random |")]
    cells = [cell.strip() for cell in lines[0].split("|")[3:-1]]
    # 17 of 20; 6 of 17; 1 of 6; 7 of 17; and Wilson's intervals of 17 of 20 and 6 of 17, as a table of them has them.
    assert cells[:6] == ["2", "85.0% (64.0% to 94.8%)", "35.3% (17.3% to 58.7%)", "16.7%", "41.2%", "5 / 4"]
    assert cells[6].startswith("250 (")  # 5 of 20 proposals
    assert cells[7].startswith("167 (")  # 5 of 30 calls
    assert cells[8] == "14.50 / 0.125"
    assert cells[9] == "0 / 10"
    assert len(lines) == 2  # the other validity stands in a table of its own
    # Of version 2.2 there is the thesis' agent at k = 2 alone: 4 of 8, and 8 of 10.
    later = (tmp_path / "results.md").read_text().partition("### Table A.9: ")[2].partition("###")[0].splitlines()
    assert later[2] == "Here, learnt from / tested on in a run: 0 / 10 follow-ups; runs: 1."
    assert later[4].startswith("| search | k = 1 |")
    assert later[6].startswith("| published | 10.022 / 99.54 % | 14.49 / 92.29 %")
    assert later[7] == "| here |  | 50.0% / 80.0% |  |  |  |  |"
    # By the rule of before there is one run, 2 of 9, and 9 of 10: beside the tables of today, and in none of them.
    today, _, before = (tmp_path / "results.md").read_text().partition("## Before 26 November 2026")
    assert "22.2% / 90.0%" not in today
    assert "| multi-pdqn, thesis | not run | 22.2% / 90.0%, 200 (" in before


@pytest.mark.long
def test_the_figures_of_the_page_are_those_of_the_committed_runs(tmp_path: Path, interpreter: Interpreter) -> None:
    for name in ("runs.jsonl.xz", "facts.json"):
        shutil.copy(STUDY / "results" / name, tmp_path)
    run(interpreter, "tables.py", tmp_path)
    tables = (tmp_path / "results.md").read_text()
    written = (STUDY / "README.md").read_text()
    intervals = set(re.findall(r"\d+ \(\d+ to \d+\)", written))
    assert len(intervals) > 60
    assert {interval for interval in intervals if interval not in tables} == set()


def test_a_tracker_that_wavers_is_asked_as_itself() -> None:
    """Repeated asks read the probabilities that it hides, which an adopted system would keep from them."""
    subjects = load_study(STUDY / "subjects.py")
    with closing(subjects.subject("sampled:builtin:tracker")) as wavering:
        assert isinstance(wavering.target.layer.system, subjects.Sampled)
        with closing(subjects.subject("builtin:tracker")) as steady:
            assert wavering.target.layer.system.inner.label == steady.target.label


def test_a_single_edit_takes_words_from_where_the_run_does_and_is_counted_by_its_kind() -> None:
    """Tables 4.3 and 4.4: their runs say "wordnet, neighbours", and drew from the lexicon's synonyms alone."""
    trials = load_study(STUDY / "trials.py", "subjects")
    fixed = {
        "word-insert": {"model": "folder"},
        "word-replace": {"synonyms": "wordnet", "vectors": "minilm"},
    }
    case = Case(id="d/0", task="dialogue-state", turns=(Turn(fields={"utterance": "a cheap room"}),))
    places = [
        Site(
            source=Source(
                case=replace(case, id=f"d/{n}", turns=(Turn(fields={"utterance": f"a cheap room in street {n}"}),)),
                relations=(),
            ),
            turn=0,
            variant=("utterance",),
        )
        for n in range(120)  # each a text of its own: choices are seeded by what is asked
    ]
    steps = [step for move in trials.Single(0, fixed).moves(places) for step in move.steps]
    named = {
        (step.transformation, name, value)
        for step in steps
        for name, value in step.parameters.items()
        if name in ("model", "synonyms", "vectors") and value
    }
    assert named == {(family, *parameter) for family, more in fixed.items() for parameter in more.items()}
    # By hand: the models' kind is the last of four insertions and of three replacements.
    for operator, inserted, replaced in ((0.1, "emoji", "misspelling"), (0.5, "stop-word", "synonym"), (0.9, *MODELS)):
        for family, kind in (("word-insert", inserted), ("word-replace", replaced)):
            parameters = {"operator": operator, "position": 0.0, "word": 0.0, **fixed[family]}
            step = Step(transformation=family, parameters=parameters, turns=(0,))
            trial = SimpleNamespace(site=places[0], move=Move(steps=(step,), variant=("utterance",)))
            assert trials._edits([trial]) == {family: 1, f"{family}: {kind}": 1}


def test_few_runs_with_more_kinds_of_edits_do_not_take_the_place_of_the_others() -> None:
    """DialTest with a masked model is a row of its own: the tables stay those of the words that most runs had."""
    counting = load_study(STUDY / "counting.py")
    most, more, first = "wordnet, neighbours", "wordnet, neighbours, masked model", "lexicon"
    runs = [{"validity": "thesis", "operators": name, "seed": n} for name in (more, most, first) for n in range(2)]
    runs += [
        {"validity": "thesis", "operators": most, "seed": 2},
        {"validity": "strict", "operators": first, "seed": 2},
    ]
    assert counting.operators_of(runs) == [first, most, more]
    assert [run["seed"] for run in counting.by_rule(runs, "thesis")] == [0, 1, 2]
    assert {run["operators"] for run in counting.by_rule(runs, "thesis")} == {most}
    assert {run["operators"] for run in counting.by_rule(runs, "thesis", more)} == {more}
    assert counting.by_rule(runs, "adapted") == []


def test_kinds_that_were_not_told_apart_have_no_share() -> None:
    told_apart = load_study(STUDY / "counting.py").told_apart
    old = {"operators": "wordnet, neighbours", "edits": {"word-replace: synonym": 3, "char-drop: blank": 1}}
    new = {"operators": "wordnet, neighbours", "edits": {"word-replace: synonym": 2, "word-replace: neighbour": 1}}
    lexicon = {"operators": "lexicon", "edits": {"word-replace: synonym": 1}}
    assert told_apart([new, lexicon], "word-replace: synonym")
    assert not told_apart([new, old], "word-replace: misspelling")
    assert told_apart([old], "word-replace")
    assert told_apart([old], "char-drop: blank")


def places(number: int) -> list[Site]:
    """Return turns of dialogues in which 18 words may be edited."""
    text = "i need a cheap room in the north of the city for my two good friends please now"
    cases = (Case(id=f"d/{n}", turns=(Turn(fields={"utterance": text}),), task="dialogue-state") for n in range(number))
    return [Site(source=Source(case=case, relations=()), turn=0, variant=("utterance",)) for case in cases]


def sampled(within: str, k: int = 6, number: int = 100) -> list[tuple[Site, EditSpace, Move]]:
    samplers, space = load_study(STUDY / "samplers.py"), EditSpace(combined=k, validity=Validity(rule="thesis"))
    sites = places(number)
    moves = samplers.Sampler(space, 0, within).moves(sites)
    return [(at, space, move) for at, move in zip(sites, moves, strict=True)]


def fits(moves: list[tuple[Site, EditSpace, Move]]) -> int:
    return sum(space.broken(at, move.steps) is None for at, space, move in moves)


def test_samplers_that_stay_within_the_bound() -> None:
    assert fits(sampled("rejection")) == 100
    assert fits(sampled("scaled")) >= 98
    assert fits(sampled("full")) < 50


def test_what_a_learner_proposes_is_made_to_fit_and_keeps_its_vector() -> None:
    samplers, space = load_study(STUDY / "samplers.py"), EditSpace(validity=Validity(rule="thesis"))
    chooser, sites = samplers.Sampler(space, 0, "full"), places(50)
    whole, fitted = chooser.moves(sites), samplers.Fitted(chooser, space, 0).moves(sites)
    assert sum(space.broken(at, move.steps) is not None for at, move in zip(sites, whole, strict=True)) > 25
    assert not any(space.broken(at, move.steps) for at, move in zip(sites, fitted, strict=True))
    for more, less in zip(whole, fitted, strict=True):
        assert all(step in more.steps for step in less.steps)
        assert less.vector == more.vector


def test_samplers_that_draw_parameters_alone() -> None:
    for k in range(1, 7):
        [(_, _, first)] = sampled("first", k, number=1)
        assert [step.transformation for step in first.steps] == list(FAMILIES)[:k]
        [(at, space, move)] = sampled("full", k, number=1)
        full = [step.transformation for step in move.steps]
        assert len(set(full)) == k
        assert len(full) == k * space.repetitions(at.text)
