"""Sequences whose members are made on access. Independent of their contents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class MadeWhenAsked(Sequence[T]):
    """A sequence that makes each member by `at`; a slice is a list of members."""

    @abstractmethod
    def at(self, number: int) -> T:
        """Return the member at an index, counted from 0."""

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> list[T]: ...

    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self.at(number) for number in range(len(self))[place]]
        return self.at(range(len(self))[place])
