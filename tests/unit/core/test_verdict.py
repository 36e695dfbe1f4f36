"""What makes a violation the same finding in two runs."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.core.cases import Derivation, Turn
from mutatis.core.verdict import Verdict, finding_id
from support.parts import dialogue, pair, step

SOURCE = dialogue("Who?", "Where?", key="0f1e")
VERDICT = Verdict(system="s", relation=pair("r"), source=SOURCE, turn=1, variant=("a", "b"))


def test_a_findings_name_is_the_hash_of_what_it_is_about_written_out_by_hand():
    text = "s\x1fdialogue\x1fr\x1f0f1e\x1f1\x1fa\x1fb"
    assert VERDICT.finding == hashlib.blake2b(text.encode(), digest_size=5).hexdigest()
    assert VERDICT.finding == finding_id("s", "dialogue", "r", "0f1e", 1, ("a", "b"))
    assert len(VERDICT.finding) == 10


def test_a_question_without_a_key_is_named_by_the_hash_of_what_it_asks_written_out_by_hand():
    turn = Turn(fields={"question": "Who?"}, reply="Zoë", expected=("Ann",), annotations={"seen": True})
    text = '[[[{"question": "Who?"}, "Zoë", []], [{"question": "Why?"}, null, []]], {"title": "A"}, [1]]'
    source = dialogue(turn, "Why?", material={"title": "A"}, ask_turns=(1,))
    assert source.question == hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    assert replace(VERDICT, source=source).finding == finding_id("s", "dialogue", "r", source.question, 1, ("a", "b"))


def test_where_a_source_stands_is_not_in_the_name():
    assert replace(VERDICT, source=replace(SOURCE, id="other/7")).finding == VERDICT.finding


def test_everything_that_tells_two_findings_apart_changes_the_name():
    others = [
        replace(VERDICT, system="t"),
        replace(VERDICT, relation=pair("q")),
        replace(VERDICT, source=dialogue("Who?", "Where?", key="0f1e-2")),
        replace(VERDICT, source=replace(VERDICT.source, task="sentiment")),
        replace(VERDICT, turn=0),
        replace(VERDICT, turn=11),
        replace(VERDICT, variant=("b", "a")),
        replace(VERDICT, variant=("ab",)),
        replace(VERDICT, variant=()),
    ]
    assert len({VERDICT.finding, *(other.finding for other in others)}) == 10


def test_draws_repeats_and_parameters_of_one_finding_share_its_name():
    derivation = Derivation(source="d/0", steps=(step("upper-case", share=0.5),), draw=3)
    again = replace(VERDICT, repeat=2, derivation=derivation, steps=("upper-case",), vacuous=True)
    assert again.finding == VERDICT.finding
    assert (VERDICT.draw, again.draw) == (0, 3)
    assert VERDICT.row == ("s", "dialogue", "r")
