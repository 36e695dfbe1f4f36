"""Assigns repeat indices to inputs that are sent more often than the verdicts of a run require.

With `[judge] draws`, sources and follow-ups are sent several times to show the distribution of their answers
(`distributions.py`). Verdicts do not depend on these additional answers.
"""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.core.cases import Derivation
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.transformation import asks_again

BEHIND = 2
"""Number of repeat indices reserved after the run's own: one for the noise floor, one for confirming findings."""


def further(repeats: int, number: int) -> range:
    """Return the repeat indices for further answers to an input that the run itself sends `repeats` times.

    All callers that send an input again use these indices in order, so that they share the answers.

    >>> list(further(1, 3))
    [3, 4, 5]
    """
    return range(repeats + BEHIND, repeats + BEHIND + max(number, 0))


def shared(repeats: int, draws: int, number: int) -> list[int]:
    """Return the repeat indices for sending a source up to `number` more times.

    Indices that the run also uses for other purposes (further draws, the noise floor and confirming) come first, so
    that their answers are shared.

    >>> shared(1, 1, 5), shared(1, 3, 5), shared(3, 1, 1)
    ([1, 2, 3, 4, 5], [3, 4, 1, 2, 5], [3])
    """
    drawn = further(repeats, draws - repeats)
    behind = range(drawn.stop, drawn.stop + number)
    return [*drawn, *range(repeats, repeats + BEHIND), *behind][:number]


def indices(derivation: Derivation, relations: Iterable[MetamorphicRelation], *, repeats: int, draws: int) -> list[int]:
    """Return the repeat indices for sending a follow-up.

    It is sent more often than the run's own `repeats` if some relation expects the answer to stay the same. A follow-up
    that only repeats its source gets index 0, which the caller shifts to the index of the noise floor.
    """
    if asks_again(derivation):
        return [0]
    drawn = any(map(is_drawn, relations))
    return [*range(repeats), *(further(repeats, draws - repeats) if drawn else ())]


def is_drawn(relation: MetamorphicRelation) -> bool:
    """Return True if a relation's follow-ups should get the same distribution of answers as their sources."""
    return relation.expects == "same" and relation.matching.grouping is Grouping.PAIR
