"""The door of promptfoo, without promptfoo: tests and results in its documented form."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.interop.promptfoo import as_literal, generate_tests, get_assert, judge_from_command, judge_results

SETTINGS = """relations = ["upper-case", "lower-case"]
judge = { measure = "exact" }
[data]
format = "lines"
path = "questions.txt"
name = "shop"
"""


def answer(text: str) -> str:
    return "41 euros" if text.isupper() and "EUROS" in text else "40 euros" if "euros" in text.lower() else "3 days"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    Path("questions.txt").write_text("How many days?\nHow many euros?\n")
    Path("mutatis.toml").write_text(SETTINGS)
    return {"config": "mutatis.toml"}


def write_results(tests: list[dict[str, Any]], reply: Callable[[str], Any] = answer, **changed: Any) -> Path:
    """Write what `promptfoo eval -o results.json` would, for prompts that are the question."""
    results = []
    for number, test in enumerate(tests):
        text = test["vars"]["message"]
        results.append(
            {
                "testIdx": number,
                "promptIdx": 0,
                "prompt": {"raw": text, "label": "{{message}}"},
                "provider": {"id": "file://bot.py", "label": "bot"},
                "response": {"output": reply(text), "cached": False},
                "failureReason": 0,
                "testCase": test,
                **changed,
            }
        )
    path = Path("results.json")
    path.write_text(json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": results}}))
    return path


def test_a_test_for_each_question(config: dict[str, Any]) -> None:
    tests = generate_tests(config)
    assert [test["vars"]["message"] for test in tests] == [
        *("How many days?", "How many euros?"),
        *("HOW MANY DAYS?", "how many days?", "HOW MANY EUROS?", "how many euros?"),
    ]
    assert [test["description"] for test in tests][:3] == ["shop/1", "shop/2", "shop/1 in other words"]
    assert len({test["metadata"]["mutatis"] for test in tests}) == 6
    assert all(test["assert"][0]["value"].endswith("promptfoo.py:get_assert") for test in tests)
    assert not any("assert" in test for test in generate_tests({**config, "assertion": False}))
    assert set(generate_tests({**config, "variable": "q"})[0]["vars"]) == {"q"}


def test_results_have_the_findings_of_a_run(config: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    system = mutatis.system("function", target=answer, label="bot", revision="1")
    plain = [finding.id for finding in mutatis.run(system, None, settings="mutatis.toml").findings]
    path = write_results(generate_tests(config))
    [(label, judged)] = judge_results(path, out="out").items()
    assert (label, judged.ids, len(plain)) == ("bot", plain, 1)
    assert mutatis.read_run("out").findings[0].id == plain[0]
    assert judge_from_command([str(path)]) == 0
    assert f"{plain[0]} upper-case: HOW MANY EUROS? -> " in capsys.readouterr().out


def test_every_provider_and_prompt_is_a_system(config: dict[str, Any]) -> None:
    tests = generate_tests(config)
    first = json.loads(write_results(tests).read_text())
    second = json.loads(write_results(tests, lambda text: "always", provider={"id": "openai:x"}).read_text())
    both = {"results": {"results": first["results"]["results"] + second["results"]["results"]}}
    Path("results.json").write_text(json.dumps(both))
    runs = judge_results("results.json")
    assert {label: len(run.ids) for label, run in runs.items()} == {"bot": 1, "openai:x": 0}
    with pytest.raises(UsageError, match=r"contains 2 systems \(bot, openai:x\)"):
        judge_results("results.json", label="mine")


def test_the_assertion_judges_a_source_with_its_last_answer(config: dict[str, Any]) -> None:
    tests = generate_tests(config)
    judged = {}
    for test in tests:
        [assertion] = test["assert"]
        context = {"config": assertion["config"], "provider": {"label": "bot"}, "vars": test["vars"]}
        judged[test["vars"]["message"]] = get_assert(answer(test["vars"]["message"]), context)
    assert {text for text, result in judged.items() if not result["pass"]} == {"how many euros?"}
    assert judged["how many euros?"]["score"] == 0.5
    assert " upper-case: HOW MANY EUROS? -> " in judged["how many euros?"]["reason"]
    assert judged["how many days?"]["reason"] == "no contradiction among 2 comparisons"
    first = judged["How many days?"]["reason"]
    assert first.startswith("judged when all answers")
    assert "`python -m mutatis.interop.promptfoo results.json` judges without waiting" in first


def test_folders_of_earlier_evaluations_are_removed(config: dict[str, Any]) -> None:
    def folder_of(tests: list[dict[str, Any]]) -> Path:
        return Path(tests[0]["assert"][0]["config"]["folder"])

    old, answered, recent = (folder_of(generate_tests(config)) for _ in range(3))
    eight_days = old.stat().st_mtime - 8 * 24 * 3600
    (answered / "system").mkdir()  # made today, in a folder that is as old
    other = old.with_name("somebody-else")
    other.mkdir()
    for folder in (old / "judge_promptfoo.py", old, answered, other):
        os.utime(folder, (eight_days, eight_days))
    generate_tests({**config, "assertion": False})
    assert old.exists()
    generate_tests(config)
    assert [folder.exists() for folder in (old, answered, recent, other)] == [False, True, True, True]


def test_an_answer_is_there_whole_or_not_at_all(config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    replaced = []

    def watched(part: Path, target: Path) -> None:
        replaced.append((part.read_text(), part.parent == target.parent, target.exists()))

    monkeypatch.setattr(Path, "replace", watched)
    [assertion] = generate_tests(config)[0]["assert"]
    get_assert("3 days", {"config": assertion["config"], "provider": {"label": "bot"}})
    assert replaced == [("3 days", True, False)]


def test_a_provider_that_failed_is_an_error_and_no_pass(config: dict[str, Any]) -> None:
    failed: dict[str, Any] = {"failureReason": 2, "response": {"error": "401 wrong key"}}
    path = write_results(generate_tests(config), **failed)
    with pytest.raises(SystemFailure, match="401 wrong key"):
        judge_results(path)


@pytest.mark.parametrize(
    ("failed", "says"),
    [
        ({"failureReason": 2, "error": "out of memory"}, "out of memory"),
        ({"response": {"output": "3 days", "error": "cut off after 5 s"}}, "cut off after 5 s"),
        ({"response": {"cached": False}}, "promptfoo recorded no output"),
    ],
)
def test_each_sign_of_a_failure_is_one(config: dict[str, Any], failed: dict[str, Any], says: str) -> None:
    """An answer that came in spite of it, or none at all, is not judged as if the system had given it."""
    path = write_results(generate_tests(config), **failed)
    with pytest.raises(SystemFailure, match=says):
        judge_results(path)


def test_an_answer_that_failed_an_assertion_is_an_answer(config: dict[str, Any]) -> None:
    path = write_results(generate_tests(config), failureReason=1, error="expected output to contain 4")
    [judged] = judge_results(path).values()
    assert len(judged.ids) == 1


def test_tests_that_were_left_out_are_not_judged(config: dict[str, Any]) -> None:
    path = write_results([test for test in generate_tests(config) if test["metadata"]["source"] == "shop/2"])
    [judged] = judge_results(path).values()
    assert len(judged.ids) == 1
    assert {row.invalid for row in judged.run.summary} == {1}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "contains no results of promptfoo"),
        ('{"results": {"results": [{"testCase": {}}]}}', "none of its 1 results belongs to a test from generate_tests"),
        ('{"results": {"results": [5]}}', "result 1: expected an object, found 5"),
        ("{", "results.json"),
    ],
)
def test_another_file_is_told(config: dict[str, Any], content: str, says: str) -> None:
    Path("results.json").write_text(content)
    with pytest.raises(UsageError, match=says):
        judge_results("results.json")


def test_a_prompt_without_the_question_is_told(config: dict[str, Any]) -> None:
    path = write_results(generate_tests(config), prompt={"raw": "Hello"})
    with pytest.raises(UsageError, match="the prompt 'Hello' does not contain the question"):
        judge_results(path)


@pytest.mark.parametrize("ascii_alone", [True, False])
def test_a_question_in_a_prompt_of_json_is_found(config: dict[str, Any], ascii_alone: bool) -> None:
    Path("questions.txt").write_text('Was heißt "Größe"?\n', encoding="utf-8")
    tests = generate_tests(config)
    path = write_results(tests, lambda text: "size")
    data = json.loads(path.read_text())
    for result in data["results"]["results"]:
        chat = [{"role": "user", "content": result["prompt"]["raw"]}]
        result["prompt"]["raw"] = json.dumps(chat, ensure_ascii=ascii_alone)
    path.write_text(json.dumps(data))
    assert judge_results(path)["bot"].ids == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"provider": "openai:x"}, "result 1: field 'provider' expected an object, found \"openai:x\""),
        ({"response": "text"}, "result 1: field 'response' expected an object, found \"text\""),
        ({"prompt": "text"}, "result 1: field 'prompt' expected an object, found \"text\""),
        ({"testCase": [1]}, r"result 1: field 'testCase' expected an object, found \[1\]"),
        ({"promptIdx": "1"}, "result 1: field 'promptIdx' expected a whole number"),
    ],
)
def test_what_is_no_result_is_told(config: dict[str, Any], changed: dict[str, Any], says: str) -> None:
    path = write_results(generate_tests(config), **changed)
    with pytest.raises(UsageError, match=says):
        judge_results(path)


def test_an_unknown_option_is_told(config: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="did you mean 'config'"):
        generate_tests({"confg": "mutatis.toml"})


@pytest.mark.parametrize(
    "text", ["{{ 7 * 7 }}", "{% raw %}", "{# c #}", "file:///etc/passwd", "package:x", 'a {"b"}\n']
)
def test_a_text_of_the_data_is_never_a_template_or_a_file(text: str) -> None:
    literal = as_literal(text)
    assert literal.startswith('{{ "')
    inner = literal.removeprefix("{{ ").removesuffix(" }}")
    assert "{{" not in inner
    assert "{%" not in inner
    assert "{#" not in inner
    assert "".join(json.loads(part) for part in inner.split(" + ")) == text
