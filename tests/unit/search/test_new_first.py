"""The plain run under a budget: everything once, what is new first, in an order that texts and seed fix."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import RELATIONS, Grouping
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.verdict import Verdict
from mutatis.relations import relation  # noqa: F401 - fills the registry
from mutatis.search import SEARCHES, NewFirst, Once, OnceOptions, Setting
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


def asked(search: NewFirst | Once) -> list[Proposal]:
    return list(chain.from_iterable(iter(search.ask, [])))


def told(proposals: list[Proposal]) -> list[tuple[str, str]]:
    return [(p.source.case.id, p.derivation.steps[0].transformation) for p in proposals]


def new_first(number: int | list[Source], *, seed: int = 0) -> NewFirst:
    listed = sources(number) if isinstance(number, int) else number
    return NewFirst(listed, seed=seed)


def test_everything_is_proposed_once_and_each_source_closed_last():
    proposals = asked(new_first(7, seed=3))
    assert sorted(told(proposals)) == sorted(told(asked(Once(sources(7)))))
    last = {p.source.case.id: number for number, p in enumerate(proposals)}
    assert [n for n, p in enumerate(proposals) if p.closes] == sorted(last.values())


@pytest.mark.parametrize("number", [12, 40, 41, 87, 200])
def test_relations_and_sources_are_even_at_any_moment(number):
    beginning = told(asked(new_first(50)))[:number]
    relations = Counter(name for _, name in beginning)
    assert max(relations.values()) - min(relations[name] for name in NAMES) <= 1
    visited = Counter(case for case, _ in beginning)
    assert len(visited) == min(50, number)
    assert max(visited.values()) - min(visited.values()) <= 1


def test_of_many_sources_64_are_visited_eight_times_before_the_next():
    proposals = told(asked(new_first(70)))
    visits = Counter(case for case, _ in proposals[: 64 * 8])
    assert len(visits) == 64
    assert set(visits.values()) == {8}
    assert len({case for case, _ in proposals[64 * 8 :]}) == 70


def test_what_is_refused_is_no_visit():
    search = new_first(2)
    first = search.ask()
    names = [p.derivation.steps[0].transformation for p in first]
    assert len(set(names)) == 2
    for proposal in first:
        search.note(proposal, asked=proposal is not first[0])
    second = search.ask()
    assert Counter(p.source.case.id for p in second)[first[0].source.case.id] == 2  # it lacks a visit
    assert names[1] not in {p.derivation.steps[0].transformation for p in second}


def test_kinds_of_change_that_nothing_was_asked_for_come_first():
    [source] = sources(1)
    relations = [r.but(change="noise") for r in source.relations[:4]] + [source.relations[4].but(change="value")]
    first = told(asked(new_first([replace(source, relations=tuple(relations))])))[:2]
    assert {name for _, name in first} & {"keyboard-typos"}


def test_then_comes_what_found_something():
    search = new_first(20)
    beginning = list(chain.from_iterable(search.ask() for _ in range(2)))
    for proposal in beginning:
        search.note(proposal, asked=True)
        fell = proposal.derivation.steps[0].transformation == "ocr-noise"
        search.tell(proposal, [violation(proposal)] if fell else [], Measurements())
    later = Counter(name for _, name in told(list(search.ask())))
    assert later["ocr-noise"] == max(later.values())
    assert later["ocr-noise"] > 2 * max(number for name, number in later.items() if name != "ocr-noise")


def violation(proposal: Proposal) -> Verdict:
    [judging] = [r for r in proposal.source.relations if r.accepts(proposal.derivation.steps)]
    decision = Decision(outcome=Outcome.VIOLATED, reason="")
    return Verdict(system="s", relation=judging, source=proposal.source.case, turn=0, group=None, decision=decision)


def test_the_seed_fixes_the_order_and_another_seed_gives_another():
    first, same, other = (told(asked(new_first(9, seed=seed))) for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_a_source_more_moves_none_of_the_others():
    few, more = (told(asked(new_first(n)))[:n] for n in (9, 10))
    assert [case for case, _ in more if case != "sentiment/9"] == [case for case, _ in few]


def test_tasks_take_turns():
    both = [*sources(6), *sources(2, "question-answering", "question")]
    first = [case.split("/")[0] for case, _ in told(asked(new_first(both)))]
    assert first[:4] == ["sentiment", "question-answering"] * 2


def test_versions_of_a_question_that_are_judged_together_are_one_visit():
    source = sources(1)[0]
    grouped = tuple(r.but(name=f"q-{r.name}", grouping=Grouping.QUESTION) for r in source.relations[:6])
    proposals = asked(new_first([replace(source, relations=(*grouped, *source.relations[6:])), *sources(3)[1:]]))
    visit = [p for p in proposals if p.source.case.id == "sentiment/0" and "q-" in p.source.relations[0].name]
    names = [p.derivation.steps[0].transformation for p in visit]
    together = [position for position, name in enumerate(names) if name in NAMES[:6]]
    assert together == list(range(together[0], together[0] + 6))


def test_without_a_budget_the_plain_run_keeps_its_order():
    ten, options = sources(10), OnceOptions()
    assert told(asked(options.build_for(ten, Setting(seed=5)))) == told(asked(SEARCHES["once"](ten)))
    assert isinstance(options.build_for(ten, Setting(max_queries=100)), NewFirst)


def test_of_long_dialogues_only_as_many_are_begun_as_have_64_turns():
    turns = tuple(Turn(fields={"text": f"film {n}"}) for n in range(16))
    dialogues = [
        replace(source, case=replace(source.case, turns=(*turns, Turn(fields={"text": source.case.id}))))
        for source in sources(10)
    ]
    proposals = told(asked(new_first(dialogues)))
    visits = Counter(case for case, _ in proposals[: 3 * 8])
    assert len(visits) == 3  # of seventeen turns each
    assert set(visits.values()) == {8}
