import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text.normalisation import fold, normalise, squad_normalise, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Beatles", "beatles"),
        ("“Smart” quotes – and dashes", "smart quotes and dashes"),
        ("Beyoncé", "beyonce"),
        ("U.S.", "us"),
        ("J. K. Rowling", "jk rowling"),
        ("J.K. Rowling", "jk rowling"),
        ("1,200 people", "1200 people"),
        ("3.5 million", "3.5 million"),
        ("don't", "dont"),
        ("Ｆｕｌｌ width", "full width"),
        ("zero\u200bwidth", "zerowidth"),
        ("北京", "北 京"),
        ("Москва", "москва"),
        ("", ""),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_squad_normalise_is_the_published_one() -> None:
    assert squad_normalise("The U.S.  well-known  a thing!") == "us wellknown thing"


@given(st.text())
def test_tokens_never_fail_and_do_not_depend_on_case_or_outer_space(text: str) -> None:
    assert tokens(text) == tokens(f"  {text}\n")
    if text.isascii():
        assert tokens(text.upper()) == tokens(text)
    assert fold(fold(text)) == fold(fold(fold(text)))


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_lone_surrogates_are_no_error(text: str) -> None:
    tokens(text)
    squad_normalise(text)
