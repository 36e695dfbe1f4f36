"""What all readers share: common options, unique ids, slices, and that nothing is lost silently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from mutatis.core.cases import Case
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.registry import Registry
from mutatis.datasets.source import Source

COMMON: dict[str, type] = {
    "name": str,
    "limit": int,
    "first": int,
    "last": int,
    "answerable": bool,
    "task": str,
    "encoding": str,
}
"""Options that every reader takes, with their types."""

UNKNOWN = "unknown"
"""The expected answer of a question that is annotated as unanswerable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A data format: its name, default task, the tasks it has cases for, own options with types, and how to read it."""

    name: str
    task: str
    cases: Callable[[Source], Iterable[Case]]
    summary: str
    tasks: tuple[str, ...] = ()
    options: Mapping[str, type] = field(default_factory=dict)

    def read(self, path: Path | str, options: Mapping[str, Any] | None = None) -> Iterator[Case]:
        """Yield the cases of a file in their order.

        Options, besides the format's own: `name` (data name; default the file's), `answerable` (true leaves out
        questions annotated as unanswerable), then of what is left `first` and `last` (indices from 0, both
        included), then `limit`; `task`; `encoding`.

        Raises:
            UsageError: an unknown option, a malformed file, two records with one id, or no cases at all.
        """
        given = self._checked(options or {})
        path = Path(path)
        name = given.get("name", data_name(path))
        if not name or "/" in name:
            raise UsageError(f"data name {name!r}: expected a name without '/'; pass name = \"...\"")
        source = Source(
            path=path,
            name=name,
            task=given.get("task", self.task),
            encoding=given.get("encoding"),
            options={key: value for key, value in given.items() if key not in COMMON},
        )
        return self._sliced(source, given)

    def _sliced(self, source: Source, given: Mapping[str, Any]) -> Iterator[Case]:
        cases: Iterable[Case] = _unique(self.cases(source), source.path)
        if given.get("answerable"):
            cases = (case for case in cases if _answerable(case, source.path))
        first, last = given.get("first", 0), given.get("last")
        stop = None if last is None else last + 1
        if (limit := given.get("limit")) is not None:
            stop = first + limit if stop is None else min(stop, first + limit)
        count = 0
        for case in islice(cases, first, stop):
            count += 1
            yield case if case.task and "task" not in given else replace(case, task=source.task)
        if not count:
            asked = ", ".join(f"{k} = {given[k]}" for k in ("answerable", "first", "last", "limit") if k in given)
            raise UsageError(f"{source.path}: no cases{f' with {asked}' if asked else ''}; expected at least one")

    def _checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        types = {**COMMON, **dict(self.options)}
        for key, value in options.items():
            if key not in types:
                raise unknown_name(f"option of data format {self.name!r}:", key, types)
            if value is None:
                continue
            kind = types[key]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise UsageError(f"data format {self.name!r}: {key} is {value!r}; expected a {kind.__name__}")
            if kind is int and isinstance(value, int) and value < (1 if key == "limit" else 0):
                raise UsageError(
                    f"data format {self.name!r}: {key} is {value}; expected {'1' if key == 'limit' else '0'} or more"
                )
        given = {key: value for key, value in options.items() if value is not None}
        if "last" in given and given["last"] < given.get("first", 0):
            raise UsageError(f"data format {self.name!r}: last = {given['last']} lies before first = {given['first']}")
        if self.tasks and given.get("task", self.task) not in self.tasks:
            raise UsageError(
                f"data format {self.name!r} has no cases for task {given['task']!r}; expected: {', '.join(self.tasks)}"
            )
        return given


DATASETS: Registry[Reader] = Registry("data format")


def reader(
    name: str, *, task: str, tasks: tuple[str, ...] = (), options: Mapping[str, type] | None = None
) -> Callable[[Callable[[Source], Iterable[Case]]], Callable[[Source], Iterable[Case]]]:
    """Register the decorated function as the reader of the format `name`; `tasks` empty means any task."""

    def register(function: Callable[[Source], Iterable[Case]]) -> Callable[[Source], Iterable[Case]]:
        summary = (function.__doc__ or "").partition("\n")[0]
        DATASETS.add(
            name,
            Reader(name=name, task=task, cases=function, summary=summary, tasks=tasks, options=dict(options or {})),
        )
        return function

    return register


def read(data_format: str, path: Path | str, **options: Any) -> list[Case]:
    """Return the cases of a file as a list."""
    return list(DATASETS[data_format].read(path, options))


def labels_of(cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the different expected labels of cases, sorted: the labels of a classification task."""
    return tuple(sorted({answer for case in cases for turn in case.turns for answer in turn.expected}))


def data_name(path: Path) -> str:
    """Return the default data name: the file's name without its endings.

    >>> data_name(Path("data/dev-v2.0.json.xz"))
    'dev-v2.0'
    """
    name = path.name
    for suffix in (".xz", ".gz"):
        name = name.removesuffix(suffix)
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and ending.isalnum() and not ending.isdigit() else name


def accepted(answers: Iterable[str]) -> tuple[str, ...]:
    """Return the different answers in their order, without blank ones."""
    return tuple(dict.fromkeys(answer.strip() for answer in answers if answer.strip()))


def _unique(cases: Iterable[Case], path: Path) -> Iterator[Case]:
    seen: dict[str, int] = {}
    for number, case in enumerate(cases, start=1):
        if case.id in seen:
            raise UsageError(
                f"{path}: case {number} has the id {case.id!r} of case {seen[case.id]}; "
                "expected unique ids: correct them, or leave them out and cases are numbered"
            )
        if not case.turns:
            raise UsageError(f"{path}: case {case.id!r} has no turns; expected at least one question")
        seen[case.id] = number
        yield case


def _answerable(case: Case, path: Path) -> bool:
    if len(case.turns) > 1:
        raise UsageError(
            f"{path}: answerable = true leaves out single questions, and {case.id!r} is a dialogue; "
            "leave the option out (unanswerable turns are marked, relations leave them out)"
        )
    return case.turns[0].annotations.get("answerable") is not False
