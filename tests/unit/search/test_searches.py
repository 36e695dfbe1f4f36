"""What is tried: once, or over a grid; in the same order every time, each follow-up once."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.relations import relation  # noqa: F401 - fills the registry
from mutatis.search import SEARCHES, Grid, Once, Sweep, batches, derivations
from mutatis.search.once import BATCH
from mutatis.tasks import TASKS  # noqa: F401 - fills the registry


def source(number: int = 0, *names: str) -> Source:
    case = Case(id=f"a/{number}", task="sentiment", turns=(Turn(fields={"text": f"film {number}"}),))
    return Source(case=case, relations=tuple(RELATIONS[n] for n in names or ("upper-case", "leet")))


def asked(search):
    return list(chain.from_iterable(iter(search.ask, [])))


def test_every_relation_is_tried_once_on_every_seed_seed_by_seed():
    proposals = asked(Once([source(0), source(1)]))
    tried = [(p.source.case.id, p.derivation.steps[0].transformation, p.closes) for p in proposals]
    assert tried == [
        ("a/0", "upper-case", False),
        ("a/0", "leet", True),
        ("a/1", "upper-case", False),
        ("a/1", "leet", True),
    ]


def test_relations_that_share_a_follow_up_share_it():
    shared = replace(RELATIONS["upper-case"], name="other")
    plain = source()
    assert len(derivations(replace(plain, relations=(*plain.relations, shared)))) == 2


def test_draws_are_tried_apart():
    drawn = RELATIONS["leet"].but(draws=3)
    assert [plan.draw for plan in derivations(replace(source(), relations=(drawn,)))] == [0, 1, 2]


def test_every_parameter_is_written_into_the_plan():
    [plan] = derivations(source(0, "leet"))
    assert set(plan.steps[0].parameters) == {p.name for p in _parameters("leet")}


def _parameters(name):
    from mutatis.core.transformation import TRANSFORMATIONS

    return TRANSFORMATIONS[name].parameters


def test_batches_are_full_and_nothing_is_lost():
    cut = list(batches(iter(range(2 * BATCH + 5))))
    assert [len(batch) for batch in cut] == [BATCH, BATCH, 5]
    assert list(chain.from_iterable(cut)) == list(range(2 * BATCH + 5))


def test_a_grid_tries_every_value_and_draw_in_the_order_given():
    search = Grid([source(0, "leet")], Sweep.of("leet", "share", [0.5, 0.25], draws=2))
    proposals = asked(search)
    assert [(p.derivation.steps[0].parameters["share"], p.derivation.draw, p.closes) for p in proposals] == [
        (0.5, 0, False),
        (0.5, 1, False),
        (0.25, 0, False),
        (0.25, 1, True),
    ]


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"transformation": "leat"}, "did you mean 'leet'"),
        ({"parameter": "shar"}, "did you mean 'share'"),
        ({"values": [0.5, 1.5]}, "from 0 to 1"),
        ({"values": []}, "at least one value"),
    ],
)
def test_an_impossible_grid_is_told(option, says):
    arguments = {"transformation": "leet", "parameter": "share", "values": [0.5], **option}
    with pytest.raises(UsageError, match=says):
        SEARCHES["grid"]([source(0, "leet")], **arguments)


def test_draws_of_a_plain_run_are_made_where_the_transformation_draws_and_nowhere_else():
    proposals = asked(SEARCHES["once"]([source(0, "leet", "exclamation")], draws=3))
    tried = [(p.derivation.steps[0].transformation, p.derivation.draw) for p in proposals]
    assert tried == [("leet", 0), ("leet", 1), ("leet", 2), ("exclamation", 0)]
    assert [p.closes for p in proposals] == [False, False, False, True]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("once", {"drows": 2}, "did you mean 'draws'"),
        ("once", {"draws": 0}, "draws is 0; expected 1 or more"),
        ("grid", {"parameter": "share", "values": [0.5]}, "needs the option 'transformation'"),
        ("grd", {}, "did you mean 'grid'"),
    ],
)
def test_a_mistake_in_a_search_is_told(name, options, says):
    with pytest.raises(UsageError, match=says):
        SEARCHES[name]([source(0, "leet")], **options)
