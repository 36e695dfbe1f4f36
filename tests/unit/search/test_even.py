"""The plain run under a budget: everything once, evenly at any moment, in an order that the seed fixes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.relation import RELATIONS, Grouping
from mutatis.core.search import Proposal, Source
from mutatis.relations import relation  # noqa: F401 - fills the registry
from mutatis.search import SEARCHES, Even, Once, OnceOptions, Setting
from mutatis.search.even import BLOCK
from mutatis.tasks import TASKS  # noqa: F401 - fills the registry

NAMES = ("upper-case", "leet", "add-spaces", "lower-case", "keyboard-typos", "swap-characters", "misspell", "ocr-noise")
NAMES += ("add-characters", "delete-characters", "replace-characters", "shuffle-inside-words")
"""Twelve relations with one variant each: two visits."""


def sources(number: int, task: str = "sentiment", field: str = "text") -> list[Source]:
    relations = tuple(RELATIONS[name] for name in NAMES)
    return [
        Source(case=Case(id=f"{task}/{n}", task=task, turns=(Turn(fields={field: f"film {n}"}),)), relations=relations)
        for n in range(number)
    ]


def asked(search: Even | Once) -> list[Proposal]:
    return list(chain.from_iterable(iter(search.ask, [])))


def told(proposals: list[Proposal]) -> list[tuple[str, str]]:
    return [(p.source.case.id, p.derivation.steps[0].transformation) for p in proposals]


def test_everything_is_proposed_once_and_each_source_closed_last():
    proposals = asked(Even(sources(7), seed=3, window=3))
    assert sorted(told(proposals)) == sorted(told(asked(Once(sources(7)))))
    last = {p.source.case.id: number for number, p in enumerate(proposals)}
    assert [n for n, p in enumerate(proposals) if p.closes] == sorted(last.values())


@pytest.mark.parametrize("number", [40, 41, 87, 200])
def test_relations_are_even_at_any_moment_and_sources_in_each_round(number):
    beginning = told(asked(Even(sources(50), window=50)))[:number]
    relations = Counter(name for _, name in beginning)
    assert max(relations.values()) - min(relations[name] for name in NAMES) <= 1
    visited = Counter(case for case, _ in beginning)
    assert len(visited) == min(50, -(-number // BLOCK))


def test_the_seed_fixes_the_order_and_another_seed_gives_another():
    first, same, other = (told(asked(Even(sources(9), seed=seed, window=9))) for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_tasks_take_turns():
    both = [*sources(6), *sources(2, "question-answering", "question")]
    first = [case.split("/")[0] for case, _ in told(asked(Even(both, window=8)))[::BLOCK]]
    assert first[:4] == ["sentiment", "question-answering"] * 2


def test_versions_of_a_question_that_are_judged_together_are_one_visit():
    source = sources(1)[0]
    grouped = tuple(r.but(name=f"q-{r.name}", grouping=Grouping.QUESTION) for r in source.relations[:6])
    proposals = asked(Even([replace(source, relations=(*grouped, *source.relations[6:])), *sources(3)[1:]], window=3))
    visit = [p for p in proposals if p.source.case.id == "sentiment/0" and "q-" in p.source.relations[0].name]
    names = [p.derivation.steps[0].transformation for p in visit]
    together = [position for position, name in enumerate(names) if name in NAMES[:6]]
    assert together == list(range(together[0], together[0] + 6))


def test_without_a_budget_the_plain_run_keeps_its_order():
    ten, options = sources(10), OnceOptions()
    assert told(asked(options.build_for(ten, Setting(seed=5)))) == told(asked(SEARCHES["once"](ten)))
    assert isinstance(options.build_for(ten, Setting(max_queries=100)), Even)
