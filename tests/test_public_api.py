"""The public names: exactly these, few, documented, and all of them load."""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.testing import ScriptedSystem

NAMES = [
    "Case",
    "Comparison",
    "Constraint",
    "Conversation",
    "GateFailed",
    "Judge",
    "MetamorphicRelation",
    "MutatisError",
    "Outcome",
    "Precondition",
    "Response",
    "Run",
    "SystemFailure",
    "Turn",
    "UnusableFollowUp",
    "UsageError",
    "cases",
    "judge",
    "measure",
    "read_cases",
    "read_run",
    "relation",
    "report",
    "run",
    "run_async",
    "sample",
    "system",
    "transformation",
]
"""Written down here a second time: a name that comes or goes is a decision."""


def test_the_names_are_these_sorted_and_few() -> None:
    assert mutatis.__all__ == sorted(mutatis.__all__) == NAMES
    assert len(NAMES) <= 30


def test_a_class_of_the_core_is_taken_from_the_module_that_defines_it() -> None:
    homes = {name: home for name, home in mutatis._HOMES.items() if home.startswith("mutatis.core")}
    assert {name: getattr(mutatis, name).__module__ for name in homes} == homes


def test_they_are_what_a_star_import_gives() -> None:
    namespace: dict[str, Any] = {}
    exec("from mutatis import *", namespace)
    assert sorted(name for name in namespace if name != "__builtins__") == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_name_loads_and_has_a_docstring(name: str) -> None:
    public = getattr(mutatis, name)
    text = inspect.getdoc(public) or ""
    assert text.strip()
    inherited = inspect.getdoc(type(public)) if not inspect.isclass(public) else None
    assert text != inherited
    assert not text.startswith(f"{name}("), "the docstring is only the generated signature"


@pytest.mark.parametrize("name", NAMES)
def test_its_public_methods_have_docstrings(name: str) -> None:
    public = getattr(mutatis, name)
    if inspect.isclass(public):
        for attribute, value in vars(public).items():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if not attribute.startswith("_") and inspect.isfunction(function):
                assert inspect.getdoc(function), f"{name}.{attribute}"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = mutatis.nothing


def test_all_names_are_told_before_any_is_used() -> None:
    assert set(NAMES) <= set(dir(mutatis))


@pytest.mark.parametrize("first", ["mutatis.reports.html", "mutatis.api", "mutatis"])
def test_report_can_be_called_whatever_was_imported_first(first: str, tmp_path: Path) -> None:
    code = f"""
import {first}
import mutatis, mutatis.records.files
from mutatis.testing import ScriptedSystem
mutatis.Run
found = dict(run={{"id": "r"}}, summary=[], findings=[], health=[], metrics={{}})
report = mutatis.records.files.make_report(found)
print(mutatis.report(mutatis.Run(report=report), "report.json"))
try:
    mutatis.report(mutatis.Run(report=report), "report.txt")
except mutatis.UsageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "report.json"
    assert "'report.txt'; expected a name that ends in .html, .json, .xml, .csv" in done.stdout
    assert (tmp_path / "report.json").is_file()


class Unnamed:
    async def ask(self, conversation: Any) -> Any:
        """Answer nobody: it is refused before."""


CASE = mutatis.Case(id="a/0", turns=(mutatis.Turn(fields={"text": "fine"}),))


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        ((lambda text: "0.5", [], ["leet"]), {}, "no cases to test"),
        ((0.5, [CASE], ["leet"]), {"task": "sentiment"}, "0.5 is not a system; expected a function"),
        ((Unnamed(), [CASE], ["leet"]), {"task": "sentiment"}, r"Unnamed.* can be asked, but lacks a label"),
        ((ScriptedSystem({"*": "0.5"}), [], "leet"), {}, "expected a list"),
        ((ScriptedSystem({"*": "0.5"}), [], ["leet"]), {"max_rate": 0.1}, r"run.check\(max_rate=...\)"),
        (
            (ScriptedSystem({"*": "0.5"}), [], ["leet"]),
            {"fields": {"text": "a"}},
            r"fields is not .*; it is one of mutatis.c",
        ),
        (
            (ScriptedSystem({"*": "0.5"}), [], ["leet"]),
            {"max_findings": 9},
            r'run.check\(max_findings=...\), or settings=\{"gate": \{"max_findings": ...\}\}',
        ),
        ((ScriptedSystem({"*": "0.5"}),), {"data": ["a"]}, r"the data come second"),
        ((None, [CASE], ["leet"]), {}, r"system is None, and settings have no \[system\]"),
        ((ScriptedSystem({"*": "0.5"}), None, ["leet"]), {}, r"cases is None, and settings have no \[data\]"),
        (([], [CASE], ["leet"]), {"task": "sentiment"}, "system is an empty list"),
        ((ScriptedSystem({"*": "0.5"}), [], ["leet"]), {"sed": 1}, "did you mean 'seed'"),
        ((), {}, r"mutatis.run needs system and cases; for example: mutatis.run\("),
        (
            (ScriptedSystem({"*": "0.5"}), [CASE], ["leet"], "chat"),
            {},
            "takes only system, cases and relations by position",
        ),
        (
            (ScriptedSystem({"*": "0.5"}), [CASE]),
            {"baseline": "old"},
            r"run.check\(baseline=...\), or settings={",
        ),
        ((ScriptedSystem({"*": "0.5"}), [CASE]), {"measure": "exact"}, "judge='exact'"),
        ((ScriptedSystem({"*": "0.5"}),), {}, "mutatis.run needs cases"),
        ((ScriptedSystem({"*": "0.5"}), [CASE], [3]), {"task": "sentiment"}, "relations contains 3; expected names"),
        (
            (ScriptedSystem({"*": "0.5"}), [CASE], ["leet"]),
            {"judge": 3},
            "judge is 3; expected a Judge or the name of a measure",
        ),
        ((ScriptedSystem({"*": "0.5"}), [CASE], ["leet"]), {"helper": "gpt"}, "helper is 'gpt'; expected an object"),
        ((ScriptedSystem({"*": "0.5"}), [CASE], ["leet"]), {"on_event": 3}, "on_event is 3; expected a function"),
    ],
)
def test_a_mistake_is_told(arguments: tuple[Any, ...], options: dict[str, Any], says: str) -> None:
    with pytest.raises(mutatis.UsageError, match=says):
        mutatis.run(*arguments, **options)


GONE = [
    ({"noise_floor": 0}, 'settings={"noise_floor": 0}'),
    ({"engine": "ray", "workers": 2}, """settings={"engine": 'ray', "workers": 2}"""),
    ({"context": {"extractor": "gold"}}, """settings={"context": {'extractor': 'gold'}}"""),
    ({"repeats": 3}, 'settings={"repeats": 3}'),
    ({"confirm": 0}, 'settings={"confirm": 0}'),
    ({"budget": 20}, "max_queries=20"),
    ({"budget": 20, "confirm": 0}, 'max_queries=20, settings={"confirm": 0}'),
    ({"concurrency": 4}, 'settings={"concurrency": 4}'),
    ({"confirm": 0, "settings": {"repeats": 2}}, 'settings={..., "confirm": 0}'),
]
"""Names that earlier versions took, or that only a configuration file has, and what to write."""


@pytest.mark.parametrize(("options", "written"), GONE)
def test_a_name_of_a_configuration_is_a_type_error_that_shows_the_line_to_write(
    options: dict[str, Any], written: str
) -> None:
    names = ", ".join(name for name in options if name != "settings")
    said = rf"^mutatis.run has no argument {names}; .* settings; write: {re.escape(written)}$"
    with pytest.raises(TypeError, match=said):
        mutatis.run(ScriptedSystem({"*": "0.5"}), [CASE], ["leet"], **options)

    async def awaited() -> None:
        with pytest.raises(TypeError, match=said):
            await mutatis.run_async(ScriptedSystem({"*": "0.5"}), [CASE], ["leet"], **options)

    asyncio.run(awaited())


def test_the_signature_is_this() -> None:
    told = inspect.signature(mutatis.run)
    assert told == inspect.signature(mutatis.run_async)
    assert " ".join(f"{p.name}={p.default}" for p in list(told.parameters.values())[3:]) == (
        "helper=None judge=None search=None recipe=None task=None seed=0 max_queries=None offline=False fresh=False "
        "out=None store=None on_event=None settings=None"
    )
    assert [p.name for p in list(told.parameters.values())[:3]] == ["system", "cases", "relations"]
    assert told.parameters["relations"].default is None


def test_a_limit_that_cannot_be_is_told() -> None:
    run = mutatis.run(lambda text: "0.5", ["Fine."], ["upper-case"], task="sentiment")
    with pytest.raises(mutatis.UsageError, match=r"Run\.check: max_rate is 5; expected 1 or less"):
        run.check(max_rate=5)


def test_a_table_without_a_verdict_says_why() -> None:
    run = mutatis.run(lambda text: "positive", ["Fine."], ["upper-case"], task="sentiment")
    assert "no number in 'positive'; expected a number from 0 to 1" in run.table()
