import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text.abstention import is_abstention, is_negated, polarity
from mutatis.text.refusals import is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "unknown",
        "Unknown.",
        "I don't know.",
        "I don’t know.",
        "I do not know the answer to that.",
        "The text does not say.",
        "The passage doesn't specify who he was.",
        "There is no information about the war.",
        "There isn't any information on this.",
        "It is not mentioned in the passage.",
        "not mentioned",
        "N/A",
        "not enough info",
        "Not sure",
        "I'm sorry, but I couldn't find any information about her.",
        "It cannot be determined from the story.",
        "The question cannot be answered based on the given context.",
        "no answer",
        "unanswerable",
    ],
)
def test_abstentions(text: str) -> None:
    assert is_abstention(text)
    assert not is_refusal(text)
    assert polarity(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "No.",
        "none",
        "",
        "Paris",
        "Unknown Pleasures",
        "The unknown soldier",
        "He does not know",
        "I am not sure, but I think it was Paris.",
        "The text says that he left.",
        "I can't help with that.",
    ],
)
def test_answers_that_are_no_abstention(text: str) -> None:
    assert not is_abstention(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes", True),
        ("yes it does, because it rains", True),
        ("**Yes**, it is.", True),
        ("They did.", True),
        ("No, they did not.", False),
        ("no they didn't", False),
        ("It doesn’t.", False),
        ("He was not", False),
        ("Not really", False),
        ("No one", None),
        ("No. 5", None),
        ("No Country for Old Men", None),
        ("Yes Minister", None),
        ("Paris", None),
        ("", None),
    ],
)
def test_polarity(text: str, expected: bool | None) -> None:
    assert polarity(text) is expected


def test_negation() -> None:
    assert is_negated("It didn’t end")
    assert not is_negated("It is notable")


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_is_judged_without_error(text: str) -> None:
    is_abstention(text)
    polarity(text)
    is_negated(text)
