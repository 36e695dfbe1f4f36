"""Prepares the input of a neural tracker: the words of a dialogue so far, as numbers from a vocabulary.

The words are "system ; user ;" from the first turn to the current one (TRADE, section 2.1). A word that is not in the
vocabulary gets its own number within the dialogue, so that the network can copy it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mutatis.extending import Conversation, fold

T = TypeVar("T")
R = TypeVar("R")

PAD, UNKNOWN, END, BREAK = "<pad>", "<unk>", "<end>", ";"
SPECIAL = (PAD, UNKNOWN, END, BREAK)
LONGEST = 512
"""Maximum number of words read from a dialogue, counted from its end."""

FIELD = "utterance"

_POSSESSIVE = re.compile(r"(?<=\w) ?' ?(?=s\b)")
_WORDS = re.compile(r"\w+(?:[:.]\w+)*|[^\w\s]")


def tokenise(text: str) -> list[str]:
    """Return the words of a text in lower case with possessives joined. Punctuation marks count as words.

    >>> tokenise("Saint John 's college at 17:15, please!")
    ['saint', 'johns', 'college', 'at', '17:15', ',', 'please', '!']
    """
    return _WORDS.findall(_POSSESSIVE.sub("", fold(text)))


def exchanges(conversation: Conversation) -> list[tuple[str, str]]:
    """Return the service's previous reply and the user's words for each turn up to the current one."""
    users = [said(fields) for fields, _ in conversation.history] + [said(conversation.fields)]
    replies = ["", *(reply for _, reply in conversation.history)]
    return list(zip(replies, users, strict=True))


def in_batches(
    items: Mapping[int, T], length: Callable[[T], int], size: int, answer: Callable[[list[T]], Sequence[R]]
) -> dict[int, R]:
    """Return the answer to each item, computed in batches of items of similar length."""
    order = sorted(items, key=lambda place: length(items[place]))
    answers: dict[int, R] = {}
    for first in range(0, len(order), size):
        places = order[first : first + size]
        answers |= zip(places, answer([items[place] for place in places]), strict=True)
    return answers


def said(fields: Mapping[str, str]) -> str:
    """Return the user's words from the fields of a turn.

    They are in the field `utterance`, or else in the last field, because fields with material come first.
    """
    return fields.get(FIELD, next(reversed(list(fields.values())), ""))


def history_words(turns: Sequence[tuple[str, str]]) -> list[str]:
    """Return the last `LONGEST` words of (service, user) turns, with ";" after each utterance.

    >>> history_words([("", "A room."), ("Which day?", "")])
    [';', 'a', 'room', '.', ';', 'which', 'day', '?', ';', ';']
    """
    words = [word for turn in turns for text in turn for word in (*tokenise(text), BREAK)]
    return words[-LONGEST:]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that a network can represent by numbers. The first ones are `SPECIAL`."""

    words: tuple[str, ...]
    numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {word: number for number, word in enumerate(self.words)})

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str]) -> Encoded:
        """Convert the words of a dialogue to numbers, and collect the words that are not in the vocabulary."""
        unknown = self.numbers[UNKNOWN]
        lacking = dict.fromkeys(word for word in words if word not in self.numbers)
        places_of = {word: len(self.words) + place for place, word in enumerate(lacking)}
        return Encoded(
            read=tuple(self.numbers.get(word, unknown) for word in words),
            copied=tuple(places_of.get(word, self.numbers.get(word, unknown)) for word in words),
            lacking=tuple(lacking),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """A dialogue as numbers, one list for reading and one for copying, with the words not in the vocabulary."""

    read: tuple[int, ...]
    copied: tuple[int, ...]
    lacking: tuple[str, ...]

    def word(self, number: int, vocabulary: Vocabulary) -> str:
        """Return the word for a number written by the network."""
        return vocabulary.words[number] if number < len(vocabulary) else self.lacking[number - len(vocabulary)]
