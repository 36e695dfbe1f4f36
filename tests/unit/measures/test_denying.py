"""Yes or no in other words: which side a reply to a yes-no question takes."""

from __future__ import annotations

import pytest

from mutatis.measures.polar import denies, english_side

HOME = "My grandmother can no longer leave the house. Do you deliver books to her?"
NEED = "Do I need an internship?"
REQUIRED = "Is a visa required for Oslo?"
PAY = "Do I have to pay for the late return?"
ALLOWED = "Are bicycles allowed on the ferry?"
INCLUDED = "Is the airport included in the day ticket?"
SEATS = "Are there seats left on the tour?"
ROOM = "Is the room available on 3 June?"


@pytest.mark.parametrize(
    ("asked", "reply", "denied"),
    [
        (NEED, "An internship is optional.", True),
        ("Are you a program?", "I am a program, not a person.", False),
        ("Are you a robot?", "You're chatting with a program, no human.", False),
        ("Are you a chatbot?", "No person, just the bank's chatbot.", False),
        ("May I talk to a person?", "No person, just the bank's chatbot.", True),
        ("Are you a human?", "This is a program, no human.", True),
        ("Is there a fee?", "It is an open house, no fee.", True),
        ("Do I get money back for a delay?", "Sorry about that! You get half of the price.", False),
        ("Do I get money back for a delay?", "Sorry about the delay, there is no money back.", True),
        ("Can I park at your shop?", "You can park at the shop, not in our yard.", False),
        (
            HOME,
            "Gladly: we bring them free of charge to people of 75 and over and to all who cannot leave the house.",
            False,
        ),
        (HOME, "Who is 75 or older, or cannot leave home, gets books delivered for nothing.", False),
        (HOME, "Those who have no card cannot get any.", True),
        (HOME, "We do not deliver to people who can leave the house.", True),
        ("Can you help me?", "I think I can, don't you? What subject?", False),
        (SEATS, "The tour has room, hasn't it?", False),
        (SEATS, "The tour has no seats left, has it?", True),
        (SEATS, "Why don't you look at the page? There are no seats left.", True),
        (NEED, "An internship is not compulsory but voluntary.", True),
        (NEED, "An internship is not optional.", False),
        (NEED, "You can do it without an internship.", True),
        (NEED, "You can't graduate without an internship.", False),
        (NEED, "An internship is compulsory.", False),
        (NEED, "There is no need for an internship.", True),
        (REQUIRED, "Please note that Oslo cannot be visited without a visa.", False),
        (PAY, "The fee is waived.", True),
        (PAY, "It is free of charge.", True),
        (PAY, "There is no fee.", True),
        (PAY, "Yes, 5 euros a week.", False),
        ("Can I pay by card?", "Feel free to use your card.", False),
        ("Can I pay by card?", "Paying by card is free of charge.", False),
        (ALLOWED, "Bicycles are forbidden on the ferry.", True),
        (ALLOWED, "Bicycles are welcome, there is no charge.", False),
        (ALLOWED, "Bringing one is fine: there is no limit.", False),
        (INCLUDED, "You won't need to pay anything extra: the ticket covers the airport.", False),
        (INCLUDED, "The airport is not included.", True),
        ("Is there a reduction for groups?", "Of ten or more of you, one doesn't pay.", False),
        ("Can I cancel my trip?", "You're free to cancel without paying anything.", False),
        (PAY, "You don't pay anything.", True),
        ("Is there a gym?", "We do not have a gym.", True),
        ("Is there a gym?", "There is one, and you don't have to book it.", False),
        ("Has order 6034 been delivered?", "Your mouse, no. 6034: delivered on 2 May.", False),
        ("Has it been delivered?", "No. 2 of 3 are still on their way.", True),
        (INCLUDED, "We are a non-profit company, and the airport is included.", False),
        (INCLUDED, "The airport is included, for non-residents, too.", False),
        ("Is it a non-smoking hotel?", "All rooms are non-smoking.", False),
        ("Can non-members use the gym?", "Non-members are welcome.", False),
        (SEATS, "You're in luck, the tour isn't full yet.", False),
        (SEATS, "The tour is full.", True),
        (ROOM, "On 3 June the room is taken.", True),
        (ROOM, "You can have it if nobody has booked it before you.", False),
        ("Do you pay for a rental car?", "Please don't worry: a rental car is on us.", False),
        ("Can I cancel free of charge?", "You may cancel without a fee.", False),
        ("Can I leave the car after hours?", "You are free to leave it when nobody is there any more.", False),
        ("Are you a robot?", "I am a virtual assistant, not a human being.", False),
        ("Is biology taught in English?", "Lectures are held in French, not in English.", True),
        ("Is biology taught in English?", "Lectures are in English, so no other language is needed.", False),
        ("Do you have another colour?", "There is no other colour.", True),
        ("Do I get money for 14 hours without power?", "For 14 hours without power you get 20 EUR.", False),
        ("Do I get money if the power is out for 14 hours?", "For 14 hours without power you get 20 EUR.", False),
        ("Can I take it without food?", "You can take it without food.", False),
        ("Can I take it without food?", "Do not take it without food.", True),
        ("Can I use the gym?", "Guests without a pass may use the gym, too.", False),
        ("Is breakfast included?", "Breakfast is included. No booking is needed.", False),
        ("Can I pay by card?", "You can pay by card, no cash needed.", False),
        ("Can I pay by card?", "You can pay in cash, no cards are taken.", True),
        ("Do you serve breakfast on Sundays?", "We serve breakfast on weekdays, no meals on Sundays.", True),
        ("Can I bring my dog?", "No pets.", True),
        ("Can I switch my tariff?", "Never mind the term: you may switch your tariff any day.", False),
        ("Is the lift working?", "It is working, but avoid the stairs.", False),
        ("Is a medical check necessary?", "A medical check isn't necessary. The contract begins without it.", True),
        (
            "Can I exchange my ticket two days before?",
            "An exchange is possible until 3 days before. With 2 days to go it is no longer possible.",
            True,
        ),
    ],
)
def test_what_denies(asked: str, reply: str, denied: bool) -> None:
    assert denies(reply, asked) is denied
    if denied:
        assert not english_side(reply, asked)


@pytest.mark.parametrize(
    ("asked", "reply", "affirmed"),
    [
        (NEED, "Yes.", True),
        (NEED, "An internship is compulsory.", True),
        ("Is there a gym at Oak House?", "Residents of Oak House can use a gym.", True),
        (ALLOWED, "Feel free to bring it: bicycles are allowed.", True),
        ("Can I order a box online?", "The box can only be ordered by phone.", False),
        ("May I drive on a race track?", "Driving on a race track is against our terms.", False),
        ("Can I park on the campus?", "Please leave your car elsewhere.", False),
        ("Does the blue line run at night?", "Ferries take over.", False),
        ("I am 29. Is there a student discount?", "The student discount ends at the age of 27.", False),
        ("I am 29. Is there a student discount?", "Yes, the student discount ends at the age of 32.", True),
        ("I am 29. Is there a student discount?", "There is a student discount at 29.", True),
    ],
)
def test_what_neither_denies_nor_says_it_again_does_not_affirm(asked: str, reply: str, affirmed: bool) -> None:
    assert (english_side(reply, asked) is True) is affirmed


def test_an_adverse_effect_affirms_nothing() -> None:
    asked = "Can I take ibuprofen with aspirin?"
    assert not english_side("Ibuprofen with aspirin raises the risk of stomach bleeding.", asked)
    assert english_side(
        "Ibuprofen with aspirin raises the risk of bleeding.", "Does ibuprofen with aspirin raise the risk?"
    )


def test_an_insured_risk_is_no_adverse_effect() -> None:
    assert english_side("Among the risks insured you'll find flooding, so it is covered.", "Is flooding covered?")
