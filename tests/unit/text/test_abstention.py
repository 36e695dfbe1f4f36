import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text.abstention import is_abstention, polarity
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
        ("I'm afraid not: we do not deliver that far.", False),
        ("Unfortunately not; it is closed", False),
        ("Unfortunately not every day.", None),
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


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_is_judged_without_error(text: str) -> None:
    is_abstention(text)
    polarity(text)


ANSWERED_AFTER_ALL = [
    "As an AI language model, I do not have access to real-time data. However, as of 2021, the mayor was Ada Low.",
    "I don't have current information, but as of my last update in September 2021, the mayor of Marbury was Ada Low.",
    "I\u2019m sorry, but I couldn\u2019t find any information about a singer called Ada Lo. However, there is a "
    "singer named Ada Low who sang \u201cThe Boat\u201d in 1990.",
    'I\'m not aware of the "Lowe scale". If you mean the Low scale, it was named after the admiral Ada Low.',
]
NEVER_ANSWERED = [
    "As an AI language model, I do not have access to real-time data. However, you can check the town's own pages.",
    "I don't have access to current information. Please consult a news site for the mayor of Marbury.",
    "I'm sorry, but I couldn't find any information about Ada Lo. However, I can help you with something else.",
    "I'm sorry, but I couldn't find any information about Ada Lo. However, it is not known whether she sang.",
    "I couldn't find any information about Ada Lo. However, could you give me more details about the singer?",
    "The text does not say who sang it. However, the boat in the story is red and belongs to Ada.",
]


@pytest.mark.parametrize("text", ANSWERED_AFTER_ALL)
def test_a_preamble_before_an_answer_is_no_abstention(text: str) -> None:
    assert not is_abstention(text)


@pytest.mark.parametrize("text", NEVER_ANSWERED)
def test_a_turn_without_an_answer_is_still_an_abstention(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Unfortunately no, it is sold out.", False),
        ("I'm sorry, but no.", False),
        ("I'm afraid not.", False),
        ("Unfortunately, the shop is closed.", None),
        ("Sadly, yes.", True),
    ],
)
def test_a_regret_before_yes_or_no(text: str, wanted: bool | None) -> None:
    assert polarity(text) is wanted
