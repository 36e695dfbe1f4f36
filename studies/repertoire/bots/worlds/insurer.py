"""What the chatbot of an insurer works out: premiums for a year and for several people."""

from ..engine import Asked
from ..replying import Meaning, meant


def premium_year(asked: Asked) -> Meaning:
    """Return what a policy costs a year."""
    return meant("premium_year", policy=asked.known["POLICY"], euros=round(12 * asked.fact("POLICY.euros"), 2))


def premium_for(asked: Asked) -> Meaning:
    """Return what a policy costs for several people."""
    if not asked.reading.numbers:
        return asked.again("premium")
    people = int(asked.reading.numbers[0])
    euros = round(people * asked.fact("POLICY.euros"), 2)
    return meant("premium_for", policy=asked.known["POLICY"], people=people, euros=euros)
