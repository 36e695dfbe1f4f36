"""Numbers and genders exchanged alike in all fields."""

import re
from random import Random
from typing import Literal

import pytest

from mutatis.core.cases import Turn
from mutatis.languages import given_names
from mutatis.transformations.exchange import (
    change_names,
    change_numbers,
    change_places,
    exchangeable_numbers,
    put_name,
    swap_genders,
)
from mutatis.transformations.feelings import feelings
from mutatis.transformations.given import exchange_value
from mutatis.transformations.grammar import negation_auxiliary
from mutatis.transformations.pieces import edited
from mutatis.transformations.stated import exchange_stated


def changed(seed: int = 1, **fields: str) -> dict[str, str]:
    return dict(change_numbers(Turn(fields=fields), Random(seed), tuple(fields)).fields)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_number_becomes_the_same_larger_one_in_every_field(seed: int) -> None:
    new = changed(seed, context="In 1973 and 1975, 1,200 men left.", question="Who left in 1973?")
    first, second = (int(m.group()) for m in exchangeable_numbers(new["context"]) if "," not in m.group())
    assert second - first == 2
    assert first > 1973
    assert new["question"] == f"Who left in {first}?"


def test_numbers_that_also_stand_in_something_fixed_stay() -> None:
    text = "Oxygen-18 is heavier than 18, said the 18th of the 1980s at 3.5."
    assert changed(context=text) == {"context": text}
    assert changed(context='He read "Apollo 13".') == {"context": 'He read "Apollo 13".'}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He saw her leave; she took his hat.", "She saw his leave; he took her hat."),
        ("A man hugs her.", "A woman hugs him."),
        ("The men's club", "The women's club"),
        ("We saw Man Ray and Lady Gaga and a guy.", "We saw Man Ray and Lady Gaga and a woman."),
        ("A dog runs.", "A dog runs."),
    ],
)
def test_genders(text: str, expected: str) -> None:
    assert swap_genders(Turn(fields={"text": text}), ("text",)).fields["text"] == expected


@pytest.mark.parametrize("seed", range(6))
def test_names_are_exchanged_alike_and_never_merged(seed: int) -> None:
    fields = {"context": "John, Peter and Mary left St. John's; Mary's son Mark knew john.", "question": "Who is Mary?"}
    new = dict(change_names(Turn(fields=fields), Random(seed), ("context", "question")).fields)
    old_words, words = fields["context"].replace("'", " ").split(), new["context"].replace("'", " ").split()
    table = {a.strip(",;"): b.strip(",;") for a, b in zip(old_words, words, strict=True) if a != b}
    assert set(table) == {"John", "Peter", "Mary"}
    assert len(set(table.values())) == 3
    men, women = given_names()
    assert {table["John"], table["Peter"]} <= set(men)
    assert table["Mary"] in women
    assert new["question"] == f"Who is {table['Mary']}?"
    assert "St. John's" in new["context"]
    assert len(set(men + women)) == len(men) + len(women)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("A charming film.", 1),
        ("A dull mess.", -1),
        ("A charming film with a dull end.", 0),
        ("It could have been funny.", 0),
        ("It is n't funny.", 0),
        ("A film.", 0),
        ("A cold, funny film.", 0),
    ],
)
def test_feelings(text: str, side: int) -> None:
    assert feelings(text).side == side


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it 's a charming film .", "it 's not a charming film ."),
        ("The film is really funny.", "The film is not really funny."),
        ("the film 's funny cast is here", "the film 's funny cast is here"),
        ("It is long, but it is funny.", "It is long, but it is funny."),
        ("It is funny and charming.", "It is funny and charming."),
    ],
)
def test_only_the_polar_clause_is_negated(text: str, expected: str) -> None:
    assert negation_auxiliary(text, where="polar") == expected


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("kind", "context", "question", "place"),
    [
        ("cities", "She left Paris for Rome.", "who left paris?", "paris"),
        ("cities", "she left paris for rome.", "Who left PARIS?", "paris"),
        ("countries", "The French king went to Spain.", "where did the french king go?", "french"),
    ],
)
def test_a_place_in_other_capitals_goes_with_its_text(
    seed: int, kind: Literal["cities", "countries"], context: str, question: str, place: str
) -> None:
    turn = change_places(
        Turn(fields={"context": context, "question": question}), Random(seed), ("context", "question"), kind=kind
    )
    told, asked = (turn.fields[name].replace(".", "").replace("?", "") for name in ("context", "question"))
    new = told.split()[context.casefold().split().index(place)]
    other = asked.split()[question.casefold().strip("?").split().index(place)]
    assert new.casefold() == other.casefold() != place
    assert (other.islower(), other.isupper()) == ("paris" in question or "french" in question, "PARIS" in question)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("cities", {"context": "She left Paris. Parisian food is good.", "question": "Who left?"}),
        ("countries", {"context": "In Warsaw they polish shoes.", "question": "Who polishes?"}),
        ("countries", {"text": "The Indians met in Delhi.", "head": "India", "tail": "Delhi"}),
    ],
)
def test_a_place_stays_where_not_all_of_it_could_be_exchanged(
    kind: Literal["cities", "countries"], fields: dict[str, str]
) -> None:
    assert dict(change_places(Turn(fields=fields), Random(1), tuple(fields), kind=kind).fields) == fields


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("I am James' brother.", "Joseph", "I am Joseph's brother."),
        ("I am James\u2019 brother.", "Joseph", "I am Joseph\u2019s brother."),
        ("I am James' brother.", "Thomas", "I am Thomas' brother."),
        ("I am James's brother.", "Joseph", "I am Joseph's brother."),
        ("Put James' 5 bags there.", "Joseph", "Put Joseph's 5 bags there."),
        ("The play 'Saint James' is on.", "Joseph", "The play 'Saint Joseph' is on."),
        ("The team of 'James', please.", "Joseph", "The team of 'Joseph', please."),
    ],
)
def test_a_possessive_takes_the_form_of_the_new_name(text: str, other: str, expected: str) -> None:
    name = re.search("James", text)
    assert name is not None
    assert edited(text, [put_name(text, name, other)]) == expected


def test_all_that_exchange_names_write_possessives_right() -> None:
    text = "My friend James lost James' card."
    turn = Turn(fields={"message": text})
    made = [dict(change_names(turn, Random(seed), ("message",)).fields)["message"] for seed in range(20)]
    once = Turn(fields={"text": "We found James' card."})
    made += [exchange_stated(once, Random(seed), ("text",)).fields["text"] for seed in range(20)]
    assert all("James" not in text for text in made)
    assert any("'s card" in text for text in made)
    assert not any(re.search(r"[^s]' card", text) for text in made)


@pytest.mark.parametrize("kind", ["weekday", "date"])
def test_a_day_of_the_week_beside_its_date_is_not_exchanged(kind: str) -> None:
    """ "Wednesday, 14 November" contradicts itself where the 14th is a Saturday."""
    for text in ("What is on on Saturday, 14 November?", "A table on 14 November (Saturday)?", "On Saturday the 14th?"):
        turn = Turn(fields={"message": text})
        assert exchange_value(turn, Random(1), ("message",), kind=kind) == turn  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("Is the pool open on Easter Monday?", False),
        ("What do you sell on Black Friday?", False),
        ("Is the pool open on Monday?", True),
        ("On Monday, are you open?", True),
        ("IS THE POOL OPEN ON MONDAY?", True),
    ],
)
def test_a_weekday_in_the_name_of_a_feast_is_not_exchanged(text: str, changes: bool) -> None:
    """There is no Easter Tuesday."""
    turn = Turn(fields={"message": text})
    assert (exchange_value(turn, Random(1), ("message",), kind="weekday") != turn) is changes
