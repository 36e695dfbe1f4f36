"""Two functions that may answer differently are two versions; the same one is the same in every process."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.systems.versions import version_of

MODEL = "small"
COUNTED = 0


def version(function: Callable[..., Any]) -> str:
    return version_of(function, "bot")


def closing_over(model: Any) -> Callable[[str], str]:
    def bot(text: str) -> str:
        return f"{model} {text}"

    return bot


def asked(text: str, model: str = "small", *, warmth: float = 0.0) -> str:
    return f"{model} {text} {warmth}"


def twice(function: Callable[[str], str]) -> Callable[[str], str]:
    @functools.wraps(function)
    def called(text: str) -> str:
        return function(function(text))

    return called


class Bot:
    def __init__(self, model: str) -> None:
        self.model, self.calls, self.log = model, 0, [model]

    def answer(self, text: str) -> str:
        self.calls += 1
        return f"{self.model} {text}"

    __call__ = answer


def pairs() -> dict[str, tuple[Callable[..., Any], Callable[..., Any]]]:
    return {
        "closures": (closing_over("small"), closing_over("large")),
        "functions in closures": (closing_over(len), closing_over(str)),
        "lambdas": (lambda text: "yes", lambda text: "no"),
        "partials": (functools.partial(asked, model="small"), functools.partial(asked, model="large")),
        "positional partials": (functools.partial(asked, "a"), functools.partial(asked, "b")),
        "methods": (Bot("small").answer, Bot("large").answer),
        "objects": (Bot("small"), Bot("large")),
        "decorated": (twice(closing_over("small")), twice(closing_over("large"))),
        "cached": (functools.cache(closing_over("small")), functools.cache(closing_over("large"))),
        "called by a lambda": ((lambda f: lambda text: f(text))(asked), (lambda f: lambda text: f(text))(closing_over)),
    }


@pytest.mark.parametrize("name", pairs())
def test_what_may_answer_differently_is_another_version(name: str) -> None:
    first, other = pairs()[name]
    assert version(first) != version(other)
    assert version(first) == version(pairs()[name][0])


def test_a_text_that_the_function_goes_by_is_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def bot(text: str) -> str:
        return inner(text)

    def inner(text: str) -> str:
        return f"{MODEL} {text}"

    before = version(bot)
    assert version(bot) == before
    monkeypatch.setitem(globals(), "MODEL", "large")
    assert version(bot) != before


def test_what_the_function_changes_itself_is_its_state() -> None:
    seen: list[str] = []
    here = 0

    def bot(text: str) -> str:
        global COUNTED
        nonlocal here
        COUNTED, here = COUNTED + 1, here + 1
        seen.append(text)
        return text

    counting = Bot("small")
    before = version(bot), version(counting), version(counting.answer)
    assert bot("a") == "a"
    assert counting("b") == counting.answer("b") == "small b"
    assert (COUNTED, here, seen, counting.calls) == (1, 1, ["a"], 2)
    assert (version(bot), version(counting), version(counting.answer)) == before


def made(*lines: str) -> Callable[..., Any]:
    """Return a function of no file, as the cells of a notebook make them."""
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), namespace)
    function: Callable[..., Any] = namespace["bot"]
    return function


def test_a_function_of_no_file_is_told_by_what_it_does() -> None:
    calls = "def bot(text): return ask(text)"
    assert version(made("ask = len", calls)) != version(made("ask = str", calls))
    assert version(made(calls)) != version(made("def bot(text): return tell(text)"))
    first, other = (f"def ask(text): return {answer!r}" for answer in ("yes", "no"))
    assert version(made(first, calls)) == version(made("", "", first, calls))
    assert version(made(first, calls)) != version(made(other, calls))
    assert version(made("MODEL = 'a'", "def bot(text): return MODEL")) != version(
        made("MODEL = 'b'", "def bot(text): return MODEL")
    )
    nested = "def bot(text): return [one for one in (lambda: {0})()]"
    assert version(made(nested.format(1))) == version(made(nested.format(1)))
    assert version(made(nested.format(1))) != version(made(nested.format(2)))


def test_it_is_the_same_in_every_process() -> None:
    program = """
from mutatis.systems.versions import version_of
namespace = {"KNOWN": frozenset({"a", "b", "c"})}
exec("def bot(text): return text in {'yes', 'no', 'perhaps'} or text in KNOWN or (lambda: text)()", namespace)
print(version_of(namespace["bot"], "bot"))
"""
    source = str(Path(mutatis.__file__).parents[1])
    told = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": source, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in "123"
    }  # fmt: skip
    assert len(told) == 1


def test_what_cannot_be_read_needs_a_revision() -> None:
    with pytest.raises(mutatis.UsageError, match=r'pass revision = "..."'):
        version(len)


def test_answers_of_one_function_are_not_served_for_another(tmp_path: Path) -> None:
    options: dict[str, Any] = {"task": "sentiment", "out": tmp_path / "out", "settings": {"noise_floor": 0}}
    first = mutatis.run(closing_over("0.1"), ["fine"], ["add-spaces"], **options)
    assert first.report.run.queries.paid == 2
    assert mutatis.run(closing_over("0.1"), ["fine"], ["add-spaces"], **options).report.run.queries.paid == 0
    assert mutatis.run(closing_over("0.2"), ["fine"], ["add-spaces"], **options).report.run.queries.paid == 2
