"""Records the correct answer to a follow-up if the edit itself determines it.

The output relations `known-answer` and `abstains` read the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from mutatis.core.cases import EXPECTS, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.languages import Language, word_set
from mutatis.text.sentences import sentences

T = TypeVar("T")
C = TypeVar("C", bound=Sequence[object])

_LETTERS = re.compile(r"[^\W\d_]+")
_LONG_WORD = re.compile(r"\w{4,}")
"""A word that is seldom a function word."""

_FEWEST_WORDS = 5
_LONGEST = 300
"""Maximum length of a sentence in characters."""
_SHORTEST_UNSPACED, _LONGEST_UNSPACED = 12, 100
"""Minimum and maximum length of a sentence in characters, in a language without spaces."""


def knowing(turn: Turn, fields: Mapping[str, str], *answers: str) -> Turn:
    """Return the turn with some fields changed and the new correct answers recorded.

    Passing no answers records that no answer is correct.

    >>> dict(knowing(Turn(fields={"question": "Who?"}), {"question": "Is it so?"}, "yes").annotations)
    {'expects': ['yes']}
    """
    annotations = {**turn.annotations, EXPECTS: list(answers)}
    return replace(turn, fields={**turn.fields, **fields}, annotations=annotations)


def needed(turn: Turn, *names: str) -> tuple[str, ...]:
    """Return the texts of the named fields. Raise UnusableFollowUp if any text is missing or blank.

    >>> needed(Turn(fields={"question": "Who?"}), "question")
    ('Who?',)
    """
    for name in names:
        if not turn.fields.get(name, "").strip():
            raise UnusableFollowUp(f"the turn has no {name} to edit")
    return tuple(turn.fields[name] for name in names)


def one_of(choices: Sequence[T], rng: Random) -> T:
    """Draw one of several choices at random.

    >>> one_of(("a", "b"), Random(1))
    'a'
    """
    return choices[int(rng.random() * len(choices))]


def at_least_one(choices: C, reason: str) -> C:
    """Return the choices if there are any.

    Raises:
        UnusableFollowUp: `choices` is empty. `reason` becomes the error message.
    """
    if not choices:
        raise UnusableFollowUp(reason)
    return choices


def inside(statement: str) -> str:
    """Return a statement for use within a sentence: without its full stop, and with a lower-case first letter.

    A name or "I" at the beginning keeps its capital.

    >>> inside("The man sleeps."), inside("Ada sleeps."), inside("I sleep .")
    ('the man sleeps', 'Ada sleeps', 'I sleep')
    """
    bare = re.sub(r"[\s.!]+\Z", "", statement.strip())
    first = _LETTERS.match(bare)
    small = first is not None and first.group() != "I" and first.group().lower() in word_set("function_words")
    return bare[:1].lower() + bare[1:] if small else bare


def ended(text: str) -> str:
    """Return a text with a full stop at the end, unless it already ends with a punctuation mark.

    >>> ended("A fine day "), ended("A fine day!"), ended("a fine day .")
    ('A fine day.', 'A fine day!', 'a fine day .')
    """
    bare = text.rstrip()
    return f"{bare}." if bare and (bare[-1].isalnum() or bare[-1] in "%)") else bare


def telling_sentences(text: str, language: str = "en") -> list[str]:
    """Return the sentences of a text that make sense on their own. Questions and fragments are left out.

    A sentence needs five words or more, or enough characters in a language without spaces. Very long sentences and
    those with quotation marks are left out, too.

    >>> telling_sentences("So it goes. The tower was built by the river. Who knows what it is for?")
    ['The tower was built by the river.']
    """
    stripped = [sentence.strip() for sentence in sentences(text)]
    unquoted = [sentence for sentence in stripped if '"' not in sentence]
    if not Language(language).spaces:
        return [s for s in unquoted if s.endswith("\u3002") and _SHORTEST_UNSPACED <= len(s) <= _LONGEST_UNSPACED]
    statements = [s for s in unquoted if s[:1].isupper() and s.endswith(".") and len(s) <= _LONGEST]
    return [s for s in statements if len(_LETTERS.findall(s)) >= _FEWEST_WORDS]


def unrelated_to(text: str, stock: Sequence[str], rng: Random) -> str:
    """Draw a sentence of the stock that shares no word of four letters or more with a text.

    Raises:
        UnusableFollowUp: the text is blank, or every sentence shares such a word.

    >>> unrelated_to("Iron rusts.", ["Iron is a metal.", "Bees make honey."], Random(1))
    'Bees make honey.'
    """
    words = {*_LONG_WORD.findall(text.lower())}
    unrelated = [each for each in stock if text.strip() and words.isdisjoint(_LONG_WORD.findall(each.lower()))]
    return one_of(at_least_one(unrelated, "every available sentence is related to the text"), rng)
