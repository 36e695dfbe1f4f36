"""How a helper's answer is read: data with talk around it, fences, and texts that nobody should wait for."""

from __future__ import annotations

import pytest

from mutatis.prompting import json_object, unfenced
from mutatis.prompting.marks import unmarked


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('Sure: {"a": {"b": 1}} Anything else?', {"a": {"b": 1}}),
        ("no object", None),
        ("} {", None),
        ("{", None),
        ("{a}", None),
        ('{"a": 1} {"b": 2}', None),
        ("{" * 100_000 + "}" * 100_000, None),
    ],
)
def test_the_object_in_a_text(text, data):
    assert json_object(text) == data


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("```json\n[1]\n```", "[1]"),
        ("\n```\n[1]```  ", "[1]"),
        ("```json  \n\n [1]\n\n```", "[1]"),
        ("```[1]```", "```[1]```"),
        ("```not a word\n[1]\n```", "```not a word\n[1]\n```"),
        ("``` \n```", ""),
        ("```\n", "```"),
        ("so:\n```\n[1]\n```", "so:\n```\n[1]\n```"),
    ],
)
def test_a_fence_around_a_whole_text(text, bare):
    assert unfenced(text) == bare


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ("<text-7>\nIt rained.\n</text-7>", "It rained."),
        ("<text>It rained.</text>", "It rained."),
        ("It ended </text> there.", "It ended </text> there."),
        ("<text> is a mark.", "<text> is a mark."),
        ("<text-8>It rained.</text-8>", "<text-8>It rained.</text-8>"),
    ],
)
def test_marks_that_a_model_repeats(answer, bare):
    assert unmarked(answer, ["text"], "7") == bare
