"""Runs a campaign from Python with `mutatis.run` and returns its result.

The implementation is async, with a thin synchronous wrapper. `run` cannot be called while an event loop is running; use
`await run_async(...)` there.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec

from mutatis.assembly.campaign import HandedOver, assemble, register_own
from mutatis.assembly.completion import closed_after, complete
from mutatis.assembly.settings import Searching, configured
from mutatis.campaign.events import Listener
from mutatis.campaign.session import Campaign
from mutatis.config import RENAMED, Config
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.measure import Judge
from mutatis.core.parameters import UnsaidInt, was_said
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.system import Helper, System
from mutatis.datasets import DATASETS, read
from mutatis.datasets.objects import cases as cases
from mutatis.datasets.objects import is_message
from mutatis.loops import is_running, to_the_end
from mutatis.plugins import load_plugins
from mutatis.query import Store
from mutatis.records import read_report
from mutatis.records.labels import labelled, read_labels
from mutatis.records.runs import STORE_FILE, find_run, run_folder
from mutatis.records.scratch import Scratch
from mutatis.reports.run import GateFailed as GateFailed
from mutatis.reports.run import Run as Run
from mutatis.reports.run import in_notebook
from mutatis.systems import SYSTEMS

TASK = "question-answering"
"""The task of records and cases that do not name one."""


class UnknownArgument(UsageError, TypeError):
    """Raised for an argument that the called function does not accept."""


async def run_campaign(campaign: Campaign, *, folder: Path | None, run_id: str = "", name: str = "") -> Run:
    """Run an assembled campaign to its end.

    Without a folder, verdicts are kept only as long as the returned `Run` exists.
    """
    if folder is not None:
        return Run(report=await complete(campaign, folder=folder, run_id=run_id, name=name), folder=folder)
    scratch = Scratch()
    try:
        return Run(report=await complete(campaign, verdicts=scratch.folder, run_id=run_id, name=name), scratch=scratch)
    except BaseException:
        scratch.remove()
        raise


def _keys_and_objects(
    relations: list[str | MetamorphicRelation] | None,
    judge: str | Judge | None,
    search: str | Mapping[str, Any] | Searching | None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return keys of the configuration, and objects that take the place of its tables, both with None for no value.

    Names and tables are keys, and everything else is an object. If any relation is an object, all relations are.
    """
    only_names = all(isinstance(relation, str) for relation in relations or ())
    is_name, is_table = isinstance(judge, str), isinstance(search, str | Mapping)
    keys = {
        "relations": relations if only_names else None,
        "judge.measure": judge if is_name else None,
        "search": search if is_table else None,
    }
    objects = {
        "relations": None if only_names else relations,
        "judge": None if is_name else judge,
        "search": None if is_table else search,
    }
    return keys, objects


_KINDS: Mapping[str, tuple[Any, str]] = {
    "relations": (Iterable, "a list of relations"),
    "recipe": (str | list | tuple, "a name, or a list of names"),
    "offline": (bool, "True or False"),
    "fresh": (bool, "True or False"),
    "kind": (str, "a system type (mutatis list systems)"),
    "out": (str | Path, "a path"),
    "store": (str | Path, "a path"),
    "path": (str | Path, "a path"),
    "on_event": (Callable, "a function that takes an event"),
}
"""The type of each argument that is not part of the configuration, and its description."""


def _check_kinds(**arguments: Any) -> None:
    for name, value in arguments.items():
        kind, expected = _KINDS[name]
        is_one_name = name == "relations" and isinstance(value, str)
        if is_one_name or (value is not None and not isinstance(value, kind)):
            hint = f": [{value!r}]" if is_one_name else ""
            raise UsageError(f"{name} is {value!r:.80}; expected {expected}{hint}")


def _several(system: Any) -> list[Any]:
    is_table = isinstance(system, Mapping) and isinstance(system.get("type"), str)  # as in a configuration
    if isinstance(system, Mapping) and not is_table:
        return [_called(name, value) for name, value in system.items()]
    if isinstance(system, list | tuple):
        return list(system)
    return [] if system is None else [system]


def _called(name: Any, value: Any) -> Any:
    """Wrap a fitted estimator, a pipeline or a function as a system with the given name."""
    if hasattr(value, "predict"):
        return system("sklearn", model=value, label=str(name))
    if callable(value) and not hasattr(value, "ask") and not hasattr(value, "session") and not hasattr(value, "task"):
        return system("function", target=value, label=str(name))
    raise UsageError(
        f"{name!r} is {value!r:.80}; expected a fitted estimator or a function; pass systems of other kinds, which "
        "have their own labels, in a list"
    )


def _listed(data: Any, task: str | None) -> list[Case]:
    listed = isinstance(data, list | tuple)
    if listed and all(isinstance(case, Case) for case in data):
        return list(data)
    return cases(data, task=task if listed and all(map(is_message, data)) else task or TASK)


_ELSEWHERE = {
    **dict.fromkeys(
        ("fields", "name", "limit"),
        "it is one of mutatis.cases: mutatis.run(system, mutatis.cases(data, task=..., fields=...))",
    ),
    **dict.fromkeys(
        ("max_rate", "max_findings", "max_errors", "min_judged", "max_age", "baseline"),
        'the gate comes afterwards: run.check({name}=...), or settings={{"gate": {{"{name}": ...}}}}',
    ),
    "measure": "the judge is named by its measure: mutatis.run(..., judge='exact')",
    "data": "the data come second: mutatis.run(system, data)",
    "systems": "the system comes first, or a list of systems: mutatis.run(systems, data)",
}
"""Arguments that belong to other functions, with a hint about what to write instead."""


def _check_names(options: Mapping[str, Any], names: Collection[str]) -> None:
    """Raise UsageError if any option is not an argument of `run`. Configuration keys must be passed in `settings`."""
    wrong = [name for name in options if name not in names]
    if not wrong:
        return
    if (hint := _ELSEWHERE.get(wrong[0])) is not None:
        raise UnknownArgument(f"{wrong[0]} is not an argument of mutatis.run; {hint.format(name=wrong[0])}")
    keys = {RENAMED.get(name, name): options[name] for name in wrong}
    if not keys.keys() <= Config.model_fields.keys():
        raise UnknownArgument(str(unknown_name("argument of mutatis.run:", wrong[0], names)))
    written = [f"{key}={value!r:.60}" for key, value in keys.items() if key in names]
    if table := ", ".join(f'"{key}": {value!r:.60}' for key, value in keys.items() if key not in names):
        written.append(f"settings={{{'..., ' if 'settings' in options else ''}{table}}}")
    raise UnknownArgument(
        f"mutatis.run has no argument {', '.join(wrong)}; pass keys of a configuration file in settings; write: "
        f"{', '.join(written)}"
    )


POSITIONAL = 3
"""Number of arguments that may be passed by position: system, cases and relations."""

P = ParamSpec("P")


def _checked(asynchronous: Callable[P, Coroutine[Any, Any, Run]]) -> Callable[P, Coroutine[Any, Any, Run]]:
    """Wrap a coroutine function so that a misspelt argument raises an error suggesting the correct name."""
    names = inspect.signature(asynchronous).parameters

    @functools.wraps(asynchronous)
    async def call(*args: P.args, **options: P.kwargs) -> Run:
        _check_names(options, names)
        if len(args) > POSITIONAL:
            raise UnknownArgument(
                f"mutatis.run takes only system, cases and relations by position, but got {len(args)} positional "
                "arguments; pass the others by name: helper=..., task=..., settings=..."
            )
        missing = [name for name in ("system", "cases")[len(args) :] if name not in options]
        if missing:
            raise UnknownArgument(
                f"mutatis.run needs {' and '.join(missing)}; for example: mutatis.run(my_bot, my_texts)"
            )
        return await asynchronous(*args, **options)

    return call


def _waits_for(asynchronous: Callable[P, Coroutine[Any, Any, Run]]) -> Callable[[Callable[[], None]], Callable[P, Run]]:
    """Return a decorator that turns a name and a docstring into a synchronous version of a coroutine function."""

    def decorate(described: Callable[[], None]) -> Callable[P, Run]:
        @functools.wraps(asynchronous)
        def call(*args: P.args, **options: P.kwargs) -> Run:
            if is_running() and not in_notebook():  # a notebook's own loop waits for the cell anyway
                raise UsageError("an event loop is already running; use: await mutatis.run_async(...)")
            return to_the_end(closed_after(asynchronous(*args, **options), args[0] if args else options.get("system")))

        call.__name__ = call.__qualname__ = described.__name__
        call.__doc__ = described.__doc__
        return call

    return decorate


@_checked
async def run_async(  # noqa: PLR0913 - the one wide call of the library
    system: Any,
    cases: Any,
    relations: Iterable[str | MetamorphicRelation] | None = None,
    *,
    helper: Helper | None = None,
    judge: str | Judge | None = None,
    search: str | Mapping[str, Any] | Searching | None = None,
    recipe: str | Sequence[str] | None = None,
    task: str | None = None,
    seed: int = UnsaidInt(0),
    max_queries: int | None = None,
    offline: bool = False,
    fresh: bool = False,
    out: Path | str | None = None,
    store: Path | str | None = None,
    on_event: Listener | None = None,
    settings: Mapping[str, Any] | Path | str | None = None,
) -> Run:
    """Run a campaign while an event loop is already running; see `run`."""
    _check_kinds(
        relations=relations, recipe=recipe, offline=offline, fresh=fresh, out=out, store=store, on_event=on_event
    )
    keys, objects = _keys_and_objects(list(relations or ()) or None, judge, search)
    keys |= {
        "recipe": [recipe] if isinstance(recipe, str) else list(recipe or ()) or None,
        "seed": seed if was_said(seed) else None,
        "max_queries": max_queries,
    }
    objects |= {"systems": system, "data": cases, "helper": helper}
    if system in ([], ()):
        raise UsageError("system is an empty list; expected at least one system")
    config, description = configured(settings, keys, objects)
    own_task = register_own(config)  # before the cases, whose task may be registered here
    default_task = task or own_task
    handed_over = HandedOver(
        systems=_several(system),
        cases=() if cases is None else _listed(cases, default_task),
        task=default_task or TASK,
        description=description,
        relations=objects["relations"] or (),
        helper=helper,
        judge=objects["judge"],
        search=objects["search"],
    )
    folder = None if out is None else run_folder(out)
    with Store(folder / STORE_FILE if store is None and folder is not None else store) as answers:
        campaign = assemble(config, answers, handed_over, offline=offline, fresh=fresh)
        campaign.listeners = () if on_event is None else (on_event,)
        # A command can recreate everything named in the configuration, but no object of this program.
        named = all(value is None for value in objects.values())
        return await run_campaign(campaign, folder=folder, name=str(folder) if named and folder is not None else "")


@_waits_for(run_async)
def run() -> None:
    """Test systems on cases with relations and return the run.

    Arguments take precedence over `settings`. Keys in neither have the defaults of a configuration.

    Args:
        system: one system or a list of them (see `mutatis.system`), a plain function from text to answer, a fitted
            scikit-learn estimator, or a transformers pipeline. Estimators and functions may also be in a dictionary,
            by name. None uses the systems in `settings`.
        cases: source cases, for example from `mutatis.read_cases("squad2", path)`, or any data that `mutatis.cases`
            accepts: texts, dictionaries, a frame, a data set. None uses the data in `settings`.
        relations: names, published ids, `tag:NAME`, or relation objects; by default those of `recipe`, or else the
            default sets for the task (`robustness`, `wording`, `logic`, ...).
        helper: the language model that makes follow-ups or judges, if a relation needs one.
        judge: how free-text answers are compared: the name of a measure, or a `Judge`.
        search: the follow-ups to try: a name, a table as in `[search]`, or an object with `ask` and `tell`.
        recipe: published methods, with their relations, settings and metrics (`Run.metrics`).
        task: the task of cases that do not name one. By default, texts and lists of texts are messages and dialogues
            of task "chat", and all other data are questions of task "question-answering".
        seed: seed of every random choice.
        max_queries: maximum number of questions, including those whose answers are stored.
        offline: ask nothing; a missing answer is an error.
        fresh: ask again even if answers are stored.
        out: folder for the files of the run, including its answers. A repeated run does not pay for them again.
        store: file for the answers, instead of the one in `out`. Without both, answers are kept in memory only.
        on_event: called with every event of the search.
        settings: any keys of a configuration file (`concurrency`, `protect`, `gate`, ...), as a table or as the path
            of a TOML file, to which paths in it are relative. `{"data": {"names": [...]}}` describes `cases` by their
            `names`, `labels` and `language`.

    Raises:
        UsageError: arguments do not fit together, or an event loop other than a notebook's is running. Nothing was
            asked. An unknown argument is also a TypeError.
    """


def run_config(config: Config, *, store: Path | str | None = None, out: Path | str | None = None) -> Run:
    """Run a configuration (see `mutatis.config`) and return the finished run."""
    folder = None if out is None else run_folder(out)

    async def inside() -> Run:
        with Store(store) as answers:
            return await run_campaign(
                assemble(config, answers), folder=folder, name="" if folder is None else str(folder)
            )

    return asyncio.run(inside())


def read_run(folder: Path | str) -> Run:
    """Open a finished run as the same kind of object that `mutatis.run` returns, including people's labels.

    Args:
        folder: the `out` folder of the run, or anything that the commands accept: a report, a store, a run id,
            "latest", "previous".

    Raises:
        UsageError: the run does not exist.

    >>> read_run("nowhere")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    mutatis.core.errors.UsageError: no run 'nowhere': ...
    """
    if not isinstance(folder, str | Path):
        raise UsageError(f"read_run got {folder!r}; expected the path of the out folder of a run")
    path = find_run(str(folder))
    return Run(report=labelled(read_report(path), read_labels(path)), folder=path)


def report(run: Run, path: Path | str, *, form: str | None = None) -> Path:
    """Write the report of a run in the format `form`; if not given, the suffix of `path` decides (see `Run.save`).

    Raises:
        UsageError: the suffix or the format is unknown.
    """
    _check_kinds(path=path)
    return run.save(path, form=form)


def read_cases(data_format: str, path: Path | str, **options: Any) -> list[Case]:
    """Read cases from a file in a public format.

    The options are the keys of a `[data]` table (`limit`, `name`, ...).
    """
    _check_kinds(path=path)
    if data_format not in DATASETS:
        load_plugins()
    return read(data_format, path, **options)


def system(kind: str, /, **options: Any) -> System:
    """Create a system under test of a registered type. The options are the keys of a `[system]` table."""
    __tracebackhide__ = True  # the options may hold keys
    _check_kinds(kind=kind)
    if kind not in SYSTEMS:
        load_plugins()
    return SYSTEMS[kind](**options)
