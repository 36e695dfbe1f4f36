"""The study's reader and command on files in CANARD's form that are odd in every way we know of."""

from __future__ import annotations

import importlib.util
import json
import lzma
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mutatis.core.errors import UsageError
from support.studies import load_study

ROOT = Path(__file__).resolve().parents[2]
STUDY = ROOT / "studies" / "mortar" / "context_check.py"


def load(name):
    return load_study(STUDY.with_name(f"{name}.py"))


def record(name, number, question, rewrite, history):
    return {
        "QuAC_dialog_id": name, "Question_no": number, "Question": question, "Rewrite": rewrite, "History": history,
    }  # fmt: skip


FULL = [
    record("a", 1, "Who is Ann?", "Who is Ann?", ["Ann", "Life"]),
    record("a", 2, "Is she old?", "Is Ann old?", ["Ann", "Life", "Who is Ann?", "A keeper."]),
    record("a", 3, "Why?", "Why is Ann old?", ["Ann", "Life", "Who is Ann?", "A keeper.", "Is she old?", "Yes."]),
]
GAP = [FULL[0] | {"QuAC_dialog_id": "gap"}, FULL[2] | {"QuAC_dialog_id": "gap"}]
SINGLE = [record("single", 1, "Who is Ann?", "Who is Ann?", ["Ann", "Life"])]
NO_ANSWERS = [
    record("bare", 1, "Who is Ann?", "Who is Ann?", ["Ann", "Life"]),
    record("bare", 2, "Is she old?", "Is Ann old?", ["Ann", "Life", "Who is Ann?"]),
    record("bare", 3, "Was she tall?", "Was Ann tall?", ["Ann", "Life", "Who is Ann?", "Is she old?"]),
]
NO_HISTORY = [record("none", k, q, q, []) for k, q in enumerate(["Who is Ann?", "Is she old?"], 1)]


def test_answers_are_found_by_their_question():
    canard = load("canard")
    (full,) = canard.dialogues(FULL)
    assert full.answers == ("A keeper.", "Yes.", "")
    assert (full.title, full.section) == ("Ann", "Life")
    (gap,) = canard.dialogues(GAP)
    assert gap.answers == ("A keeper.", "")
    assert canard.dialogues(NO_ANSWERS)[0].answers == ("", "", "")
    assert canard.dialogues(NO_HISTORY)[0].answers == ("", "")


def test_records_may_come_in_any_order_and_material_may_be_left_out():
    canard = load("canard")
    (dialogue,) = canard.dialogues(FULL[::-1], material="none", opening="rewrite")
    assert dialogue.questions == ("Who is Ann?", "Is she old?", "Why?")
    assert dialogue.title == ""


def test_the_split_is_fixed():
    canard = load("canard")
    names = [f"C_{number}" for number in range(2_000)]
    share = sum(map(canard.held_out, names)) / len(names)
    assert 0.17 < share < 0.23
    assert [name for name in names[:12] if canard.held_out(name)] == [
        name for name in names[:12] if load("canard").held_out(name)
    ]


@pytest.mark.parametrize("suffix", [".json", ".json.xz"])
@pytest.mark.parametrize("extractor", ["offline", "gold"])
def test_one_line_per_follow_up_turn(tmp_path, interpreter, suffix, extractor):
    data = json.dumps(FULL + GAP + SINGLE + NO_ANSWERS + NO_HISTORY).encode()
    path = tmp_path / f"data{suffix}"
    path.write_bytes(lzma.compress(data) if suffix.endswith("xz") else data)
    out = tmp_path / "out.jsonl"
    options = ("--format", "canard", "--extractor", extractor, "--json", out)
    done = interpreter.run(STUDY, path, *options, PYTHONPATH=str(ROOT / "src"))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    # Three turns: 3 + 3 + 3 + 3 + 3; two: 5 x 2; one: 5 x 1 (floor(0.3 n) and floor(0.2 n) are 0 up to three turns).
    assert Counter(line["dialogue"] for line in lines) == {"a": 15, "gap": 10, "single": 5, "bare": 15, "none": 10}
    assert {"dialogue", "perturbation", "draw", "turn", "origin", "predicted", "probability", "missing"} <= set(
        lines[0]
    )
    assert {line["predicted"] for line in lines} <= {True, False, None}
    assert all(line["predicted"] for line in lines if line["dialogue"] == "single")


def test_a_broken_file_is_one_clear_line(tmp_path, interpreter):
    path = tmp_path / "data.json"
    for text, expected in [("{", "JSON"), ('{"a": 1}', "list"), ('[{"Question": "x"}]', "QuAC_dialog_id")]:
        path.write_text(text, encoding="utf-8")
        done = interpreter.run(STUDY, path, PYTHONPATH=str(ROOT / "src"))
        assert done.returncode == 2
        assert expected in done.stderr
        assert "Traceback" not in done.stderr


@pytest.fixture
def alarms(monkeypatch):
    """The study's module of false alarms; its folder is on the path for this test only."""
    monkeypatch.syspath_prepend(str(STUDY.parent))
    return importlib.import_module("alarms")


def test_false_alarms_by_hand(alarms):
    # Question 0: asked twice as equivalent, known once (MR1 and MR3 wrong), and once as altered, unknown (MR4 wrong:
    # "unknown" here and there). Question 1: altered and known (MR2 wrong); nothing to compare it with.
    # Question 2: equivalent and known, altered and unknown: as it should be. Question 3: undecided.
    equivalent = np.array([1, 1, 0, 0, 1, 0, 0], dtype=bool)
    altered = np.array([0, 0, 1, 1, 0, 1, 0], dtype=bool)
    known = np.array([1, 0, 0, 1, 1, 0, 0], dtype=bool)
    counts = alarms.alarms(equivalent, altered, known, np.array([0, 0, 0, 1, 2, 2, 3]))
    assert counts == {"mr1": (1, 3), "mr2": (1, 3), "mr3": (1, 1), "mr4": (1, 2)}


def guess(alarms, number, probability, gold, *, kind="pronoun", dialogue="d", vetoed=False):
    return alarms.Guess(
        dialogue=dialogue,
        question=(dialogue, 0, number),
        kind=kind,
        probability=probability,
        gold=gold,
        vetoed=vetoed,
        counted=True,
    )


def test_bounds_are_strict_below_and_lax_above_for_each_kind_of_question(alarms):
    # With a pronoun altered up to 0.305, one of ten there wrongly so; equivalent from 0.905 on, either at 0.7575.
    rows = [guess(alarms, k, 0.105, False) for k in range(50)]
    rows += [guess(alarms, 100 + k, 0.305, k == 0) for k in range(10)]
    rows += [guess(alarms, 200 + k, 0.7575, k % 2 == 0) for k in range(20)]
    rows += [guess(alarms, 300 + k, 0.905, True) for k in range(60)]
    # Nothing that points: altered at 0.105, either at 0.2525 and at 0.7275, equivalent from 0.805 on.
    rows += [guess(alarms, 400 + k, 0.105, False, kind="plain") for k in range(20)]
    rows += [guess(alarms, 500 + k, 0.2525, k % 2 == 0, kind="plain") for k in range(20)]
    rows += [guess(alarms, 600 + k, 0.7275, k % 2 == 0, kind="plain") for k in range(20)]
    rows += [guess(alarms, 700 + k, 0.805, True, kind="plain") for k in range(40)]
    rows += [guess(alarms, 800, 0.95, True, vetoed=True)]  # altered whatever its probability, and no false alarm
    bounds, reached = alarms.choose_bounds({"canard": alarms.Guesses(rows)}, sure={"canard": 0.9}, least_kappa=0.9)
    assert bounds["pronoun"] == {"low": 0.4, "high": 0.76}  # 0.4 is the highest that is tried
    assert bounds["plain"] == {"low": 0.11, "high": 0.73}
    assert reached["canard"]["mr2"] == round(1 / 81, 3)


def test_a_goal_that_hangs_on_one_dialogue_is_not_sure(alarms):
    # Ten dialogues with ten altered turns each at 0.2, one of them with eight more at 0.3 that are not: 8 of 108 false
    # alarms, within the goal of 10 %; but a resample that draws that dialogue twice (one in four) has 16 of 116.
    rows = [guess(alarms, k, 0.2, False, dialogue=f"d{n}") for n in range(10) for k in range(10)]
    rows += [guess(alarms, 20 + k, 0.3, True, dialogue="d0") for k in range(8)]
    rows += [guess(alarms, 40 + k, 0.7525, k % 2 == 0, dialogue=f"d{n}") for n in range(10) for k in range(4)]
    rows += [guess(alarms, 60 + k, 0.9, True, dialogue=f"d{n}") for n in range(10) for k in range(10)]
    corpora = {"canard": alarms.Guesses(rows)}
    chosen = {sure: alarms.choose_bounds(corpora, sure={"canard": sure}, least_kappa=0.8)[0] for sure in (0.5, 0.9)}
    assert chosen[0.5]["pronoun"] == {"low": 0.4, "high": 0.76}
    assert chosen[0.9]["pronoun"] == {"low": 0.3, "high": 0.76}


def test_every_corpus_keeps_its_goals(alarms):
    # What is right throughout one corpus is wrong in every fifth verdict of the other.
    def corpus(share):
        rows = [guess(alarms, k, 0.1, False) for k in range(50)] + [guess(alarms, 50 + k, 0.9, True) for k in range(50)]
        return alarms.Guesses(rows + [guess(alarms, 100 + k, 0.2, k < 50 * share) for k in range(50)])

    sure = {"canard": 0.5, "mtrag": 0.5}
    alone, _ = alarms.choose_bounds({"canard": corpus(0)}, sure=sure, least_kappa=0.5)
    both, _ = alarms.choose_bounds({"canard": corpus(0), "mtrag": corpus(0.8)}, sure=sure, least_kappa=0.5)
    assert alone["pronoun"]["low"] == 0.4
    assert both["pronoun"]["low"] == 0.2


def test_searched_dialogues_and_which_of_their_rewrites_count(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(STUDY.parent))
    mtrag = importlib.import_module("mtrag")
    questions = ["Who is Ann?", "Is she old?", "Does he like it?", "What about tea?", "Why?"]
    rewrites = {2: "Is Ann old?", 3: "Does he like tea?", 4: "Does Ann like tea in Rome?"}

    def written(kind, rows):
        lines = [json.dumps({"_id": f"d<::>{turn}", "text": text}) for turn, text in rows]
        (tmp_path / f"cloud_{kind}.jsonl.xz").write_bytes(lzma.compress("\n".join(lines).encode()))

    written("questions", [(t, "\n".join(f"|user|: {q}" for q in questions[:t])) for t in (1, 2, 5)])
    written("rewrite", [(turn, f"|user|: {text}") for turn, text in rewrites.items()])
    (dialogue,) = mtrag.dialogues(tmp_path, "cloud")
    assert (dialogue.id, dialogue.questions) == ("cloud/d", tuple(questions))
    assert dialogue.rewrites == ("", *rewrites.values(), "")
    # Not the turns without a rewrite, not the one whose rewrite says "he", not the one that needs a name nobody asked.
    assert mtrag.counted(dialogue) == (False, True, False, False, False)
    with pytest.raises(UsageError, match="cannot read fiqa_questions"):
        mtrag.dialogues(tmp_path, "fiqa")
