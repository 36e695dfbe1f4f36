"""Which transformations are marked as edits that mean something together only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.core.transformation import TRANSFORMATIONS, as_a_whole


@dataclass
class Framed:
    """Compared by value, so without a hash."""

    mark: str

    def __call__(self, text: str) -> str:
        return f"{self.mark}{text}{self.mark}"

    def twice(self, text: str) -> str:
        return self(self(text))


def test_a_callable_object_and_a_method_are_marked_like_functions() -> None:
    marked = [as_a_whole(Framed("*")), as_a_whole(Framed("_").twice)]
    made = [replace(TRANSFORMATIONS["upper-case"], apply=apply) for apply in (*marked, Framed("-"))]
    assert [each.whole for each in made] == [True, True, False]
