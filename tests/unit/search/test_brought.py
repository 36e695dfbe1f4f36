"""The parts that a search brings to a run: relations, notes, metrics, and the need of a helper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import mutatis
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measurements, Search, Source
from mutatis.core.verdict import Verdict
from mutatis.search import Brought, Once, SearchOptions
from mutatis.testing import ScriptedHelper, ScriptedSystem


class Counted:
    """Counts verdicts by relation."""

    name = "counted"

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def __call__(self, event: object) -> None:
        if isinstance(event, Verdict):
            self.counts[event.relation.name] = self.counts.get(event.relation.name, 0) + 1

    def metrics(self) -> dict[str, Any]:
        return dict(self.counts)


class Bringing(SearchOptions):
    """Brings a relation to judge by, and one beside it."""

    spoken: bool = False

    @property
    def brings(self) -> Brought:
        return Brought(
            relations=(RELATIONS["upper-case"],),
            beside=(RELATIONS["leet"],),
            collectors=(Counted(),),
            notes=("a note of the search",),
            needs_helper="spoken = true" if self.spoken else "",
        )

    def build(self, sources: Sequence[Source]) -> Search:
        return Once(sources)


def ran(options: Bringing, relations: Sequence[str] | None = None, **more: Any) -> mutatis.Run:
    bot = ScriptedSystem({"*": "0.9"})
    settings = {"noise_floor": 0, "confirm": 0}
    return mutatis.run(
        bot, ["A film.", "A play."], relations, task="sentiment", search=options, settings=settings, **more
    )


def test_its_relations_judge_and_its_collector_counts() -> None:
    report = ran(Bringing()).report
    assert {row.relation: row.satisfied for row in report.summary} == {"upper-case": 2, "leet": 2}
    assert report.to_json()["metrics"]["counted"] == {"upper-case": 2, "leet": 2}


def test_relations_of_the_run_do_not_fit_beside_it() -> None:
    with pytest.raises(UsageError, match="relation 'leet' does not fit \\[search\\]: this search makes its own edits"):
        ran(Bringing(), ["leet"])


def test_the_setting_that_needs_a_helper_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        ran(Bringing(spoken=True))
    assert str(caught.value) == "[search] spoken = true needs a language model; add [helper]"
    ran(Bringing(spoken=True), helper=ScriptedHelper(lambda prompt: prompt))


def test_sizes_of_edits_name_their_successor() -> None:
    with pytest.raises(AttributeError, match=r"measurements\.rates was removed; use mutatis\.rltest4chatbot"):
        _ = Measurements().rates
