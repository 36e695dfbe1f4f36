"""Which names stand in the cases of a block of data, so that edits of words leave them alone.

They are those that the user lists (`[data] names`), and words that the data put side by side again and again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from mutatis.assembly.spool import case_names, shapes
from mutatis.core.cases import NAMES, Case, Turn
from mutatis.core.lazily import MadeWhenAsked
from mutatis.core.search import Shape
from mutatis.text.collocations import collocations, standing_in
from mutatis.transformations.lexicon import word_set
from mutatis.transformations.pieces import protected_spans

SAMPLE = 20_000
"""Cases, evenly spread over a block, in which words that belong together are looked for."""


@dataclass(frozen=True, slots=True)
class BlockNames:
    """The names of a block of data: `said` by the user, `bound` by standing side by side."""

    said: tuple[str, ...]
    bound: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, cases: Sequence[Case], said: Iterable[str]) -> BlockNames:
        """Return the names of a block, from an even sample of its cases."""
        numbers = range(0, len(cases), max(1, -(-len(cases) // SAMPLE)))
        turns = chain.from_iterable(cases[number].turns for number in numbers)
        texts = chain.from_iterable(turn.fields.values() for turn in turns)
        return cls(tuple(name for name in said if name.strip()), collocations(texts, word_set("function_words")))

    def marked(self, case: Case) -> Case:
        """Return the case with the names that stand in each turn."""
        turns = tuple(map(self._marked, case.turns))
        return case if turns == case.turns else replace(case, turns=turns)

    def _marked(self, turn: Turn) -> Turn:
        names = dict.fromkeys(
            name
            for text in turn.fields.values()
            for name in (
                *standing_in(text, self.bound),
                *(text[start:end] for start, end in protected_spans(text, self.said)),
            )
        )
        return replace(turn, annotations={**turn.annotations, NAMES: tuple(names)}) if names else turn


class NamedCases(MadeWhenAsked[Case]):
    """Cases that lie in a file, marked when they are looked at."""

    def __init__(self, cases: Sequence[Case], block: BlockNames) -> None:
        self._cases, self._block = cases, block

    def __len__(self) -> int:
        return len(self._cases)

    def at(self, number: int) -> Case:
        """Return the case with its names."""
        return self._block.marked(self._cases[number])

    def __iter__(self) -> Iterator[Case]:
        return map(self._block.marked, self._cases)

    @property
    def names(self) -> Iterable[int]:
        """`name_of` each case."""
        return case_names(self._cases)

    @property
    def shapes(self) -> Mapping[Shape, tuple[Case, int]]:
        """The first case of each shape, and how many there are."""
        return shapes(self._cases)


def with_names(cases: Sequence[Case], said: Iterable[str]) -> Sequence[Case]:
    """Return the cases of a block with the names that stand in them; cases that lie in a file stay there."""
    block = BlockNames.of(cases, said)
    if not block.said and not block.bound:
        return cases
    return [block.marked(case) for case in cases] if isinstance(cases, list) else NamedCases(cases, block)
