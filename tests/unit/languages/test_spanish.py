"""Spanish by its folder: what is read, written, asked and judged in it. Every expected text was written by hand."""

from __future__ import annotations

from random import Random

import pytest

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.measures.facts import facts, same_fact
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.by_folder import side_in
from mutatis.text.refusals import is_refusal
from mutatis.text.values import values, whole_value


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("1.250,50 €", "amount", ("euro", 1250.5)),
        ("25.000 personas", "number", ("count", 25000.0)),
        ("5 de marzo de 2027", "date", ("date", 2027.0, 3.0, 5.0)),
        ("05/03/2027", "date", ("date", 2027.0, 3.0, 5.0)),
        ("las tres y media", "time", ("time of day", 210.0)),
        ("las tres menos cuarto", "time", ("time of day", 165.0)),
        ("las 3 de la tarde", "time", ("time of day", 900.0)),
        ("treinta y dos días", "duration", ("time", 32 * 86400.0)),
        ("dos mil quinientos euros", "amount", ("euro", 2500.0)),
        ("hora y media", "duration", ("time", 5400.0)),
        ("sábado", "date", ("weekday", 5.0)),
        ("los sábados", "date", ("weekday", 5.0)),
        ("Madrid", "name", ("name", "madrid")),
        ("mi hija, que tiene 6 años", "age", ("age", 72.0)),
    ],
)
def test_a_value_is_read(text: str, kind: str, key: tuple[object, ...]) -> None:
    [value] = values(f"Se trata de {text}.", "es")
    assert (value.kind, value.key) == (kind, key)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("1500 m", {"1.500 m", "1,5 km"}),
        ("20 euros", {"20 €", "20 EUR"}),
        ("tres días", {"3 días"}),
        ("14:30", {"14:30 h"}),
        ("5 de marzo de 2027", {"05/03/2027"}),
        ("1,5 horas", {"hora y media", "90 minutos"}),
    ],
)
def test_a_value_is_written_in_other_forms(text: str, forms: set[str]) -> None:
    value = whole_value(text, "es")
    assert value is not None
    made = {form.text for form in value.forms()}
    assert forms <= made
    assert all((again := whole_value(form, "es")) is None or again.same(value) for form in made)


def test_a_weekday_in_the_plural_keeps_it() -> None:
    """ "lunes" is singular and plural, "sábado" is not: "los lunes" never becomes "los sábado"."""
    [value] = values("¿Abren los lunes?", "es")
    drawn = {value.other(Random(seed)).text for seed in range(40)}
    assert drawn == {"martes", "miércoles", "jueves", "viernes"}


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("¿Cuánto cuesta la entrada?", "cuánto cuesta la entrada"),
        ("¿Abren los domingos?", "si abren los domingos"),
        ("¿A qué hora abren el lunes?", "a qué hora abren el lunes"),
    ],
)
def test_a_question_keeps_its_order_as_a_clause(question: str, clause: str) -> None:
    edit = TRANSFORMATIONS["indirect-question"]
    made = {edit.apply(question, Random(seed), "es") for seed in range(12)}
    assert f"¿Me puede decir {clause}?" in made
    assert f"Me gustaría saber {clause}." in made
    bare = {edit.apply(question.lstrip("¿"), Random(seed), "es") for seed in range(12)}
    assert not any("¿" in text for text in bare)


def test_no_clause_holds_an_alternative() -> None:
    edit = TRANSFORMATIONS["indirect-question"]
    assert edit.apply("¿Es de día o de noche?", Random(1), "es") == "¿Es de día o de noche?"


@pytest.mark.parametrize(
    ("reply", "begins"),
    [
        ("Sí, claro.", True),
        ("Sí hay sitio.", True),
        ("Por supuesto.", True),
        ("No, lo siento.", False),
        ("No se admiten perros.", False),
        ("No hay problema, venga cuando quiera.", None),
        ("Si tiene reserva, entre por la puerta.", None),
        ("Nosotros abrimos a las 9.", None),
    ],
)
def test_yes_and_no(reply: str, begins: bool | None) -> None:
    assert polarity(reply, "es") is begins


def test_what_a_reply_does() -> None:
    assert is_lost("No he entendido su pregunta.", "es")
    assert is_lost("¿Puede reformular la pregunta?", "es")
    assert is_refusal("No le puedo dar esa información.", language="es")
    assert is_abstention("No tengo información sobre eso.", "es")
    assert not is_lost("Entendido.", "es")
    assert not is_refusal("No se admiten perros.", language="es")


@pytest.mark.parametrize(
    ("language", "first", "second", "same"),
    [
        ("es", "máximo diario 9 €", "como máximo 9 € al día", True),
        ("es", "El agua está a 34 °C.", "El agua está a 34 grados.", True),
        ("es", "a las 9.30 h", "a las 09:30", True),
        ("es", "a las 9:30", "a las 21:30", False),  # hours are counted to 24
        ("es", "a las 9:30 de la noche", "a las 21:30", True),
        ("de", "9 € täglich", "9 € pro Tag", True),
        ("de", "um 9:30 Uhr", "um 21:30 Uhr", False),
        ("de", "um halb 10", "um 9:30 Uhr", True),
    ],
)
def test_what_two_replies_state(language: str, first: str, second: str, same: bool) -> None:
    told, other = (facts(reply, frozenset(), language) for reply in (first, second))
    assert all(any(same_fact(fact, of_other) for of_other in other) for fact in told) is same


def test_a_no_after_another_sentence_leaves_the_side_unclear() -> None:
    assert side_in("Puede ver Macbeth los jueves. No, es demasiado joven para Macbeth.", "es") is None
    assert side_in("Puede ver Macbeth los jueves. Empieza a las 20:00.", "es") is True
