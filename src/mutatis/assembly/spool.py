"""Cases of large data in a temporary file, so that memory does not grow with their number."""

from __future__ import annotations

import itertools
import pickle
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from mutatis.core.cases import Case
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Source

MANY = 20_000
"""Cases of a block of data that stay in memory."""


class Spool(Sequence[Case]):
    """Cases in a file of our own that nobody else sees; an item is one read."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the spool is forgotten
        weakref.finalize(self, self._file.close)
        self._offsets = array("Q", [0])
        for case in cases:
            self._offsets.append(self._offsets[-1] + self._file.write(pickle.dumps(case, pickle.HIGHEST_PROTOCOL)))

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, place: int) -> Case: ...

    @overload
    def __getitem__(self, place: slice) -> list[Case]: ...

    def __getitem__(self, place: int | slice) -> Case | list[Case]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        number = range(len(self))[place]
        start, end = self._offsets[number : number + 2]
        self._file.seek(start)
        case: Case = pickle.loads(self._file.read(end - start))
        return case

    def __iter__(self) -> Iterator[Case]:
        return (self[number] for number in range(len(self)))


def kept(cases: Iterable[Case], most: int = MANY) -> Sequence[Case]:
    """Return the cases as a list; as a spool where there are more than `most`."""
    stream = iter(cases)
    first = list(itertools.islice(stream, most + 1))
    return first if len(first) <= most else Spool(itertools.chain(first, stream))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Cases that are tested alike: with the relations of their task, by the same systems."""

    cases: Sequence[Case]
    relations: Mapping[str, tuple[MetamorphicRelation, ...]]
    systems: tuple[str, ...] = ()

    def source(self, case: Case) -> Source:
        """Return one of the cases as a source."""
        return Source(case=case, relations=self.relations[case.task], systems=self.systems)


class Sources(Sequence[Source]):
    """The sources of a run, made when they are looked at."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(part.cases) for part in self._parts)

    def __iter__(self) -> Iterator[Source]:
        return (part.source(case) for part in self._parts for case in part.cases)

    @overload
    def __getitem__(self, place: int) -> Source: ...

    @overload
    def __getitem__(self, place: slice) -> list[Source]: ...

    def __getitem__(self, place: int | slice) -> Source | list[Source]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        number = range(len(self))[place]
        for part in self._parts:
            if number < len(part.cases):
                return part.source(part.cases[number])
            number -= len(part.cases)
        raise IndexError(place)
