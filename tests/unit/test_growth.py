"""Nothing that reads what a system says may take longer than in proportion to its length; counted in steps."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutatis import prompting
from mutatis.core.system import Response
from mutatis.measures import answer
from mutatis.tasks import PARSERS
from mutatis.tasks.parsers import LabelParser
from mutatis.text import normalisation
from mutatis.text.abstention import is_abstention, polarity
from mutatis.text.refusals import ASKED, CUES, is_refusal, stance
from mutatis.text.sentences import split_sentences
from mutatis.text.values import numbers, values, vocabulary
from support.steps import Steps, TooManySteps, lines, pumps

ROOMS = ("text", "measures", "tasks", "query", "systems", "prompting", "context", "secrets")
COMMON = (
    *("\n", " ", "a", "1", ".", "-", '"', "*", "{", "<", "a ", "1,", "\n \n", "x. ", "' ", "not ", "1.", "_", ", "),
    *("(", "i ", "\u00aba "),
)
SHORT, LONG = 50, 100
MOST = 2.5
"""Twice the length is twice the steps; quadratic would be four times, and what is bounded comes near it before."""


def patterns() -> dict[str, re.Pattern[str]]:
    """Return every compiled pattern of the rooms, and those that a label parser makes."""
    labels = LabelParser(["yes", "no", "not sure"], {"maybe": "not sure"})
    compiled = {"LabelParser.pattern": labels.pattern, "LabelParser.named": labels.named}
    for room in ROOMS:
        package = importlib.import_module(f"mutatis.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern):
                    compiled[f"{module.name}.{name}"] = value
    known = vocabulary()
    ways = {"dates": known.dates, "times": known.times, "shares": known.shares}
    compiled |= {f"values.{name}.{at}": way.pattern for name, each in ways.items() for at, way in enumerate(each)}
    numbered = {"codes": known.codes, "houses": known.houses}
    compiled |= {f"values.{name}.{at}": pattern for name, each in numbered.items() for at, pattern in enumerate(each)}
    # Those that are tried at one place alone, behind or before a number, are left out.
    compiled |= {f"values.{name}": getattr(known, name) for name in ("no_code", "sizes", "days", "one_of_unit")}
    compiled |= ASKED
    # One by one: together they are one pattern per act, whose steps are those of its cues.
    compiled |= {f"{act}.{number}": re.compile(cue) for act, cues in CUES.items() for number, cue in enumerate(cues)}
    return {name: pattern for name, pattern in compiled.items() if pattern is not None}


def growth(pattern: re.Pattern[str], before: str, again: str) -> float:
    """Return by what the steps of a pattern grow when a text that ends in a mismatch becomes twice as long.

    A short text may end before a pattern's longest way through it: what is in doubt is asked of a text twice as long.
    """
    ratio = ratio_of(pattern, before, again, SHORT, LONG)
    return ratio if ratio <= MOST else min(ratio, ratio_of(pattern, before, again, LONG, 2 * LONG))


def ratio_of(pattern: re.Pattern[str], before: str, again: str, *lengths: int) -> float:
    taken = []
    for length in lengths:
        steps = Steps(pattern, most=100_000)
        try:
            steps.every(before + (again * length)[:length] + "\x00")
        except TooManySteps:
            return float("inf")
        taken.append(steps.taken)
    return taken[1] / max(taken[0], 1)


def by_module() -> dict[str, dict[str, re.Pattern[str]]]:
    """Return the patterns by where they stand: a test for each of six hundred would take seconds to be collected."""
    groups: dict[str, dict[str, re.Pattern[str]]] = defaultdict(dict)
    for name, pattern in patterns().items():
        groups[name.rpartition(".")[0]][name] = pattern
    return groups


GROUPS = by_module()


def tried(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    return sorted({("", again) for again in COMMON} | pumps(pattern))


@pytest.mark.parametrize("module", GROUPS)
def test_a_pattern_takes_steps_in_proportion_to_the_text(module):
    slow = {
        (name, *pair): ratio
        for name, pattern in GROUPS[module].items()
        for pair in tried(pattern)
        if (ratio := growth(pattern, *pair)) > MOST
    }
    assert slow == {}


@pytest.mark.long
@pytest.mark.parametrize("module", GROUPS)
def test_the_counted_matcher_finds_what_the_real_one_finds(module):
    for name, pattern in GROUPS[module].items():
        for before, again in tried(pattern):
            for text in (f"{before}{again * 3}x {again}", f"I am {before}{again}. Yes,\n - 2 {again}"):
                assert Steps(pattern).every(text) == [match.span() for match in pattern.finditer(text)], name


def test_prompting_makes_no_pattern_for_a_call():
    """So that every one of its patterns is counted above."""
    for path in Path(prompting.__file__).parent.glob("*.py"):
        functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
        used = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.Attribute)]
        assert [node.attr for node in used if isinstance(node.value, ast.Name) and node.value.id == "re"] == []


@pytest.mark.parametrize(
    ("pattern", "before", "again"),
    [(r"\s*\n", "", " "), (r"(\w+)*x", "", "a"), (r"a.*b", "", "a"), (r"^\W*[\"']*x", "", '"')],
)
def test_a_pattern_that_is_not_linear_is_told(pattern, before, again):
    assert growth(re.compile(pattern), before, again) > MOST


def parsed(name: str) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            return PARSERS[name].parse(Response(text="x" + text), None)  # type: ignore[arg-type]
        except Exception:
            return None

    return parse


READERS: dict[str, Callable[[str], Any]] = {
    "read": answer._read.__wrapped__,  # type: ignore[attr-defined]  # what is remembered would take no steps
    "split_sentences": split_sentences,
    "numbers": numbers,
    "values": values.__wrapped__,  # what is remembered would take no steps
    "tokens": normalisation.tokens.__wrapped__,  # what is remembered would take no steps
    "is_abstention": is_abstention,
    "is_refusal": is_refusal,
    "stance": lambda text: stance(text, text),
    "polarity": polarity,
    **{name: parsed(name) for name in PARSERS},
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_runs_through_lines_in_proportion_to_the_text(reader):
    read = READERS[reader]
    read("warm")
    slow = {}
    for again in (*COMMON, "one ", "first, ", "3 km and ", "Dr. ", "a, b and c. "):
        taken = [lines(lambda n=n, again=again: read((again * n)[:n])) for n in (800, 1600, 3200)]
        if taken[2] > 2.5 * taken[1] + 50 or taken[2] > 6 * taken[0] + 100:
            slow[again] = taken
    assert slow == {}
