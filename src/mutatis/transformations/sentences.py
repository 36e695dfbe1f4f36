"""Transformations of whole sentences and whole turns, made without a language model."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Annotated

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, EVERY
from mutatis.core.parameters import Within
from mutatis.core.transformation import NO_CHANGE, transformation
from mutatis.languages import Language, listed, needing
from mutatis.text.sentences import split_sentences
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
    if "head" not in turn.fields or "tail" not in turn.fields:
        raise UnusableFollowUp("the turn has no head and tail entity that could be swapped")
    return replace(turn, fields={**turn.fields, "head": turn.fields["tail"], "tail": turn.fields["head"]})
