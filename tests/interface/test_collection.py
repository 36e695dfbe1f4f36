"""The command line calms the cyclic collector and leaves it as it found it, also where it fails."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from mutatis.cli.run import rare_collection


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Take back what froze the tests' own imports: who finds something frozen leaves the collector alone."""
    gc.unfreeze()
    yield
    gc.freeze()


def test_the_collector_is_left_as_it_was_found() -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with rare_collection():
        assert gc.get_threshold()[0] > before[0]
        assert gc.isenabled()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == frozen == 0


def test_also_where_the_run_fails() -> None:
    before = gc.get_threshold()
    with pytest.raises(ZeroDivisionError), rare_collection():
        raise ZeroDivisionError
    assert gc.get_threshold() == before
