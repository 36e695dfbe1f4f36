"""What `[search]` and `oracle` ask for: the search, the family that is swept, and fresh inputs judged by regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mutatis.campaign.events import Collector
from mutatis.config import Config, SearchSection
from mutatis.core.errors import UsageError
from mutatis.core.search import Search, Source
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.recipes import Recipe
from mutatis.recipes.families_metrics import FamilyMetrics
from mutatis.relations.content_quality import FAMILIES, Family, identity_value, swept
from mutatis.relations.oracle import oracle_relation
from mutatis.relations.region import load_oracle
from mutatis.search import Grid, Once, Refine
from mutatis.search.grid import Sweep


def search_of(search: SearchSection, sources: Sequence[Source]) -> Search:
    """Return the search that `[search]` describes, on sources with the relations that judge it."""
    if search.type == "once":
        return Once(sources)
    family = family_of(search)
    common: Any = {"transformation": family.transformation, "parameter": family.parameter, "values": search.values}
    common |= {"draws": search.draws}
    if not search.refine:
        return Grid(sources, **common)
    return Refine(sources, **common, identity=family.identity, tolerance=search.tolerance)


def judging(search: SearchSection, sources: Sequence[Source]) -> list[Source]:
    """Return the sources with the relations that judge the search.

    A sweep is judged by those that accept its transformation at every value; where a source has none, by the implicit
    relation "the answer stays the same", TRANSFORMATION-over-PARAMETER.
    """
    if search.type == "once":
        return list(sources)
    family = family_of(search)
    sweep = Sweep(transformation=family.transformation, parameter=family.parameter)
    return sweep.judged(sources, search.values, swept(family.transformation, family.parameter))


def family_of(search: SearchSection) -> Family:
    """Return the family that `[search]` sweeps: a published one, where it is one."""
    if search.transformation is None or search.parameter is None:
        raise UsageError('[search] type = "grid" needs transformation = "..." and parameter = "..."')
    name = TRANSFORMATIONS.resolve(search.transformation)
    Sweep(transformation=name, parameter=search.parameter).check(search.values)
    for family in FAMILIES:
        if (family.transformation, family.parameter) == (name, search.parameter) and search.identity is None:
            return family
    identity = identity_value(name, search.parameter) if search.identity is None else search.identity
    return Family(name=name, transformation=name, parameter=search.parameter, identity=identity)


def collectors_of(search: SearchSection, recipes: Sequence[Recipe]) -> list[Collector]:
    """Return the recipes' collectors; a sweep brings the families' own, in place of a recipe's."""
    own = [collector for recipe in recipes for collector in recipe.collectors()]
    if search.type == "once":
        return own
    return [*(one for one in own if one.name != FamilyMetrics.name), FamilyMetrics([family_of(search)])]


def judged_by(config: Config, sources: Sequence[Source], systems: Sequence[str], notes: list[str]) -> list[Source]:
    """Return fresh inputs as sources that are judged by the regions of `oracle`, and by nothing else."""
    assert config.oracle is not None
    if config.search.type != "once":
        raise UsageError("an oracle judges inputs as they come; leave [search] out, or the oracle")
    regions = load_oracle(config.path(config.oracle))
    fitting = [r for r in regions if r.system in systems and any(source.task == r.task for source in sources)]
    if not fitting:
        known = ", ".join(sorted({f"{r.system} on {r.task}" for r in regions})) or "nothing"
        raise UsageError(f"oracle {config.oracle} has no region of {', '.join(systems)}; it has regions of: {known}")
    notes += [f"oracle: {region.line}" for region in fitting]
    judged = []
    for system in systems:
        for source in (source for source in sources if source.concerns(system)):
            # A number has no label to be compared with: data mark a sentiment 0 or 1, systems say 0.62.
            annotated = bool(source.case.turns[0].expected) and TASKS[source.task].kind != "number"
            labelled = config.reference != "source" and annotated
            own = [r for r in fitting if (r.system, r.task) == (system, source.task)]
            relations = tuple(oracle_relation(region, source.case, labelled=labelled) for region in own)
            judged += [replace(source, relations=relations, systems=(system,))] if relations else []
    return judged
