"""German by its folder: what is read, written and said in it. Every expected text was written by hand."""

from __future__ import annotations

from random import Random

import pytest

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.languages import Language
from mutatis.text.values import values, whole_value


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("1.250,50 €", "amount", ("euro", 1250.5)),
        ("25.000 Personen", "number", ("count", 25000.0)),
        ("2,5 Prozent", "quantity", ("percent", 0.025)),
        ("5. März 2027", "date", ("date", 2027.0, 3.0, 5.0)),
        ("05.03.2027", "date", ("date", 2027.0, 3.0, 5.0)),
        ("05.03.", "date", ("date", 0.0, 3.0, 5.0)),
        ("14 Uhr 30", "time", ("time of day", 870.0)),
        ("14.30 Uhr", "time", ("time of day", 870.0)),
        ("halb drei", "time", ("time of day", 150.0)),
        ("Viertel vor drei", "time", ("time of day", 165.0)),
        ("einundzwanzig Tage", "duration", ("time", 21 * 86400.0)),
        ("dreihundertfünf Euro", "amount", ("euro", 305.0)),
        ("anderthalb Stunden", "duration", ("time", 5400.0)),
        ("eine Viertelstunde", "duration", ("time", 900.0)),
        ("Samstag", "date", ("weekday", 5.0)),
        ("München", "name", ("name", "münchen")),
    ],
)
def test_a_value_is_read(text: str, kind: str, key: tuple[object, ...]) -> None:
    [value] = values(f"Es geht um {text}, oder?", "de")
    assert (value.kind, value.key) == (kind, key)


@pytest.mark.parametrize(
    ("text", "years"), [("Ich bin 70.", 70), ("für einen 14-Jährigen", 14), ("Sie ist 6 Jahre alt.", 6)]
)
def test_an_age_is_read(text: str, years: int) -> None:
    [value] = values(text, "de")
    assert value.key == ("age", 12.0 * years)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("1500 m", {"1.500 m", "1500m", "1500 Meter", "1,5 km"}),
        ("2 km", {"2km", "2 Kilometer", "2.000 m"}),
        ("20 Euro", {"20 €", "20 EUR", "20€"}),
        ("drei Tage", {"3 Tage"}),
        ("90 Minuten", {"90 Min.", "1,5 Stunden"}),
        ("2 Stunden", {"2 Std.", "120 Minuten"}),
        ("5. März", {"05.03."}),
        ("14 Uhr", {"14:00 Uhr", "14:00"}),
        ("14:30 Uhr", {"14.30 Uhr", "14 Uhr 30", "14:30"}),
        ("1,5 Stunden", {"anderthalb Stunden", "90 Minuten"}),
    ],
)
def test_a_value_is_written_in_other_forms(text: str, forms: set[str]) -> None:
    value = whole_value(text, "de")
    assert value is not None
    made = {form.text for form in value.forms()}
    assert forms <= made
    for form in made:
        again = whole_value(form, "de")
        assert again is None or again.same(value), form


def test_one_is_not_written_in_words() -> None:
    """ "1 Person" is "eine Person", "1 Tag" is "ein Tag": the word depends on the noun."""
    [value] = values("Für 1 Person?", "de")
    assert [form.text for form in value.forms()] == []


def test_english_is_not_german() -> None:
    [english] = values("It costs 1,250.50 EUR.")
    [german] = values("Es kostet 1.250,50 EUR.", "de")
    assert english.same(german)
    assert [values("25.000 Personen", language)[0].size for language in ("en", "de")] == [25.0, 25000.0]


SENT_TOO_EARLY = ("Sorry, zu früh abgeschickt.", "Ups, zu schnell auf Senden gedrückt.")


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("misspell", "Wie lautet die Adresse?", {"Wie lautet die Addresse?", "Wie lautet die Adrese?"}),
        ("homophones", "Seit wann?", {"Seid wann?"}),
        (
            "false-start",
            "Wann hat das Museum auf?",
            {f"Wann hat\n{said} Wann hat das Museum auf?" for said in SENT_TOO_EARLY},
        ),
        ("synonyms-lexicon", "Wie oft fährt er?", {"Wie häufig fährt er?"}),
        ("short-question", "Was ist der Preis für eine Karte?", {"Der Preis für eine Karte?"}),
        ("short-question", "Was ist das Tier, das bellt?", {"Was ist das Tier, das bellt?"}),
        ("synonyms-lexicon", "Wofür wird es verwendet?", {"Wofür wird es verwendet?"}),
        ("synonyms-lexicon", "Was wird benötigt?", {"Was wird benötigt?"}),
        (
            "false-start",
            "Brauche ich einen Termin?",
            {f"Brauche ich\n{said} Brauche ich einen Termin?" for said in SENT_TOO_EARLY},
        ),
        ("indirect-question", "Wann fährt der Zug ab?", {"Wann fährt der Zug ab?"}),
    ],
)
def test_an_edit_of_words(name: str, text: str, made: set[str]) -> None:
    edit = TRANSFORMATIONS[name]
    offered = {"rng": Random(1), "written_in": "de", "share": 1.0}
    arguments = {key: value for key, value in offered.items() if key in edit.wants or key == "share"}
    if "share" not in {parameter.name for parameter in edit.parameters}:
        del arguments["share"]
    assert edit.apply(text, **arguments) in made


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        ("Was kostet eine Karte?", "was eine Karte kostet"),
        ("Kann ich am Montag kommen?", "ob ich am Montag kommen kann"),
        ("Gibt es einen Pool?", "ob es einen Pool gibt"),
        ("In welchem Jahr wurde der Turm gebaut?", "in welchem Jahr der Turm gebaut wurde"),
    ],
)
def test_a_question_becomes_a_clause_with_the_verb_at_its_end(question: str, clauses: str) -> None:
    for seed in range(8):
        said = TRANSFORMATIONS["indirect-question"].apply(question, Random(seed), "de")
        assert said in {lead.format(clauses) for lead in Language("de").ways("leads.formal")}


def test_who_is_addressed_informally_is_answered_so() -> None:
    edit = TRANSFORMATIONS["indirect-question"]
    made = {edit.apply("Wo hast du Filialen?", Random(seed), "de") for seed in range(8)}
    assert "Kannst du mir sagen, wo du Filialen hast?" in made
    assert not any("Sie" in text for text in made)
