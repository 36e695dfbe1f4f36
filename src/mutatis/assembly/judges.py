"""Who judges: the measure of each kind of answer, and those that relations name themselves."""

from __future__ import annotations

from collections.abc import Sequence

from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.config import JudgeSection
from mutatis.core.errors import MissingExtra
from mutatis.core.measure import Judge
from mutatis.core.search import Source
from mutatis.core.system import Helper
from mutatis.core.task import TASKS
from mutatis.relations.opposite import OppositeMeasure

BY_KIND = {"label": "label", "number": "number", "set": "set", "state": "state"}
"""The measure of each kind of answer that is not free text."""


def ready(
    section: JudgeSection, sources: Sequence[Source], helper: Helper | None, own: Judge | None, notes: list[str]
) -> Judges:
    """Return the judges of a run; `own` judges free text in place of what `[judge]` says."""
    kinds = {TASKS[source.task].kind for source in sources}
    by_kind: dict[str, Judge] = {kind: measures.judge(BY_KIND[kind]) for kind in kinds if kind in BY_KIND}
    if "text" in kinds:
        by_kind["text"] = _of_text(section, notes) if own is None else own
    elif section.measure is not None or own is not None:
        name = measures.MEASURES.resolve(section.measure) if section.measure is not None else "the judge given"
        notes.append(f"judge: {name} is for free-text answers, and these tasks have none")
    return Judges(by_kind=by_kind, by_measure=_of_relations(sources, helper))


def _of_text(section: JudgeSection, notes: list[str]) -> Judge:
    name = section.measure or measures.default_text_measure()
    if section.measure is None and name.endswith("lexical"):
        notes.append(f"judge: {name} ({MissingExtra('the embedding judge answer-equivalence', 'semantic')})")
    return measures.judge(name, section.equal, section.different, section.undecided)


def _of_relations(sources: Sequence[Source], helper: Helper | None) -> dict[str, Judge]:
    named = {r.measure for source in sources for r in source.relations if r.measure is not None}
    chosen = {name: measures.judge(name) for name in named - {OppositeMeasure.name}}
    if OppositeMeasure.name in named and helper is not None:
        chosen[OppositeMeasure.name] = Judge(measure=OppositeMeasure(helper))
    return chosen
