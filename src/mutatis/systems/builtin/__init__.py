"""Systems that ship with the package. They are real, weak and free, so that everything can be tried offline.

`reader` answers questions about a story by retrieving sentences and selecting an answer, `sentiment` rates texts with a
lexicon, and `tracker` keeps track of a user's requests. All of them make real mistakes that the demo can find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic

from mutatis.core.errors import UsageError, nearest
from mutatis.core.registry import Registry
from mutatis.core.system import System
from mutatis.options import Options
from mutatis.systems.registry import SYSTEMS


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """A system that ships with the package: its task, its own options, and a function that creates it.

    The function is called with the label and those options that are set.
    """

    task: str
    make: Callable[..., System]
    options: tuple[str, ...] = ()


def _reader(label: str, *, history: bool = True, threshold: float | None = None) -> System:
    from mutatis.systems.builtin.reader import THRESHOLD, ReaderSystem

    return ReaderSystem(label=label, history=history, threshold=THRESHOLD if threshold is None else threshold)


def _sentiment(label: str) -> System:
    from mutatis.systems.builtin.sentiment import SentimentSystem

    return SentimentSystem(label=label)


BUILT_IN: Registry[BuiltIn] = Registry("built-in system")
BUILT_IN.add("reader", BuiltIn(task="question-answering", make=_reader, options=("history", "threshold")))
BUILT_IN.add("sentiment", BuiltIn(task="sentiment", make=_sentiment))


def _known(name: str) -> str:
    if name not in BUILT_IN:
        near = nearest(name, BUILT_IN)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"expected one of: {', '.join(BUILT_IN)}{hint}")
    return name


def _named(described: dict[str, Any]) -> None:
    described["enum"] = list(BUILT_IN)


@SYSTEMS.register("builtin")
class BuiltinOptions(Options):
    """Options of a system that ships with the package.

    Attributes:
        name: "reader", "sentiment" or "tracker".
        history: for the reader, whether it uses earlier questions and answers to understand the current question
            (default true).
        threshold: for the reader, how certain it must be; below this, it answers "unknown".
        label: its name in reports.
    """

    name: Annotated[str, pydantic.AfterValidator(_known), pydantic.Field(json_schema_extra=_named)]
    history: bool | None = None
    threshold: float | None = None
    label: str | None = None

    def build(self) -> System:
        """Create the system from these instructions."""
        chosen = BUILT_IN[self.name]
        options = {name: value for name in ("history", "threshold") if (value := getattr(self, name)) is not None}
        for option in options:
            if option not in chosen.options:
                raise UsageError(f"built-in system {self.name!r} has no option {option!r}")
        return chosen.make(self.label or f"builtin:{self.name}", **options)
