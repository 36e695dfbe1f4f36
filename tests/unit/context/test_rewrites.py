from __future__ import annotations

import asyncio

import pytest

from mutatis.context import ContextCheck
from mutatis.context.extractors import added
from mutatis.core.errors import UsageError


def needs(question, rewrite):
    return [(need.label, need.name) for need in added(question, rewrite)]


def test_added_names_and_words():
    assert needs("When did she finish it?", "When did Nora Quinn finish the lighthouse?") == [
        ("Nora Quinn", True),
        ("lighthouse", False),
    ]


def test_nothing_added():
    assert needs("Who is Ann?", "Who is Ann?") == []
    assert needs("Did they tour?", "Did they tour") == []


def test_words_of_the_question_in_another_form_are_not_added():
    assert needs("Was the composer paid?", "Was the composition paid?") == []


def test_the_first_word_is_no_name():
    assert needs("And after?", "Nora came after?") == [("Nora", False), ("came", False)]


def test_a_function_word_inside_a_title_does_not_end_the_name():
    assert needs("Who wrote it?", "Who wrote Tower By The Sea?") == [("Tower Sea", True)]
    assert needs("Who wrote it?", "Who wrote Tower by the Sea?") == [("Tower", True), ("Sea", True)]


def verdicts(cases, order, **options):
    check = ContextCheck(extractor="gold", **options)
    notes = asyncio.run(check.annotate(cases.LIGHTHOUSE, cases.reordered(cases.LIGHTHOUSE, order)))
    return [turn["context"] for turn in notes]


def test_gold_verdicts_worked_out_by_hand(cases):
    # At the head, turn 1 lacks Nora Quinn and the lighthouse; turn 3 ("pay her") lacks Nora Quinn; turn 5 nothing.
    assert verdicts(cases, [1, 0, 5, 3]) == ["altered", "equivalent", "equivalent", "equivalent"]
    assert verdicts(cases, [3, 5, 0]) == ["altered", "equivalent", "equivalent"]


def test_gold_needs_rewrites(cases):
    plain = cases.dialogue_case(["Who is Ann?", "Is she old?"])
    with pytest.raises(UsageError, match="rewrite"):
        asyncio.run(ContextCheck(extractor="gold").annotate(plain, cases.reordered(plain, [1, 0])))
