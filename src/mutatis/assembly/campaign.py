"""Assembles a campaign without sending any questions.

It reads the data and prepares relations, systems, judges and search.
"""

from __future__ import annotations

from collections.abc import Sequence

from mutatis.analysis.newness import renaming
from mutatis.analysis.real import Figures
from mutatis.assembly import judges, search, sources, systems
from mutatis.assembly.dictionary import known_entries
from mutatis.assembly.making import load_user_code
from mutatis.assembly.mcp_server import tools_of_run
from mutatis.assembly.relations import default_sets
from mutatis.assembly.replicas import cluster
from mutatis.assembly.settings import NO_OBJECTS, Searching
from mutatis.assembly.settings import HandedOver as HandedOver
from mutatis.campaign.events import Collector
from mutatis.campaign.session import Campaign
from mutatis.config import Config, public
from mutatis.core.errors import UsageError, check_known
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source, kinds, relations_of
from mutatis.core.transformation import NO_CHANGE
from mutatis.plugins import load_plugins
from mutatis.query import Spending, Store
from mutatis.recipes import RECIPES, Recipe
from mutatis.recipes.source_metrics import DIRECTIONS, GradingMetrics, RefusalMetrics
from mutatis.records.baseline import HOW, Baseline, read_baseline
from mutatis.relations import soundness
from mutatis.relations.table import GRADED
from mutatis.tasks import adopt_task
from mutatis.text.memory import remembering


def register_own(config: Config) -> str | None:
    """Load the plugins, run the files listed in `load`, and register the task of `[task]`. Safe to call twice.

    Returns:
        The name of the task, or None without a `[task]` table.
    """
    load_plugins(installed=config.plugins)
    for path in config.load:
        load_user_code(config.path(path))
    return None if config.task is None else adopt_task(config.path(config.task.file)).name


def _with_task(config: Config, name: str | None) -> Config:
    """Set the task on every block of data that does not name one."""
    if name is None:
        return config
    data = [section if section.task else section.model_copy(update={"task": name}) for section in config.data]
    return config.model_copy(update={"data": data})


_EARLIER = (
    "the baseline was written by a version that seeded follow-ups by a record's position: today's differ, so a finding "
    f"may be new for that reason alone; review the new ones once, then rewrite the baseline: {HOW}"
)


def _about_baseline(baseline: Baseline | None, systems: Sequence[str]) -> list[str]:
    """Return notes for the user about an outdated baseline, or one that was made with different systems."""
    if baseline is None:
        return []
    earlier = [_EARLIER] if baseline.is_earlier else []
    if (pair := renaming(baseline.systems, systems)) is not None:
        return [
            *earlier,
            f"the system {pair[1]!r} is compared with {pair[0]!r} of the baseline, because each has only one system",
        ]
    there = ", ".join(baseline.systems) or "none"
    return earlier + [
        f"the baseline has no system {label!r} (it has: {there}), so all its findings are new; another label counts "
        "as the same system only if run and baseline have one each"
        for label in systems
        if label not in baseline.systems
    ]


def _recipes(config: Config) -> list[Recipe]:
    return [RECIPES[name] for name in config.recipe]


def _selectors(
    config: Config, objects: HandedOver, searching: Searching, notes: list[str]
) -> Sequence[str | MetamorphicRelation]:
    """Return the relations to use: objects passed in, else the configured relations, else the recipes' relations.

    Without any of these, the default sets are used, unless the search or an oracle brings relations of its own.
    """
    recipes = _recipes(config)
    if recipes and (objects.relations or config.relations):
        notes.append(
            f"recipe {', '.join(config.recipe)}: its own relations are left out, because `relations` names others"
        )
    by_recipe = [name for recipe in recipes for name in recipe.relations]
    chosen = objects.relations or config.relations or by_recipe
    return chosen or ([] if search.brings_relations(config, searching) else default_sets())


def _mode(config: Config, store: Store, objects: HandedOver, *, offline: bool, fresh: bool) -> systems.Mode:
    """Return the settings for querying the systems of a run and reading their replies."""
    if offline and fresh:
        raise UsageError("offline asks nothing, but fresh asks everything again; use only one of the two")
    return systems.Mode(
        store=store,
        spending=Spending(config.max_queries, config.max_money),
        offline=offline,
        fresh=fresh,
        cluster=None if config.engine == "local" or offline else cluster(config.workers, config.ray_address),
        sharing=systems.in_actors(config, objects),
        verbatim=judges.reads_verbatim(config, objects.judge),
    )


def _collectors(recipes: Sequence[Recipe], tested: Sequence[Source]) -> list[Collector]:
    """Return the listeners that add extra figures to the report: for recipes, for grading and for refusals."""
    collectors = [collector for recipe in recipes for collector in recipe.collectors()]
    examples = [kind.example for kind in kinds(tested)]
    if any(example.task in GRADED for example in examples):
        collectors.append(GradingMetrics())
    if any(relation.name in DIRECTIONS for example in examples for relation in example.relations):
        collectors.append(RefusalMetrics())
    return collectors


def assemble(
    config: Config, store: Store, objects: HandedOver = NO_OBJECTS, *, offline: bool = False, fresh: bool = False
) -> Campaign:
    """Prepare every part of a run.

    Args:
        config: the configuration.
        store: the store that keeps the answers.
        objects: objects passed in by a program.
        offline: send no queries; a missing answer is an error.
        fresh: send queries again even if their answers are stored.

    Raises:
        UsageError: a name is unknown, a file is malformed, or parts do not fit together.
    """
    config = _with_task(config, register_own(config))
    baseline = None if config.gate.baseline is None else read_baseline(config.gate.baseline, config.folder)
    notes = [plugin.note for plugin in load_plugins(installed=config.plugins) if plugin.note]
    searching = search.chosen_search(config, objects)
    selectors = _selectors(config, objects, searching, notes)
    tools = tools_of_run(config, store, offline=offline) if objects.tools is None else objects.tools
    with remembering(store.numbers):  # so that a repeated run need not load a model to detect languages
        tested = sources.build_sources(config, objects, selectors, tools, notes)
    mode = _mode(config, store, objects, offline=offline, fresh=fresh)
    run_systems = systems.build_systems(config, objects, tested, mode)  # for the tasks of the sources
    notes += _about_baseline(baseline, run_systems.labels)
    notes += [target.layer.system.note for target in run_systems.targets if target.layer.system.note]
    collectors = _collectors(_recipes(config), tested.sources)
    strategy, judged, collectors = search.build_search(config, searching, tested, run_systems.labels, collectors, notes)
    gate = config.gate.of_run(list(relations_of(judged)), notes)
    return Campaign(
        targets=run_systems.targets,
        sources=judged,
        search=strategy,
        judges=judges.build_judges(config, judged, run_systems.helper, objects.judge, notes),
        no_change=RELATIONS[NO_CHANGE],
        helper=run_systems.helper,
        helper_layer=run_systems.helper_layer,
        seed=config.seed,
        repeats=config.repeats,
        source_repeats=config.judge.repertoire,
        draws=config.judge.draws or 1,
        noise_floor=config.noise_floor,
        confirm=config.confirm,
        shrink=config.shrink if config.confirm else 0,
        reserve=config.reserve,
        silence=config.silence,
        soundness=soundness.shares_of(soundness.readings()),
        people=_people(config),
        collectors=collectors,
        baseline=baseline,
        newly_asked=config.gate.newly_asked,
        known=known_entries(config, run_systems.labels, judged),
        memory=store.numbers,
        lent=run_systems.lent,
        config=public(config.model_copy(update={"gate": gate})),
        named=_named_by_hand(config, objects, tested),
        notes=notes,
        offline=offline,
    )


def _named_by_hand(config: Config, objects: HandedOver, tested: sources.Tested) -> list[str]:
    """Return the names of the relations that the user selected individually. Names from a recipe do not count."""
    by_hand = objects.relations or config.relations or any(section.relations for section in config.data)
    return sorted(tested.named) if by_hand else []


def _people(config: Config) -> Figures:
    """Return the shares of follow-ups that people found sound, read from the file that `readings` names.

    Raises:
        UsageError: the file names an unknown relation.
    """
    if config.readings is None:
        return {}
    path = config.path(config.readings)
    rows = soundness.read_people(path)
    check_known(f"{path}: relation", [row.relation for row in rows], RELATIONS)
    return soundness.shares_of(rows)
