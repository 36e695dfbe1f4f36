"""The fixed runs: what is asked of whom. Every relation that needs no language model is tried on all data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mutatis.config import Config, check
from mutatis.core.relation import RELATIONS
from mutatis.datasets import sample

FOLDER = Path(__file__).parent
SEED = 7
SEARCHES: dict[str, dict[str, Any]] = {
    "dialogue-state": {"type": "random-edits", "within": "filled", "protect": "values", "proposals": 60},
    "sweep": {"type": "grid", "transformation": "leet", "parameter": "share", "values": [0.1, 0.3, 1.0], "draws": 2},
}
"""Runs whose follow-ups are searched for; the others try each relation once."""


def _own(task: str, file: str, bot: str, given_as: str = "fields") -> tuple[dict[str, Any], dict[str, Any]]:
    data = {"task": task, "path": str(FOLDER / "data" / file)}
    data["format"] = "lines" if file.endswith(".txt") else "jsonl"
    return _asked(data, bot, given_as)


def _shipped(task: str, name: str, form: str, limit: int, bot: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return _asked({"task": task, "path": str(sample(name)), "format": form, "limit": limit}, bot, "fields")


def _asked(data: dict[str, Any], bot: str, given_as: str) -> tuple[dict[str, Any], dict[str, Any]]:
    kind, _, name = bot.rpartition(":")
    label = f"{data['task']}: {name}"
    system = {"type": "builtin", "name": name, "label": label}
    if not kind:
        system = {"type": "function", "target": f"{FOLDER / 'bots.py'}:{name}", "input": given_as, "label": label}
    return {**data, "systems": [label]}, system


RUNS = {
    "chat": [_own("chat", "questions.txt", "bank", "text"), _own("chat", "talks.jsonl", "inn", "messages")],
    "question-answering": [
        _shipped("question-answering", "stories", "squad2", 4, "reader"),
        _shipped("retrieval-qa", "passages", "jsonl", 2, "reader"),
    ],
    "dialogue": [_shipped("dialogue", "dialogues", "coqa", 1, "reader")],
    "inference": [_shipped("inference", "inference", "jsonl", 4, "entails")],
    "sentiment": [
        _shipped("sentiment", "reviews", "jsonl", 4, "builtin:sentiment"),
        _own("classification", "intents.jsonl", "intent"),
    ],
    "extraction": [
        _own("relation-extraction", "relations.jsonl", "relation"),
        _own("extraction", "bills.jsonl", "bill"),
    ],
    "dialogue-state": [_shipped("dialogue-state", "bookings", "states", 3, "builtin:tracker")],
    "tool-call": [_own("tool-call", "requests.jsonl", "agent")],
    "grading": [_own("pairwise-judge", "pairs.jsonl", "judge"), _own("rubric-score", "scored.jsonl", "score")],
    "limits": [
        _own("moderation", "posts.jsonl", "moderator"),
        _own("word-problem", "problems.jsonl", "total"),
        _own("multiple-choice", "choices.jsonl", "choose"),
    ],
    "sweep": [_shipped("sentiment", "reviews", "jsonl", 6, "builtin:sentiment")],
}


def configuration(name: str) -> Config:
    """Return the configuration of a fixed run."""
    blocks = [data for data, _ in RUNS[name]]
    tables: dict[str, Any] = {"seed": SEED, "systems": [system for _, system in RUNS[name]], "data": blocks}
    if name in SEARCHES:
        tables["search"] = SEARCHES[name]
    if name == "sweep":
        tables["relations"] = ["leet"]
    elif name not in SEARCHES:  # the search of dialogue states brings its own
        tables["data"] = [{**data, "relations": _without_help(data["task"])} for data in blocks]
    return check(tables, FOLDER)


def _without_help(task: str) -> list[str]:
    fitting = (RELATIONS[name] for name in RELATIONS if task in RELATIONS[name].tasks)
    return [relation.name for relation in fitting if not relation.needs_helper]
