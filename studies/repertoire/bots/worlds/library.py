"""What the chatbot of a town library works out: fines and prints, and its faults."""

from ..engine import Asked
from ..faults import Turn, shouts, told_age
from ..replying import Meaning, changed, flipped, meant, values_of

A_DAY, A_PAGE, A_COLOUR_PAGE = 0.25, 0.1, 0.5


def fine(asked: Asked) -> Meaning:
    """Return the fine for some days."""
    days = int(asked.reading.numbers[0])
    return meant("fine", days=days, euros=f"{A_DAY * days:.2f}")


def print_pages(asked: Asked) -> Meaning:
    """Return the price of some pages."""
    if not asked.reading.numbers:
        return meant("print_price")
    pages, colour = int(asked.reading.numbers[0]), "colour" in asked.reading.concepts
    euros = f"{pages * (A_COLOUR_PAGE if colour else A_PAGE):.2f}"
    return meant("print", pages=pages, colour="colour" if colour else "black and white", euros=euros)


def opposite(meaning: Meaning, _turn: Turn) -> Meaning:
    """Return yes for no; a book that is there is on a shelf, another one due back on a day."""
    wrong = flipped(meaning)
    if meaning[0] != "available":
        return wrong
    return changed(wrong, place="B5" if values_of(wrong)["answer"] else "30 June")


def age_for_count(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a fine or a price worked out from the age that somebody has told."""
    age, told = told_age(turn.message) or 0, values_of(meaning)
    if "days" in told:
        return changed(meaning, days=age, euros=f"{A_DAY * age:.2f}")
    each = A_COLOUR_PAGE if told.get("colour") == "colour" else A_PAGE
    return changed(meaning, pages=age, euros=f"{each * age:.2f}") if "pages" in told else meaning


def title_without_capital(turn: Turn) -> bool:
    """Whether a title is not written with its capitals."""
    titles = turn.reading.names.get("TITLE", ())
    return any(title.removeprefix("The ") not in turn.message and not shouts(turn.message) for title in titles)


def unknown_title(meaning: Meaning, _turn: Turn) -> Meaning:
    """Return that a title is not in the catalogue."""
    return meant("unknown_title") if "title" in values_of(meaning) else meaning
