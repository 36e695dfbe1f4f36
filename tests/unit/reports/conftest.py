from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def builder():
    """The module that builds reports by hand."""
    spec = importlib.util.spec_from_file_location("report_builder", Path(__file__).with_name("builder.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def sample(builder):
    return builder.sample()


@pytest.fixture
def hostile(builder):
    return builder.hostile()
