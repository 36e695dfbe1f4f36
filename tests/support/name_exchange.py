"""A relation of a test's own that draws from the dictionary: two names of one kind must not get one answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mutatis import relation, transformation
from mutatis.core.dictionary import Dictionary
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import TRANSFORMATIONS

EXCHANGE = "exchange-known-name"
"""The name of the relation and of its transformation."""


def others(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return the exchanges of each name in a question for the other names of its kind."""
    choices = [
        {"old": name.text, "new": other.text}
        for kind, name in dictionary.kinds_of(question)
        for other in kind.names
        if other.text != name.text
    ]
    if not choices:
        raise UnusableFollowUp("the question has no name whose kind is known")
    return choices


@contextmanager
def name_exchange_registered() -> Iterator[None]:
    """Register the relation, and remove it at the end."""

    @transformation(EXCHANGE, reads=others)
    def exchange(text: str, *, old: str = "", new: str = "") -> str:
        """Exchange a name for another of its kind."""
        return text.replace(old, new)

    relation(EXCHANGE, output_relation="different", tasks=["chat"], draws=2)
    yield
    RELATIONS.remove(EXCHANGE)
    TRANSFORMATIONS.remove(EXCHANGE)
