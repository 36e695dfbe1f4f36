"""Which options are read from the environment, and what the others say to it."""

from __future__ import annotations

from typing import Any

import pytest

from mutatis.core.errors import UsageError
from mutatis.systems import SYSTEMS

BOT = "http://127.0.0.1:9/chat"


def identity(**options: Any) -> Any:
    return SYSTEMS["http"](url=BOT, **options).identity


def test_a_revision_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMIT", "a1b2")
    assert identity(revision="env:COMMIT") == identity(revision="a1b2")
    monkeypatch.setenv("COMMIT", "c3d4")
    assert identity(revision="env:COMMIT") == identity(revision="c3d4")
    assert (
        identity(revision="release env:COMMIT") == identity(revision="release env:COMMIT") != identity(revision="c3d4")
    )


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(UsageError, match="revision needs the environment variable NOT_SET_ANYWHERE, which is not set"):
        identity(revision="env:NOT_SET_ANYWHERE")


def test_other_options_refuse_it_and_say_where_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "m")
    with pytest.raises(
        UsageError, match="model = 'env:MODEL' would be used literally; env:NAME is only replaced in url, base_u"
    ):
        SYSTEMS["openai"](model="env:MODEL", base_url="http://127.0.0.1:9/v1")
