"""Classes of replies that the judge of free replies once took for what they are not; each with variants of its own."""

from __future__ import annotations

import pytest

from mutatis.core.measure import Comparison
from mutatis.measures import judge

NOVA = "Do you have the Nova?"
CANCEL = "Can I cancel my order?"
REFUND = "How long does a refund take?"
WARRANTY = "How long is the warranty?"
CLOAKROOM, CELLAR = "Where is the cloakroom?", "the cellar, beside the stairs, and is open until midnight"
PRICE = "How much is the Luma?"

PAIRS = [
    # no negation, and yet a "no"
    (NOVA, "Yes, we have the Nova right here.", "We ran out of the Nova, sorry.", "different"),
    (NOVA, "Yes.", "The Nova is sold out.", "different"),
    (NOVA, "No.", "The Nova is sold out.", "same"),
    (NOVA, "No, the Nova is sold out.", "We ran out of the Nova, sorry.", "not d"),
    (NOVA, "Yes, it is in the shop.", "Sorry, only the Luma is left in the shop, and it is rather small.", "open"),
    ("Is the Nova available?", "Yes, it is available.", "The Nova is out of stock until May.", "different"),
    ("Is the Nova out of stock?", "Yes, it is.", "The Nova is out of stock until May.", "same"),
    # a word of the question, exchanged for another thing
    (CLOAKROOM, "The cloakroom lies in the cellar.", "The cinema lies in the cellar.", "different"),
    (CLOAKROOM, f"The cloakroom lies in {CELLAR}.", f"The cinema lies in {CELLAR}.", "open"),
    (CLOAKROOM, f"The cloakroom lies in {CELLAR}.", f"It lies in {CELLAR}.", "same"),
    ("Where is the shop?", "The shop is in the cellar.", "The store is in the cellar.", "same"),
    # a sentence that takes up the subject and not what was asked of it says neither
    (NOVA, "Yes, we have the Nova right here.", "The Nova is being repaired at the moment.", "open"),
    (NOVA, "Yes.", "We have the Nova in three colours.", "same"),
    ("Did they know whether or not it was over?", "yes", "They knew that it was over.", "same"),
    # the same yes or no, worded anew
    ("Do you have the fan?", "No. We ran out of it.", "Unfortunately no, it is not available now.", "same"),
    ("", "No. We ran out of it.", "Unfortunately no, it is not available now.", "open"),
    ("Is it available in the store?", "Yes, we have the fan right here.", "Yes, the fan is in stock.", "same"),
    ("Can you tell me where it is?", "Yes, in Market Street.", "Yes, behind the station.", "different"),
    ("Do you ship abroad?", "Yes, we ship to Norway.", "Yes, we only ship within the country.", "open"),
    ("Is breakfast included?", "Yes, breakfast is included.", "Sorry for the wait! Breakfast is included.", "same"),
    # words that comfort deny nothing, unless just that is asked
    ("Is breakfast served until 11?", "Yes.", "Breakfast is served no later than 11.", "same"),
    ("Is breakfast served until 11?", "No.", "Breakfast is served no later than 11.", "different"),
    ("Do I have to pay a fee?", "Yes.", "There is no fee.", "different"),
    ("Do I have to pay a fee?", "No.", "There is no fee.", "same"),
    # a negated condition denies nothing
    (CANCEL, "You can cancel as long as it hasn't been dispatched.", "You can cancel only before dispatch.", "not d"),
    (
        CANCEL,
        "You can cancel it as long as the order hasn't been dispatched to you.",
        "You can cancel it, but only before the order has been dispatched to you.",
        "not d",
    ),
    (
        CANCEL,
        "You can cancel it if it has been dispatched, at any time.",
        "You can cancel it if it hasn't been dispatched, at any time.",
        "different",
    ),
    # a shared noun is no agreement
    ("", "I have cancelled your policy.", "Your policy stays active.", "open"),
    # a number that the question says of something else
    ("I spent 500 euros. What do I get?", "You get 500 points.", "You get 57 points.", "different"),
    ("How many points do I get for 500 euros?", "You get 500 points", "57 points", "different"),
    # nothing answered
    (
        "When are you open?",
        "We are open from 9 am to 6 pm, Monday to Saturday.",
        "Hello! How can I help you?",
        "different",
    ),
    ("Hi!", "Hello! How can I help you?", "Hi there. What can I do for you today?", "same"),
    (PRICE, "The Luma costs 49 euros.", "We have no such product.", "different"),
    (PRICE, "It isn't 49 euros any more; ask in the shop.", "We have no such product in our range today.", "open"),
    # two amounts where one was asked for
    (REFUND, "Refunds take 5 working days.", "It takes 15 working days until you get your money.", "different"),
    (WARRANTY, "All our lamps come with a guarantee of 2 years.", "You have 3 years of warranty.", "different"),
    (WARRANTY, "All our lamps come with a guarantee of 2 years.", "You have 24 months of warranty on it.", "not d"),
    (WARRANTY, "All our lamps come with a guarantee of 2 years.", "You have at least 1 year of warranty.", "not d"),
    (
        "Which lamps last?",
        "The Luma, for 2 years in most homes of ours.",
        "The Nova has 3 years of warranty now.",
        "open",
    ),
    # small words in each other's place, also where one reply begins with yes or no
    (
        "Does the insurance pay?",
        "No, the damage is below your deductible.",
        "The damage is above your deductible, so we pay.",
        "different",
    ),
    (
        "Will you pay?",
        "We have looked at it, and the damage is below your deductible.",
        "We have looked at it, and the damage is above your deductible.",
        "different",
    ),
]


@pytest.mark.parametrize(
    ("question", "first", "second", "wanted", "directed"),
    [
        (*pair, directed)
        for pair in PAIRS
        for directed in (False, True)
        # A short annotated answer is no reply: about what stays open between replies answer-equivalence decides then.
        if not (directed and pair[-1] in ("open", "not d"))
    ],
)
def test_a_class_of_replies(question: str, first: str, second: str, wanted: str, directed: bool) -> None:
    measure = judge("free-answers").measure
    for here, other in ((first, second), (second, first)):
        comparison = Comparison(reference=(here,), answer=other, question=question, directed=directed)
        [similarity] = measure.compare([comparison])  # type: ignore[misc]
        said = "open" if similarity.open else "different" if similarity.score < 0.5 else "same"
        assert said == wanted or (wanted == "not d" and said != "different"), similarity
