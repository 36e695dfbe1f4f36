"""What the chatbot of an electronics shop works out: stock by colour, sums, points, and its faults."""

from ..engine import Asked
from ..faults import Turn, takes_back
from ..forms import enumerated
from ..replying import Meaning, meant, pick, values_of


def stock(asked: Asked) -> Meaning:
    """Return whether a product is in stock, perhaps in a colour."""
    product, colour, back = asked.known["PRODUCT"], asked.reading.name("COLOUR"), asked.fact("PRODUCT.back")
    if colour and colour not in asked.fact("PRODUCT.colours"):
        return meant("no_colour", product=product, colour=colour)
    return meant("stock", product=product, colour=colour, answer=back is None, back=back)


def total(asked: Asked) -> Meaning:
    """Return the price of several pieces."""
    count = _count(asked)
    if not count:
        return asked.again("cost")
    return meant("total", product=asked.known["PRODUCT"], count=count, euros=asked.fact("PRODUCT.euros") * count)


def points_for(asked: Asked) -> Meaning:
    """Return the points for an amount, or for a product."""
    count = _count(asked)
    if count and "PRODUCT" not in asked.reading.concepts:
        return meant("points_for", euros=count, points=count // 10)
    if "PRODUCT" not in asked.known:
        return meant("which_product")
    return meant("points_product", product=asked.known["PRODUCT"], points=asked.fact("PRODUCT.euros") // 10)


def broken(asked: Asked) -> Meaning:
    """Return sympathy for a product that the message names, or for an item."""
    named = "PRODUCT" in asked.reading.concepts
    return meant("broken", product=asked.known["PRODUCT"] if named else "item")


def _count(asked: Asked) -> int | None:
    orders = asked.world.things["ORDER"]
    return next((int(value) for value in asked.reading.numbers if str(int(value)) not in orders), None)


def breaks_off(turn: Turn) -> bool:
    """Whether a sentence begins again."""
    return " - " in turn.message


def until_broken_off(message: str) -> str:
    """Return the beginning of a message that is broken off."""
    return message.split(" - ")[0]


def not_sold(meaning: Meaning, turn: Turn) -> Meaning:
    """Return that something is not sold here, if a word was taken back."""
    return meant("not_sold") if takes_back(turn.message) else meaning


def after_trivia(turn: Turn) -> bool:
    """Whether something was asked before that has nothing to do with the shop."""
    return any(turn.world.read(message).intent == "trivia" for message in turn.messages[:-1])


def forgetting(meaning: Meaning, turn: Turn) -> Meaning:
    """Return a question for the product or order that a message does not name."""
    told, concepts = values_of(meaning), turn.reading.concepts
    if "product" in told and not concepts & {"PRODUCT", "NUMBER"}:
        return meant("which_product")
    return meant("which_order") if "order" in told and "NUMBER" not in concepts else meaning


def also_shown(told: dict[str, object], _values: dict[str, str]) -> dict[str, str]:
    """Return a product with article and colour."""
    colour = f"{told['colour']} " if told.get("colour") else ""
    return {"item": f"the {colour}{told['product']}"} if "product" in told else {}


def both(colours: tuple[str, str], seed: str, _slot: str) -> str:
    """Return two colours in any order."""
    return enumerated(sorted(colours, key=lambda colour: pick(("a", "b"), seed, colour)))
