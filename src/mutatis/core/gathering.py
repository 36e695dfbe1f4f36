"""Groups items by a key, takes one of each group in turn, and makes sequences whose items are created on access."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, TypeVar, overload

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def gathered(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the items grouped by key, with the keys in order of first appearance.

    >>> gathered(["apple", "bean", "avocado"], lambda word: word[0])
    {'a': ['apple', 'avocado'], 'b': ['bean']}
    """
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def one_of_each(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the first item of each group, then the second of each, and so on.

    >>> list(one_of_each([[0, 1, 2], [5]]))
    [0, 5, 1, 2]
    """
    return (item for item in chain.from_iterable(zip_longest(*groups)) if item is not None)


def present(**parts: Any) -> dict[str, Any]:
    """Return the parts of a record that are not None, by name.

    >>> present(text="", value=None)
    {'text': ''}
    """
    return {name: part for name, part in parts.items() if part is not None}


class MadeWhenAsked(Sequence[T]):
    """A sequence that creates each item on access with `at`. A slice returns a list."""

    @abstractmethod
    def at(self, number: int) -> T:
        """Create the item at a non-negative index."""

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> list[T]: ...

    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self.at(number) for number in range(len(self))[place]]
        return self.at(range(len(self))[place])
