"""French by its folder: what is read, written, asked and judged in it. Every expected text was written by hand."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import mutatis
import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.languages import Language
from mutatis.measures.by_folder import content_words
from mutatis.measures.facts import facts, same_fact
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.by_folder import side_at
from mutatis.text.refusals import is_refusal
from mutatis.text.values import values, whole_value
from mutatis.transformations.given import given_values
from mutatis.transformations.interruptions import asks_one_thing


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("1 250,50 €", "amount", ("euro", 1250.5)),
        ("1\u202f250 €", "amount", ("euro", 1250.0)),
        ("25 000 personnes", "number", ("count", 25000.0)),
        ("3 euros 50", "amount", ("euro", 3.5)),
        ("soixante-dix-sept euros", "amount", ("euro", 77.0)),
        ("quatre-vingts euros", "amount", ("euro", 80.0)),
        ("quatre vingt dix neuf euros", "amount", ("euro", 99.0)),
        ("vingt et un jours", "duration", ("time", 21 * 86400.0)),
        ("mille deux cents euros", "amount", ("euro", 1200.0)),
        ("deux mille cent vingt euros", "amount", ("euro", 2120.0)),
        ("septante francs", "amount", ("franc", 70.0)),
        ("1er mars 2027", "date", ("date", 2027.0, 3.0, 1.0)),
        ("12/03/2027", "date", ("date", 2027.0, 3.0, 12.0)),
        ("14h30", "time", ("time of day", 870.0)),
        ("14 h 30", "time", ("time of day", 870.0)),
        ("une durée de 1h30", "duration", ("time", 5400.0)),
        ("une visite de 2 h", "duration", ("time", 7200.0)),
        ("une heure et demie", "duration", ("time", 5400.0)),
        ("l'ouverture à trois heures et demie", "time", ("time of day", 210.0)),
        ("la fermeture à dix-huit heures", "time", ("time of day", 1080.0)),
        ("neuf euros cinquante", "amount", ("euro", 9.5)),
        ("les 65 ans et plus", "age", ("age", 780.0)),
        ("samedi", "date", ("weekday", 5.0)),
        ("ma fille a 6 ans", "age", ("age", 72.0)),
        ("12 rue de la Paix", "code", ("code", "12")),
    ],
)
def test_a_value_is_read(text: str, kind: str, key: tuple[object, ...]) -> None:
    [value] = values(f"Il s'agit de ceci : {text}.", "fr")
    assert (value.kind, value.key) == (kind, key)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("1500 m", {"1 500 m", "1,5 km"}),
        ("1,5 l", {"1,5 litre", "1 500 ml"}),
        ("20 euros", {"20 €", "20€", "20 EUR"}),
        ("trois jours", {"3 jours"}),
        ("14h30", {"14 h 30", "14:30"}),
        ("01/03/2027", {"1er mars 2027"}),
        ("2 mars 2027", {"02/03/2027"}),
    ],
)
def test_a_value_is_written_in_other_forms(text: str, forms: set[str]) -> None:
    value = whole_value(text, "fr")
    assert value is not None
    made = {form.text for form in value.forms()}
    assert forms <= made
    assert all((again := whole_value(form, "fr")) is None or again.same(value) for form in made)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("1 250 €", r"\d \d50 €"),
        ("3 euros 50", r"3 euros 50"),
        ("1er mars", r"\d\d? mars"),
        ("01/03/2027", r"\d\d/03/2027"),
    ],
)
def test_another_value_is_written_in_the_same_way(text: str, drawn: str) -> None:
    value = whole_value(text, "fr")
    assert value is not None
    made = {value.other(Random(seed)).text for seed in range(20)}
    assert all(re.fullmatch(drawn, other) for other in made), made


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("Combien coûte l'entrée ?", "combien coûte l'entrée"),
        ("Êtes-vous ouverts le dimanche ?", "si vous êtes ouverts le dimanche"),
        ("À quelle heure ouvrez-vous ?", "à quelle heure vous ouvrez"),
        ("Est-ce que la piscine est chauffée ?", "si la piscine est chauffée"),
        ("Est-ce qu'il y a un bus ?", "s'il y a un bus"),
        ("Qu'est-ce que je dois apporter ?", "ce que je dois apporter"),
        ("Que faut-il apporter ?", "ce qu'il faut apporter"),
        ("Le petit-déjeuner est-il compris ?", "si le petit-déjeuner est compris"),
        ("Puis-je payer par carte ?", "si je peux payer par carte"),
        ("Où vous trouvez-vous ?", "où vous vous trouvez"),
        ("Ai-je droit à une réduction ?", "si j'ai droit à une réduction"),
    ],
)
def test_a_question_becomes_a_clause(question: str, clause: str) -> None:
    edit = TRANSFORMATIONS["indirect-question"]
    made = {edit.apply(question, Random(seed), "fr") for seed in range(12)}
    assert f"J'aimerais savoir {clause}." in made
    assert f"Pouvez-vous me dire {clause} ?" in made


def test_a_weekday_in_the_name_of_a_feast_is_no_value_of_the_user() -> None:
    assert [value.text for value in given_values("Êtes-vous ouverts le lundi ?", "fr")] == ["lundi"]
    assert given_values("Êtes-vous ouverts le lundi de Pâques ?", "fr") == []


def test_the_side_at_a_value_beside_a_limit() -> None:
    """A reply that states a limit first, and then what follows for the user."""
    reply = "Le sauna coûte 12 €. Il est ouvert dès 16 ans, pas le lundi. À 15 ans, on ne peut pas entrer."
    assert side_at("15 ans", reply, "dès 16 ans", "fr") is False
    assert side_at("17 ans", reply, "dès 16 ans", "fr") is None
    assert side_at("16 ans", "Il est ouvert dès 16 ans.", "dès 16 ans", "fr") is None
    assert side_at("16 ans", "Il est ouvert dès 16 ans, donc à 16 ans on peut entrer.", "dès 16 ans", "fr") is True


@pytest.mark.parametrize(
    ("least", "swims", "broken"),
    [(8, True, False), (9, True, True), (8, False, False)],  # right; a boundary off by one; a no for another reason
)
def test_a_reply_goes_by_its_limit(least: int, swims: bool, broken: bool, tmp_path: Path) -> None:
    def pool(message: str) -> str:
        age = int(next(iter(re.findall(r"\d+", message)), 8))
        may = age >= least and swims
        said = f"À {age} ans, un enfant {'peut' if may else 'ne peut pas'} venir seul."
        return f"La piscine est ouverte dès 8 ans. {said}"

    messages = ["Mon fils de 8 ans peut-il venir ?", "Ma fille de 9 ans peut-elle nager ?"]
    cases = mutatis.cases(messages, language="fr")
    run = mutatis.run(pool, cases, ["at-limit"], task="chat", out=tmp_path, settings={"noise_floor": 0})
    assert bool(sum(row.violated for row in run.summary)) is broken


def test_a_correction_says_the_article_again() -> None:
    edit = TRANSFORMATIONS["correct-value"]
    made = {edit.apply("Êtes-vous ouverts le lundi ?", Random(seed), "fr") for seed in range(12)}
    assert all(text.lower().count("le ") >= 2 for text in made), made


def test_no_word_beside_a_hyphen_is_heard_as_another() -> None:
    edit = TRANSFORMATIONS["homophones"]
    assert edit.apply("Est-ce à Lyon ou à Metz ?", Random(1), "fr", share=1.0) == "Est-ce a Lyon où a Metz ?"


@pytest.mark.parametrize(
    "question",
    [
        "En avez-vous en rouge ?",
        "C'est le jour ou la nuit ?",
        "Pouvez-vous m'aider ?",
        "C'est combien l'entrée pour un enfant ?",
        "Que se passe-t-il si je perds la clé ?",
    ],
)
def test_no_clause_is_made_of_what_it_would_break(question: str) -> None:
    assert TRANSFORMATIONS["indirect-question"].apply(question, Random(1), "fr") == question


def test_a_question_keeps_the_blank_before_its_mark() -> None:
    edit = TRANSFORMATIONS["short-question"]
    assert edit.apply("Quel est le prix de l'entrée ?", "fr") == "Le prix de l'entrée ?"


def test_a_word_behind_an_elision_is_a_word() -> None:
    """ "l'entrée" is misspelt, heard and compared as "entrée"; "aujourd'hui" is one word."""
    edit = TRANSFORMATIONS["misspell"]
    assert edit.apply("Combien coûte l'adresse ?", Random(2), "fr", share=1.0).count("l'ad") == 1
    assert edit.apply("l'adresse", Random(2), "fr", share=1.0) != "l'adresse"
    assert set(content_words("L'entrée est chère.", "fr")) == set(content_words("Les entrées sont chères.", "fr"))
    assert set(content_words("Quand livrez-vous ?", "fr")) == set(content_words("Vous livrez quand ?", "fr"))
    assert Language("fr").word_pattern().findall("aujourd'hui") == ["aujourd'hui"]


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("À quelle heure ouvrez-vous le lundi ?", True),
        ("Livrez-vous en Belgique ?", True),
        ("Y a-t-il un parking ?", True),
        ("Le petit-déjeuner est-il compris ?", True),
        ("La piscine est-elle encore ouverte à 19 h ?", True),
        ("Comment venir chez vous en bus ?", True),
        ("Combien coûte-t-il ?", False),
        ("Avez-vous encore une table ?", False),
        ("Peut-on le changer ?", False),
        ("Vous l'avez en rouge ?", False),
        ("Et le samedi ?", False),
        ("J'habite à Lyon. Livrez-vous ?", False),
    ],
)
def test_which_message_is_one_question_that_stands_by_itself(message: str, alone: bool) -> None:
    assert asks_one_thing(message, "fr") is alone


@pytest.mark.parametrize(
    ("reply", "begins"),
    [
        ("Oui, bien sûr.", True),
        ("Tout à fait.", True),
        ("Bien sûr que non.", False),
        ("Non, désolé.", False),
        ("Nous n'acceptons pas les chiens.", False),
        ("Pas de problème, venez quand vous voulez.", True),
        ("Nous ouvrons à 9 h.", None),
    ],
)
def test_yes_and_no(reply: str, begins: bool | None) -> None:
    assert polarity(reply, "fr") is begins


def test_what_a_reply_does() -> None:
    assert is_lost("Je n'ai pas compris votre question.", "fr")
    assert is_lost("Pouvez-vous reformuler votre question ?", "fr")
    assert is_refusal("Je ne peux pas vous répondre sur ce point.", language="fr")
    assert is_refusal("Je ne peux malheureusement pas vous donner cette information.", language="fr")
    assert is_abstention("Je n'ai pas cette information.", "fr")
    assert not is_lost("C'est compris.", "fr")
    assert not is_refusal("Vous ne pouvez pas payer par chèque.", language="fr")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("20 € par nuit", "20 euros la nuit", True),
        ("à 9h30", "à 9 h 30", True),
        ("à 9h30", "à 21h30", False),
        ("dès 9 h", "dès 21 h", False),
        ("1 250 €", "1250 euros", True),
        ("9 € par mois", "9 € mensuels", True),
        ("Un an : 390 €", "L'abonnement annuel coûte 390 €.", True),
        ("du lundi au mercredi", "lundi, mardi et mercredi", True),
        ("12 séances", "valable 1 an", False),
    ],
)
def test_what_two_replies_state(first: str, second: str, same: bool) -> None:
    told, other = (facts(reply, frozenset(), "fr") for reply in (first, second))
    assert told
    assert all(any(same_fact(fact, of_other) for of_other in other) for fact in told) is same
