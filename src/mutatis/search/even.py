"""Chooses follow-ups evenly: sources from each task in turn, and the least used kinds of follow-ups of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from mutatis.core.cases import Derivation
from mutatis.core.gathering import gathered
from mutatis.core.search import Source
from mutatis.search.arms import is_judged_together

BLOCK = 8
"""Number of follow-ups for each visit to a source.

With eight, the source's own answer, which all of them need, is a ninth of the cost.
"""


class _Candidate(NamedTuple):
    """A follow-up that may be asked, with the keys under which its uses are counted."""

    derivation: Derivation
    parts: tuple[tuple[str, ...], ...]


class Visits:
    """Counts how often relations, fields and steps were used, and picks the least used ones next.

    Args:
        random: breaks ties.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._visits: Counter[tuple[str, ...]] = Counter()

    def block(self, source: Source, wanted: Sequence[Derivation]) -> list[Derivation]:
        """Return the follow-ups to ask next, chosen from those that a source has left, and count them as used."""
        block: list[Derivation] = []
        left = [_Candidate(derivation, _parts(source, derivation)) for derivation in wanted]
        self._random.shuffle(left)
        while left and len(block) < BLOCK:
            least_used = min(left, key=lambda candidate: [self._visits[part] for part in candidate.parts])
            chosen = [least_used]
            if is_judged_together(source, least_used.derivation):
                chosen = [candidate for candidate in left if is_judged_together(source, candidate.derivation)]
            for candidate in chosen:
                left.remove(candidate)
                block.append(candidate.derivation)
                self._visits.update(candidate.parts)
        return block


def tasks_in_turn(sources: Sequence[Source], order: Callable[[list[int]], None]) -> Iterator[int]:
    """Yield the numbers of all sources, taking one from each task in turn.

    `order` sorts the numbers of a task in place. They are taken from the end of the sorted list.
    """
    tasks = gathered(range(len(sources)), lambda number: sources[number].task)
    for numbers in tasks.values():
        order(numbers)
    while tasks:
        for task in list(tasks):
            yield tasks[task].pop()
            if not tasks[task]:
                del tasks[task]


def _parts(source: Source, derivation: Derivation) -> tuple[tuple[str, ...], ...]:
    """Return the keys under which a follow-up is counted: relation, fields and steps, from coarse to fine."""
    relation = next((relation.name for relation in source.relations if relation.accepts(derivation.steps)), "")
    fields = (source.task, relation, *derivation.variant)
    steps = (step.transformation for step in derivation.steps)
    return (source.task, relation), fields, (*fields, *steps, str(derivation.draw))
