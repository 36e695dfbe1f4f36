"""What the chatbot of a travel agency works out: the price for several people."""

from ..engine import Asked
from ..replying import Meaning, meant


def price_for(asked: Asked) -> Meaning:
    """Return the price of a trip for several people."""
    people = int(asked.reading.numbers[0])
    return meant("price_for", city=asked.known["CITY"], people=people, euros=people * asked.fact("CITY.euros"))
