"""Sequences whose members are made when they are looked at. Must not know what they hold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class MadeWhenAsked(Sequence[T]):
    """A sequence of which `at` makes each member; a slice is a list of them."""

    @abstractmethod
    def at(self, number: int) -> T:
        """Return the member of a number from 0 on."""

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> list[T]: ...

    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self.at(number) for number in range(len(self))[place]]
        return self.at(range(len(self))[place])
