"""Parts of the transformations of dialogues: their decorator for English, and the changes to the order of rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from mutatis.core.cases import NEW, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.transformations.known import one_of

Rounds = tuple[int, ...]
Moved = Sequence[int | tuple[int, Turn]]
"""The order of a dialogue: indices of its turns, each alone or with a turn in its place, or `NEW` with a new turn."""

JUDGED = "judged"
"""Annotation of the turns that relations on dialogues judge."""

conversation = partial(transformation, level="dialogue", languages=ENGLISH)
"""Decorator that registers a function as a transformation of English dialogues."""


def turn_of(turn: Turn, text: str, **noted: object) -> Turn:
    """Return a turn with a new text in its first field and with annotations added."""
    fields = {**turn.fields, next(iter(turn.fields)): text}
    return replace(turn, fields=fields, annotations={**turn.annotations, **noted})


def judged_after(
    rounds: Rounds, turns: Sequence[Turn], place: int, said: Sequence[str], asked: str, **noted: object
) -> Moved:
    """Return a dialogue with new messages instead of the turn at `place`. The last message is judged.

    Later turns are dropped. `asked` is the judged message, and `noted` its annotations.
    """
    turn = turns[place]
    before = ((NEW, Turn(fields=turn_of(turn, text).fields)) for text in said)
    return [*rounds[:place], *before, (rounds[place], turn_of(turn, asked, **{JUDGED: True, **noted}))]


def asked_instead(rounds: Rounds, turns: Sequence[Turn], text: str | None, **noted: object) -> Moved:
    """Return the dialogue with a new last message to be judged, or unchanged if `text` is None."""
    return rounds if text is None else judged_after(rounds, turns, len(turns) - 1, [], text, **noted)


def only_turn(turns: Sequence[Turn]) -> Turn:
    """Return the only turn of a dialogue.

    Raises:
        UnusableFollowUp: there are several turns, which may depend on each other.
    """
    if len(turns) > 1:
        raise UnusableFollowUp("the case is already a dialogue; only single questions are combined")
    return turns[0]


def asked_after(rounds: Rounds, turns: Sequence[Turn], said: Sequence[str], asked: str, **noted: object) -> Moved:
    """Return a single question as a dialogue: some messages, and then the one to be judged.

    Raises:
        UnusableFollowUp: there are several turns, which may depend on each other.
    """
    only_turn(turns)
    return judged_after(rounds, turns, 0, said, asked, **noted)


def drawn_place(turns: Sequence[Turn], rng: Random, fits: Callable[[str], bool]) -> int | None:
    """Draw one of the turns whose question fits, and return its place, or None if no question fits."""
    places = [place for place, turn in enumerate(turns) if fits(turn.question)]
    return one_of(places, rng) if places else None


def as_judged(turn: Turn) -> Turn:
    """Return a turn marked for relations that judge the course of a dialogue."""
    return replace(turn, annotations={**turn.annotations, JUDGED: True})
