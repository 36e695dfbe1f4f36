"""Transformations of whole sentences and whole turns, made without a language model."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Annotated

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, EVERY, is_english
from mutatis.core.parameters import Within
from mutatis.core.transformation import NO_CHANGE, as_a_whole, transformation
from mutatis.languages import Language, listed, needing
from mutatis.text.sentences import QUESTION_MARKS, sentences, split_sentences
from mutatis.transformations.interruptions import points_back, refers_back
from mutatis.transformations.known import needed
from mutatis.transformations.pieces import picked, picks

_FULL_STOP = re.compile(r"(?<!\.)\.(?=[\"')\]\u201d\u2019]*\s*\Z)")
"""A single full stop at the end of a sentence, also inside closing quotation marks or brackets."""


@transformation(NO_CHANGE, capability="repeatability", says="nothing changed", languages=EVERY)
def no_change(text: str) -> str:
    """Leave everything unchanged. Asking again measures how much a system's answers vary on their own.

    >>> no_change("How was the weather?")
    'How was the weather?'
    """
    return text


@transformation(
    "shuffle-sentences",
    capability="order of sentences",
    says="the sentences in another order",
    languages=needing("function_words"),
)
def shuffle_sentences(text: str, rng: Random) -> str:
    """Shuffle the sentences of the text. The spaces between sentences remain where they are.

    >>> shuffle_sentences("It rained. We stayed in. Nobody minded.", Random(1))
    'It rained. Nobody minded. We stayed in.'
    """
    pieces = split_sentences(text)
    texts = [piece.text for piece in pieces if piece.text]
    if len(set(texts)) < 2:
        return text
    shuffled = texts
    while shuffled == texts:
        shuffled = [texts[i] for i in picks(rng, len(texts))]
    following = iter(shuffled)
    return "".join((next(following) if piece.text else "") + piece.space for piece in pieces)


@transformation(
    "random-sentence",
    capability="added text",
    says="unrelated sentences added at the end",
    languages=needing("sentences"),
)
def random_sentence(text: str, rng: Random, written_in: str = "en", *, count: Annotated[int, Within(0, 20)] = 1) -> str:
    """Append random, unrelated sentences from the package's own list.

    >>> random_sentence("Who wrote the play?", Random(1))
    'Who wrote the play? Two herons stand at the edge of the pond.'
    """
    drawn, gap = picked(rng, listed("sentences", written_in), count), Language(written_in).gap
    body = text.rstrip()
    return gap.join([body, *drawn] if body else drawn) if drawn else text


@transformation(
    "exclamation", capability="emphasis", says="full stops turned into exclamation marks", languages=ENGLISH
)
def exclamation(text: str) -> str:
    """Replace the full stops at the ends of sentences with exclamation marks.

    >>> exclamation("Mr. Low paid 3.50 for it. It was worth it ...  We loved it .")
    'Mr. Low paid 3.50 for it! It was worth it ...  We loved it !'
    """
    return "".join(_FULL_STOP.sub("!", s.text) + s.space for s in split_sentences(text))


@transformation("duplicate", capability="added text", says="the text written {copies} times", languages=EVERY)
def duplicate(text: str, *, copies: Annotated[int, Within(1, 6)] = 2) -> str:
    """Repeat the text so that it occurs `copies` times.

    >>> duplicate("How do I sort a list?")
    'How do I sort a list? How do I sort a list?'
    """
    return " ".join([text] * copies) if text.strip() else text


@transformation(
    "remove-copies", capability="added text", says="the text written once instead of several times", languages=EVERY
)
def remove_copies(text: str) -> str:
    """Reduce a text that occurs two to six times to a single copy, which undoes `duplicate`.

    >>> remove_copies("How do I sort a list? How do I sort a list?")
    'How do I sort a list?'
    """
    for copies in range(6, 1, -1):
        size = (len(text) + 1) // copies - 1  # of one copy: each copy but the last has a space after it
        if size > 0 and any(map(str.isalpha, text)) and " ".join([text[:size]] * copies) == text:
            return text[:size]
    return text


@transformation(
    "swap-entities", level="turn", capability="names and pronouns", says="the two entities exchanged", languages=EVERY
)
def swap_entities(turn: Turn) -> Turn:
    """Swap the head and tail entities of a turn, without changing its text.

    >>> turn = Turn(fields={"text": "Ada married Max.", "head": "Ada", "tail": "Max"})
    >>> dict(swap_entities(turn).fields)
    {'text': 'Ada married Max.', 'head': 'Max', 'tail': 'Ada'}
    """
    head, tail = needed(turn, "head", "tail")
    return replace(turn, fields={**turn.fields, "head": tail, "tail": head})


_FEWEST, _MOST = 2, 6
"""Minimum and maximum number of sentences in a message that are put in a different order."""

_FEWEST_LISTED = 3
"""Minimum number of sentences in a message that people would write as a list."""

_LONGEST = 600


@transformation("as-list", capability="layout", says="its sentences as a list", languages=needing("function_words"))
@as_a_whole
def as_list(text: str, rng: Random) -> str:
    r"""Write each sentence of a short text as an item of a list, with a dash or a number.

    >>> as_list("My card is lost. My bag is lost. What can I do?", Random(1))
    '- My card is lost.\n- My bag is lost.\n- What can I do?'
    """
    parts = [" ".join(part.split()) for part in sentences(text)]
    if not _FEWEST_LISTED <= len(parts) <= _MOST or len(text) > _LONGEST:
        raise UnusableFollowUp("the message does not have three to six sentences, or is too long")
    marks = [f"{number}." for number in range(1, len(parts) + 1)] if rng.random() >= 1 / 2 else ["-"] * len(parts)
    return "\n".join(f"{mark} {part}" for mark, part in zip(marks, parts, strict=True))


def _continues(sentence: str, language: str) -> bool:
    """Return True if a sentence continues an earlier one, or refers to something in it."""
    if is_english(language):
        return points_back(sentence) or re.match(r"\s*(?:and|but|so|or|because)\b", sentence, re.IGNORECASE) is not None
    return Language(language).pattern("goes_on").match(sentence) is not None or refers_back(sentence, language)


@transformation(
    "question-first",
    capability="order of sentences",
    says="the question moved before its introduction",
    languages=needing("speech.patterns.goes_on", "speech.patterns.points_back", "speech.patterns.no_pointer"),
)
@as_a_whole
def question_first(text: str, written_in: str = "en") -> str:
    """Move the question at the end of a message to its beginning, unless the sentences refer to each other.

    >>> question_first("My card is lost. How do I block a card?")
    'How do I block a card? My card is lost.'
    """
    parts = [part.strip() for part in sentences(text)]
    questions = [part for part in parts if part.endswith(QUESTION_MARKS)]
    if not _FEWEST <= len(parts) <= _MOST or questions != parts[-1:]:
        raise UnusableFollowUp("the message does not consist of a few sentences followed by a single question")
    if any(_continues(part, written_in) for part in parts):
        raise UnusableFollowUp("the sentences of the message refer to each other")
    return Language(written_in).gap.join([parts[-1], *parts[:-1]])
