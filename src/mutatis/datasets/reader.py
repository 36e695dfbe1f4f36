"""Parts shared by all readers of data formats: options, unique ids and slices. No data is dropped silently."""

from __future__ import annotations

import inspect
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import pydantic

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.languages import language_code
from mutatis.core.registry import Registry
from mutatis.guarding import Guarded, is_shipped
from mutatis.options import Options, check_options
from mutatis.reading import DataFile, Record

UNKNOWN = "unknown"
"""The expected answer to a question that is annotated as unanswerable."""


class DataOptions(Options):
    """Options of every data format. A format with more options inherits from this class.

    Attributes:
        name: data name, the first part of every case's id; by default the name of the file.
        limit: maximum number of cases.
        first, last: indices of the first and last case to read, counted from 0 after filtering by `answerable`.
        answerable: whether to leave out questions that are annotated as unanswerable.
        task: the task of the cases; by default the format's own.
        encoding: text encoding of the file; by default UTF-8.
        language: language of the texts, "de" or "German"; detected by default.
        parallel: a name shared by files with the same data in different languages. Records with the same id in these
            files are translations of each other.
    """

    name: str | None = None
    limit: int | None = pydantic.Field(default=None, ge=1)
    first: int | None = pydantic.Field(default=None, ge=0)
    last: int | None = pydantic.Field(default=None, ge=0)
    answerable: bool | None = None
    task: str | None = None
    encoding: str | None = None
    language: str | None = None
    parallel: str | None = pydantic.Field(default=None, min_length=1)

    @pydantic.field_validator("name")
    @classmethod
    def _fit_for_ids(cls, name: str | None) -> str | None:
        if name == "" or (name and "/" in name):
            raise ValueError("expected a name without '/'")
        return name

    @pydantic.model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.last is not None and self.last < (self.first or 0):
            raise ValueError(f"last = {self.last} is before first = {self.first or 0}")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A data format: its name, default task, supported tasks, options class, and function.

    The function `cases` receives the file. If the format has its own options, it receives them as a second argument.
    """

    name: str
    task: str
    cases: Callable[..., Iterable[Case]]
    summary: str
    tasks: tuple[str, ...] = ()
    model: type[DataOptions] = DataOptions

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the format's options."""
        return tuple(self.model.model_fields)

    def read(self, path: Path | str, options: Mapping[str, Any] | None = None) -> Iterator[Case]:
        """Yield the cases in a file, in order. The options are described at `DataOptions`.

        Raises:
            UsageError: an option is unknown, the file is malformed, two records have the same id, or no case is left.
        """
        settings = check_options(self.model, options or {}, f"data format {self.name!r}")
        task = settings.task or self.task
        if self.tasks and task not in self.tasks:
            raise UsageError(
                f"data format {self.name!r} has no cases for task {task!r}; expected one of: {', '.join(self.tasks)}"
            )
        path = Path(path)
        name = settings.name or data_name(path)
        if not name:
            raise UsageError(f'{path}: the data cannot be named after this path; pass name = "..."')
        file = DataFile(path=path, name=name, task=task, encoding=settings.encoding)
        language = "" if settings.language is None else language_code(settings.language, f"{path}")
        return self._sliced(file, settings, language)

    def _guarded(self, file: DataFile, reader_options: tuple[DataOptions, ...]) -> Iterator[Case]:
        """Yield the cases of a user-defined reader. Its exceptions and any invalid values are raised as UsageErrors."""
        with Guarded("data format", self.name, needed=True):
            cases = iter(self.cases(file, *reader_options))
        while True:
            with Guarded("data format", self.name, needed=True):
                case = next(cases, None)
            if case is None:
                return
            if not isinstance(case, Case):
                raise UsageError(f"data format {self.name!r} yielded {type(case).__name__}; expected cases")
            yield case

    def _sliced(self, file: DataFile, settings: DataOptions, language: str) -> Iterator[Case]:
        """Yield the cases that the options select. Raise UsageError if no case is left."""
        reader_options = () if self.model is DataOptions else (settings,)
        # What a user's reader raises is reported as its error. What ours raise is meant for the user, or our own bug.
        read = self.cases(file, *reader_options) if is_shipped(self.cases) else self._guarded(file, reader_options)
        cases: Iterable[Case] = unique(read, str(file.path))
        if settings.answerable:
            cases = (case for case in cases if _answerable(case, file.path))
        first, stop = min(settings.first or 0, sys.maxsize), sys.maxsize
        if settings.last is not None:
            stop = min(settings.last + 1, stop)
        if settings.limit is not None:
            stop = min(first + settings.limit, stop)
        count = 0
        for case in islice(cases, first, stop):
            count += 1
            yield _completed(case, file.task if settings.task else case.task or file.task, language, settings.parallel)
        if not count:
            filters = settings.model_dump(include={"answerable", "first", "last", "limit"}, exclude_none=True)
            asked = ", ".join(f"{name} = {value}" for name, value in filters.items())
            raise UsageError(f"{file.path}: no cases{f' with {asked}' if asked else ''}; expected at least one")


F = TypeVar("F", bound=Callable[..., Iterable[Case]])


class Readers(Registry[Reader]):
    """A registry of data formats, filled by decorating the functions that read them.

    Attributes:
        turns: for each task whose turns have their own form in JSON and JSONL, the function that creates the turns of a
            dialogue from their records.
    """

    def __init__(self, kind: str, *, listed: str = "") -> None:
        super().__init__(kind, listed=listed)
        self.turns: dict[str, Callable[[Sequence[Record]], tuple[Turn, ...]]] = {}

    def register(
        self, name: str, *, task: str, tasks: tuple[str, ...] = (), options: type[DataOptions] = DataOptions
    ) -> Callable[[F], F]:
        """Register the decorated function as the reader of the format `name`.

        The first line of its docstring is the summary.

        The function takes a `DataFile` and yields cases. If the format has its own `options`, the function receives the
        checked options as its second argument. `tasks` names the tasks that the cases can be used for; empty means any.
        """

        def register(function: F) -> F:
            summary = (inspect.getdoc(function) or "").partition("\n")[0]
            self.add(name, Reader(name=name, task=task, cases=function, summary=summary, tasks=tasks, model=options))
            return function

        return register


DATASETS = Readers("data format", listed="datasets")


def read(data_format: str, path: Path | str, **options: Any) -> list[Case]:
    """Return the cases in a file as a list."""
    return list(DATASETS[data_format].read(path, options))


def labels_of(cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the distinct expected answers of the cases, sorted. These are the labels of a classification task."""
    return tuple(sorted({answer for case in cases for turn in case.turns for answer in turn.expected}))


def data_name(path: Path) -> str:
    """Return the default data name: the file name without its suffixes.

    >>> data_name(Path("data/dev-v2.0.json.xz"))
    'dev-v2.0'
    """
    name = path.name
    for suffix in (".xz", ".gz"):
        name = name.removesuffix(suffix)
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and ending.isalnum() and not ending.isdigit() else name


def accepted(answers: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct non-blank answers, stripped and in their original order."""
    return tuple(dict.fromkeys(answer.strip() for answer in answers if answer.strip()))


def unique(cases: Iterable[Case], where: str) -> Iterator[Case]:
    """Yield the cases unchanged.

    Raise UsageError if an id is repeated or a case has no turns; the message begins with `where`.
    """
    # Hashes take a quarter of the memory of ids, and a collision is practically impossible.
    seen: set[int] = set()
    order = array("q")
    for number, case in enumerate(cases, start=1):
        name = hash(case.id)
        if name in seen:
            raise UsageError(
                f"{where}: case {number} has the same id as case {order.index(name) + 1}, {case.id!r}; expected unique "
                "ids: correct them, or leave them all out to have the cases numbered"
            )
        if not case.turns:
            raise UsageError(f"{where}: case {case.id!r} has no turns; expected at least one question")
        seen.add(name)
        order.append(name)
        yield case


def _completed(case: Case, task: str, language: str, parallel: str | None) -> Case:
    """Return a case with its task, and with the language and the `parallel` name given for its file."""
    tied = f"{parallel}/{case.id.partition('/')[2]}" if parallel else ""
    facts = task, case.language or language, case.parallel or tied
    if facts == (case.task, case.language, case.parallel):
        return case
    return replace(case, task=facts[0], language=facts[1], parallel=facts[2])


def _answerable(case: Case, path: Path) -> bool:
    if len(case.turns) > 1:
        raise UsageError(
            f"{path}: answerable = true leaves out unanswerable single questions, but {case.id!r} is a dialogue; leave "
            "the option out (unanswerable turns are marked, and relations skip them)"
        )
    return case.turns[0].annotations.get("answerable") is not False
