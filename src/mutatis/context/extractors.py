"""The contract of extractors, and the choice of one by name.

An extractor reads one seed dialogue once. Its result judges every follow-up of that seed. Independent of runs,
relations and systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from mutatis.context.checks import ContextDecision, ContextOptions
from mutatis.context.dialogue import Dialogue
from mutatis.core.errors import unknown_name
from mutatis.core.system import Helper


class ContextJudge(Protocol):
    """The knowledge of one seed, ready to judge orders of its turns."""

    def judge(self, order: Sequence[int], options: ContextOptions) -> list[ContextDecision]:
        """Return one judgement per turn of the follow-up that asks the seed's turns in `order`."""

    def graph(self) -> Any:
        """Return the knowledge graph of the seed, a networkx MultiDiGraph."""


class Extractor(Protocol):
    """Reads a seed dialogue; `needs_helper` is True if it needs a language model.

    An attribute `languages` may list the languages it reads; without it, every one.
    """

    name: str
    needs_helper: bool

    async def extract(self, dialogue: Dialogue, helper: Helper | None) -> ContextJudge:
        """Return the judge of a dialogue; raise ExtractionFailed or UsageError, never guess silently."""


def extractor(name: str) -> Extractor:
    """Return a new extractor by name: `offline`, `gold` or `language-model`."""
    if name == "offline":
        from mutatis.context.offline.extractor import Offline

        return Offline()
    if name == "gold":
        from mutatis.context.rewrites import GoldRewrites

        return GoldRewrites()
    if name == "language-model":
        from mutatis.context.language_model import LanguageModel

        return LanguageModel()
    raise unknown_name("context extractor", name, ["offline", "gold", "language-model"])
