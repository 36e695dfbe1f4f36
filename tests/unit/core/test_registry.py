"""Names and published ids."""

from __future__ import annotations

import pytest

from mutatis.core.errors import UsageError
from mutatis.core.registry import Registry


@pytest.fixture
def things() -> Registry[int]:
    registry: Registry[int] = Registry("thing")
    registry.add("zebra", 1, ids=("zoo/mr-1",))
    registry.add("ant", 2, ids=("zoo/mr-2", "farm/mr-2"))
    registry.add("bee", 3, ids=("farm/mr-1",))
    return registry


def test_names_come_sorted(things):
    assert list(things) == ["ant", "bee", "zebra"]
    assert len(things) == 3


@pytest.mark.parametrize(("name", "value"), [("ant", 2), ("zoo/mr-1", 1), ("farm/mr-2", 2)])
def test_a_thing_is_found_by_name_and_by_published_id(things, name, value):
    assert things[name] == value
    assert name in things


def test_an_id_without_origin_is_accepted_where_it_is_unique(things):
    things.add("cow", 4, ids=("farm/mr-9",))
    assert things["mr-9"] == 4
    assert things["mr-2"] == 2  # both origins mean the same thing


def test_an_ambiguous_id_names_all_it_may_be(things):
    with pytest.raises(UsageError, match=r"'mr-1' is ambiguous; choose one: farm/mr-1, zoo/mr-1"):
        things["mr-1"]


def test_an_unknown_name_is_told_with_the_nearest(things):
    with pytest.raises(UsageError, match="unknown thing 'zebr'; did you mean 'zebra'"):
        things["zebr"]
    with pytest.raises(UsageError, match="expected one of: ant, bee"):
        things["xyzzy-nothing-like-it"]


def test_a_taken_name_or_id_is_refused(things):
    with pytest.raises(UsageError, match="'ant' is already registered"):
        things.add("ant", 9)
    with pytest.raises(UsageError, match="'zoo/mr-1' is already registered"):
        things.add("ape", 9, ids=("zoo/mr-1",))
    with pytest.raises(UsageError, match="'zoo/mr-1' is already registered"):
        things.add("zoo/mr-1", 9)
    assert "ape" not in things
    assert things["zoo/mr-1"] == 1


def test_a_removed_thing_takes_its_ids_along(things):
    things.remove("ant")
    assert "zoo/mr-2" not in things
    with pytest.raises(UsageError):
        things["ant"]
