"""The same question in other words: which questions have other ways, and what stays as it is."""

from __future__ import annotations

import pytest

from mutatis.languages import languages_with
from mutatis.transformations.asking import question_in_other_words


def ways(text: str, language: str = "en") -> set[str]:
    """Return what a text becomes in all draws."""
    return {question_in_other_words(text, draw, language) for draw in range(20)}


@pytest.mark.parametrize(
    ("language", "text", "others"),
    [
        ("en", "How much is a lamp?", {"What does a lamp cost?", "How much do you charge for a lamp?"}),
        ("en", "How much are the lamps?", {"What do the lamps cost?", "How much would the lamps cost?"}),
        ("en", "I am new. What does a bike cost per day?", {"I am new. How much is a bike per day?"}),
        ("en", "Can we bring a dog?", {"May we bring a dog?", "Are we allowed to bring a dog?"}),
        ("en", "Can I speak to Ann?", {"Is it possible to speak to Ann?"}),
        ("en", "Do I have to book?", {"Do I need to book?", "Is it necessary to book?", "Am I required to book?"}),
        ("en", "What are your opening hours on Sundays?", {"When are you open on Sundays?"}),
        ("en", "How old do I have to be to swim?", {"From what age can I swim?", "What is the minimum age to swim?"}),
        ("de", "Wie teuer sind zwei Karten?", {"Was kosten zwei Karten?"}),
        ("de", "Haben Sie einen Parkplatz?", {"Gibt es einen Parkplatz?"}),
        ("es", "¿Cuánto cuestan las entradas?", {"¿Cuánto valen las entradas?", "¿Qué precio tienen las entradas?"}),
        ("fr", "Bonjour. Puis-je payer par carte ?", {"Bonjour. Est-il possible de payer par carte ?"}),
        ("zh", "可以带狗吗？", {"能带狗吗？", "可不可以带狗？"}),
    ],
)
def test_a_question_has_other_ways(language, text, others):
    assert others <= ways(text, language)
    assert text not in ways(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "How much is it?"),
        ("en", "How much is my bill?"),
        ("en", "How much is the fine for a late book?"),
        ("en", "What does a ticket include?"),
        ("en", "How much is a room and do you have parking?"),
        ("en", "Can you help me?"),
        ("en", "Do you accept returns?"),
        ("en", "How much is a lamp. I forgot."),
        ("en", "How much is " + "a very " * 60 + "big lamp?"),
        ("de", "Haben Sie am Ostermontag geöffnet?"),
        ("de", "Was kostet mein Paket?"),
        ("es", "¿Cuánto cuesta anular el viaje?"),
        ("fr", "Combien coûte ma carte ?"),
        ("zh", "这个多少钱？"),
    ],
)
def test_another_way_would_not_ask_the_same(language, text):
    assert ways(text, language) == {text}


def test_a_question_that_hides_the_number_becomes_no_way_that_shows_it():
    assert not {"How much is sheets?", "What does sheets cost?"} & ways("How much do you charge for sheets?")


def test_five_languages_have_ways_to_ask():
    assert languages_with("questions") == ("de", "en", "es", "fr", "zh")
