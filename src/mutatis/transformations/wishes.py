"""Knows which questions ask for a price, the extras of things, and the statuses that may reduce a price."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mutatis.languages import listed

OF_PRICE = re.compile(
    r"\b(?:how (?:much|expensive) (?:is|are|does|do|would|will)|what (?:do|does|would|will) \w+ (?:pay|charge)"
    r"|costs?|prices?|fees?|fares?|deposit|surcharge)\b",
    re.IGNORECASE,
)
"""Words of a question for a price."""


def asks_price(question: str) -> bool:
    """Return True if a question asks for a price.

    >>> [asks_price(question) for question in ("What do you charge?", "How much is it?", "How much can I bring?")]
    [True, True, False]
    """
    return OF_PRICE.search(question) is not None


REDUCED_STATES = frozenset({"a student", "a pensioner", "a senior", "a member", "a resident"})
"""Statuses that may be added to a question even if only another reply of the run mentions them."""


def is_named_in(word: str, text: str) -> bool:
    """Return True if a text contains the given word."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A status that a customer may claim: the words that show it in a text, its name, and a sentence that denies it."""

    words: tuple[str, ...]
    state: str
    opposite: str

    @property
    def no_longer(self) -> str:
        """A sentence stating that the person no longer has this status, or "" if the status cannot be lost."""
        return f"I'm no longer {self.state}." if self.opposite == f"I'm not {self.state}." else ""


def states_listed() -> Iterator[State]:
    """Yield the statuses that customers may claim."""
    for line in listed("states"):
        words, _, statement = line.partition(": ")
        state, _, opposite = statement.partition(" | ")
        yield State(words=tuple(words.split()), state=state, opposite=opposite or f"I'm not {state}.")


_ASKS_PRICE_OF = (
    r"(?:\bhow (?:much|expensive) (?:is|are|does|do|would|will)|\bwhat (?:does|do|would)"
    r"|\b(?:price|cost|fee|fare)s? (?:of|for)|\bto send) "
    r"(?:(?:an?|the|one|your|\d+|two|three) )?(?:(?!for\b|of\b)[\w-]+ ){0,2}?"
)
"""Pattern for the words before the item whose price is asked for, and up to two words that describe the item."""


def extras_for(question: str) -> tuple[list[str], list[str]]:
    """Return the names of the item whose price is asked for, and the names of its extras.

    >>> extras_for("How much is a single ticket?")
    (['ticket', 'tickets'], ['a seat reservation', 'insurance', 'a car'])
    """
    for line in listed("extras"):
        things, _, extras = line.partition(": ")
        names = [name.replace("_", " ") for name in things.split()]
        if re.search(rf"{_ASKS_PRICE_OF}(?:{'|'.join(names)})\b", question, re.IGNORECASE):
            return names, [word.replace("_", " ") for word in extras.split()]
    return [], []
