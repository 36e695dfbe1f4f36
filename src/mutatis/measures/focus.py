"""Finds the point of an answer: the first clause that adds something to the question.

The point of "The ostrich is the fastest animal on two legs and can reach speeds of 43 miles per hour" is the ostrich.
The rest is detail that a different correct answer need not give.
"""

from __future__ import annotations

import re

from mutatis.measures.answer import Answer, read
from mutatis.measures.words import FUNCTION_WORDS, LIGHT
from mutatis.text.kept_within import kept_within

_LONGEST = 600
_FIRST_SENTENCE = re.compile(r"(?s)\A(.{15,}?[a-z0-9)\"'\u201d]{2}[.!?])(?:\s+[A-Z\"'\u201c]|\s*\n)")
_CLAUSE = re.compile(
    r"[,;:(\n]|\s(?:who|which|that|where|when|while|because|although|but|and|as|with|making|including|since|from|by|in|"
    r"on|at|during|after|before|for|such)\s"
)
_SHORT = 6


def light(stem: str) -> bool:
    """Return True if a stem carries little meaning alone: a function word, a reporting verb or an adverb."""
    return stem in FUNCTION_WORDS or stem in LIGHT or (len(stem) > 5 and stem.endswith("li"))


@kept_within(12_000_000, per_character=40)
def focus(text: str, question: str) -> Answer:
    """Parse the first clause of an answer that goes beyond the question. Short answers are returned whole.

    >>> focus("The ostrich is the fastest animal on two legs, at 43 mph.", "What is the fastest animal?").words
    ('ostrich', 'is', 'fastest', 'animal')
    >>> focus("Rome", "").words
    ('rome',)
    """
    whole = read(text)
    if len(whole.words) <= _SHORT:
        return whole
    if text.isupper():  # clauses are told by small words, sentences by capitals
        text = text.lower()
    match = _FIRST_SENTENCE.match(text[:_LONGEST])
    sentence = match.group(1) if match else text[:_LONGEST]
    asked = read(question).content
    for clause in _CLAUSE.split(sentence):
        answer = read(clause)
        if any(stem not in asked and not light(stem) for stem in answer.stems):
            return answer
    return whole
