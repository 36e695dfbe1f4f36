"""Systems that ship with the package: real, weak and free, so that everything can be tried offline.

They are no fakes: `reader` answers questions about a story by sentence retrieval and answer selection, `sentiment`
rates texts by a lexicon. Both make real mistakes, which is what the demo finds.
"""

from __future__ import annotations

from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.system import System
from mutatis.systems.registry import system_type

NAMES = ("reader", "sentiment")


@system_type("builtin", named="name")
def builtin(
    *, name: str, history: bool | None = None, threshold: float | None = None, label: str | None = None
) -> System:
    """A system that ships with the package: "reader" or "sentiment".

    Args:
        name: which one.
        history: reader only: whether earlier questions and answers help to understand the present one (default true).
        threshold: reader only: how sure it must be to answer; below it says "unknown".
        label: its name in reports.
    """
    if name == "reader":
        from mutatis.systems.builtin.reader import THRESHOLD, ReaderSystem

        return ReaderSystem(
            label=label or "builtin:reader",
            history=True if history is None else history,
            threshold=THRESHOLD if threshold is None else threshold,
        )
    if name == "sentiment":
        from mutatis.systems.builtin.sentiment import SentimentSystem

        for option, value in (("history", history), ("threshold", threshold)):
            if value is not None:
                raise UsageError(f"built-in system 'sentiment' has no option {option!r}")
        return SentimentSystem(label=label or "builtin:sentiment")
    raise unknown_name("built-in system", name, NAMES)
