"""Assigns repeat indices to inputs that are asked more often than the run itself asks them.

`[judge] draws` asks sources and follow-ups several times to see the distribution of their answers (`distributions.py`).
Verdicts do not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.core.cases import Derivation
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.transformation import asks_again

BEHIND = 2
"""Repeat indices between the run's own and further answers: for the noise floor, and for confirming."""


def further(repeats: int, number: int) -> range:
    """Return the repeat indices for further answers to an input that the run itself asks `repeats` times.

    Every caller that asks an input again takes these indices from the start, so that all callers share the answers.

    >>> list(further(1, 3))
    [3, 4, 5]
    """
    return range(repeats + BEHIND, repeats + BEHIND + max(number, 0))


def shared(repeats: int, draws: int, number: int) -> list[int]:
    """Return the repeat indices for asking a source up to `number` more times, shared with all callers that do so.

    Indices that others also use come first: further draws, the noise floor and confirming.

    >>> shared(1, 1, 5), shared(1, 3, 5), shared(3, 1, 1)
    ([1, 2, 3, 4, 5], [3, 4, 1, 2, 5], [3])
    """
    drawn = further(repeats, draws - repeats)
    behind = range(drawn.stop, drawn.stop + number)
    return [*drawn, *range(repeats, repeats + BEHIND), *behind][:number]


def indices(derivation: Derivation, relations: Iterable[MetamorphicRelation], *, repeats: int, draws: int) -> list[int]:
    """Return the repeat indices for asking a follow-up.

    It is asked beyond the run's own indices if some relation expects the answer to stay the same. A follow-up that asks
    the source again only gets index 0, which the caller shifts to the index of the noise floor.
    """
    if asks_again(derivation):
        return [0]
    drawn = any(map(is_drawn, relations))
    return [*range(repeats), *(further(repeats, draws - repeats) if drawn else ())]


def is_drawn(relation: MetamorphicRelation) -> bool:
    """Return True if a relation's follow-ups should have the same distribution of answers as their sources."""
    return relation.expects == "same" and relation.matching.grouping is Grouping.PAIR
