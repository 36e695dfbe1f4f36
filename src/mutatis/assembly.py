"""From a configuration to the parts of a run: systems, sources, relations, judges, search."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Target
from mutatis.campaign.session import Campaign
from mutatis.config import Config, DataSection, JudgeSection, SystemSection, public
from mutatis.context import ContextCheck
from mutatis.core.cases import Case, Step
from mutatis.core.errors import MissingExtra, UsageError, unknown_name
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.system import Helper, System
from mutatis.core.task import TASKS, Task
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.datasets import DATASETS, labels_of
from mutatis.query import Limits, QueryLayer, Spending, Store
from mutatis.query.helper import SystemHelper
from mutatis.recipes import RECIPES, Recipe
from mutatis.relations.mortar import CHECK
from mutatis.relations.opposite import OppositeMeasure
from mutatis.sweeps import collectors_of, judged_by, judging, search_of
from mutatis.systems import SYSTEMS
from mutatis.tasks import with_prompt

BY_KIND = {"label": "label", "number": "number", "set": "set", "state": "state"}
"""The measure of each kind of answer that is not free text."""

NO_CHANGE = "no-change"
"""The relation of the noise floor."""


def assemble(config: Config, store: Store, *, offline: bool = False, fresh: bool = False) -> Campaign:
    """Build every part that the configuration names; nothing is asked yet.

    Raises:
        UsageError: an unknown name, a malformed file, or parts that do not fit together.
    """
    for path in config.load:
        load_user_code(config.path(path))
    recipes = [RECIPES[name] for name in config.recipe]
    spending = Spending(config.max_queries)

    def layer(system: System, section: SystemSection) -> QueryLayer:
        limits = _limits(section, config.concurrency)
        return QueryLayer(system, store, limits, spending=spending, offline=offline, fresh=fresh)

    helper_layer = None if config.helper is None else layer(_system(config, config.helper), config.helper)
    helper = None if helper_layer is None else SystemHelper(helper_layer)
    notes: list[str] = []
    sources: list[Source] = []
    labels: dict[str, tuple[str, ...]] = {}
    fields: dict[str, tuple[str, ...]] = {}
    check = _context_check(config)  # one for the run: what it knows of a source serves every relation
    for section in config.data:
        sources += _sources(config, section, recipes, helper is not None, notes, labels, check)
    check_sources(sources)
    for name in config.gate.relations:
        RELATIONS.resolve(name)  # a misspelt gate must not wait for the end of a paid run
    tasks = dict.fromkeys(source.task for source in sources)
    for source in sources:
        own_fields = tuple(source.case.turns[0].fields)
        if own_fields != TASKS[source.task].fields:
            fields.setdefault(source.task, own_fields)
    targets = _targets(config, {task: (labels.get(task), fields.get(task)) for task in tasks}, layer)
    notes += [note for target in targets if (note := getattr(target.layer.system, "note", ""))]
    known = [target.label for target in targets]
    for section in config.data:
        for label in section.systems:
            if label not in known:
                raise unknown_name("system label in [data] systems:", label, known)
    if config.oracle is not None:
        sources = judged_by(config, sources, known, notes)
    sources = judging(config.search, sources)
    return Campaign(
        targets=targets,
        sources=sources,
        judges=_judges(config, sources, helper, notes),
        search=search_of(config.search, sources),
        no_change=RELATIONS[NO_CHANGE],
        seed=config.seed,
        repeats=config.repeats,
        noise_floor=config.noise_floor,
        confirm=config.confirm,
        shrink=config.shrink,
        silence=config.silence,
        config=public(config),
        helper=helper,
        helper_layer=helper_layer,
        collectors=collectors_of(config.search, recipes),
        notes=notes,
    )


_Own: TypeAlias = tuple[tuple[str, ...] | None, tuple[str, ...] | None]
"""Labels and fields that the data gives a task, where they are not the task's own."""


def check_sources(sources: Sequence[Source]) -> None:
    """Raise UsageError where there is no case, or where two cases have one id: answers would be mixed up."""
    if not sources:
        raise UsageError("no cases to test: the data is empty, or its filters (limit, first, last, ...) leave none")
    known: dict[tuple[str, str], Case] = {}
    for source in sources:
        other = known.setdefault((source.task, source.case.id), source.case)
        if other is not source.case and other != source.case:
            raise UsageError(
                f'two different cases have the id {source.case.id!r}; give each [[data]] its own name = "..."'
            )


def check_distinct(kind: str, labels: Sequence[str]) -> None:
    """Raise UsageError where two labels are the same: their results would be one."""
    for number, label in enumerate(labels):
        if label in labels[:number]:
            raise UsageError(f'two {kind}s are called {label!r}; give each its own label = "..."')


def load_user_code(path: Path) -> None:
    """Run a Python file that registers the user's own transformations, relations or systems.

    Raises:
        UsageError: no such file, or it failed; the message names the error and its line.
    """
    name = f"mutatis_user_{path.stem}"
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) == str(path.resolve()):
        return
    if not path.is_file():
        raise UsageError(f"load = [{str(path)!r}]: no such file; expected a Python file with your relations")
    specification = importlib.util.spec_from_file_location(name, path.resolve())
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except UsageError:
        del sys.modules[name]
        raise
    except Exception as error:
        del sys.modules[name]
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        line = trace.tb_lineno if trace else 0
        raise UsageError(f"{path}, line {line}: {type(error).__name__}: {error}") from error


def _system(config: Config, section: SystemSection) -> System:
    options = dict(section.options)
    if section.timeout is not None and "timeout" in SYSTEMS[section.type].options:
        options["timeout"] = section.timeout
    if isinstance(options.get("revision"), int | float):
        options["revision"] = str(options["revision"])  # revision = 2 is as good a word as any
    target = section.options.get("target")
    if isinstance(target, str) and ".py:" in target:
        options["target"] = str(config.path(target))
    model = section.options.get("model")
    if isinstance(model, str) and (section.type == "sklearn" or config.path(model).is_dir()):
        options["model"] = str(config.path(model))
    system = SYSTEMS[section.type](**options)
    if section.label is not None:
        system.label = section.label
    elif target != options.get("target"):
        system.label = f"{section.type}:{target}"  # as it was written, wherever the run is started or replayed
    return system


def _limits(section: SystemSection, concurrency: int) -> Limits:
    limits = Limits(concurrency=section.concurrency or concurrency, rate=section.rate)
    if section.retries is not None:
        limits = replace(limits, retries=section.retries)
    return limits if section.timeout is None else replace(limits, timeout=section.timeout)


def _targets(
    config: Config,
    tasks: Mapping[str, _Own],
    layer: Callable[[System, SystemSection], QueryLayer],
) -> list[Target]:
    targets: list[Target] = []
    for section in config.systems:
        system = _system(config, section)
        own = {name: _task(config, section, TASKS[name], *found) for name, found in tasks.items()}
        targets.append(Target(label=system.label, layer=layer(system, section), tasks=own))
    check_distinct("system", [target.label for target in targets])
    return targets


def _task(
    config: Config,
    section: SystemSection,
    task: Task,
    labels: tuple[str, ...] | None,
    fields: tuple[str, ...] | None,
) -> Task:
    prompt = section.prompt
    if prompt is not None and prompt.endswith((".txt", ".md")):
        path = config.path(prompt)
        if not path.is_file():
            raise UsageError(f"prompt = {prompt!r}: no such file {path}; expected a text with {{field}} placeholders")
        try:
            prompt = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"prompt = {section.prompt!r}: cannot be read as UTF-8 text: {error}") from None
    if prompt is None and section.system_message is None and labels is None and fields is None:
        return task
    return with_prompt(task, section.system_message, prompt, labels if task.kind == "label" else None, fields)


def _sources(
    config: Config,
    section: DataSection,
    recipes: Sequence[Recipe],
    has_helper: bool,
    notes: list[str],
    labels: dict[str, tuple[str, ...]],
    check: ContextCheck,
) -> list[Source]:
    reader = DATASETS[section.format]
    task = TASKS[section.task or reader.task]
    options = {**section.options, "task": task.name}
    cases: list[Case] = list(reader.read(config.path(section.path), options))
    if section.labels is not None or task.name == "classification":
        own = tuple(section.labels) if section.labels is not None else labels_of(cases)
        if labels.setdefault(task.name, own) != own:
            raise UsageError(
                f"two [[data]] give task {task.name!r} different labels ({', '.join(labels[task.name])}; "
                f"{', '.join(own)}); give both the same labels = [...], or run them apart"
            )
    selectors = section.relations or config.relations or [name for recipe in recipes for name in recipe.relations]
    if not selectors and config.search.type == "once" and config.oracle is None:
        raise UsageError(
            'no relations chosen; for example: relations = ["add-spaces", "tag:free"] or recipe = "llmorph"'
        )
    chosen = [_adapted(config, relation, check) for relation in select(selectors, task.name, has_helper, notes)]
    if selectors and not chosen:
        raise UsageError(
            f"none of the relations {', '.join(selectors)} fits task {task.name!r}; see 'mutatis list relations'"
        )
    systems = tuple(section.systems)
    return [Source(case=case, relations=tuple(chosen), systems=systems) for case in cases]


def select(selectors: Iterable[str], task: str, has_helper: bool, notes: list[str]) -> list[MetamorphicRelation]:
    """Return the relations that names, published ids and tags stand for, as far as they fit the task.

    A relation picked by tag that needs a missing helper is left out with a note; picked by name it is an error.
    """
    chosen: dict[str, MetamorphicRelation] = {}
    for selector in selectors:
        if not selector.startswith("tag:"):
            relation = RELATIONS[selector]
            if task in relation.tasks:
                if relation.needs_helper and not has_helper:
                    raise UsageError(f"relation {relation.name!r} needs a language model; add [helper]")
                chosen[relation.name] = relation
            else:
                notes.append(f"relation {relation.name} does not fit task {task} (it fits {', '.join(relation.tasks)})")
            continue
        tag = selector.removeprefix("tag:")
        tagged = [RELATIONS[name] for name in RELATIONS if tag in RELATIONS[name].tags]
        if not tagged:
            tags = sorted({tag for name in RELATIONS for tag in RELATIONS[name].tags})
            raise UsageError(f"no relation has tag {tag!r}; tags are: {', '.join(tags)}")
        fitting = [relation for relation in tagged if task in relation.tasks]
        skipped = [relation.name for relation in fitting if relation.needs_helper and not has_helper]
        if skipped:
            notes.append(f"left out, because they need [helper]: {', '.join(skipped)}")
        chosen.update({relation.name: relation for relation in fitting if relation.name not in skipped})
    return list(chosen.values())


def _context_check(config: Config) -> ContextCheck:
    """Return the check that `[context]` describes; what is not said there is the check's own default."""
    section = config.context
    given = {} if section.dataset_check is None else {"dataset_check": section.dataset_check}
    return ContextCheck(
        extractor=section.extractor,
        undecided=section.undecided,
        adjacency_veto=section.adjacency_veto,
        needed=section.needed,
        **given,  # type: ignore[arg-type]
    )


def _adapted(config: Config, relation: MetamorphicRelation, check: ContextCheck) -> MetamorphicRelation:
    if relation.annotator is CHECK:
        relation = replace(relation, annotator=check)
    # Reference-based testing is about the annotated answers by definition: with its own it would always be satisfied.
    if config.reference is not None and relation.reference == "annotated" and "reference" not in relation.tags:
        relation = replace(relation, reference=config.reference)
    if config.turns != "all":
        relation = replace(relation, turns=config.turns)
    if config.protect != "nothing":
        steps = tuple(_protecting(step, config.protect) for step in relation.transformations)
        relation = replace(relation, transformations=steps)
    return relation


def _protecting(step: Step, kind: str) -> Step:
    if any(parameter.name == "protect" for parameter in TRANSFORMATIONS[step.transformation].parameters):
        return replace(step, parameters={**step.parameters, "protect": kind})
    return step


def _judges(config: Config, sources: Sequence[Source], helper: Helper | None, notes: list[str]) -> Judges:
    relations = {r.name: r for source in sources for r in source.relations}.values()
    kinds = {TASKS[source.task].kind for source in sources}
    return Judges(by_kind=judges(config.judge, notes, kinds), by_measure=judges_of_relations(relations, helper))


def judges_of_relations(relations: Iterable[MetamorphicRelation], helper: Helper | None) -> dict[str, Judge]:
    """Return the judges that relations name themselves, by their measure."""
    named = {relation.measure for relation in relations if relation.measure is not None}
    chosen = {name: measures.judge(name) for name in named - {"opposite"}}
    if "opposite" in named and helper is not None:
        chosen["opposite"] = Judge(measure=OppositeMeasure(helper))
    return chosen


def judges(section: JudgeSection, notes: list[str], kinds: Collection[str]) -> dict[str, Judge]:
    """Return the judge of each of these kinds of answer; `[judge]` chooses the one of free text."""
    chosen = {kind: measures.judge(BY_KIND[kind]) for kind in kinds if kind in BY_KIND}
    if section.measure is not None and "text" not in kinds:
        name = measures.MEASURES.resolve(section.measure)
        notes.append(f"judge: {name} is for free-text answers, and these tasks have none")
    if "text" in kinds:
        name = section.measure or measures.default_text_measure()
        if section.measure is None and name.endswith("lexical"):
            notes.append(f"judge: {name} ({MissingExtra('the embedding judge answer-equivalence', 'semantic')})")
        chosen["text"] = measures.judge(name, section.equal, section.different, section.undecided)
    return chosen
