"""The Berkeley Function-Calling Leaderboard as pairs of calls: both right, or one of them wrong.

The package `bfcl-eval` carries the questions, their tools and for each argument the values that are accepted. Two ways
of choosing among accepted values are a pair that is right on both sides. Wrong ones are made by rule from a right one:
another tool, a required argument missing, the value that a neighbouring question of the same tool takes, a value of the
wrong type, one call of two. Questions are split by a hash of their group into a half to develop on and a half that is
only reported.

    pip install --no-deps bfcl-eval        # its data files are read, nothing of it is imported
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

CATEGORIES = (
    *("simple_python", "simple_java", "simple_javascript", "multiple", "parallel", "parallel_multiple"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
)
ABSENT = object()
"""An optional argument that is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question: what was said, the tools, and per call the accepted values of each argument."""

    id: str
    category: str
    text: str
    tools: Sequence[Mapping[str, Any]]
    accepted: Sequence[Mapping[str, Mapping[str, Sequence[Any]]]]

    @property
    def held_out(self) -> bool:
        """Whether it belongs to the half that is only reported."""
        group = self.id.split("-")[1] if self.category.startswith("live") else self.id
        return hashlib.sha256(f"{self.category}/{group}".encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPair:
    """Two lists of calls to one question, and whether both are right; `kind` is how the pair was made."""

    question: Question
    reference: list[dict[str, Any]]
    answer: list[dict[str, Any]]
    same: bool
    kind: str

    def record(self) -> dict[str, Any]:
        """Return the pair as a line that `mutatis judge --measure tool-calls` reads."""
        return {
            "question": self.question.text,
            "tools": list(self.question.tools),
            "reference": self.reference,
            "answer": self.answer,
        }


def files(wheel: str | None = None) -> Mapping[str, str]:
    """Return the data files of the package by name: of a wheel, or of the package as it is installed."""
    if wheel is not None:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.startswith("bfcl_eval/data/")]
            return {name.removeprefix("bfcl_eval/data/"): archive.read(name).decode() for name in names}
    spec = find_spec("bfcl_eval")
    if spec is None or spec.origin is None:
        sys.exit("bfcl-eval is not here: pip install --no-deps bfcl-eval, or name its wheel")
    folder = Path(spec.origin).parent / "data"
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.json")}


def questions(data: Mapping[str, str]) -> Iterator[Question]:
    """Yield every question that has accepted values."""
    for category in CATEGORIES:
        name = f"BFCL_v4_{category}.json"
        accepted = {
            row["id"]: row["ground_truth"] for row in map(json.loads, data[f"possible_answer/{name}"].splitlines())
        }
        for row in map(json.loads, data[name].splitlines()):
            text = "\n".join(message["content"] for message in row["question"][-1])
            yield Question(
                id=row["id"], category=category, text=text, tools=row["function"], accepted=accepted[row["id"]]
            )


def choose(value: Any, rng: Random) -> Any:
    """Return one accepted value of an argument: alternatives of objects stand inside their keys."""
    if isinstance(value, Mapping):
        chosen = {key: _of_list(options, rng) for key, options in value.items()}
        return {key: item for key, item in chosen.items() if item is not ABSENT}
    if isinstance(value, list):
        return [choose(item, rng) for item in value]
    return value


def _of_list(options: Any, rng: Random) -> Any:
    if not isinstance(options, list) or not options:
        return choose(options, rng)
    option = rng.choice(options)
    return ABSENT if option == "" and len(options) > 1 else choose(option, rng)


def calls(question: Question, rng: Random) -> list[dict[str, Any]]:
    """Return right calls, each accepted value drawn anew."""
    drawn = []
    for call in question.accepted:
        [(name, arguments)] = call.items()
        chosen = {key: _of_list(options, rng) for key, options in arguments.items()}
        drawn.append({"name": name, "arguments": {k: v for k, v in chosen.items() if v is not ABSENT}})
    return drawn


def pairs(asked: Sequence[Question], seed: int = 0) -> Iterator[CallPair]:
    """Yield at most one pair of each kind per question."""
    neighbours = _neighbours(asked)
    for question in asked:
        rng = Random(f"{seed}/{question.category}/{question.id}")
        reference = calls(question, rng)
        draws = (calls(question, rng) for _ in range(20))
        other = next((drawn for drawn in draws if drawn != reference), None)
        if other is not None:
            yield CallPair(question=question, reference=reference, answer=other, same=True, kind="accepted")
        yield CallPair(question=question, reference=reference, answer=shuffled(reference, rng), same=True, kind="order")
        for kind, make in WRONG.items():
            wrong = make(question, calls(question, rng), rng, neighbours)
            if wrong is not None:
                yield CallPair(question=question, reference=reference, answer=wrong, same=False, kind=kind)


def shuffled(made: list[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """Return the same calls in another order, their arguments, too."""
    turned = [
        {**call, "arguments": dict(rng.sample(list(call["arguments"].items()), len(call["arguments"])))}
        for call in made
    ]
    return rng.sample(turned, len(turned))


Neighbours = Mapping[tuple[str, str], Sequence[Question]]


def _neighbours(asked: Sequence[Question]) -> Neighbours:
    table = defaultdict(list)
    for question in asked:
        for call in question.accepted:
            for name, arguments in call.items():
                for argument in arguments:
                    table[name, argument].append(question)
    return table


def _other_tool(question: Question, right: list[dict[str, Any]], rng: Random, _: Neighbours) -> Any:
    called = {call["name"] for call in right}
    others = [tool["name"] for tool in question.tools if tool["name"] not in called]
    if not others:
        return None
    at = rng.randrange(len(right))
    return [{**call, "name": rng.choice(others)} if place == at else call for place, call in enumerate(right)]


def _schema(question: Question, name: str) -> Mapping[str, Any]:
    tool = next(tool for tool in question.tools if tool["name"] == name)
    parameters: Mapping[str, Any] = tool["parameters"]
    return parameters


def _missing(question: Question, right: list[dict[str, Any]], rng: Random, _: Neighbours) -> Any:
    at = rng.randrange(len(right))
    required = [n for n in _schema(question, right[at]["name"]).get("required", []) if n in right[at]["arguments"]]
    if not required:
        return None
    left_out = rng.choice(required)
    return _changed(right, at, {k: v for k, v in right[at]["arguments"].items() if k != left_out})


def _changed(right: list[dict[str, Any]], at: int, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**call, "arguments": arguments} if place == at else call for place, call in enumerate(right)]


def _neighbour(question: Question, right: list[dict[str, Any]], rng: Random, neighbours: Neighbours) -> Any:
    """Exchange one argument for the value that another question of the same tool takes, which is not accepted here."""
    at = rng.randrange(len(right))
    call = right[at]
    accepted = question.accepted[at][call["name"]]
    for argument in rng.sample(list(call["arguments"]), len(call["arguments"])):
        others = [other for other in neighbours[call["name"], argument] if other.id != question.id]
        for other in rng.sample(others, min(5, len(others))):
            values = next(c[call["name"]][argument] for c in other.accepted if argument in c.get(call["name"], {}))
            folded = {_folded(value) for value in accepted[argument]}
            fresh = [v for v in values if v != "" and _folded(v) not in folded]
            if fresh and not any(_folded(v) in folded for v in values):
                return _changed(right, at, {**call["arguments"], argument: choose(fresh[0], rng)})
    return None


def _folded(value: Any) -> str:
    """Return a value so that what BFCL itself takes for the same is equal: case, numbers with and without a point."""
    text = json.dumps(value, ensure_ascii=False).casefold()
    return re.sub(r"(\d)\.0\b", r"\1", re.sub(r"[ ,./*^_-]+(?!\d)", "", text))


WRONG_VALUES = {
    "integer": "many",
    "number": "many",
    "float": "many",
    "boolean": "perhaps",
    "string": ["?"],
    "array": "everything",
    "dict": "everything",
    "object": "everything",
}


def _wrong_type(question: Question, right: list[dict[str, Any]], rng: Random, _: Neighbours) -> Any:
    at = rng.randrange(len(right))
    properties = _schema(question, right[at]["name"]).get("properties", {})
    typed = [n for n in right[at]["arguments"] if properties.get(n, {}).get("type") in WRONG_VALUES]
    if not typed:
        return None
    argument = rng.choice(typed)
    kind = properties[argument]["type"]
    wrong = {"n": right[at]["arguments"][argument]} if kind == "string" else WRONG_VALUES[kind]
    return _changed(right, at, {**right[at]["arguments"], argument: wrong})


def _one_of_two(question: Question, right: list[dict[str, Any]], rng: Random, _: Neighbours) -> Any:
    if len(right) < 2:
        return None
    left_out = rng.randrange(len(right))
    return [call for place, call in enumerate(right) if place != left_out]


def _no_call(question: Question, right: list[dict[str, Any]], rng: Random, _: Neighbours) -> Any:
    return [] if rng.random() < 0.2 else None


WRONG = {
    "another tool": _other_tool,
    "required argument missing": _missing,
    "value of a neighbour": _neighbour,
    "wrong type": _wrong_type,
    "one call of several left out": _one_of_two,
    "no call": _no_call,
}
