"""Does the judge agree with people? On questions that the shipped models were not trained on (fold 0, by hash)."""

import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from mutatis.measures import judge
from mutatis.measures.catalogue import default_text_measure
from mutatis.measures.model import load_model
from support.studies import load_study

STUDY = Path(__file__).resolve().parents[2] / "studies" / "judge"


def _study(name: str) -> ModuleType:
    return load_study(STUDY / f"{name}.py")


pairs = _study("pairs")
scoring = _study("scoring")
needs_data = pytest.mark.skipif(not pairs.evouna_path().exists(), reason="the human judgements (EVOUNA) are not here")


def measured(name: str, chosen: list[object]) -> object:
    judging = judge(name)
    similarities = judging.measure.compare([pair.comparison for pair in chosen])  # type: ignore[attr-defined]
    return agreement(name, chosen, similarities)


def agreement(name: str, chosen: list[object], similarities: list[object]) -> object:
    scores = np.array([similarity.score for similarity in similarities])  # type: ignore[attr-defined]
    return scoring.agreement(np.array([pair.same for pair in chosen]), scores, judge(name).equal)  # type: ignore[attr-defined]


@cache
def held_out(kind: str) -> tuple[list[object], list[object]]:
    """The pairs of a kind on questions that nothing was fitted to, and what the judge says, once for all tests."""
    chosen = [pair for pair in getattr(pairs, kind)(pairs.evouna_records()) if pairs.fold_of(pair.group) == 0]
    return chosen, judge("answer-equivalence-lexical").measure.compare([pair.comparison for pair in chosen])  # type: ignore[return-value]


@needs_data
def test_annotated_answers_on_held_out_questions() -> None:
    agreed = agreement("answer-equivalence-lexical", *held_out("annotated_pairs"))
    assert agreed.pairs > 1800  # type: ignore[attr-defined]
    assert agreed.kappa >= 0.85  # type: ignore[attr-defined]
    assert agreed.precision >= 0.88  # type: ignore[attr-defined]
    assert agreed.recall >= 0.88  # type: ignore[attr-defined]


@needs_data
def test_output_against_output_on_held_out_questions() -> None:
    agreed = agreement("answer-equivalence-lexical", *held_out("output_pairs"))
    assert agreed.kappa >= 0.70  # type: ignore[attr-defined]


def decided(name: str, chosen: list[object], similarities: list[object]) -> tuple[float, float, float]:
    """Return the share of pairs that a judge decides, how often its "different" is right there, and kappa of all."""
    low, high = judge(name).undecided
    same = np.array([pair.same for pair in chosen])  # type: ignore[attr-defined]
    scores = np.array([similarity.score for similarity in similarities])  # type: ignore[attr-defined]
    told = np.array([not similarity.open and not low <= similarity.score <= high for similarity in similarities])  # type: ignore[attr-defined]
    different = told & (scores < low)
    kappa = scoring.agreement(same, scores, judge(name).equal).kappa
    return float(told.mean()), float((different & ~same).sum() / different.sum()), float(kappa)


@needs_data
def test_output_against_output_where_it_decides() -> None:
    share, precision, kappa = decided("answer-equivalence-lexical", *held_out("output_pairs"))
    assert share >= 0.92
    assert precision >= 0.90
    assert kappa >= 0.75


@pytest.mark.skipif(not pairs.evouna_path("NQ").exists(), reason="the part with search-engine questions is not here")
def test_output_against_output_on_questions_of_another_domain() -> None:
    """Search-engine questions, to which nothing was fitted: never worse than before this domain was thought of."""
    chosen = pairs.output_pairs(pairs.evouna_records(pairs.evouna_path("NQ")))[::7]
    name = default_text_measure()
    similarities = judge(name).measure.compare([pair.comparison for pair in chosen])
    share, precision, kappa = decided(name, chosen, similarities)  # type: ignore[arg-type]
    assert share >= 0.80
    assert precision >= 0.744
    assert kappa >= 0.564


@needs_data
def test_the_measured_agreement_is_what_the_shipped_model_says() -> None:
    said = load_model("answer-equivalence-lexical").provenance["agreement_on_held_out_questions"]["directed"]
    agreed = agreement("answer-equivalence-lexical", *held_out("annotated_pairs"))
    assert said["kappa"] == pytest.approx(agreed.kappa, abs=0.005)  # type: ignore[attr-defined]


@pytest.mark.long
@needs_data
def test_a_word_of_the_same_class_is_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pairs", pairs)
    monkeypatch.setenv("MUTATIS_WORDNET", "/nonexistent")
    substituted = [
        substitution
        for substitution in _study("substitutions").substitutions()
        if not substitution.kind.startswith(("noun.", "antonym"))
    ]
    assert len(substituted) > 3000
    judging = judge("answer-equivalence-lexical")
    # Every ninth: they come class by class, and each class is still there with up to seven pairs.
    judged = judging.measure.compare([substitution.pair.comparison for substitution in substituted[::9]])
    scores = np.array([similarity.score for similarity in judged])  # type: ignore[union-attr]
    assert (scores >= judging.equal).mean() <= 0.08


def test_handwritten_pairs_are_mostly_judged_as_written() -> None:
    for directed in (True, False):
        chosen = pairs.handwritten_pairs(1.0, directed=directed)
        assert measured("answer-equivalence-lexical", chosen).kappa >= 0.5  # type: ignore[attr-defined]


def test_speaking_features_keep_their_sign() -> None:
    fitting = (STUDY / "fitting.py").read_text(encoding="utf-8")
    assert "numbers_conflict" in fitting
    for use in (load_model("answer-equivalence-lexical").directed, load_model("answer-equivalence-lexical").symmetric):
        weights = dict(zip(use.features, use.weights, strict=True))
        for name, weight in weights.items():
            if name.startswith(("contained", "coverage", "precision", "spelling")):
                assert weight >= 0
            if name.startswith(("numbers_conflict", "abstains", "listed", "negated")):
                assert weight <= 0
