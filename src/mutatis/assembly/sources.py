"""From `[data]` blocks, or cases handed over, to sources: cases with the relations to be checked on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mutatis.assembly.relations import Chooser
from mutatis.config import Config, DataSection
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS, labels_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Cases that are tested alike: with the same relations (None: the run's), labels and systems."""

    cases: Sequence[Case]
    relations: Sequence[str | MetamorphicRelation] | None = None
    labels: Sequence[str] | None = None
    systems: tuple[str, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of the cases, in the order of their first ones."""
        return tuple(dict.fromkeys(case.task for case in self.cases))


def read(config: Config, section: DataSection) -> Block:
    """Return the cases of one `[data]` block."""
    reader = DATASETS[section.format]
    task = {} if section.task is None else {"task": TASKS.resolve(section.task)}
    cases = list(reader.read(config.path(section.path), {**section.options, **task}))
    return Block(
        cases=[case if case.task in TASKS else replace(case, task=TASKS.resolve(case.task)) for case in cases],
        relations=section.relations,
        labels=section.labels,
        systems=tuple(section.systems),
    )


def handed_over(cases: Sequence[Case], task: str | None) -> Block:
    """Return cases that a program hands over; `task` is that of the cases which name none.

    Raises:
        UsageError: a case names no task and there is no default.
    """
    default = None if task is None else TASKS.resolve(task)

    def with_task(case: Case) -> Case:
        name = TASKS.resolve(case.task) if case.task else default
        if name is None:
            raise UsageError(f"case {case.id!r} names no task; pass task=..., one of: {', '.join(TASKS)}")
        return case if case.task == name else replace(case, task=name)

    return Block(cases=[with_task(case) for case in cases])


def sources_of(block: Block, selectors: Sequence[str | MetamorphicRelation], chooser: Chooser) -> Iterator[Source]:
    """Yield the cases of a block with the relations that fit their tasks."""
    chosen = chooser.choose(selectors if block.relations is None else block.relations, block.tasks)
    for case in block.cases:
        yield Source(case=case, relations=chosen[case.task], systems=block.systems)


def labels_by_task(blocks: Sequence[Block]) -> dict[str, tuple[str, ...]]:
    """Return the labels of the tasks whose labels the data give.

    Raises:
        UsageError: two blocks give one task different labels.
    """
    found: dict[str, tuple[str, ...]] = {}
    for block in blocks:
        for task in block.tasks:
            if block.labels is None and task != "classification":
                continue
            cases = [case for case in block.cases if case.task == task]
            own = labels_of(cases) if block.labels is None else tuple(block.labels)
            if found.setdefault(task, own) != own:
                raise UsageError(
                    f"two [[data]] give task {task!r} different labels ({', '.join(found[task])}; {', '.join(own)}); "
                    "give both the same labels = [...], or run them apart"
                )
    return found


def check_sources(sources: Sequence[Source], *, implied: bool) -> None:
    """Raise UsageError where nothing can be tested, or where two cases have one id: answers would be mixed up.

    `implied` says that what judges is not among the relations chosen: a sweep, or an oracle.
    """
    if not sources:
        raise UsageError("no cases to test: the data is empty, or its filters (limit, first, last, ...) leave none")
    if not implied and not any(source.relations for source in sources):
        raise UsageError(
            'no relations chosen; for example: relations = ["add-spaces", "tag:free"] or recipe = "llmorph"'
        )
    known: dict[tuple[str, str], Case] = {}
    for source in sources:
        other = known.setdefault((source.task, source.case.id), source.case)
        if other is not source.case and other != source.case:
            raise UsageError(
                f'two different cases have the id {source.case.id!r}; give each [[data]] its own name = "..."'
            )


def check_labels(sources: Sequence[Source], known: Sequence[str]) -> None:
    """Raise UsageError where data are for a system that there is not."""
    for label in dict.fromkeys(label for source in sources for label in source.systems):
        if label not in known:
            raise unknown_name("system label in [data] systems:", label, known)
