"""Splits a message into several turns, puts two questions into one, or a question between two turns.

Based on the multi-intent utterances of LAUG, and on the information given over several turns in Lost in Conversation
(Laban et al. 2025).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Annotated, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.parameters import Within
from mutatis.languages import listed
from mutatis.text.sentences import sentences
from mutatis.text.values import vocabulary
from mutatis.transformations.conversation import Moved, Rounds, conversation, drawn_place, judged_after
from mutatis.transformations.interruptions import acts, is_question, points_back, stands_alone
from mutatis.transformations.known import one_of
from mutatis.transformations.values import Slot, values_said

Asides: TypeAlias = Annotated[int, Within(0, 4)]
"""Number of unrelated questions to insert."""

_UNITS = "|".join(word for unit in vocabulary().units.values() for word in (*unit.names, *unit.plurals.values()))
_MEASURES = rf"(?:{_UNITS}|nights?|percents?|times?|half|halves|things?|others?|more|less)"
_NUMBER = rf"(?:\d{{1,3}}|an?|{'|'.join(vocabulary().ones[1:13])})"
_COUNTED = (
    rf"{_NUMBER}\s(?!{_MEASURES}\b)(?:(?!and\b)[a-z-]{{2,}}\s)?(?!{_MEASURES}\b)"
    r"(?:[a-z-]{2,}s|adult|child|children|people|men|women|person)"
)
AND_COUNTED = re.compile(
    rf"(?<![\w.,:/$\u20ac\u00a3-])(?<!between )(?<!from )(?P<first>{_COUNTED})\s+and\s+(?P<second>{_COUNTED})\b"
    r"(?! (?:aged|named|called|under|over|between|who|whose|that|which|with|of|from|and|each)\b)",
    re.IGNORECASE,
)
"""Two things, each with its own number: "two suits and five shirts"."""


_OF_THE_USER = re.compile(r"\b(?:I|I['\u2019](?:m|d|ve)|my|we|our)\b", re.IGNORECASE)
REPLIES = re.compile(r"\s*(?:yes|no|ok|okay|thanks|thank you|sure|great|that|actually|hello|hi|hey)\b", re.IGNORECASE)
"""Words that begin a message in reaction to an earlier one."""

_REQUESTS = re.compile(r"\b(?:like|want|looking|need|needs|please|tell|show|find|give|check|help)\b", re.IGNORECASE)
"""Words for a separate request, which would get an answer of its own."""

_BACK = "Back to what I told you before: {}"
_FEWEST_WORDS_OF_FACTS = 4


_MAY = re.compile(r"\s*(?:can|may|could|must|should|am) (?:I|we|he|she|it|they|my \w+)\b.+\?\s*", re.IGNORECASE)
"""A question for permission: "Can I use it alone?"."""


def told_then_asked(text: str) -> tuple[str, str] | None:
    """Return the facts in a message and the question at its end, or None if it has a different form.

    >>> told_then_asked("I lost my card in Oslo. How do I get a new one?")
    ('I lost my card in Oslo.', 'How do I get a new one?')
    >>> told_then_asked("I am 12 years old. Can I use it alone?"), told_then_asked("I am 12. Can I book it?")
    (('I am 12 years old.', 'Can I use it alone?'), None)
    """
    *statements, asked = sentences(text) or [""]
    facts = " ".join(statements)
    asks = is_question(asked) or (_MAY.fullmatch(asked) is not None and not acts(asked))
    if not asks or any(sentence.endswith("?") for sentence in statements):
        return None
    if len(facts.split()) < _FEWEST_WORDS_OF_FACTS or not _OF_THE_USER.search(facts):
        return None
    return None if REPLIES.match(facts) or _REQUESTS.search(facts) else (facts, asked)


@conversation("say-in-turns", capability="memory", adds=5)
def say_in_turns(rounds: Rounds, rng: Random, turns: tuple[Turn, ...], *, asides: Asides = 0) -> Moved:
    """Split a message into its facts and its question, sent as separate turns with unrelated questions in between.

    >>> turns = (Turn(fields={"message": "I lost my card in Oslo. How do I get a new one?"}),)
    >>> for _, turn in say_in_turns((0,), Random(1), turns, asides=1): print(turn.fields["message"])
    I lost my card in Oslo.
    Something else: what colour is grass?
    Back to what I told you before: How do I get a new one?
    """
    parts = told_then_asked(turns[0].question)  # later turns answer what the bot asked
    if parts is None:
        return rounds
    asked = _BACK.format(parts[1]) if asides else parts[1]
    return judged_after(rounds, turns, 0, [parts[0], *some_asides(rng, asides)], asked)


def some_asides(rng: Random, number: int) -> Sequence[str]:
    """Return some unrelated questions. A smaller number returns the first few of the same questions."""
    stock = listed("asides")
    first = int(rng.random() * len(stock)) if number else 0
    return [stock[(first + i) % len(stock)] for i in range(number)]


_SERVICE_QUESTIONS = (
    "What are your opening hours?",
    "What is your phone number?",
    "Where are you located?",
    "How can I pay?",
)
_ENDS = re.compile(r"[?.!\s]+\Z")
"""The marks at the end of a question."""


@conversation("ask-together", capability="several questions", adds=2)
def ask_together(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask a question, then a common service question, and then both in one message. Later turns are dropped.

    >>> turns = (Turn(fields={"message": "How much is the lamp?"}),)
    >>> for _, turn in ask_together((0,), Random(1), turns): print(turn.fields["message"])
    How much is the lamp?
    How can I pay?
    Sorry, both again, please: How much is the lamp? And how can I pay?
    """
    if (place := drawn_place(turns, rng, _is_single_question)) is None:
        return rounds
    turn, other = turns[place], one_of(_SERVICE_QUESTIONS, rng)
    first = _ENDS.sub("", turn.question.strip())
    both = f"Sorry, both again, please: {first}? And {other[0].lower()}{other[1:]}"
    return judged_after(rounds, turns, place, [turn.question, other], both)


def _is_single_question(text: str) -> bool:
    """Return True if a message is one sentence that asks for one thing."""
    return len(sentences(text)) == 1 and is_question(text) and stands_alone(text)


_ASIDES = (
    "One thing in between: what is your phone number?",
    "Before I go on, what are your opening hours?",
    "Sorry, a quick question in between: where are you located?",
)
_KINDS: tuple[Slot, ...] = ("weekday", "count", "amount", "date", "time", "size")
_CHANGES = re.compile(
    r"\s*(?:no|not|nope|actually|sorry|instead|rather|thanks?|thank you|wait|yes|yeah)\b|[?]"
    r"|\b(?:i (?:heard|read|thought)|are you)\b",
    re.IGNORECASE,
)
"""Words of a turn that does more than add a value: "No, Friday", "I heard it is Friday", "Friday?"."""

_MOST_WORDS = 14


def continues_request(text: str) -> bool:
    """Return True if a turn adds a value to a request, without asking, correcting or referring back to anything.

    >>> [continues_request(t) for t in ("On Friday at 6 pm.", "No, Friday", "And on Friday?", "Order BC-51877.")]
    [True, False, False, True]
    """
    if len(text.split()) > _MOST_WORDS or _CHANGES.search(text) or points_back(text):
        return False
    return re.search(r"\d", text) is not None or any(values_said(text, kind) for kind in _KINDS)


@conversation("ask-between", capability="memory", adds=1)
def ask_between(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask an unrelated question before a turn that continues a request. Later turns are dropped.

    >>> turns = tuple(Turn(fields={"message": text}) for text in ("I need a table.", "On Friday.", "For two people."))
    >>> _, *rest = ask_between((0, 1, 2), Random(1), turns)
    >>> [turn.fields["message"] for _, turn in rest]
    ['Sorry, a quick question in between: where are you located?', 'On Friday.']
    """
    places = [place for place in range(1, len(turns)) if continues_request(turns[place].question)]
    if not places:
        return rounds
    place, aside = one_of(places, rng), one_of(_ASIDES, rng)
    return judged_after(rounds, turns, place, [aside], turns[place].question)
