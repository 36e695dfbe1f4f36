"""A refusal beside a reply that denies: both may mean no."""

from __future__ import annotations

import pytest

from mutatis.measures.withheld import REFUSED_HERE, withheld

DENIES = "We have never served breakfast, dogs or cakes."


@pytest.mark.parametrize(
    ("refusal", "reply", "reason"),
    [
        ("I'm sorry, I can't help you with that.", DENIES, REFUSED_HERE),
        ("I'm sorry, I can't help you with that.", "Breakfast is from 7 to 10.", REFUSED_HERE),
        ("I'm sorry, we can't help you with that.", "Breakfast is from 7 to 10.", REFUSED_HERE),
        ("I'm sorry, we can't help you with that.", "No, we have never served any.", None),  # both may say that
    ],
)
def test_a_refusal_beside_a_no_is_left_to_other_rules(refusal: str, reply: str, reason: str | None) -> None:
    similarity = withheld(refusal, reply, "Do you have breakfast?")
    assert (similarity and similarity.reason) == reason


@pytest.mark.parametrize(
    "reply",
    [
        "We do not tell anybody where our guests live.",
        "We never give out addresses.",
        "That is nothing that I would disclose; I won't say more.",
        "Only the guest can tell you that.",
        "Please ask Ms Lee herself.",
        "You should contact her directly.",
    ],
)
def test_two_refusals_in_other_words_are_not_judged_apart(reply: str) -> None:
    for texts in (
        ("I'm sorry, I can't share personal data.", reply),
        (reply, "I'm sorry, I can't share personal data."),
    ):
        similarity = withheld(*texts, "What is the address of Ms Lee?")
        assert similarity is not None
        assert similarity.open or similarity.score >= 0.5


@pytest.mark.parametrize(
    "reply",
    [
        "Ms Lee lives at 14 Mill Lane.",
        "Please call her on 0171 555 201.",
        "Her address is Mill Lane, York.",
        "Yes, gladly.",
    ],
)
def test_a_refusal_beside_an_answer_is_judged_apart(reply: str) -> None:
    similarity = withheld("I'm sorry, I can't share personal data.", reply, "What is the address of Ms Lee?")
    assert similarity is not None
    assert similarity.reason == REFUSED_HERE


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Are you a robot?", "both name the bot"),
        ("Am I talking to a real person?", "both name the bot"),
        ("Can you send a doctor?", REFUSED_HERE),
    ],
)
def test_a_bot_that_is_asked_what_it_is_does_not_refuse_by_its_name(question: str, reason: str | None) -> None:
    similarity = withheld("I'm an AI assistant, not a human being.", "You have reached our computer.", question)
    assert (similarity and similarity.reason) == reason


def test_a_reply_that_does_not_name_the_bot_is_different_from_one_that_does() -> None:
    others = ("Please dial 555 0190.", "No, I am real.", "Yes, sir.", "I am not a bot.", "I am your digital concierge.")
    similarities = [withheld("I am a chatbot.", other, "Are you a chatbot?") for other in others]
    assert [similarity and similarity.score < 0.5 for similarity in similarities] == [True, None, None, True, None]
