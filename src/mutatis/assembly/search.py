"""Builds the search of a run from a name or an object, and its sources with the relations that judge them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mutatis.assembly.settings import HandedOver, Searching
from mutatis.assembly.sources import Tested
from mutatis.campaign.events import Collector
from mutatis.config import Config
from mutatis.core.errors import UsageError
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Search, Source, kinds, relations_of
from mutatis.core.task import TASKS
from mutatis.guarding import Guarded
from mutatis.opening import placed
from mutatis.options import check_options
from mutatis.recipes.content_quality import FamilyMetrics
from mutatis.relations.content_quality import FAMILIES, Family, swept
from mutatis.relations.oracle import load_oracle, oracle_relation
from mutatis.search import SEARCHES, Brought, SearchOptions, Setting, Sweep


def chosen_search(config: Config, objects: HandedOver) -> Searching:
    """Return the search that a program passes in, or else the options given in `[search]`.

    Raises:
        UsageError: the options are wrong, or the search needs a language model, but no helper is configured.
    """
    searching = _options(config) if objects.search is None else objects.search
    if (needed := _brought_by(searching).needs_helper) and not objects.has_helper(config):
        raise UsageError(f"[search] {needed} needs a language model; add [helper]")
    return searching


def _options(config: Config) -> SearchOptions:
    """Return the validated options given in `[search]`."""
    kind = SEARCHES[config.search.type]
    options_read = check_options(kind.model, placed(kind.model, config.search.options, config.path), kind.owner)
    if not isinstance(options_read, SearchOptions):
        raise UsageError(
            f"search {kind.name!r}: the class of its options is {kind.model.__name__}; expected a class that inherits "
            "from SearchOptions"
        )
    return options_read


def brings_relations(config: Config, searching: Searching) -> bool:
    """Return True if relations apply without being chosen by the user.

    They come from the regions of an oracle file, from the search itself, or from a parameter sweep, which expects the
    answer to stay the same.
    """
    return config.oracle is not None or _sweep_of(searching) is not None or bool(_brought_by(searching).relations)


def _sweep_of(searching: Searching) -> Sweep | None:
    sweep: Sweep | None = getattr(searching, "sweep", None)
    return sweep


def _brought_by(searching: Searching) -> Brought:
    brought: Brought = getattr(searching, "brings", Brought())
    return brought


def build_search(
    config: Config,
    searching: Searching,
    tested: Tested,
    systems: Sequence[str],
    collectors: Sequence[Collector],
    notes: list[str],
) -> tuple[Search, Sequence[Source], list[Collector]]:
    """Return the search, its sources with the relations that judge them, and the listeners that compute its metrics.

    The relations of an oracle file, a sweep or the search, in this order, replace the user's relations.

    Raises:
        UsageError: options or relations do not fit, or no relation judges the inputs.
    """
    sweep, brought, sources = _sweep_of(searching), _brought_by(searching), tested.sources
    notes += brought.notes
    if config.oracle is not None:
        sources = _judged_by_regions(config, sources, systems, notes)
    elif sweep is not None:
        sources = _judged_by_sweep(sweep, sources, tested.named, notes)
    elif brought.relations:
        sources = _judged_by_search(brought.relations, sources, tested.named)
    if brought.beside:
        sources = [replace(source, relations=(*source.relations, *brought.beside)) for source in sources]
    if not any(kind.example.relations for kind in kinds(sources)):
        raise UsageError(
            'no relations were chosen; choose some, for example: relations = ["tag:robustness", "add-spaces"] or '
            'recipe = "llmorph"'
        )
    setting = Setting(seed=config.seed, max_queries=config.max_queries)
    chosen = [*_collectors(sweep, collectors), *brought.collectors]
    return _build(searching, sources, setting), sources, chosen


def _judged_by_sweep(sweep: Sweep, sources: Sequence[Source], named: set[str], notes: list[str]) -> list[Source]:
    """Return the sources, each with those of its relations that can be applied at every value of the parameter.

    This is for a search that sweeps a parameter. A source without such relations gets the implicit relation
    TRANSFORMATION-over-PARAMETER: the answer stays the same.
    """
    judged = sweep.judged(sources, swept(sweep.transformation, sweep.parameter))
    kept = {relation.name for source in judged for relation in source.relations}
    dropped = [name for name in relations_of(sources) if name not in kept]
    what = f"it does not accept {sweep.transformation} at every {sweep.parameter} of the sweep"
    for name in dropped:
        if name in named:
            raise UsageError(
                f"relation {name!r} does not fit [search]: {what}; leave out the relation, or sweep a different "
                "parameter"
            )
    if dropped:
        notes.append(
            f"left out, because the sweep of {sweep.transformation} does not apply to them: {', '.join(dropped)}"
        )
    return judged


def _judged_by_search(
    relations: tuple[MetamorphicRelation, ...], sources: Sequence[Source], named: set[str]
) -> list[Source]:
    """Return the sources, to be judged by the relations that the search provides."""
    if named:
        raise UsageError(
            f"relation {sorted(named)[0]!r} does not fit [search]: this search makes its own edits; leave out "
            "relations, or set "
            'space = "relations" in [search]'
        )
    return [replace(source, relations=relations) for source in sources]


def _build(searching: Searching, sources: Sequence[Source], setting: Setting) -> Search:
    """Return the search that options, a function or an object describe. Raise UsageError if it is not a search."""
    if isinstance(searching, SearchOptions):
        return searching.build_for(sources, setting)
    search: Any = searching
    if callable(searching) and not hasattr(searching, "ask"):
        with Guarded("search", getattr(searching, "__name__", type(searching).__name__), needed=True):
            search = searching(sources)
    missing = [name for name in ("ask", "tell", "learns") if not hasattr(search, name)]
    if missing:
        raise UsageError(
            f"search is {search!r:.80}, which has no `{missing[0]}`; expected a name (mutatis list searches), a table "
            'such as {"type": "grid", ...}, or an object with `ask`, `tell` and `learns`'
        )
    made: Search = search
    return made


def _collectors(sweep: Sweep | None, collectors: Sequence[Collector]) -> list[Collector]:
    """Return the recipes' collectors of extra figures for the report.

    For a parameter sweep, the recipes' metrics of families of relations are replaced with the sweep's metrics.
    """
    if sweep is None:
        return list(collectors)
    return [
        *(collector for collector in collectors if collector.name != FamilyMetrics.name),
        FamilyMetrics([_family(sweep)]),
    ]


def _family(sweep: Sweep) -> Family:
    """Return the family of relations that a parameter sweep explores: a published one if it matches, else a new one."""
    for family in FAMILIES:
        same = (family.transformation, family.parameter) == (sweep.transformation, sweep.parameter)
        if same and family.unchanged_at == sweep.unchanged_at:
            return family
    return Family(
        name=sweep.transformation,
        transformation=sweep.transformation,
        parameter=sweep.parameter,
        unchanged_at=sweep.unchanged_at,
    )


def _judged_by_regions(
    config: Config, sources: Sequence[Source], systems: Sequence[str], notes: list[str]
) -> list[Source]:
    """Return new inputs as sources that are judged only by the regions of the `oracle` file, one for each system."""
    assert config.oracle is not None
    if config.search.type != "once":
        raise UsageError("an oracle judges inputs as they are; leave out [search] or the oracle")
    regions = load_oracle(config.path(config.oracle))
    tasks = {kind.example.task for kind in kinds(sources)}
    fitting = [region for region in regions if region.system in systems and region.task in tasks]
    if not fitting:
        known = ", ".join(sorted({f"{region.system} on {region.task}" for region in regions})) or "nothing"
        raise UsageError(
            f"oracle {config.oracle} has no region for {', '.join(systems)}; it only has regions for: {known}"
        )
    notes += [f"oracle: {region.line}" for region in fitting]
    judged = []
    for system in systems:
        for source in sources:
            # Numbers cannot be compared with labels: a sentiment is 0 or 1 in data, but 0.62 in an answer.
            annotated = bool(source.case.turns[0].expected) and TASKS[source.task].kind != "number"
            labelled = annotated and config.reference != "source"  # "source": compare with an answer, not the label
            relations = tuple(
                oracle_relation(region, source.case, labelled=labelled)
                for region in fitting
                if (region.system, region.task) == (system, source.task) and source.concerns(system)
            )
            if relations:
                judged.append(replace(source, relations=relations, systems=(system,)))
    return judged
