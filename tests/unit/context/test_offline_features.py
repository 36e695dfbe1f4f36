"""What the fitted models of the context check are shown: every number of one small dialogue, worked out by hand.

The models were fitted on these numbers: a feature that means something else, however little, makes their weights wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pytest

from mutatis.context.cues import cues
from mutatis.context.knowledge import Dialogue
from mutatis.context.offline.candidates import CANDIDATE_LIMIT, Features, NeedFeatures, cue_features
from mutatis.context.offline.extractor import Trees
from mutatis.context.offline.turns import Progress, SourceDialogue

DIALOGUE = Dialogue(
    id="t/1",
    title="Nora Quinn",
    section="Early life",
    questions=(
        "Who was Nora Quinn?",
        "Why did she build the old towers?",
        "Did he see it then?",
        "What did she do after that storm?",
    ),
    answers=("A keeper of towers in 1871.", "Her brother Tom asked.", "", "She left."),
)
NEEDS: Sequence[dict[str, float]] = (
    {},
    {"quinn": 0.5},
    {"tower": 0.5, "old": 0.01},  # too improbable to be followed
    {"tower": 0.5, "tom": 0.25, "quinn": 0.25},
)
CUE_NAMES = cue_features(cues("")).keys()
OF_DIALOGUE = ("very short", "has title", "has answers", "turn in seed", "turns of seed")


@pytest.fixture(scope="module")
def features() -> NeedFeatures:
    return NeedFeatures(DIALOGUE)


@pytest.fixture(scope="module")
def source(features: NeedFeatures) -> SourceDialogue:
    values = [np.array([needs.get(w, 0.0) for w in words]) for needs, words in zip(NEEDS, features.words, strict=True)]
    return SourceDialogue(DIALOGUE, features, values)


def told(features: Features, without: Collection[str] = ()) -> dict[str, float]:
    """Return the features that are not 0."""
    return {name: round(float(value), 4) for name, value in features.items() if value and name not in without}


def follow_up(source: SourceDialogue, turn: int, *asked: tuple[int, float]) -> dict[str, float]:
    walk = Progress(source)
    for before, probability in asked:
        walk.commit(before, probability)
    of_question = {name for name in source.question_features[turn] if name not in OF_DIALOGUE}
    return told(walk.features(turn), without=of_question)


def of_word(features: NeedFeatures, turn: int, word: str) -> dict[str, float]:
    """Return the features of a word without those that all words of the turn share."""
    rows = features.rows[turn]
    of_turn = {*CUE_NAMES, *features._turn_features(turn, len(rows))}
    return told(rows[features.words[turn].index(word)], without=of_turn)


CUES: Sequence[dict[str, float]] = (
    {"words": 4, "contents": 2, "auxiliary": 1, "name inside": 1, "under 5 words": 1, "asks who": 1},
    {"words": 7, "contents": 3, "she": 1, "pronouns": 1, "definite": 2, "auxiliary": 1, "dependent": 1}
    | {"asks why or how": 1, "pronouns outside": 1},
    {"words": 5, "contents": 1, "he": 1, "pronouns": 2, "sequence": 1, "auxiliary": 1, "dependent": 1}
    | {"pronouns outside": 2},
    {"words": 7, "contents": 1, "she": 1, "pronouns": 1, "pointed": 1, "sequence": 1, "auxiliary": 1, "dependent": 1}
    | {"asks what": 1, "pronouns outside": 1},
)
TURNS: Sequence[dict[str, float]] = (
    {"turns so far share": 1, "has title": 1, "candidates": 2, "turns since same pronoun": -1}
    | {"previous answer words": -1},
    {"turn": 1, "turns so far share": 0.5, "has title": 1, "has answers": 1, "share of she": 0.5}
    | {"pronoun share": 0.5, "candidates": 6, "turns since same pronoun": -1, "previous answer words": 3},
    {"turn": 2, "turns so far share": 0.3333, "has title": 1, "has answers": 1, "share of he": 0.3333}
    | {"share of she": 0.3333, "pronoun share": 0.3333, "candidates": 12, "turns since same pronoun": -1}
    | {"previous answer words": 3},
    {"turn": 3, "turns so far share": 0.25, "has title": 1, "has answers": 1, "share of he": 0.25}
    | {"share of she": 0.5, "pronoun share": 0.5, "candidates": 13, "turns since same pronoun": 2},
)


@pytest.mark.parametrize("turn", range(4))
def test_what_a_question_and_its_place_show(features: NeedFeatures, turn: int) -> None:
    rows = features.rows[turn]
    assert told({name: rows[0][name] for name in CUE_NAMES}) == CUES[turn]
    assert told(features._turn_features(turn, len(rows))) == TURNS[turn]
    assert features._turn_features(turn, len(rows)).items() <= rows[0].items()


@pytest.mark.parametrize(
    ("question", "cue"),
    [
        ("Whose album was it?", "who"),
        ("Whom did they meet?", "who"),
        ("Which album came out?", "what"),
        ("What did they win?", "what"),
        ("How did they win?", "why or how"),
        ("Where did they play?", "when or where"),
        ("When was that?", "when or where"),
    ],
)
def test_what_a_question_asks_for(question: str, cue: str) -> None:
    features = NeedFeatures(Dialogue(id="d", questions=("The band won an album?", question), answers=("", "")))
    row = told(features.rows[1][0])
    assert [name for name in row if name.startswith("asks")] == [f"asks {cue}"]


def test_the_candidates_are_most_recent_first_and_the_title_comes_last(features: NeedFeatures) -> None:
    title = ["quinn", "nora", "life", "earli"]
    assert features.words == [
        ["life", "earli"],  # the question has the title's words itself
        ["1871", "keeper", *title],
        ["ask", "tom", "brother", "tower", "old", "build", "1871", "keeper", *title],
        ["see", "ask", "tom", "brother", "tower", "old", "build", "1871", "keeper", *title],
    ]


def test_the_title_is_a_candidate_however_much_was_said_since() -> None:
    many = " ".join(f"baron{n}x" for n in range(CANDIDATE_LIMIT + 20))
    dialogue = Dialogue(id="d", title="Nora Quinn", questions=("Who?", "Did Nora win?"), answers=(many, "Yes"))
    [_, words] = NeedFeatures(dialogue).words
    assert len(words) == CANDIDATE_LIMIT + 1
    assert words[-1] == "quinn"  # "Nora" stands in the question


def test_what_speaks_for_a_question_needing_a_word(features: NeedFeatures) -> None:
    assert of_word(features, 3, "tower") == {
        "turns since last": 2, "turns since first": 3, "count in questions": 1, "count in answers": 1,
        "in second previous question": 1, "in opening answer": 1, "utterances": 2, "utterance share": 0.25,
        "place from start": 6, "words of last utterance": 7, "letters": 5, "plural": 1,
        "in question of same pronoun": 1, "first in answer": 1, "questions since first with it": 1,
        "rank by recency": 4,
    }  # fmt: skip
    assert of_word(features, 3, "quinn") == {
        "in title": 1, "turns since last": 3, "turns since first": 99, "count in questions": 1,
        "in opening question": 1, "in latest free question": 1, "capital share": 1, "ever capital": 1,
        "run length": 2, "ends run": 1, "in a run with title": 1, "utterances": 2, "utterance share": 0.25,
        "place from start": 3, "words of last utterance": 4, "letters": 5, "questions since first with it": 1,
        "rank by recency": 9, "in title run of opening": 1,
    }  # fmt: skip
    assert of_word(features, 3, "ask") == {
        "turns since last": 2, "turns since first": 2, "count in answers": 1, "in second previous answer": 1,
        "utterances": 1, "utterance share": 0.125, "place from start": 3, "words of last utterance": 4, "letters": 3,
        "verbal": 1, "last in answer": 1, "in question of same pronoun": 1, "first in answer": 1,
        "rank by recency": 1,
    }  # fmt: skip
    assert of_word(features, 3, "keeper") == {
        "turns since last": 3, "turns since first": 3, "count in answers": 1, "in opening answer": 1,
        "utterances": 1, "utterance share": 0.125, "place from start": 1, "place from end": 4,
        "words of last utterance": 6, "letters": 6, "before kind": 1, "after kind": 2, "last in answer": 1,
        "first in answer": 1, "rank by recency": 8,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("title", "name", "word", "named"),
    [
        ("Ada", "Ada Lovelace", "lovelac", True),  # either word may stand for a name of two
        ("Albert", "Royal Albert Hall", "royal", False),
        ("Hall", "Royal Albert Hall", "royal", True),  # and the last one for a longer name
    ],
)
def test_a_title_names_what_its_word_may_stand_for(title: str, name: str, word: str, named: bool) -> None:
    questions = (f"When did people first hear of {name}?", "Why?")
    features = NeedFeatures(Dialogue(id="d", title=title, questions=questions, answers=("Then.", "-")))
    assert of_word(features, 1, word).get("in a run with title", 0) == named


def test_nothing_precedes_the_word_that_opens_a_text() -> None:
    features = NeedFeatures(Dialogue(id="d", questions=("Towers are made of?", "Why?"), answers=("Brick.", "-")))
    assert "before kind" not in of_word(features, 1, "tower")


def test_words_that_stand_beside_what_a_question_points_at() -> None:
    dialogue = Dialogue(
        id="d",
        questions=("Who wrote it?", "Was that album sold in the red shop?"),
        answers=("Ann sold an album near the red shop of 1999.", "Yes"),
    )
    features = NeedFeatures(dialogue)
    row = of_word(features, 1, "1999")
    names = ("with pointed word", "with definite head", "overlap with question", "digit")
    assert [row[name] for name in names] == [1, 1, 4, 1]


def test_the_needs_that_are_followed(source: SourceDialogue) -> None:
    followed = [[(need.word, need.probability, need.name, need.others) for need in needs] for needs in source.needs]
    assert followed == [
        [],
        [("quinn", 0.5, True, ("nora", "quinn"))],  # either word of a name of two stands for it
        [("tower", 0.5, False, ("tower",))],
        [("tower", 0.5, False, ("tower",)), ("tom", 0.25, True, ("tom",)), ("quinn", 0.25, True, ("nora", "quinn"))],
    ]


def test_what_the_dialogue_alone_says_of_a_question(source: SourceDialogue) -> None:
    nothing = {"open need at same pronoun": -1}
    assert [told(row, without={*CUE_NAMES, *OF_DIALOGUE}) for row in source.question_features] == [
        {"answer before empty": 1, "shared with start": 1, "shared with earlier": 1, **nothing}
        | {"open need at turn before": -1},
        {"share of own pronoun": 1, "pronoun classes": 1, "main pronoun is own": 1, "before has name": 1}
        | {"answer before words": 6, "answer before contents": 3, "shared with answer before": 0.3333}
        | {"shared with earlier": 0.3333, **nothing},
        {"share of own pronoun": 0.5, "pronoun classes": 2, "main pronoun is own": 1, "before depends": 1}
        | {"answer before words": 4, "answer before contents": 3, "open need sum": 0.5, "open need largest": 0.5}
        | {"open need noisy-or": 0.5, "open need over quarter": 1, "open need from before": 0.5, **nothing},
        {"share of own pronoun": 0.6667, "pronoun classes": 2, "main pronoun is own": 1, "before depends": 1}
        | {"answer before empty": 1, "open need sum": 0.75, "open need largest": 0.5, "open need noisy-or": 0.625}
        | {"open need over quarter": 1, "open need names": 0.25, "open need at turn before": 0.5},
    ]


MATERIAL = {"has title": 1, "has answers": 1, "turns of seed": 4}


def test_a_question_that_comes_first(source: SourceDialogue) -> None:
    assert follow_up(source, 3) == {
        **MATERIAL, "turn in seed": 3, "largest missing": 0.5, "largest missing name": 0.25,
        "largest missing word": 0.5, "missing sum": 0.75, "missing share": 0.75, "missing noisy-or": 0.625,
        "missing word share": 1, "largest need": 0.5, "largest need name": 0.25, "need sum": 1,
        "missing over quarter": 1, "first need": 0.5, "first lack": 1, "second need": 0.25, "second lack": 1,
        "third need": 0.25, "name lack weighted": 0.25, "kept noisy-or": 0.25, "before was said since": -1,
        "any same pronoun passed": -1, "asked before passed": -1, "dependent predecessors absent": 2,
        "earlier passed mean": -1, "needed from opening": 0.5, "needed from start": 0.25, "opening lack": 0.5,
    }  # fmt: skip


def test_a_question_after_others_that_were_understood_in_part(source: SourceDialogue) -> None:
    # Question 1 says "towers" itself; its answer tells of Tom, of which a quarter is there.
    assert follow_up(source, 3, (0, 1.0), (2, 0.5), (1, 0.25)) == {
        **MATERIAL, "turn in seed": 3, "turn in follow-up": 3, "largest missing": 0.1875,
        "largest missing name": 0.1875, "missing sum": 0.1875, "missing share": 0.1875, "missing noisy-or": 0.1875,
        "largest need": 0.5, "largest need name": 0.25, "need sum": 1, "first need": 0.5, "second need": 0.25,
        "second lack": 0.75, "third need": 0.25, "name lack weighted": 0.1406, "kept noisy-or": 0.1875,
        "predecessors present": 1, "predecessors passed": 0.5833, "predecessors least": 0.25, "before present": 1,
        "before passed": 0.5, "before was said since": 1, "second before present": 1, "second before passed": 0.25,
        "opening present": 1, "opening passed": 1, "same pronoun present": 1, "same pronoun passed": 0.25,
        "any same pronoun passed": 0.25, "free present": 1, "free passed": 1, "asked before passed": -1,
        "earlier passed mean": 0.5833, "needed from opening": 0.5, "needed from start": 0.25,
    }  # fmt: skip


def test_a_question_that_was_asked_before_and_one_that_opens(source: SourceDialogue) -> None:
    asked = ((0, 1.0), (2, 0.5), (1, 0.25))
    assert follow_up(source, 2, *asked) == {
        **MATERIAL, "turn in seed": 2, "turn in follow-up": 3, "largest need": 0.5, "need sum": 0.5,
        "first need": 0.5, "predecessors present": 1, "predecessors passed": 0.625, "predecessors least": 0.25,
        "before present": 1, "before passed": 0.25, "before is next to": 1, "second before present": 1,
        "second before passed": 1, "opening present": 1, "opening passed": 1, "same pronoun present": -1,
        "same pronoun passed": -1, "any same pronoun passed": 0.5, "free present": 1, "free passed": 1,
        "asked before": 1, "asked before passed": 0.5, "earlier passed mean": 0.5833, "needed from previous": 0.5,
        "needed from opening": 0.5,
    }  # fmt: skip
    absent = dict.fromkeys(("before", "second before", "same pronoun", "free"), -1)
    assert follow_up(source, 0, *asked) == {
        **MATERIAL, "turn in follow-up": 3, "predecessors present": 1, "predecessors passed": 1,
        "predecessors least": 1, "before is next to": 1, "before was said since": -1, "opening present": 1,
        "opening passed": 1, "any same pronoun passed": -1, "asked before": 1, "asked before passed": 1,
        "earlier passed mean": 0.5833, **{f"{name} {what}": -1 for name in absent for what in ("present", "passed")},
    }  # fmt: skip


def test_what_a_question_asked_again_adds(source: SourceDialogue) -> None:
    walk = Progress(source)
    walk.commit(1, 0.5)
    [_, tom, _] = source.needs[3]
    assert walk.lack(tom) == 0.5
    walk.commit(1, 0.25)  # it was understood better before: nothing is added, nothing is lost
    assert (walk.lack(tom), walk.passed[1]) == (0.5, 0.5)
    walk.commit(1, 0.75)  # a quarter more
    assert (walk.lack(tom), walk.passed[1], walk.order) == (0.375, 0.75, [1, 1, 1])
    assert walk.missing(3) == ()  # "tom" is needed with 0.25 and lacks with 0.375: not probable
    assert Progress(source).missing(3) == ("tower", "tom")


def test_a_word_that_a_question_means_joins_by_how_surely_it_does() -> None:
    dialogue = Dialogue(
        id="d", questions=("Who is Ann?", "Is she old?", "Was she ill?"), answers=("A nurse.", "No.", "No.")
    )
    features = NeedFeatures(dialogue)
    values = [np.array([0.5 if word == "ann" else 0.0 for word in words]) for words in features.words]
    walk = Progress(SourceDialogue(dialogue, features, values))
    walk.commit(1, 0.5)
    assert walk.lack(walk.seed.needs[2][0]) == 0.75


def test_spellings_of_one_word_stand_for_each_other() -> None:
    dialogue = Dialogue(
        id="d", questions=("Is it the harbour?", "Was the harbor old?", "Why?"), answers=("Yes", "No", "-")
    )
    features = NeedFeatures(dialogue)
    values = [np.array([0.5 if word.startswith("harb") else 0.0 for word in words]) for words in features.words]
    walk = Progress(SourceDialogue(dialogue, features, values))
    assert {need.others for need in walk.seed.needs[2]} == {("harbor", "harbour")}


def test_trees_of_unequal_size_by_hand() -> None:
    # The first: x0 <= 0 -> 1, else x1 <= 2 -> 2, else 4. The second: x1 <= 1 -> 0.5, else -0.5. The third: 0.25.
    first = [[0, 0.0, 1, 2], [1.0], [1, 2.0, 3, 4], [2.0], [4.0]]
    second = [[1, 1.0, 1, 2], [0.5], [-0.5]]
    trees = Trees({"features": ["a", "b"], "baseline": -1.0, "trees": [first, second, [[0.25]]]})
    rows = np.array([[0, 0], [0, 9], [1, 1], [1, 2], [1, 3]], dtype=np.float32)
    chances = trees.probability(rows)
    raw = [1 + 0.5, 1 - 0.5, 2 + 0.5, 2 - 0.5, 4 - 0.5]
    assert chances == pytest.approx([1 / (1 + np.exp(1 - 0.25 - value)) for value in raw])
    many = np.tile(rows, (100, 1))  # more rows than are computed together
    assert trees.probability(many) == pytest.approx(np.tile(chances, 100))
