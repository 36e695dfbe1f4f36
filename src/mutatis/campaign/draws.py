"""Inputs that are asked more often than the run itself asks them: under which indices, and which follow-ups.

`[judge] draws` asks sources and follow-ups several times to see what their answers are distributed like. Verdicts know
nothing of it. Must not know what becomes of the answers (`distributions.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.core.cases import Derivation
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.transformation import asks_again

BEHIND = 2
"""Repeat indices between those of the run and those of further answers: of the noise floor, and of confirm."""


def further(repeats: int, number: int) -> range:
    """Return the repeat indices of further answers to an input that the run itself asks `repeats` times.

    Whoever asks an input again takes them from the first on, so that all share the answers.

    >>> list(further(1, 3))
    [3, 4, 5]
    """
    return range(repeats + BEHIND, repeats + BEHIND + max(number, 0))


def shared(repeats: int, draws: int, number: int) -> list[int]:
    """Return the repeat indices under which a source is asked up to `number` times again, whatever else does so.

    Those come first that others ask for as well: further draws, the noise floor and confirm.

    >>> shared(1, 1, 5), shared(1, 3, 5), shared(3, 1, 1)
    ([1, 2, 3, 4, 5], [3, 4, 1, 2, 5], [3])
    """
    drawn = further(repeats, draws - repeats)
    behind = range(drawn.stop, drawn.stop + number)
    return [*drawn, *range(repeats, repeats + BEHIND), *behind][:number]


def indices(derivation: Derivation, relations: Iterable[MetamorphicRelation], *, repeats: int, draws: int) -> list[int]:
    """Return the repeat indices under which a follow-up is asked.

    Beyond those of the run it is drawn where some relation wants the answer to stay. What asks the source again is
    asked once, under the index of the noise floor.
    """
    if asks_again(derivation):
        return [0]
    drawn = any(map(is_drawn, relations))
    return [*range(repeats), *(further(repeats, draws - repeats) if drawn else ())]


def is_drawn(relation: MetamorphicRelation) -> bool:
    """Whether the answers to a relation's follow-ups should be distributed as those to their sources are."""
    return relation.expects == "same" and relation.matching.grouping is Grouping.PAIR
