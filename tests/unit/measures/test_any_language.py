"""Answers in a language that a measure does not know: what can be said all the same, and what stays open."""

from __future__ import annotations

import pytest

from mutatis import measures
from mutatis.core.measure import Comparison, Similarity
from mutatis.measures.by_folder import compare_in_any_language
from mutatis.measures.catalogue import MEASURES, measure

ENGLISH_ONLY = ("answer-equivalence", "answer-equivalence-lexical", "free-answers", "minilm-cosine", "mss")


def said(first: str, second: str) -> bool | None:
    """Return whether two answers are the same; None where nothing is said."""
    similarities = [compare_in_any_language(here, other) for here, other in ((first, second), (second, first))]
    told = {None if similarity is None or similarity.open else similarity.score >= 0.5 for similarity in similarities}
    [same] = told  # the order of the two never matters
    return same


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Das dauert drei Tage.", "das dauert drei Tage"),
        ("¡Sí, claro!", "sí claro"),
        ("需要三天。", "需要三天"),
        ("Ein Test kostet 20 €.", "Ein Test kostet 20,00 €"),
        ("Es kostet 1.250,50 Euro", "Es kostet 1250,50 Euro"),
        ('{"preis": 20}', '```json\n{"preis": 20}\n```'),
        ("", "  "),
        ("**Drei** Tage", "Drei Tage"),
    ],
)
def test_the_same_in_every_language(first: str, second: str) -> None:
    assert said(first, second) is True


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("Das dauert 3 Tage.", "Das dauert 5 Tage.", "numbers differ: 3 / 5"),
        ("Es kostet 20 €.", "Es kostet 200 €.", "numbers differ: 20 / 200"),
        ("运费是3.5元", "运费是5.5元", "numbers differ: 3.5 / 5.5"),
        ("El envío cuesta 1.250 euros", "El envío cuesta 1.350 euros", "numbers differ: 1.250 / 1.350"),
        ("-5 Grad", "5 Grad", "numbers differ: -5 / 5"),
        ('{"preis": 20}', '{"preis": 30}', "JSON differs at preis: 20 / 30"),
        ('{"preis": 20}', "Das kostet 20 Euro.", "one reply is JSON, the other is not"),
        ("Das dauert drei Tage.", "", "one answer is empty"),
        (
            "Sie können mit Karte oder bar zahlen.",
            "You can pay by card or in cash.",
            "another language: German / English",
        ),
    ],
)
def test_what_differs_in_every_language_is_named(first: str, second: str, named: str) -> None:
    similarity = compare_in_any_language(first, second)
    assert similarity is not None
    assert (similarity.reason, similarity.score < 0.1, similarity.open) == (named, True, False)
    assert said(first, second) is False


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Das dauert drei Tage.", "Es dauert drei Tage."),
        ("Ja, wir liefern in die Schweiz.", "Nein, wir liefern nicht in die Schweiz."),  # open until rules are read
        ("schön", "schon"),  # an accent is a letter, not typography
        ("Es kostet 20.000 Euro", "Es kostet 20 Euro"),  # 20 with three decimals, or 20 thousand?
        ("am 3.5.2024", "am 03.05.2024"),
        ("需要三天。", "需要五天。"),
        ("C#", "C"),
        ("20 %", "20 €"),
        ("Berlin", "Hamburg"),
        ("Die Lieferung dauert 3 Tage.", "In 5 Tagen ist es da."),
        ('{"text": "ein blauer Stuhl"}', '{"text": "ein Stuhl in Blau"}'),
    ],
)
def test_everything_else_is_open(first: str, second: str) -> None:
    assert said(first, second) is None


def judged(name: str, language: str, *pairs: tuple[str, str]) -> list[Similarity]:
    made = [Comparison(reference=(a,), answer=b, language=language) for a, b in pairs]
    return list(measures.judge(name).measure.compare(made))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ENGLISH_ONLY)
def test_a_measure_is_not_asked_in_a_language_that_it_does_not_know(name: str) -> None:
    pairs = ("Das dauert drei Tage.", "Es dauert drei Tage."), ("Drei Tage", "drei Tage."), ("3 Tage", "5 Tage")
    opened, same, other = judged(name, "nl", *pairs)
    assert (opened.open, opened.reason) == (True, f"{name} does not support Dutch")
    assert (same.score, same.open) == (1.0, False)
    assert (other.score < 0.1, other.open) == (True, False)


@pytest.mark.parametrize("name", ENGLISH_ONLY)
@pytest.mark.parametrize("language", ["en", ""])
def test_english_is_judged_as_it_always_was(name: str, language: str) -> None:
    pairs = [("It takes three days.", "Three days"), ("In Rome", "Paris"), ("Yes, it does.", "No.")]
    plain = MEASURES[name].make
    assert plain is not None
    assert judged(name, language, *pairs) == plain().compare([Comparison(reference=(a,), answer=b) for a, b in pairs])


def test_pairs_in_several_languages_are_judged_each_in_its_own() -> None:
    made = [
        Comparison(reference=("3 Tage",), answer="5 Tage", language="de"),
        Comparison(reference=("Paris",), answer="Rome", language="en"),
        Comparison(reference=("Rom",), answer="Paris", language="de"),
        Comparison(reference=("Paris",), answer="Paris", language="en"),
    ]
    similarities = measures.judge("answer-equivalence-lexical").measure.compare(made)
    assert [(similarity.score >= 0.5, similarity.open) for similarity in similarities] == [  # type: ignore[union-attr]
        (False, False),
        (False, False),
        (True, True),
        (True, False),
    ]


def test_of_several_references_the_best_counts() -> None:
    def against(*references: str) -> Similarity:
        comparison = Comparison(reference=references, answer="5 Tage", directed=True, language="de")
        [similarity] = measures.judge("answer-equivalence-lexical").measure.compare([comparison])  # type: ignore[misc]
        return similarity

    assert against("3 Tage", "5 Tage").score == 1.0
    assert against("3 Tage", "4 Tage").score < 0.1
    assert against("3 Tage", "fast eine Woche").open
    assert against().open


@pytest.mark.parametrize("name", ["exact", "label", "exact-match", "containment"])
def test_what_compares_letters_knows_every_language(name: str) -> None:
    assert not any(similarity.open for similarity in judged(name, "zh", ("三天", "五天"), ("三天", "三天")))


def test_token_overlap_needs_blanks_between_words() -> None:
    assert judged("token-f1", "ja", ("三日かかります", "五日かかります"))[0].open
    assert not judged("token-f1", "de", ("drei Tage", "fünf Tage"))[0].open


def test_a_measure_of_the_users_own_is_asked_about_everything_unless_it_says_otherwise() -> None:
    @measure("mine")
    def mine(reference: str, answer: str) -> float:
        """Mine."""
        return 0.25

    @measure("german", languages=["de"])
    def german(reference: str, answer: str) -> float:
        """German."""
        return 0.25

    try:
        assert [similarity.score for similarity in judged("mine", "zh", ("三天", "五天"))] == [0.25]
        assert [similarity.score for similarity in judged("german", "de", ("Rom", "Paris"))] == [0.25]
        assert judged("german", "en", ("Rome", "Paris"))[0].open
    finally:
        MEASURES.remove("mine")
        MEASURES.remove("german")
