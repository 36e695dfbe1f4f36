"""Pytest plugin: the fixture `metamorphic` runs a campaign inside a test; imports nothing heavy until it is used.

    def test_my_bot(metamorphic):
        run = metamorphic(my_system, cases, ["add-spaces", "upper-case"], task="sentiment")
        run.check(max_rate=0.05)

Answers are kept in `.mutatis/pytest.db` (option --mutatis-store), so that an unchanged system is not paid for twice; a
failing test shows the summary of its runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mutatis import Run


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --mutatis-store."""
    group = parser.getgroup("mutatis")
    group.addoption("--mutatis-store", default=".mutatis/pytest.db", help="where answers are kept (%(default)s)")


@pytest.fixture
def metamorphic(request: pytest.FixtureRequest) -> Callable[..., Run]:
    """Return a function like `mutatis.run` that stores answers and reports the summary of a failing test."""

    def run(system: Any, cases: Any, relations: Any, **options: Any) -> Run:
        import mutatis

        options.setdefault("store", request.config.getoption("--mutatis-store"))
        finished = mutatis.run(system, cases, relations, **options)
        request.node.add_report_section("call", "mutatis", finished.table())
        return finished

    return run
