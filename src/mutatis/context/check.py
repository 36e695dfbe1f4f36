"""The equivalent-context check as an annotator. It runs once per follow-up, and extracts knowledge once per seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mutatis.context.decisions import ContextDecision, ContextOptions
from mutatis.context.extractors import ContextJudge, Extractor
from mutatis.context.extractors import extractor as extractor_named
from mutatis.context.knowledge import Dialogue, ExtractionFailed, origins
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.languages import EVERY, Languages
from mutatis.core.system import Helper
from mutatis.loops import Flights
from mutatis.options import check_options

CACHE_LIMIT = 1_000
"""Maximum number of seeds whose knowledge is cached. The least recently used one is dropped first."""


class ContextCheck:
    """Decides for every follow-up turn whether its context is as informative as in the seed (MORTAR, spec section 3).

    Args:
        extractor: `offline` (default), `language-model`, `gold`, or an object of your own.
        options: how the checks are combined: values of `ContextOptions` by name.
    """

    name = "context"

    def __init__(self, *, extractor: str | Extractor = "offline", **options: Any) -> None:
        self.options = check_options(ContextOptions, options, "the context check")
        self.extractor: Extractor = extractor_named(extractor) if isinstance(extractor, str) else extractor
        self._known: Flights[Dialogue, ContextJudge | ExtractionFailed] = Flights(keep=CACHE_LIMIT)

    @property
    def languages(self) -> Languages:
        """The languages of the dialogues that can be judged: the extractor's, or all if it does not list any."""
        return getattr(self.extractor, "languages", EVERY)

    @property
    def needs_helper(self) -> bool:
        """True if `annotate` needs a helper."""
        return self.extractor.needs_helper

    def most_asked(self, number: int) -> int:
        """Return the maximum number of questions to the helper for this number of dialogues."""
        return number * getattr(self.extractor, "most_asked", 0)

    async def annotate(
        self, source: Case, follow_up: Case, helper: Helper | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return the annotations of each follow-up turn.

        These are `context`, `context_check`, `context_probability` and `context_missing`.

        Raises:
            ExtractionFailed: the knowledge of the seed could not be extracted.
        """
        return [decision.annotations() for decision in await self.judge(source, follow_up, helper)]

    async def judge(self, source: Case, follow_up: Case, helper: Helper | None = None) -> list[ContextDecision]:
        """Return one judgement for each follow-up turn."""
        order = origins(source, follow_up)
        if not order:
            return []
        return (await self.knowledge(source, helper)).judge(order, self.options)

    async def knowledge(self, source: Case, helper: Helper | None = None) -> ContextJudge:
        """Return the judge for a seed.

        Its knowledge is extracted only once, even if many follow-ups request it at the same time.
        """
        if self.extractor.needs_helper and helper is None:
            raise UsageError(
                f"the context extractor {self.extractor.name!r} needs a helper model; add [helper] to the "
                "configuration, or use the extractor 'offline'"
            )
        dialogue = Dialogue.from_case(source)
        # The key is all that an extractor reads, because different texts may have equal ids.
        known = await self._known.get(dialogue, lambda: self._extract(dialogue, helper))
        if isinstance(known, ExtractionFailed):
            raise known
        return known

    async def _extract(self, dialogue: Dialogue, helper: Helper | None) -> ContextJudge | ExtractionFailed:
        try:
            return await self.extractor.extract(dialogue, helper)
        except ExtractionFailed as failed:  # remembered like knowledge: every follow-up of the seed would fail so
            return failed
