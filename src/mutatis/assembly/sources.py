"""Turns `[data]` blocks, or cases passed in, into sources: cases together with the relations to check on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias

from mutatis.assembly.blocks import with_languages_and_names
from mutatis.assembly.mcp_server import with_tools
from mutatis.assembly.relations import Chooser
from mutatis.assembly.settings import HandedOver
from mutatis.assembly.spool import MANY, CaseGroup, Sources, kept, shapes_of
from mutatis.config import Config, DataSection
from mutatis.core.calls import Tool, tools_in
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.languages import NAMES, is_english, language_name
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Source, all_different, name_of
from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS, labels_of
from mutatis.datasets.reader import Reader
from mutatis.opening import placed
from mutatis.reading import shown
from mutatis.relations.across import FOREIGN, PARALLEL
from mutatis.transformations.called_for import values_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Cases that are tested with the same relations, labels, systems and names.

    If `relations` is None, the relations of the run are used. `labels` are stated for the cases. If the cases are a
    part of a file, `classes` are the labels of the whole file.
    """

    cases: Sequence[Case]
    relations: Sequence[str | MetamorphicRelation] | None = None
    labels: Sequence[str] | None = None
    classes: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of the cases, in order of first appearance."""
        return tuple(dict.fromkeys(case.task for case, _ in shapes_of(self.cases).values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The sources under test, and the labels needed to read the answers to them.

    Attributes:
        sources: the sources.
        labels: the labels of each task: given ones (`labels = [...]`) or, for classification, those found in the data.
        tasks_with_labels: the tasks with given labels.
        named: the relations that were selected by name.
    """

    sources: Sequence[Source]
    labels: dict[str, tuple[str, ...]]
    tasks_with_labels: frozenset[str]
    named: set[str]


def build_sources(
    config: Config,
    objects: HandedOver,
    selectors: Sequence[str | MetamorphicRelation],
    tools: Sequence[Tool],
    notes: list[str],
) -> Tested:
    """Build the sources under test.

    Args:
        config: the configuration. The cases of its `[data]` blocks come first.
        objects: the program's own cases, which come after them, with their description.
        selectors: the relations for blocks that do not choose their own.
        tools: the tools for cases that have none, if their task involves calling tools.
        notes: receives a note about anything that is left out.

    Raises:
        UsageError: the data is empty, two cases have the same id, a name is unknown, a relation fits no task, or no
            relation is chosen.
    """
    keys = _Keys()
    blocks = [_read(config, section, tools, keys) for section in config.data]
    notes += [note for block in blocks if (note := _about_classes(block.cases)) is not None]
    if objects.cases or not blocks:
        blocks.append(_handed_over(objects, tools, keys))
    blocks = [replace(block, cases=with_languages_and_names(block.cases, block.names, notes)) for block in blocks]
    spoken = frozenset(case.language for block in blocks for case, _ in shapes_of(block.cases).values())
    chooser = Chooser(
        config=config,
        has_helper=objects.has_helper(config),
        lacking=_lacking(blocks, spoken),
        languages=spoken,
        notes=notes,
    )
    built_on_access = Sources(with_translations([_part(block, selectors, chooser) for block in blocks], notes))
    sources: Sequence[Source] = built_on_access if len(built_on_access) > MANY else list(built_on_access)
    _check(sources)
    with_labels = frozenset(task for block in blocks if block.labels is not None for task in block.tasks)
    return Tested(sources=sources, labels=_labels_by_task(blocks), tasks_with_labels=with_labels, named=chooser.named)


class _Keys:
    """Assigns a key to each case of a run: the hash of its question, with a number appended if the hash is taken.

    Cases with the same id are treated as the same case, because two blocks may read the same file. This object exists
    only while data are being read.
    """

    def __init__(self) -> None:
        # Hashes take a third of the memory of texts, and a collision would only add a number to a key.
        self._first: dict[int, int] = {}
        self._others: dict[int, dict[int, int]] = {}

    def keyed(self, case: Case) -> Case:
        """Return the case with its key, which depends only on the data.

        Tools and defaults that the run adds later do not affect the key.
        """
        key = case.asked_hash()
        question, name = hash((case.task, key)), name_of(case)
        if self._first.setdefault(question, name) == name:
            return replace(case, key=key)
        others = self._others.setdefault(question, {})
        return replace(case, key=f"{key}-{others.setdefault(name, len(others) + 2)}")


def _read(config: Config, section: DataSection, tools: Sequence[Tool], keys: _Keys) -> Block:
    """Read a `[data]` block, with the keys of its cases and the defaults of its task."""
    reader = DATASETS[section.format]
    task = {} if section.task is None else {"task": TASKS.resolve(section.task)}
    options = placed(reader.model, section.options_for(reader.model), config.path)
    path = config.path(section.path)
    cases = reader.read(path, {**options, **task})
    named = (case if case.task in TASKS else replace(case, task=TASKS.resolve(case.task)) for case in cases)
    return Block(
        cases=kept(_complete(with_tools(keys.keyed(case), tools)) for case in named),
        relations=section.relations,
        labels=section.labels,
        classes=_classes(reader, path, {**options, **task}) if section.labels is None else (),
        systems=tuple(section.systems),
        names=tuple(section.names),
    )


_PART = ("limit", "first", "last")


def _classes(reader: Reader, path: Path, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the labels of a whole file if the options read a part of it, or ().

    A part seldom contains every class, and an answer with another class would be an error. A row outside the part may
    be malformed.
    """
    if options.keys().isdisjoint(_PART):
        return ()
    everything = {name: value for name, value in options.items() if name not in _PART}
    with suppress(UsageError):
        return labels_of(case for case in reader.read(path, everything) if case.task == "classification")
    return ()


SAMPLE = 1_000
"""Number of cases used to count the values of a column."""


def _about_classes(cases: Iterable[Case]) -> str | None:
    """Return a note about a column that the system sees and that may contain the right classes, or None.

    No case has an expected answer then, and the column has at most half as many values as there are cases.
    """
    turns = [case.turns[0] for case in islice(cases, SAMPLE) if case.task == "classification"]
    columns = list(turns[0].fields) if turns else []
    if len(columns) < 2 or any(turn.expected for turn in turns):
        return None
    counts = {name: len({turn.fields.get(name) for turn in turns}) for name in columns}
    column, text = min(columns, key=counts.__getitem__), max(columns, key=counts.__getitem__)
    if counts[column] * 2 > len(turns):
        return None
    values = f"{counts[column]} values in {len(turns):,} cases"
    fields = f"{{text = {shown(text)}, expected = {shown(column)}}}"
    return (
        f"the system sees the column {shown(column)} ({values}); if these are the right classes, hide them: [data] "
        f"fields = {fields}"
    )


def _handed_over(objects: HandedOver, tools: Sequence[Tool], keys: _Keys) -> Block:
    """Return a program's own cases as a block. Raise UsageError if a case has no task."""
    default, description = None if objects.task is None else TASKS.resolve(objects.task), objects.description

    def with_task(case: Case) -> Case:
        name = TASKS.resolve(case.task) if case.task else default
        if name is None:
            raise UsageError(f"case {case.id!r} names no task; pass task=... with one of: {', '.join(TASKS)}")
        named = case if case.task == name else replace(case, task=name)
        return _complete(with_tools(keys.keyed(named), tools))

    return Block(
        cases=[description.spoken(with_task(case)) for case in objects.cases],
        labels=description.labels,
        names=tuple(description.names),
    )


def _complete(case: Case) -> Case:
    """Return the case with missing optional fields filled in from the defaults of its task."""
    task = TASKS[case.task]
    if task.kind == "calls":
        case = _with_values(case)
    usual = task.defaults
    if not usual or all(name in turn.fields for name in usual for turn in case.turns):
        return case
    return replace(case, turns=tuple(replace(turn, fields={**usual, **turn.fields}) for turn in case.turns))


def _with_values(case: Case) -> Case:
    """Mark likely argument values in the messages of a case, so that edits which add noise leave them alone."""
    tools = tools_in(case.material)
    marks: list[Mapping[str, Any]] = [
        {} if "protected" in turn.annotations else {"protected": {"values": values_in(turn.question, tools)}}
        for turn in case.turns
    ]
    return case.annotated(marks)


def _part(block: Block, selectors: Sequence[str | MetamorphicRelation], chooser: Chooser) -> CaseGroup:
    chosen = chooser.choose(selectors if block.relations is None else block.relations, block.tasks)
    return CaseGroup(cases=block.cases, relations=chosen, systems=block.systems)


def _lacking(blocks: Sequence[Block], spoken: Collection[str]) -> frozenset[str]:
    """Return the tags of relations that need translations or non-English cases, if the data contain none."""
    lacks = {
        PARALLEL: len(spoken) < 2 or not any(are_linked(block.cases) for block in blocks),
        FOREIGN: not any(code in NAMES and not is_english(code) for code in spoken),
    }
    return frozenset(tag for tag, lacking in lacks.items() if lacking)


def _labels_by_task(blocks: Sequence[Block]) -> dict[str, tuple[str, ...]]:
    """Return each task's stated labels. For classification, they default to the labels in the data.

    Raises:
        UsageError: two blocks state different labels for the same task.
    """
    labels: dict[str, tuple[str, ...]] = {}
    for block in blocks:
        for task in block.tasks:
            if block.labels is None and task != "classification":
                continue
            cases = (case for case in block.cases if case.task == task)
            in_data = block.classes or labels_of(cases)
            block_labels = in_data if block.labels is None else tuple(block.labels)
            if labels.setdefault(task, block_labels) != block_labels:
                raise UsageError(
                    f"two [[data]] tables give task {task!r} different labels ({', '.join(labels[task])}; "
                    f"{', '.join(block_labels)}); give both the same labels = [...], or run them separately"
                )
    return labels


def _check(sources: Sequence[Source]) -> None:
    """Raise UsageError if the data is empty, or if different cases share an id, which would mix up their answers."""
    if not sources:
        raise UsageError("no cases to test: the data is empty, or its filters (limit, first, last, ...) leave none")
    if all_different(sources):
        return
    known: dict[tuple[str, str], Case] = {}
    for source in sources:
        other = known.setdefault((source.task, source.case.id), source.case)
        if other is not source.case and other != source.case:
            raise UsageError(
                f'two different cases have the id {source.case.id!r}; give each [[data]] table its own name = "..."'
            )


_InLanguages: TypeAlias = Mapping[tuple[str, str], Mapping[str, Case]]
"""The cases that share a name, as translations of each other do: by task and name, then by language."""


def are_linked(cases: Sequence[Case]) -> bool:
    """Return True if any of the cases are linked to translations by the data."""
    return any(case.parallel for case, _ in shapes_of(cases).values())


def with_translations(groups: Sequence[CaseGroup], notes: list[str]) -> list[CaseGroup]:
    """Return the groups of cases of a run, with the translations that the data provide for each case.

    Each pair of languages is compared only once: English comes first, the other languages follow by code, and a case
    gets translations into later languages only. Linked cases are kept in memory. A note is added to `notes` if no
    question occurs in two languages under the same name.

    Raises:
        UsageError: two questions in the same language have the same name.
    """
    linked = {number: list(group.cases) for number, group in enumerate(groups) if are_linked(group.cases)}
    if not linked:
        return list(groups)
    known = _by_name(chain.from_iterable(linked.values()))
    if not any(len(by_language) > 1 for by_language in known.values()):
        notes.append("parallel: no name occurs in two languages, so no question has a translation to compare it with")
    return [
        replace(group, cases=[_translated(case, known) for case in linked[number]]) if number in linked else group
        for number, group in enumerate(groups)
    ]


def _by_name(cases: Iterable[Case]) -> _InLanguages:
    known: dict[tuple[str, str], dict[str, Case]] = defaultdict(dict)
    for case in cases:
        if not case.parallel or case.language not in NAMES:
            continue
        other = known[case.task, case.parallel].setdefault(case.language, case)
        if other.asked_hash() != case.asked_hash():
            raise UsageError(
                f"{case.parallel!r} names two questions in {language_name(case.language)}, {other.id!r} and "
                f"{case.id!r}; expected one question per language; give each question its own name"
            )
    return known


def _translated(case: Case, known: _InLanguages) -> Case:
    translations = known.get((case.task, case.parallel), {})
    later = sorted((code for code in translations if _order(code) > _order(case.language)), key=_order)
    return replace(case, translations=tuple(translations[code] for code in later)) if later else case


def _order(code: str) -> tuple[bool, str]:
    return not is_english(code), code
