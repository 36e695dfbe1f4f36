"""Finds questions of a block that ask the same: their replies are as near to each other as to themselves.

A reply that resembles the replies to such a question is not misplaced, since they answer its own question, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from mutatis.measures.agreement import AgreedFacts
from mutatis.measures.block_reading import BlockReading, Floats, Numbers

COVERED, SLACK = 0.6, 0.04
"""Share of the replies to each of two questions that must be as near to the other's as to their own, and the slack."""

LOOSE = 0.06
"""How much lower the mean nearness between the replies to two questions may be than within one question."""


class Linking:
    """Links between questions of a block that have the same answer."""

    def __init__(self, reading: BlockReading, agreement: AgreedFacts, again: Sequence[Sequence[int]]) -> None:
        """Link the questions of a block. `again` lists, per question, the duplicates found by `splitting.py`."""
        self._reading, self._agreement, self._again = reading, agreement, again

    @cached_property
    def links(self) -> list[list[int]]:
        """For each question, those that ask the same: they are near, and most replies to each fit the other."""
        links: list[list[int]] = [[] for _ in self._reading.questions]
        for first in range(len(links)):
            for second in range(first):
                near = self._near(first, second) and self._agree(first, second) and self._agree(second, first)
                if near or second in self._again[first]:
                    links[first].append(second)
                    links[second].append(first)
        return links

    def _near(self, first: int, second: int) -> bool:
        questions = self._reading.questions
        if min(len(questions[first].members), len(questions[second].members)) < 2:
            return False
        if min(self._cover(first, second), self._cover(second, first)) >= COVERED:
            return True
        across = float(self._reading.near[np.ix_(self._centres[first], self._centres[second])].mean())
        return across >= (self._within[first] + self._within[second]) / 2 - LOOSE

    def _agree(self, first: int, second: int) -> bool:
        return bool(self._agreement.fit[self._centres[first], second].mean() > 0.5)

    def _cover(self, first: int, second: int) -> float:
        """Return the share of a question's replies that are as near to one of the other's as to one of their own."""
        ours = self._reading.questions[first].members
        return float(np.mean(self._nearest[ours, second] >= self._beside[first] - SLACK))

    @cached_property
    def _nearest(self) -> Floats:
        """Nearness of each text to the nearest reply to each question; shape (texts, questions)."""
        near = self._reading.near
        columns = [near[:, question.members].max(axis=1, initial=0.0) for question in self._reading.questions]
        return np.stack(columns, axis=1)

    @cached_property
    def _beside(self) -> list[Floats]:
        """For each question, the nearness of each reply to the nearest other reply."""
        nearness = []
        for question in self._reading.questions:
            near = self._reading.near[np.ix_(question.members, question.members)]
            np.fill_diagonal(near, -1.0)
            nearness.append(near.max(axis=1, initial=-1.0))
        return nearness

    @cached_property
    def _centres(self) -> list[Numbers]:
        """For each question, the two thirds of its replies that are nearest to the rest."""
        centres = []
        for question in self._reading.questions:
            near = self._reading.near[np.ix_(question.members, question.members)]
            order = np.argsort(-np.median(near, axis=1), kind="stable") if len(near) else np.zeros(0, dtype=np.intp)
            centres.append(question.members[order[: max(2, (2 * len(near) + 2) // 3)]])
        return centres

    @cached_property
    def _within(self) -> list[float]:
        """For each question, the mean nearness of its central replies to one another."""
        nearness = []
        for centre in self._centres:
            near, number = self._reading.near[np.ix_(centre, centre)], len(centre)
            nearness.append(float((near.sum() - np.trace(near)) / (number * (number - 1))) if number > 1 else 1.0)
        return nearness
