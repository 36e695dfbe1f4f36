"""Which language models may be a helper."""

from __future__ import annotations

import importlib.util

import pytest

from mutatis.assembly.systems import Mode, helper_of
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.core.system import is_constrained
from mutatis.query import Store
from mutatis.systems import local


def config(**helper):
    return check(
        {
            "system": {"type": "builtin", "name": "sentiment"},
            "helper": {"type": "local", **helper},
            "data": {"task": "sentiment", "format": "lines", "path": "texts.txt"},
        }
    )


def test_the_carried_model_is_too_small_to_be_one_unless_the_user_names_its_file():
    with Store(None) as store, pytest.raises(UsageError, match=r"\[helper\] type = 'local'.* too small .* path = "):
        helper_of(config(max_tokens=20), Mode(store=store))


@pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec(local.CARRIED) is None,
    reason=f"needs pip install 'mutatis[local]' and {local.GET_CARRIED}",
)
def test_a_model_that_the_user_names_may_be_one():
    with Store(None) as store:
        helper = helper_of(config(path=str(local.carried_weights())), Mode(store=store))
        assert helper is not None
        assert is_constrained(helper)
