"""Compares the sets of questions that get a reply, since rewordings of one meaning keep the same company.

"It is in stock" and "We have it right here" have no word in common, but both answer the same questions, about one
product or another. "It is sold out" answers others. Numbers, days and names are ignored, so that questions about
different things count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mutatis.measures.block_reading import BlockReading, Floats, Numbers, ReplyReading

FAINT = 0.05
"""Length of a reply's company vector below which it is not evidence."""

ONE_TEXT = 0.8
"""Nearness from which two texts begin to count as one wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """How much company a reply shares with its siblings, how much they share, and its most common other question."""

    alike: float
    usual: float
    question: int


class Company:
    """The company of each reply in a block: the other questions that get the same wording."""

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading

    def shared(self, said: ReplyReading, place: int, siblings: Numbers) -> Shared | None:
        """Compare the other questions that get a reply and its siblings. Return None if there are too few.

        The question at `place` is left out, since all siblings are replies to it.
        """
        counts = self._counts[siblings].copy()
        counts[:, place] = 0.0
        counts_here = self._counts_of(said)
        counts_here[place] = 0.0
        size, length = np.linalg.norm(counts, axis=1), float(np.linalg.norm(counts_here))
        if length < FAINT or (size >= FAINT).sum() < 2:
            return None
        company = counts[size >= FAINT] / size[size >= FAINT, None]
        among = company @ company.T
        usual = np.median((among.sum(axis=1) - 1) / (len(among) - 1))
        return Shared(
            alike=float((company @ (counts_here / length)).mean()),
            usual=float(usual),
            question=int(counts_here.argmax()),
        )

    @cached_property
    def _counts(self) -> Floats:
        """How often each text, or a similar one, is a reply to each question; shape (texts, questions)."""
        alike = one_text(self._reading.near)
        return np.stack([_mean(alike[:, question.members]) for question in self._reading.questions], axis=1)

    def _counts_of(self, said: ReplyReading) -> Floats:
        if said.number is not None:
            counts: Floats = self._counts[said.number].copy()
            return counts
        alike = one_text(said.near)
        return np.array([_mean(alike[question.members]) for question in self._reading.questions], dtype=np.float32)


def one_text(near: Floats) -> Floats:
    """Return how much two texts count as one wording: 0 up to `ONE_TEXT`, 1 if they are the same."""
    return np.asarray(np.clip((near - ONE_TEXT) / (1 - ONE_TEXT), 0.0, 1.0) ** 2, dtype=np.float32)


def _mean(alike: Floats) -> Floats:
    empty = np.zeros(alike.shape[:-1], dtype=np.float32)
    return np.asarray(alike.mean(axis=-1) if alike.shape[-1] else empty, dtype=np.float32)
