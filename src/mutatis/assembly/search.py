"""What is tried: the search that is named or handed over, on sources with the relations that judge it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mutatis.campaign.events import Collector
from mutatis.config import SearchSection
from mutatis.core.errors import UsageError
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Search, Source
from mutatis.options import check
from mutatis.recipes.families_metrics import FamilyMetrics
from mutatis.relations.content_quality import FAMILIES, Family, swept
from mutatis.search import SEARCHES, SearchOptions, Sweep

Searching: TypeAlias = Search | SearchOptions | Callable[[Sequence[Source]], Search]
"""What a program may hand over: a search, the options of one, or a function that makes one for the sources."""


def options_of(section: SearchSection) -> SearchOptions:
    """Return the checked options of the search that `[search]` names."""
    kind = SEARCHES[section.type]
    found = check(kind.model, section.options, kind.owner)
    assert isinstance(found, SearchOptions), f"the options of search {kind.name!r} are no SearchOptions"
    return found


def judging(sweep: Sweep | None, sources: Sequence[Source], named: set[str], notes: list[str]) -> list[Source]:
    """Return the sources with the relations that judge the search; all of them where it sweeps nothing.

    A sweep is judged by those that accept its transformation at every value; where a source has none, by the implicit
    relation "the answer stays the same", TRANSFORMATION-over-PARAMETER.

    Raises:
        UsageError: a relation that was picked by name (in `named`) does not fit the sweep.
    """
    if sweep is None:
        return list(sources)
    judged = sweep.judged(sources, swept(sweep.transformation, sweep.parameter))
    kept = {relation.name for source in judged for relation in source.relations}
    dropped = [name for name in _names(sources) if name not in kept]
    what = f"it does not accept {sweep.transformation} at every {sweep.parameter} of the sweep"
    for name in dropped:
        if name in named:
            raise UsageError(f"relation {name!r} does not fit [search]: {what}; leave it out, or sweep something else")
    if dropped:
        notes.append(f"left out, because the sweep of {sweep.transformation} is not theirs: {', '.join(dropped)}")
    return judged


def build(given: Searching, sources: Sequence[Source]) -> Search:
    """Return the search over these sources.

    Raises:
        UsageError: what was handed over is no search.
    """
    if isinstance(given, SearchOptions):
        return given.build(sources)
    search: Any = given(sources) if callable(given) and not hasattr(given, "ask") else given
    if not hasattr(search, "ask") or not hasattr(search, "tell"):
        raise UsageError(
            f"search is {given!r}; expected a name (mutatis list searches), a table such as "
            '{"type": "grid", ...}, or an object with `ask`, `tell` and `learns`'
        )
    made: Search = search
    return made


def collectors_of(sweep: Sweep | None, own: Sequence[Collector]) -> list[Collector]:
    """Return the recipes' collectors; a sweep brings the families' own, in place of a recipe's."""
    if sweep is None:
        return list(own)
    return [*(one for one in own if one.name != FamilyMetrics.name), FamilyMetrics([family_of(sweep)])]


def family_of(sweep: Sweep) -> Family:
    """Return the family that is swept: a published one, where it is one."""
    for family in FAMILIES:
        same = (family.transformation, family.parameter) == (sweep.transformation, sweep.parameter)
        if same and family.identity == sweep.identity:
            return family
    return Family(
        name=sweep.transformation,
        transformation=sweep.transformation,
        parameter=sweep.parameter,
        identity=sweep.identity,
    )


def _names(sources: Sequence[Source]) -> dict[str, MetamorphicRelation]:
    return {relation.name: relation for source in sources for relation in source.relations}
