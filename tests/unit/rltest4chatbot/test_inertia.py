"""Inertia by hand: the variance of each dimension over the actions in which it mattered."""

from __future__ import annotations

import numpy as np
import pytest

from mutatis.rltest4chatbot.metrics import Inertia


def test_what_does_not_matter_has_no_part_in_it() -> None:
    inertia = Inertia()
    for action in [(0.0, 1.0, None), (1.0, None, None), (0.5, 0.5, None), (0.5, None, None)]:
        inertia.add(action)
    # 0, 1, 0.5, 0.5 around 0.5: 0.5 / 4 = 0.125; 1 and 0.5 around 0.75: 0.125 / 2 = 0.0625; the third never mattered.
    assert (inertia.value, inertia.dimensions) == (pytest.approx(0.1875), 2)


def test_two_searches_that_differ_only_where_nothing_matters_spread_alike() -> None:
    rng = np.random.default_rng(0)
    actions = rng.random((200, 6))
    masks = rng.random((200, 6)) < 0.7
    inertia = Inertia()
    for action, mask in zip(actions.tolist(), masks.tolist(), strict=True):
        inertia.add([number if matters else None for number, matters in zip(action, mask, strict=True)])
    assert inertia.value == pytest.approx(np.nanvar(np.where(masks, actions, np.nan), axis=0).sum())


def test_without_an_action_there_is_none() -> None:
    assert Inertia().value is None
