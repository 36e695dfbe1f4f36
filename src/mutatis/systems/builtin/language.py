"""Analyses English for the built-in reader: words, chunks of a sentence, and the kind of answer needed.

The analysis is deliberately shallow. It uses the tagger that ships with TextBlob, a stemmer, and word lists.
"""

from __future__ import annotations

import importlib
import re
import threading
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from mutatis.text.segments import stem

_WORD = re.compile(r"\d[\d,.:]*\d|[^\W_]+(?=['’]s\b)|['’]s\b|\w+(?:[-.'’&]\w+)*|[$€£%]|[^\w\s]")
"""Matches a number, a possessive ending, a word with its hyphens and apostrophes, or a single mark."""

_LISTS: dict[str, str] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def shipped_words(name: str) -> frozenset[str]:
    """Return a word list from `words.toml`."""
    return frozenset(_LISTS[name].split())


_STOP = shipped_words("stop")
_PRONOUNS = shipped_words("pronouns")
_AUXILIARIES = shipped_words("auxiliaries")
_NEGATIONS = shipped_words("negations")
_PAIRS = tuple(pair.split("/") for pair in _LISTS["opposites"].split())
_OPPOSITES = {a: b for left, right in _PAIRS for a, b in ((left, right), (right, left))}


class QuestionKind(StrEnum):
    """The kind of answer that a question asks for."""

    PERSON = "person"
    TIME = "time"
    PLACE = "place"
    NUMBER = "number"
    REASON = "reason"
    MANNER = "manner"
    POLAR = "yes or no"
    CHOICE = "one of two"
    ACTION = "action"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence, with its position, part of speech, chunk and stem.

    The chunk is "NP", "VP" or similar, or empty outside chunks.
    """

    text: str
    start: int
    end: int
    tag: str
    chunk: str
    begins: bool
    stem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A parsed question, with the kind of answer it asks for, the stems of its content words, and its head noun.

    `leans` is set if the question refers back to the dialogue.
    """

    asked: QuestionKind
    stems: frozenset[str]
    head: str
    leans: bool
    negated: bool
    choices: tuple[str, str] | None = None


def lower_stem(word: str) -> str:
    """Return the stem of a word in lower case."""
    return stem(word.replace("’", "'"))


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words in a text."""
    words = (match.group() for match in _WORD.finditer(text))
    return frozenset(lower_stem(word) for word in words if word[0].isalnum() and word.lower() not in _STOP)


_LOADING = threading.Lock()


def textblob_function(name: str) -> Callable[..., Any]:
    """Return one of TextBlob's functions, `parse` (its tagger) or `polarity`, with its lexicon loaded.

    One thread loads the lexicon while the others wait. A thread that used a half-loaded lexicon would cache wrong tags
    for the whole run.
    """
    with _LOADING:
        return _loaded(name)


@cache
def _loaded(name: str) -> Callable[..., Any]:
    # The loader leaves a file open, which is not a concern of our users.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        function: Callable[..., Any] = getattr(importlib.import_module("textblob.en"), name)
        function("word")
    return function


@lru_cache(maxsize=4_000)
def tagged_words(sentence: str) -> tuple[Word, ...]:
    """Return the words of a sentence with their positions, tags, chunks and stems."""
    parse = textblob_function("parse")
    matches = list(_WORD.finditer(sentence[:2000]))
    if not matches:
        return ()
    tagged = parse(" ".join(match.group() for match in matches), tokenize=False).replace("\n", " ").split(" ")
    marks = [piece.rsplit("/", 3) for piece in tagged]
    if len(marks) != len(matches) or any(len(mark) != 4 for mark in marks):
        marks = [["", "NN", "O", "O"]] * len(matches)
    result = []
    for match, (_, tag, chunk, _) in zip(matches, marks, strict=True):
        begin, _, kind = chunk.partition("-")
        text = match.group()
        tag = "CD" if text[0].isdigit() else tag  # the tagger mistakes some numbers for prepositions
        result.append(Word(text, match.start(), match.end(), tag, kind, begin == "B", lower_stem(text)))
    return tuple(result)


def carries_content(word: Word) -> bool:
    """Return True if a word is a content word."""
    return word.text[0].isalnum() and word.text.lower() not in _STOP


def holds_negation(text: str) -> bool:
    """Return True if a text contains a negating word."""
    lowered = text.lower().replace("’", "'")
    return "n't" in lowered or any(match.group() in _NEGATIONS for match in _WORD.finditer(lowered))


def opposed(question: frozenset[str], sentence: frozenset[str]) -> bool:
    """Return True if the sentence contains the antonym of a word in the question, but not that word itself."""
    opposites = ((word, _OPPOSITES[word]) for word in question if word in _OPPOSITES)
    return any(lower_stem(other) in sentence and word not in sentence for word, other in opposites)


@lru_cache(maxsize=20_000)
def understand(question: str) -> Question:
    """Parse a question."""
    words = (match.group().lower().replace("’", "'") for match in _WORD.finditer(question))
    lowered = [word for word in words if word[0].isalnum()]
    stems = content_stems(question)
    leans = len(stems) < 2 or any(word in _PRONOUNS for word in lowered)
    asked, head = _asked(lowered)
    choices = None
    if asked is QuestionKind.POLAR and "or" in lowered[2:-1]:
        place = lowered.index("or", 2)
        choices = (lowered[place - 1], lowered[place + 1])
        asked = QuestionKind.CHOICE
    return Question(asked=asked, stems=stems, head=head, leans=leans, negated=holds_negation(question), choices=choices)


_WH = shipped_words("wh")
_NUMBER_HEADS = shipped_words("number_heads")
_TIME_HEADS = shipped_words("time_heads")
_PLACE_HEADS = shipped_words("place_heads")
_PERSON_HEADS = shipped_words("person_heads")
_NUMBER_NOUNS = shipped_words("number_nouns")


def _asked(words_: list[str]) -> tuple[QuestionKind, str]:
    """Return the kind of answer that a question asks for, and the word that narrows it, or "" if none does."""
    wh = next((i for i, word in enumerate(words_) if word in _WH), None)
    first = words_[0] if words_ else ""
    if first in ("and", "but", "so", "then", "well", "or") and len(words_) > 1:
        first = words_[1]
    if first in _AUXILIARIES and (wh is None or wh > 2):
        return QuestionKind.POLAR, ""
    if wh is None:
        return QuestionKind.THING, ""
    word, following = words_[wh], words_[wh + 1] if wh + 1 < len(words_) else ""
    if word in ("who", "whom", "whose"):
        return QuestionKind.PERSON, ""
    if word in ("when", "where", "why"):
        return {"when": QuestionKind.TIME, "where": QuestionKind.PLACE, "why": QuestionKind.REASON}[word], ""
    if word == "how":
        return (QuestionKind.NUMBER if following in _NUMBER_HEADS else QuestionKind.MANNER), following
    return _thing(words_, wh, following)


def _thing(words_: list[str], wh: int, following: str) -> tuple[QuestionKind, str]:
    """Return the kind and the head noun for a question with "what" or "which", whose words may show a narrower kind."""
    rest = words_[wh + 1 :]
    if following in _AUXILIARIES and rest and rest[-1] in ("do", "doing", "done", "happen", "happened"):
        return QuestionKind.ACTION, ""
    heads = rest[:3] if following not in _AUXILIARIES else rest[1:5]
    for names, asked in (
        (_TIME_HEADS, QuestionKind.TIME),
        (_PLACE_HEADS, QuestionKind.PLACE),
        (_NUMBER_NOUNS, QuestionKind.NUMBER),
        (_PERSON_HEADS, QuestionKind.PERSON),
    ):
        for head in heads:
            if head in names:
                return asked, head
    if following in ("type", "types", "kind", "kinds", "sort", "sorts") and rest[1:2] == ["of"]:
        following = next(iter(rest[2:]), "")
    return QuestionKind.THING, following if following not in _AUXILIARIES else ""
