"""Systems that ship with the package. They are real, weak and free, so that everything can be tried offline.

`reader` answers questions about a story by retrieving sentences and selecting an answer, `sentiment` rates texts with a
lexicon, and `tracker` keeps track of a user's requests. They all make real mistakes that the demo can find.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic

from mutatis.core.errors import SystemFailure, UsageError, words_expected
from mutatis.core.registry import Registry
from mutatis.core.system import Conversation, Response, System
from mutatis.options import Options
from mutatis.systems.function import plain_text
from mutatis.systems.registry import SYSTEMS


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """A system that ships with the package: its task, its own options, and a function that creates it.

    The function is called with the label and those options that are set.
    """

    task: str
    make: Callable[..., System]
    options: tuple[str, ...] = ()


def _reader(label: str, **options: Any) -> System:
    from mutatis.systems.builtin.reader import ReaderSystem

    return ReaderSystem(label=label, **options)


@dataclass(slots=True)
class SentimentSystem(System):
    """Rates the sentiment of a text from 0 to 1 (positive), by TextBlob's lexicon of adjectives.

    It is a real but weak system that rates words and not sentences. For 66 % of the sentences in SST-2's development
    set, its score is on the correct side of 0.5. Its version is increased whenever answers change.
    """

    label: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """Type and name of the system, and the versions that its answers depend on."""
        library = importlib.metadata.version("textblob")
        return {"type": "builtin", "name": "sentiment", "version": 1, "textblob": library}

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Return the ratings with two decimals, or 0.50 if no word of the text is in the lexicon."""
        from mutatis.systems.builtin.language import textblob_function

        polarity = textblob_function("polarity")
        scores = ((polarity(plain_text(conversation)) + 1) / 2 for conversation in conversations)
        return [Response(text=f"{score:.2f}") for score in scores]


BUILT_IN: Registry[BuiltIn] = Registry("built-in system")
BUILT_IN.add("reader", BuiltIn(task="question-answering", make=_reader, options=("history", "threshold")))
BUILT_IN.add("sentiment", BuiltIn(task="sentiment", make=SentimentSystem))


def _known(name: str) -> str:
    if name not in BUILT_IN:
        raise ValueError(f"expected {words_expected(list(BUILT_IN), name)}")
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
