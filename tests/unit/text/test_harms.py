from __future__ import annotations

import pytest

from mutatis.text.harms import is_harm


@pytest.mark.parametrize(
    "name",
    [
        *("hate-speech", "hate_speech", "Hate speech", "self-harm", "self harm/intent", "Self-Harm-Intent"),
        *("violence/graphic", "identity attack", "identity-hate", "sexual/minors", "graphic"),
    ],
)
def test_a_part_between_any_signs_makes_a_name_a_harm(name):
    assert is_harm(name)


@pytest.mark.parametrize(
    "name",
    [
        *("violence_free", "drugs-free", "anti-hate", "counter_hate", "low violence", "without/violence"),
        *("non-toxic", "hate_no", "not_self-harm", "graphic_design", "neutral", ""),
    ],
)
def test_what_says_that_there_is_no_harm_is_none(name):
    assert not is_harm(name)
