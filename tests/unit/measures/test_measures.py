import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mutatis.core.errors import UsageError
from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import MEASURES, default_text_measure, judge, measure
from mutatis.text import embedder

needs_model = pytest.mark.skipif(not embedder.embedder_is_installed(), reason="the semantic extra is not installed")
SIMPLE = [name for name in MEASURES if MEASURES[name].make is not None and not MEASURES[name].semantic]


def score(name: str, reference: object, answer: object) -> float:
    return judge(name).measure.compare([Comparison(reference=(reference,), answer=answer)])[0].score  # type: ignore[index]


def test_every_entry_is_complete() -> None:
    assert {"exact", "label", "number", "token-f1", "exact-match", "containment", "set"} <= set(SIMPLE)
    for name in MEASURES:
        entry = MEASURES[name]
        assert entry.name == name
        assert entry.summary.endswith(".")
        assert entry.kinds <= {"text", "label", "number", "set", "state", "calls", "data"}
        assert entry.different <= entry.equal


def test_importing_measures_imports_nothing_heavy() -> None:
    code = "import sys, mutatis.measures; raise SystemExit(bool({'torch', 'sklearn', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "reference", "answer", "expected"),
    [
        ("exact", "a", "a", 1.0),
        ("exact", "a", "A", 0.0),
        ("exact", 1, True, 0.0),
        ("label", "Positive", " positive.", 1.0),
        ("label", "positive", "negative", 0.0),
        ("label", True, "yes", 1.0),
        ("number", 0.7, 0.6, 0.9),
        ("number", 0.5, 0.75, 0.75),
        ("number", "80%", 0.8, 1.0),
        ("number", -1.0, 1.0, 0.0),
        ("number", "none", 0.0, 0.0),
        ("number", float("nan"), 0.0, 0.0),
        ("token-f1", "the red house", "a red car", 0.5),
        ("token-f1", "", "", 1.0),
        ("exact-match", "The Red House.", "red house", 1.0),
        ("exact-match", "red house", "red", 0.0),
        ("containment", "Paris", "It is Paris, in France", 1.0),
        ("containment", "Paris", "Parisian", 0.0),
        ("containment", "", "Paris", 0.0),
        ("set", ["a", "b"], ["b", "a"], 1.0),
        ("set", ["a", "b"], ["b", "c"], 1 / 3),
        ("set", {"hotel": "north"}, {"hotel": "north"}, 1.0),
        ("set", {"hotel": "north"}, {"hotel": "south"}, 0.0),
        ("set", [], [], 1.0),
        ("set", [], ["a"], 0.0),
        ("set", ["a"], [], 0.0),
        ("set", ["A", "B"], ["The", "B"], 1 / 3),  # labels, no articles
        ("set", "A, B", ["b", "a"], 1.0),
    ],
)
def test_scores_worked_out_by_hand(name: str, reference: object, answer: object, expected: float) -> None:
    assert score(name, reference, answer) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "reference", "answer", "reason"),
    [
        ("exact", "a", "a", "equal"),
        ("exact", "a", "b", "'a' / 'b'"),
        ("exact", "a" * 40, "b", f"'{'a' * 27}...' / 'b'"),
        ("number", 1, 2.5, "1 / 2.5"),
        ("number", "nothing", 2, "no number in 'nothing'"),
        ("token-f1", "the red house", "a red car", "token F1 0.50"),
        ("set", [], [], "both are empty"),
        ("set", ["a", "b"], ["b", "a"], "the same members"),
        ("set", ["a", "b", "c"], ["c", "d", "e"], "lacks 'a' and adds 'd'"),
        ("set", [], ["a"], "adds 'a'"),
        ("set", ["a"], [], "lacks 'a'"),
    ],
)
def test_what_is_said_of_a_score(name: str, reference: object, answer: object, reason: str) -> None:
    compared = [Comparison(reference=(reference,), answer=answer)]
    [similarity] = judge(name).measure.compare(compared)  # type: ignore[misc, union-attr]
    assert similarity.reason == reason


def test_within_a_tenth_is_equal_in_spite_of_binary_fractions() -> None:
    assert score("number", 0.3, 0.4) >= judge("number").equal
    assert score("number", 0.3, 0.41) < judge("number").equal


@needs_model
def test_published_similarities() -> None:
    assert score("minilm-cosine", "a cat", "a cat") == 1.0
    assert score("mss", "a cat", "the cat") > 0.9
    assert 0.0 <= score("mss", "", "Paris") < 0.6
    cosine = score("minilm-cosine", "a cat", "Paris")
    assert 0.0 < cosine < 1.0
    assert score("mss", "a cat", "Paris") == pytest.approx(cosine)  # with no word in common
    assert judge("mss").equal == judge("minilm-cosine").equal == 0.6


def test_thresholds() -> None:
    papers = judge("exact", equal=0.8, different=0.6)
    assert (papers.equal, papers.different) == (0.8, 0.6)
    moved = judge("token-f1", equal=0.7)
    assert (moved.equal, moved.different) == (0.7, 0.7)
    assert judge("answer-equivalence-lexical").undecided is not None
    assert judge("exact", undecided=(0.4, 0.6)).undecided == (0.4, 0.6)
    swapped = judge("exact", equal=0.4, different=0.8)
    assert (swapped.equal, swapped.different) == (0.4, 0.8)
    with pytest.raises(UsageError, match=r"expected \[low, high\]"):
        judge("exact", undecided=(0.6, 0.4))
    with pytest.raises(UsageError, match=r"must be numbers from -1 to 1"):
        judge("exact", equal=40.0)
    with pytest.raises(UsageError, match=r"from -1 to 1; .*different=1\.5"):
        judge("exact", equal=0.5, different=1.5)
    with pytest.raises(UsageError, match="did you mean 'token-f1'"):
        judge("token-f2")


def test_default_text_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "embedder_is_installed", lambda: False)
    assert default_text_measure() == "answer-equivalence-lexical"
    with pytest.raises(UsageError, match="semantic"):
        judge("answer-equivalence")
    monkeypatch.setattr(embedder, "embedder_is_installed", lambda: True)
    assert default_text_measure() == "answer-equivalence"


def test_a_measure_of_ones_own() -> None:
    @measure("first-letter", kinds=["text", "label"], equal=1.0)
    def first_letter(reference: str, answer: str) -> float:
        """Compare first letters."""
        return float(reference[:1] == answer[:1])

    try:
        several = Comparison(reference=("x", "pear"), answer="plum")
        assert judge("first-letter").measure.compare([several]) == [Similarity(score=1.0)]
        assert MEASURES["first-letter"].summary == "Compare first letters."
        with pytest.raises(UsageError, match="already registered"):
            measure("first-letter")(first_letter)
    finally:
        MEASURES.remove("first-letter")
    with pytest.raises(UsageError, match="unknown kind"):
        measure("odd", kinds=["texts"])


VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(exclude_categories=()))
)


@pytest.mark.parametrize("name", SIMPLE)
@settings(deadline=None)
@given(first=VALUES, second=VALUES)
def test_any_values_are_judged_without_error(name: str, first: object, second: object) -> None:
    assert 0.0 <= score(name, first, second) <= 1.0
