"""Maps names that users write to the objects that they refer to."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from mutatis.core.errors import UsageError, unknown_name

T = TypeVar("T")


class Registry(Generic[T]):
    """A collection of named objects, filled by the decorators that register them.

    `kind` is the noun for one object in error messages, and `listed` the plural noun in `mutatis list`. `removed` maps
    names from earlier versions to their successors. Published ids ("llmorph/mr-5") are aliases. An id without its
    prefix ("mr-5") is accepted if it is unique.
    """

    def __init__(self, kind: str, *, listed: str = "", removed: Mapping[str, str] = MappingProxyType({})) -> None:
        self.kind = kind
        self._removed = removed
        self._listed = listed or f"{kind}s"
        self._things: dict[str, T] = {}
        self._aliases: dict[str, str] = {}

    def add(self, name: str, item: T, *, ids: tuple[str, ...] = ()) -> None:
        """Register `item`. Raise UsageError if its name or one of its ids is already taken."""
        for name_or_id in (name, *ids):
            if name_or_id in self:
                raise UsageError(f"{self.kind} {name_or_id!r} is already registered; give yours a different name")
        self._things[name] = item
        for alias in ids:
            self._aliases[alias] = name

    def resolve(self, name: str) -> str:
        """Return the registered name of an object, given its name or a published id."""
        if name in self._things:
            return name
        if name in self._aliases:
            return self._aliases[name]
        matches = sorted(alias for alias in self._aliases if alias.partition("/")[2] == name)
        meant = {self._aliases[alias] for alias in matches}
        if len(meant) == 1:
            return meant.pop()
        if matches:
            raise UsageError(f"{self.kind} id {name!r} is ambiguous; choose one: {', '.join(matches)}")
        if name in self._removed:
            raise UsageError(f"{self.kind} {name!r} was removed; use {self._removed[name]!r}")
        raise unknown_name(self.kind, name, [*self._things, *self._aliases], listed=self._listed)

    def __getitem__(self, name: str) -> T:
        return self._things[name if name in self._things else self.resolve(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._things or name in self._aliases

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._things))

    def __len__(self) -> int:
        return len(self._things)

    def remove(self, name: str) -> None:
        """Remove a name and its ids. This is meant for tests that register objects of their own."""
        del self._things[name]
        self._aliases = {alias: target for alias, target in self._aliases.items() if target != name}


def load_modules(package: str) -> None:
    """Import every module of a package, so that the objects defined there are registered."""
    for module in pkgutil.iter_modules(sys.modules[package].__path__):
        importlib.import_module(f"{package}.{module.name}")
