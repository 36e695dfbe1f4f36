"""The chatbot of the swimming pool Lindenbad, in English."""

from collections.abc import Collection, Sequence

from ..engine import Bot, Reply
from .lexicon import ENGLISH
from .wording import WORDING, show

FAULTS: dict[str, str] = {
    "boundary": "A limit that counts from a value on leaves that very value out (16 is too young for 'from 16').",
    "second_request_lost": "Of several requests in a message only the first is answered.",
    "correction_ignored": "A corrected value does not replace the first one.",
    "number_words": "Numbers written as words are not understood, so that three towels count as one.",
    "gives_in": "Where somebody claims the opposite, the bot agrees and allows what it must not.",
    "negation_deaf": "What the customer excludes with a negation counts as wanted.",
    "holidays_forgotten": "The calendar of public holidays is not looked up, so that they are ordinary days.",
    "month_first": "Dates in figures are read with the month before the day.",
    "thanks_shadow": "A message that ends with thanks is taken as a goodbye, its request is lost.",
    "nearest_offer": "What the pool does not have is answered with the offer whose name looks most alike.",
}
MESSAGES: tuple[str, ...] = (
    "What are your opening hours?",
    "Are you open on Sunday at 7 pm?",
    "When do you open on 05/03/2027?",
    "Is the pool open on Easter Monday?",
    "How much is a day ticket for two adults and three children aged 3, 6 and 9?",
    "What does a student pay?",
    "We are a group of 12 adults, what would the entry cost?",
    "How much is admission for a pensioner and a 14-year-old?",
    "Can my 16-year-old daughter use the sauna?",
    "How much is the sauna and when is it open?",
    "I don't need the sauna, just swimming. What do two adults pay?",
    "My son is 1.15 m tall. Is he allowed on the slide?",
    "From what height can children use the water slide?",
    "What does parking cost for five hours?",
    "Do you have a car park?",
    "I would like to hire three towels, what does that cost?",
    "Can I borrow a bathrobe and a kickboard?",
    "Do you rent out goggles?",
    "I'd like to register my daughter Emma, 6 years old, for the Seahorse course starting on 12 April 2027.",
    "Which swimming course is there for my four-year-old?",
    "Is there a course for adults who want to learn to swim?",
    "When does aqua fitness take place and what does it cost?",
    "From which age can I bring my baby to baby swimming?",
    "Do you offer diving courses?",
    "I have to cancel our course five days before it starts. What will I get charged?",
    "Until when can I cancel a birthday party free of charge?",
    "What does a birthday party for ten children cost?",
    "Please book a birthday party for 8 children on 12 June 2027, the name is Jürgen Becker.",
    "Can we celebrate a birthday with you on a Friday?",
    "How much is the ten-visit card for children?",
    "What does an annual pass cost for an adult?",
    "I want to buy a gift voucher worth 300 euros, is that possible?",
    "Can my 8-year-old son come swimming alone?",
    "May my daughter swim without an adult if she is 9 but can't swim yet?",
    "How warm is the water in the outdoor pool?",
    "How deep is the children's pool?",
    "How many lanes do you have, and when can I swim laps undisturbed?",
    "Can I pay by card?",
    "Do you take 100 euro notes?",
    "I think I left my watch in the changing room yesterday.",
    "Can I bring my dog?",
    "Is a burkini allowed?",
    "Can we bring our own food, and when does the bistro open?",
    "How do I get to you by bus?",
    "My father uses a wheelchair. Is the building accessible?",
    "Am I allowed to take photos of my kids?",
    "What happens if I lose the key to my locker?",
    "How long before closing can I still get in?",
    "I have an ear infection. May I swim?",
    "The showers were dirty today, I want to complain.",
)
BOT = Bot(ENGLISH, WORDING, show)


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answer the last message of a conversation."""
    return BOT.reply(messages, faults, draw)
