"""Keeps large data in a temporary file, so that memory use does not grow with the number of cases."""

from __future__ import annotations

import itertools
import pickle
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.gathering import MadeWhenAsked
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Shape, Source, SourceKind, name_of, shape_of

MANY = 20_000
"""Maximum number of cases of a block kept in memory."""

TOGETHER = 256
"""Number of cases to read at a time when iterating over all cases."""


class Spool(MadeWhenAsked[Case]):
    """Cases in a private temporary file, read on access.

    While the cases are written, their shapes are counted and their names recorded, because a second pass over a million
    cases would be slow.
    """

    def __init__(self, cases: Iterable[Case]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the spool is forgotten
        weakref.finalize(self, self._file.close)
        self._offsets = array("Q", [0])
        self.names = array("q")
        """An integer for each case that identifies its task and id."""
        self.shapes: dict[Shape, tuple[Case, int]] = {}
        """The first case of each shape, with the number of cases of that shape."""
        for case in cases:
            record = pickle.dumps(_packed(case), pickle.HIGHEST_PROTOCOL)
            self._offsets.append(self._offsets[-1] + self._write(record))
            self.names.append(name_of(case))
            _count(case, self.shapes)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def at(self, number: int) -> Case:
        """Read the case at an index from the file."""
        return _unpacked(pickle.loads(self._read(*self._offsets[number : number + 2])))

    def __iter__(self) -> Iterator[Case]:
        for start in range(0, len(self), TOGETHER):
            offsets = self._offsets[start : start + TOGETHER + 1]
            records = self._read(offsets[0], offsets[-1])
            for first, last in itertools.pairwise(offsets):
                yield _unpacked(pickle.loads(records[first - offsets[0] : last - offsets[0]]))

    def _write(self, record: bytes) -> int:
        try:
            return self._file.write(record)
        except OSError as error:
            error.filename = tempfile.gettempdir()
            raise

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(start)
        return self._file.read(end - start)


_OF_A_CASE = tuple(field.name for field in fields(Case) if field.name != "turns")
_OF_A_TURN = tuple(field.name for field in fields(Turn))
_case_values, _turn_values = attrgetter(*_OF_A_CASE), attrgetter(*_OF_A_TURN)


def _packed(case: Case) -> tuple[Any, ...]:
    """Return a case as plain values for pickling. Frozen classes with slots would take three times as long."""
    return _case_values(case), [_turn_values(turn) for turn in case.turns]


def _unpacked(record: tuple[Any, ...]) -> Case:
    values, turns = record
    return Case(
        turns=tuple(Turn(**dict(zip(_OF_A_TURN, turn, strict=True))) for turn in turns),
        **dict(zip(_OF_A_CASE, values, strict=True)),
    )


def shapes_of(cases: Sequence[Case]) -> Mapping[Shape, tuple[Case, int]]:
    """The first case of each shape, with the number of cases of that shape."""
    if isinstance(cases, Spool):
        return cases.shapes
    examples: dict[Shape, tuple[Case, int]] = {}
    for case in cases:
        _count(case, examples)
    return examples


def _count(case: Case, examples: dict[Shape, tuple[Case, int]]) -> None:
    shape = shape_of(case)
    first, number = examples.get(shape, (case, 0))
    examples[shape] = first, number + 1


def kept(cases: Iterable[Case], most: int = MANY) -> Sequence[Case]:
    """Return the cases as a list, or as a spool if there are more than `most`."""
    stream = iter(cases)
    first = list(itertools.islice(stream, most + 1))
    return first if len(first) <= most else Spool(itertools.chain(first, stream))


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseGroup:
    """Cases that are tested on the same systems. All cases of a task are tested with the same relations."""

    cases: Sequence[Case]
    relations: Mapping[str, tuple[MetamorphicRelation, ...]]
    systems: tuple[str, ...] = ()

    def source(self, case: Case) -> Source:
        """Return a case of this group as a source."""
        return Source(case=case, relations=self.relations[case.task], systems=self.systems)


class Sources(MadeWhenAsked[Source]):
    """The sources of a run, built on access."""

    def __init__(self, parts: Sequence[CaseGroup]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(part.cases) for part in self._parts)

    def __iter__(self) -> Iterator[Source]:
        return (part.source(case) for part in self._parts for case in part.cases)

    def kinds(self) -> list[SourceKind]:
        """Return an example source for each combination of group and case shape, with the number of such sources."""
        return [
            SourceKind(example=part.source(first), number=number)
            for part in self._parts
            for first, number in shapes_of(part.cases).values()
        ]

    def names(self) -> Iterator[int]:
        """Yield an integer for each source that identifies its task and id."""
        for part in self._parts:
            yield from part.cases.names if isinstance(part.cases, Spool) else map(name_of, part.cases)

    def at(self, number: int) -> Source:
        """Return the source at an index, counting through all groups."""
        for part in self._parts:
            if number < len(part.cases):
                return part.source(part.cases[number])
            number -= len(part.cases)
        raise IndexError(number)
