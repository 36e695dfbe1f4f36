from __future__ import annotations

import pytest

from support import report_builder


@pytest.fixture(scope="session")
def builder():
    """The module that builds reports by hand."""
    return report_builder


@pytest.fixture
def sample(builder):
    return builder.sample()


@pytest.fixture
def hostile(builder):
    return builder.hostile()
