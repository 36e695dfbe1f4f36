from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


def _load(name: str):
    spec = importlib.util.spec_from_file_location(f"context_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def cases():
    """The module that builds dialogues and their follow-ups."""
    return _load("cases")


@pytest.fixture(scope="session")
def helpers():
    """The module of scripted helper models."""
    return _load("helpers")
