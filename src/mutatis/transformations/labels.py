"""Things that are told apart by a letter or a number behind their noun: "class B" and "class A2".

Independent of tasks and relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mutatis.core.dictionary import Dictionary
from mutatis.languages import word_set

_LABELLED = re.compile(r"\b(?P<noun>[a-z]{4,}) (?P<label>[A-Z]{1,2}\d?|\d)\b(?![.,:/-]?\d|['\u2019-]\w|\s*%)")
_NUMBERED = frozenset({"category", "class", "zone", "level", "terminal", "tier", "grade", "tariff", "band"})
"""Nouns with numbers behind them; "arrive 5 days later" has none."""

_NO_LABEL = frozenset({"I", "AM", "PM", "OK", "TV", "ID", "EU", "UK", "US", "IT", "PC"})


def _labelled(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the start, noun and label of each thing in a text that has a label."""
    small = word_set("function_words")
    for match in _LABELLED.finditer(text):
        noun, label = match["noun"], match["label"]
        if noun not in small and label not in _NO_LABEL and (noun in _NUMBERED or not label.isdigit()):
            yield match.start(), noun, label


def other_labels(question: str, dictionary: Dictionary) -> list[tuple[int, str, str]]:
    """Return the start and text of the only labelled thing in a question, with each other that the run's texts name.

    >>> from mutatis.core.dictionary import Exchange
    >>> known = Dictionary(exchanges=(Exchange(question="Is class A2 dear?", reply="No, class A1 is dearer."),))
    >>> other_labels("How much is a lesson for class B?", known)
    [(25, 'class B', 'class A1'), (25, 'class B', 'class A2')]
    >>> other_labels("Can I open it from class B to class C?", known)
    []
    """
    standing = list(_labelled(question))
    if len(standing) != 1:
        return []
    [(start, noun, label)] = standing
    known = {
        other
        for exchange in dictionary.exchanges
        for text in (exchange.question, exchange.reply)
        for _, theirs, other in _labelled(text)
        if theirs == noun and other != label
    }
    return [(start, f"{noun} {label}", f"{noun} {other}") for other in sorted(known)]
