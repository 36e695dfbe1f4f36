"""Assembling a campaign: read data, choose relations, make systems, judges and search ready. Nothing is asked yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.assembly import search as searching
from mutatis.assembly import sources as data
from mutatis.assembly import systems as asked
from mutatis.assembly.judges import judges_of
from mutatis.assembly.oracle import judged_by_regions
from mutatis.assembly.relations import Chooser
from mutatis.assembly.user_code import load_user_code
from mutatis.campaign.session import Campaign
from mutatis.config import Config, public
from mutatis.core.cases import Case
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.system import Helper, System
from mutatis.query import Limits, QueryLayer, Spending, Store
from mutatis.query.helper import SystemHelper
from mutatis.recipes import RECIPES

NO_CHANGE = "no-change"
"""The relation of the noise floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a program hands over as objects, beside or in place of what a configuration names.

    Attributes:
        systems: systems under test, or plain functions.
        cases: source cases; `task` is the task of those that name none.
        relations: names, ids, tags or relation objects.
        helper, judge, search: in place of `[helper]`, `[judge]` and `[search]`.
    """

    systems: Sequence[Any] = ()
    cases: Sequence[Case] = ()
    task: str | None = None
    relations: Sequence[str | MetamorphicRelation] = ()
    helper: Helper | None = None
    judge: Judge | None = None
    search: searching.Searching | None = None


def assemble(
    config: Config, store: Store, given: Given = Given(), *, offline: bool = False, fresh: bool = False
) -> Campaign:
    """Make every part of a run ready.

    Args:
        config: what is named.
        store: where answers are kept.
        given: what is handed over as objects.
        offline: ask nothing; a missing answer is an error.
        fresh: ask anew what is stored.

    Raises:
        UsageError: an unknown name, a malformed file, or parts that do not fit together.
    """
    for path in config.load:
        load_user_code(config.path(path))
    config.gate.check()  # a misspelt name must not wait for the end of a paid run
    spending = Spending(config.max_queries)

    def layer(system: System, limits: Limits) -> QueryLayer:
        return QueryLayer(system, store, limits, spending=spending, offline=offline, fresh=fresh)

    notes: list[str] = []
    recipes = [RECIPES[name] for name in config.recipe]
    layers = [asked.configured(config, section, layer) for section in config.systems]
    layers += [asked.handed_over(one, config, layer) for one in given.systems]
    helper_layer = _helper_layer(config, given, layer)
    helper = given.helper if helper_layer is None else SystemHelper(helper_layer)
    chosen = searching.options_of(config.search) if given.search is None else given.search
    sweep = getattr(chosen, "sweep", None)
    blocks = _blocks(config, given)
    chooser = Chooser(config=config, has_helper=helper is not None, notes=notes)
    selectors = given.relations or config.relations or [name for recipe in recipes for name in recipe.relations]
    sources = [source for block in blocks for source in data.sources_of(block, selectors, chooser)]
    data.check_sources(sources, implied=sweep is not None or config.oracle is not None)
    targets = asked.targets(config, layers, sources, data.labels_by_task(blocks))
    notes += [note for target in targets if (note := getattr(target.layer.system, "note", ""))]
    data.check_labels(sources, [target.label for target in targets])
    if config.oracle is not None:
        sources = judged_by_regions(config, sources, [target.label for target in targets], notes)
    sources = searching.judging(sweep, sources, chooser.named, notes)
    return Campaign(
        targets=targets,
        sources=sources,
        search=searching.build(chosen, sources),
        judges=judges_of(config.judge, sources, helper, given.judge, notes),
        no_change=RELATIONS[NO_CHANGE],
        helper=helper,
        helper_layer=helper_layer,
        seed=config.seed,
        repeats=config.repeats,
        noise_floor=config.noise_floor,
        confirm=config.confirm,
        shrink=config.shrink if config.confirm else 0,
        silence=config.silence,
        collectors=searching.collectors_of(sweep, [c for recipe in recipes for c in recipe.collectors()]),
        config=public(config),
        notes=notes,
    )


def _helper_layer(config: Config, given: Given, layer: asked.Layer) -> QueryLayer | None:
    """Return the query layer of the configured helper; None where there is none, or one is handed over."""
    if given.helper is not None or config.helper is None:
        return None
    return asked.configured(config, config.helper, layer)


def _blocks(config: Config, given: Given) -> list[data.Block]:
    blocks = [data.read(config, section) for section in config.data]
    return blocks if blocks and not given.cases else [*blocks, data.handed_over(given.cases, given.task)]
