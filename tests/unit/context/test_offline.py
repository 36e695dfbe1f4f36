from __future__ import annotations

import asyncio
import json
from importlib.resources import files

import numpy as np
import pytest

from mutatis.context import ContextCheck
from mutatis.context.cues import KINDS
from mutatis.context.decisions import ContextOptions
from mutatis.context.knowledge import Dialogue
from mutatis.context.offline.candidates import NeedFeatures
from mutatis.context.offline.extractor import (
    FORMAT,
    VERSION,
    VERSIONS,
    Linear,
    Models,
    Offline,
    OfflineJudge,
    Trees,
    TurnModel,
    load_version,
    version_for,
)
from mutatis.context.offline.turns import Progress, SourceDialogue
from mutatis.core.errors import StoreError


def annotate(cases, seed, order, **options):
    return asyncio.run(ContextCheck(**options).annotate(seed, cases.reordered(seed, order)))


def test_trees_by_hand():
    # One split at x0 <= 0.5 (leaves -1 and +1), one leaf of 0.5; baseline 0.25.
    data = {"features": ["x"], "baseline": 0.25, "trees": [[[0, 0.5, 1, 2], [-1.0], [1.0]], [[0.5]]]}
    chances = Trees(data).probability(np.array([[0.5], [0.6]], dtype=np.float32))
    assert chances == pytest.approx([1 / (1 + np.exp(0.25)), 1 / (1 + np.exp(-1.75))])


def test_no_trees_give_the_baseline():
    assert Trees({"features": [], "baseline": 0.0, "trees": []}).probability(
        np.zeros((2, 0), np.float32)
    ) == pytest.approx(0.5)


def test_the_regression_by_hand():
    # 0.5 + 2 x 0.25 - 1 x 1 = 0; "album" adds 1, each word once, in whatever case; other words add nothing.
    linear = Linear({"baseline": 0.5, "weights": [2.0, -1.0], "words": {"album": 1.0, "that": -3.0}})
    rows = np.array([[0.25, 1.0]] * 3, dtype=np.float32)
    chances = linear.probability(rows, ["Why now?", "Album of the album?", "Was that ALBUM good?"])
    assert chances == pytest.approx([0.5, 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(2))])


def test_the_turn_model_is_the_mean_of_its_halves_or_trees_alone():
    trees = {"features": ["x"], "baseline": 0.0, "trees": [[[2.0]]]}
    row = np.zeros((1, 1), dtype=np.float32)
    alone = 1 / (1 + np.exp(-2))
    assert TurnModel(trees).probability(row, ["?"]) == pytest.approx([alone])
    linear = {"baseline": -1.0, "weights": [0.0], "words": {}}
    assert TurnModel(trees, linear).probability(row, ["?"]) == pytest.approx([(alone + 1 / (1 + np.exp(1))) / 2])


@pytest.mark.parametrize("version", VERSIONS)
def test_shipped_models_are_readable_json_with_provenance(cases, version):
    record = json.loads(files("mutatis.context").joinpath("models", f"{version}.json").read_text(encoding="utf-8"))
    assert record["provenance"]["data"]
    assert record["agreement"]["held_out"]["all"]["turns"] > 1_000
    models = load_version(version)
    assert all(0 < models.low[kind] <= models.high[kind] < 1 for kind in KINDS)
    dialogue = Dialogue.from_case(cases.LIGHTHOUSE)
    features = NeedFeatures(dialogue)
    assert {*models.need.features} == {*features.rows[1][0]}
    seed = SourceDialogue(dialogue, features, [np.full(len(words), 0.5) for words in features.words])
    assert all({*models.turn.trees.features} == {*Progress(seed).features(turn)} for turn in range(6))


@pytest.mark.parametrize("other", [{"format": "x"}, {"version": 1}, {"version": None}])
def test_another_format_is_refused(other):
    record = json.loads(files("mutatis.context").joinpath("models", "title.json").read_text(encoding="utf-8"))
    assert Models(record).low["plain"] == record["bounds"]["plain"]["low"]
    with pytest.raises(StoreError, match="expected a context model of format mutatis/context-model, version 2"):
        Models({**record, **other})


LOW, HIGH = dict.fromkeys(KINDS, 0.25), dict.fromkeys(KINDS, 0.75)


def models(need: float, turn: float, low=LOW, high=HIGH) -> Models:
    """Return models that say the same of every word, and of every turn: chances on the scale of log-odds."""
    alone = [{"features": [], "baseline": value, "trees": []} for value in (need, turn)]
    bounds = {kind: {"low": low[kind], "high": high[kind]} for kind in KINDS}
    return Models({"format": FORMAT, "version": VERSION, "need": alone[0], "turn": alone[1], "bounds": bounds})


@pytest.mark.parametrize(
    ("turn", "status", "again"),
    [(2.0, "equivalent", "asked-before"), (0.0, "undecided", "model"), (-2.0, "altered", "model")],
)
def test_the_guards_come_before_the_model_and_its_bounds(cases, turn, status, again):
    judge = OfflineJudge(Dialogue.from_case(cases.LIGHTHOUSE), models(0.0, turn))
    options = ContextOptions(dataset_check="off", adjacency_veto=False)
    chance = 1 / (1 + np.exp(-turn))
    first, second, opening, following = judge.judge([3, 3, 0, 1], options)
    assert (first.status, first.check, first.probability) == (status, "model", pytest.approx(chance))
    assert (second.status, second.check, second.probability) == (status, again, pytest.approx(chance))
    assert (first.missing == ()) is (status == "equivalent")
    assert (opening.status, opening.check, opening.probability) == ("equivalent", "opening", None)
    assert (following.status, following.check) == ("equivalent", "predecessors")


def test_a_vetoed_turn_names_what_is_missing():
    dialogue = Dialogue(id="d", questions=("Who is Ann?", "Why?"), answers=("A keeper.", "No."))
    (judged,) = OfflineJudge(dialogue, models(0.0, 0.0)).judge([1], ContextOptions())
    assert (judged.status, judged.check) == ("altered", "adjacency")
    assert "ann" in judged.missing


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("When did she leave the island?", "altered"),
        ("Was that island large?", "undecided"),
        ("Is the island large?", "equivalent"),
        ("Speaking about islands, are they large?", "equivalent"),
    ],
)
def test_each_kind_of_question_has_bounds_of_its_own(question, status):
    dialogue = Dialogue(
        id="d", questions=("Who is Ann?", "Is Bob old?", question), answers=("A keeper.", "Yes.", "No.")
    )
    low = {"pronoun": 0.6, "pointer": 0.4, "plain": 0.3}
    high = {"pronoun": 0.9, "pointer": 0.7, "plain": 0.4}
    judge = OfflineJudge(dialogue, models(0.0, 0.0, low, high))  # 0.5 for every turn
    (judged,) = judge.judge([2], ContextOptions())
    assert (judged.status, judged.probability) == (status, 0.5)


def test_version_by_material():
    def about(**texts):
        return Dialogue(id="d", questions=("q?",), **{"answers": ("a",), **texts})

    assert version_for(about(title="T")) == "title"
    assert version_for(about()) == "no_title"
    assert version_for(about(answers=("",), title="T")) == "no_answers"


def test_a_table_has_the_columns_of_the_model_whatever_the_order_of_the_features():
    trees = Trees({"features": ["b", "a"], "baseline": 0.0, "trees": []})
    assert trees.rows([{"a": 1.0, "b": 2.0}, {"b": 4.0, "c": 5.0, "a": 3.0}]).tolist() == [[2.0, 1.0], [4.0, 3.0]]
    assert trees.rows([]).shape == (0, 2)


def test_each_candidate_has_a_row(cases):
    features = NeedFeatures(Dialogue.from_case(cases.LIGHTHOUSE))
    assert [len(rows) for rows in features.rows] == [len(words) for words in features.words]


def test_candidates_are_what_was_said_before_and_the_question_lacks(cases):
    features = NeedFeatures(Dialogue.from_case(cases.LIGHTHOUSE))
    assert features.words[0] == []
    assert "quinn" in features.words[1]
    assert "finish" not in features.words[1]
    assert "1871" not in features.words[1]
    assert "1871" in features.words[2]


def test_availability_by_hand(cases):
    dialogue = Dialogue.from_case(cases.LIGHTHOUSE)
    features = NeedFeatures(dialogue)
    values = [np.array([0.5 if word == "quinn" else 0.0 for word in words]) for words in features.words]
    walk = Progress(SourceDialogue(dialogue, features, values))
    (need,) = walk.seed.needs[1]
    assert walk.lack(need) == 1.0
    walk.commit(3, 0.4)
    # Turn 3 probably (0.5) means Quinn and is understood with 0.4.
    assert walk.lack(need) == pytest.approx(0.8)
    walk.commit(0, 1.0)
    assert walk.lack(need) == 0.0
    assert walk.missing(1) == ()


def test_a_pronoun_before_its_name_is_altered_and_after_it_is_not(cases):
    notes = annotate(cases, cases.LIGHTHOUSE, [1, 0, 1])
    assert notes[0]["context"] == "altered"
    assert {"quinn", "lighthous"} & set(notes[0]["context_missing"])
    assert [turn["context"] for turn in notes[1:]] == ["equivalent", "equivalent"]


def test_a_question_once_understood_stays_understood(cases):
    notes = annotate(cases, cases.LIGHTHOUSE, [0, 1, 5, 1])
    assert notes[3]["context"] == "equivalent"


def test_a_dialogue_of_500_turns():
    questions = tuple(f"What did {'she' if k % 3 else 'Nora'} do in {1400 + k}?" for k in range(500))
    dialogue = Dialogue(
        id="d", questions=questions, answers=tuple(f"She met baron {k} of place {k}." for k in range(500))
    )
    judge = asyncio.run(Offline().extract(dialogue))
    assert len(judge.judge(list(reversed(range(500))), ContextOptions())) == 500
    assert {turn.status for turn in judge.judge(range(500), ContextOptions())} == {"equivalent"}


def test_a_story_of_one_megabyte(cases):
    seed = cases.dialogue_case(
        ["Who built it?", "When did she finish?"], ["Nora", "1871"], material={"story": "Nora built a tower. " * 55_000}
    )
    assert len(annotate(cases, seed, [1, 0])) == 2


@pytest.mark.parametrize(
    ("questions", "answers"),
    [
        (["Who is Ann?"], ["A keeper"]),
        (["Who is Ann?", "Who is Ann?", "Is she old?"], ["A keeper", "A keeper", "Yes"]),
        (["Who is Ann?", "Is she old?"], []),
        (["", "?", "!!"], ["", "", ""]),
        (["Who?"], []),
    ],
    ids=["one turn", "duplicate questions", "no answers", "no words", "one word"],
)
def test_odd_dialogues_have_sound_results(cases, questions, answers):
    seed = cases.dialogue_case(questions, answers)
    order = list(reversed(range(len(questions))))
    notes = annotate(cases, seed, order)
    assert len(notes) == len(questions)
    assert {turn["context"] for turn in notes} <= {"equivalent", "altered", "undecided"}
    assert notes[order.index(0)]["context"] == "equivalent"


def test_verdicts_do_not_depend_on_what_was_judged_before(cases):
    check = ContextCheck()
    order = [3, 1, 0, 5, 4]
    first = asyncio.run(check.annotate(cases.LIGHTHOUSE, cases.reordered(cases.LIGHTHOUSE, order)))
    asyncio.run(check.annotate(cases.LIGHTHOUSE, cases.reordered(cases.LIGHTHOUSE, [0, 1, 2, 3])))
    assert first == asyncio.run(check.annotate(cases.LIGHTHOUSE, cases.reordered(cases.LIGHTHOUSE, order)))
