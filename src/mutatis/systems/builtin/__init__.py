"""Systems that ship with the package: real, weak and free, so that everything can be tried offline.

They are not fakes. `reader` answers questions about a story by sentence retrieval and answer selection, `sentiment`
rates texts by a lexicon, `tracker` keeps track of a user's requests. All make real mistakes for the demo to find.
"""

from __future__ import annotations

from typing import Literal

from mutatis.core.errors import UsageError
from mutatis.core.system import System
from mutatis.options import Options
from mutatis.systems.registry import SYSTEMS


@SYSTEMS.register("builtin")
class BuiltinOptions(Options):
    """A system that ships with the package: "reader", "sentiment" or "tracker".

    Attributes:
        name: which one: reader, sentiment or tracker.
        history: reader only: whether earlier questions and answers help to understand the present one (default true).
        threshold: reader only: how sure it must be to answer; below it the answer is "unknown".
        label: its name in reports.
    """

    name: Literal["reader", "sentiment", "tracker"]
    history: bool | None = None
    threshold: float | None = None
    label: str | None = None

    def build(self) -> System:
        """Return the system."""
        if self.name == "reader":
            from mutatis.systems.builtin.reader import THRESHOLD, ReaderSystem

            return ReaderSystem(
                label=self.label or "builtin:reader",
                history=self.history is not False,
                threshold=THRESHOLD if self.threshold is None else self.threshold,
            )
        for option, value in (("history", self.history), ("threshold", self.threshold)):
            if value is not None:
                raise UsageError(f"built-in system {self.name!r} has no option {option!r}")
        if self.name == "tracker":
            from mutatis.systems.builtin.tracker import TrackerSystem

            return TrackerSystem(label=self.label or "builtin:tracker")
        from mutatis.systems.builtin.sentiment import SentimentSystem

        return SentimentSystem(label=self.label or "builtin:sentiment")
