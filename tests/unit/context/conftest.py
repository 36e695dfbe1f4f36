from __future__ import annotations

from pathlib import Path

import pytest

from support.studies import load_study


@pytest.fixture(scope="session")
def cases():
    """The module that builds dialogues and their follow-ups."""
    return load_study(Path(__file__).with_name("cases.py"))


@pytest.fixture(scope="session")
def helpers():
    """The module of scripted helper models."""
    return load_study(Path(__file__).with_name("helpers.py"))
