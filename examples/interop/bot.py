"""A shop's bot with a planted fault: who shouts about three of its subjects is told other numbers."""

FACTS = {
    "days": "Delivery takes {} days.",
    "lamp": "The lamp costs {} euros.",
    "return": "You can return it within {} days.",
    "kettle": "The kettle holds {} litres.",
    "chairs": "We have {} chairs in stock.",
    "guarantee": "The guarantee lasts {} years.",
}
NUMBERS = {"days": 3, "lamp": 40, "return": 30, "kettle": 2, "chairs": 14, "guarantee": 5}
FAULTY = {"days", "lamp", "chairs"}


def answer(text: str) -> str:
    """Answer by the first word that the bot knows."""
    known = next((word for word in FACTS if word in text.lower()), None)
    if known is None:
        return "I can tell you about our lamps, kettles and chairs."
    return FACTS[known].format(NUMBERS[known] + 4 * (known in FAULTY and text.isupper()))
