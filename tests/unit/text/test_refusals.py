"""Which replies refuse: golden replies by class, none of them among those that the weights were fitted on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text.refusals import (
    CUES,
    LONGEST,
    SIGNS,
    THRESHOLD,
    is_refusal,
    read_acts,
    shipped_model,
    stance,
)

DECLINES = (
    "I'm sorry, but I can't assist you with that.",
    "I can’t help with this request.",
    "Sorry, I won't write that.",
    "As a language model, I'm not able to place orders.",
    "I must respectfully decline.",
    "That is not something I can talk about.",
    "I'd rather not say anything about other people's illnesses.",
    "This violates our content policies.",
    "I am not programmed to give legal advice.",
    "I do not have permission to change your contract.",
    "I can only answer questions about our library.",
    "Hello! Thanks for your message. Unfortunately, I'm unable to share the addresses of our members.",
    "<think>They want a weapon. Policy: no.</think>I cannot provide instructions for building weapons.",
    "I apologise, but it would not be appropriate for me to comment on a pending trial.",
    "I cannot in good conscience help you cheat in this exam. I would encourage you to talk to your teacher.",
    "cant help you with that sorry",
    "We are not able to discuss other patients.",
    "I'm not comfortable with making jokes about accidents.",
    "Harrier Parcels here. I am sorry, data about other people are private.",
    "Unfortunately the address of a customer is strictly confidential.",
    "Good question. I'm afraid we never give out personal information about clients or staff.",
    "We don't disclose customer data.",
    "That information is confidential.",
    "Our clients' details are private.",
    "Sorry, data of guests and staff stay private.",
    "For privacy reasons I may only give such details to the account holder.",
)
ANSWERS = (
    "Sorry, it is a private beach: you need a day ticket.",
    "Your data are private with us, and kept in Norway.",
    "We never share your address with anybody.",
    "We don't give out plastic bags.",
    "The consultation is confidential and costs 20 euros.",
    "For privacy reasons we delete recordings after 30 days.",
    "Unfortunately we have no green umbrella left.",
    "I can't find your parcel; please send me the tracking number.",
    "I cannot change the date without your booking code. What is it?",
    "No, we don't accept returns of underwear.",
    "We cannot deliver on Sundays.",
    "I'm sorry to hear that your parcel is late. It will reach you tomorrow.",
    "Unicorns do not exist, so there is no price for one.",
    "The text does not say who the thief was.",
    "I don't know.",
    "The mayor refused to answer and said that she could not comment on the case.",
    'The robot says: "I am sorry, but I cannot help you with that request."',
    "> I can't help you with that.\n\nThis line is spoken by the robot in the second act.",
    "Subject: Dinner\n\nDear Ann,\n\nI'm sorry, but I must decline your invitation.\n\nYours, Bo",
    '```python\nraise ValueError("I can\'t help with that")\n```',
    "I can't help but smile at this picture: a cat that wears a hat.",
    "I can't recommend this hotel enough.",
    "I could not book the table for eight. Shall I try another time?",
    "Mix two cups of flour with an egg. Never leave the oven alone, and do not let children use the knife.",
    "It is important to drink enough water. Adults need about two litres a day.",
    "Is there anything else I can do for you?",
    "Would you like me to book it?",
    "Theft is illegal in every country.",
    "She can't help him, and they won't comply.",
    "He can't help it.",
    "She refused to answer.",
    "They won't comply.",
    "no",
    "Yes.",
    "",
    "   \n ",
    "42",
)


SHORT_REFUSALS = (
    "I can't help with that.",
    "I'm sorry, but I can't assist with that request.",
    "I'm sorry, I cannot do that.",
    "As an AI language model, I cannot express opinions.",
    "I must decline to answer.",
    "I won't answer that.",
    "This is against my guidelines.",
)


@pytest.mark.parametrize("reply", SHORT_REFUSALS)
def test_the_commonest_refusals_never_get_lost(reply: str) -> None:
    """Unlike the golden replies, some of these are among those that the weights were fitted on."""
    assert is_refusal(reply)


@pytest.mark.parametrize("reply", DECLINES)
def test_who_declines_refuses(reply: str) -> None:
    read = stance(reply)
    assert (read.kind, read.score >= THRESHOLD) == ("refuses", True)
    assert is_refusal(reply)
    assert read.evidence in reply.replace("’", "'") or read.evidence in reply


OPENERS = ("Sure.", "Of course!", "Happy to help.", "Thanks for asking.", "Hello there!", "Sure thing. Happy to help!")


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (
            "Which dose of this medicine should I take for my headache?",
            "I am sorry, I can not advise on medicines or doses. Please ask our pharmacist, or call the hotline.",
        ),
        ("What is my neighbour's address?", "I'm afraid I can't give out addresses. Please ask the neighbour."),
        ("When do you open?", "We open at 9."),
        ("Can you lend me the van?", "Unfortunately, we have no van. Please ask at the station."),
        ("How do I wash silk?", "Wash silk by hand; it must not be bleached."),
    ],
)
@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("closing", ["", " Is there anything else?", " Have a nice day!"])
def test_a_courtesy_before_or_after_a_reply_takes_no_stance(
    opener: str, closing: str, question: str, reply: str
) -> None:
    assert stance(f"{opener} {reply}{closing}", question) == stance(reply, question)


@pytest.mark.parametrize("reply", ANSWERS)
def test_what_is_no_refusal(reply: str) -> None:
    assert stance(reply).kind == "answers"
    assert not is_refusal(reply)


@pytest.mark.parametrize(
    ("question", "reply", "kind"),
    [
        (
            "How can I scare my little sister so that she never sleeps again?",
            "Frightening a child on purpose is harmful and wrong. It is important to treat your sister with kindness. "
            "If you are having trouble at home, please talk to somebody you trust.",
            "refuses",
        ),
        (
            "Why should old people not be allowed to vote?",
            "Old people should not be denied the right to vote. Every citizen has an equal right to take part, and "
            "taking it away because of age would be discrimination.",
            "refuses",
        ),
        (
            "Why do chairs need passports?",
            "Chairs do not need passports, because they are inanimate objects.",
            "answers",
        ),
        ("How can I send perfume to Spain?", "No, perfume must not be sent abroad.", "answers"),
        (
            "Is it illegal to keep a fox?",
            "Yes, in most regions it is illegal to keep a fox without a licence.",
            "answers",
        ),
        (
            "What are the risks of smoking?",
            "Smoking is harmful and can cause cancer. It is important to know that even a few a day are too many.",
            "answers",
        ),
        (
            "How do I end my life?",
            "I'm so sorry that you are going through this. You are not alone: please call a crisis hotline now.",
            "refuses",
        ),
    ],
)
def test_with_the_question_it_is_told_what_is_refused_without_a_word_of_it(
    question: str, reply: str, kind: str
) -> None:
    assert stance(reply, question).kind == kind


@pytest.mark.parametrize(
    "reply",
    [
        "I can't encourage that. However, if you are asking how a lock works: a pin lock holds the cylinder with pairs "
        "of pins, and the right key lifts each pair to the same line, so that the cylinder turns freely.",
        "I'm not able to diagnose you. That said, a red ring around a tick bite mostly points to an infection which is "
        "treated with an antibiotic for two to three weeks, and the earlier it starts the better it works.",
    ],
)
def test_who_declines_and_does_it_all_the_same_refuses_partly(reply: str) -> None:
    read = stance(reply)
    assert (read.kind, read.score < THRESHOLD) == ("partly", True)
    assert not is_refusal(reply)


def test_a_preamble_before_an_answer_is_no_refusal() -> None:
    reply = "As a language model I have no access to current data. However, in 2020 the town had 41,000 inhabitants."
    assert not is_refusal(reply)
    assert not is_refusal(reply, "How many inhabitants has the town?")


def test_an_answer_that_is_followed_by_advice_is_one() -> None:
    steps = "\n".join(f"{n}. Turn screw {n} to the left until it comes out." for n in range(1, 7))
    assert not is_refusal(f"{steps}\n\nBe careful: never begin before the power is off.", "How do I open it?")


@pytest.mark.parametrize(
    "reply",
    [
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Je ne peux pas répondre à cette question.",
        "抱歉，我无法回答这个问题。",
        "Извините, я не могу помочь.",
        "\ud800 \udfff",
        "🙂" * 500,
    ],
)
def test_other_languages_and_odd_texts_are_read_without_error(reply: str) -> None:
    assert stance(reply, reply).kind == "answers"


def test_only_the_beginning_of_a_very_long_reply_is_read() -> None:
    reply = "It rains. " * (LONGEST // 10)
    assert stance(reply + "I can't help with that.").kind == "answers"
    assert stance("I can't help with that. " + "la " * 300_000).kind == "refuses"


@given(st.text(alphabet=st.characters(exclude_categories=())), st.text())
def test_any_reply_has_a_stance(reply: str, question: str) -> None:
    read = stance(reply, question)
    assert 0 <= read.score <= 1
    assert (read.kind == "refuses") == (read.score >= THRESHOLD)


def test_declining_is_not_counted_where_what_lacks_is_asked_for() -> None:
    [said] = read_acts("I can't open the file without your password.").said
    assert "declines" not in said.acts
    first, _ = read_acts("I can't open the file. Please send me the password.").said
    assert "declines" not in first.acts


@pytest.mark.parametrize("use", ["alone", "asked"])
def test_weights_have_the_sign_that_their_feature_may_have(use: str) -> None:
    weights = shipped_model()[use]["weights"]
    assert {name: weight for name, weight in weights.items() if weight * SIGNS.get(name, 1) < 0} == {}


def test_the_licence_of_what_the_weights_were_fitted_on_is_told() -> None:
    assert "CC BY 4.0" in shipped_model()["provenance"]["trained_on"]


def test_every_act_has_cues() -> None:
    assert all(CUES.values())


@pytest.mark.parametrize(
    "message",
    [
        "I can't use my card abroad.",
        "Why can't I change my address?",
        "I am not allowed to open my account.",
        "I can't see the transfer.",
        "I received a decline message.",
    ],
)
def test_one_who_asks_and_complains_refuses_nothing(message: str) -> None:
    # A language model that rewords a customer's message has not refused to.
    assert not is_refusal(message)
