"""What makes a violation the same finding in two runs."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.core.cases import Derivation
from mutatis.core.verdict import Verdict, finding_id
from support.parts import dialogue, pair, step

VERDICT = Verdict(system="s", relation=pair("r"), source=dialogue("Who?", "Where?"), turn=1, variant=("a", "b"))


def test_a_findings_name_is_the_hash_of_what_it_is_about_written_out_by_hand():
    text = "s\x1fdialogue\x1fr\x1fd/0\x1f1\x1fa\x1fb"
    assert VERDICT.finding == hashlib.blake2b(text.encode(), digest_size=5).hexdigest()
    assert VERDICT.finding == finding_id("s", "dialogue", "r", "d/0", 1, ("a", "b"))
    assert len(VERDICT.finding) == 10


def test_everything_that_tells_two_findings_apart_changes_the_name():
    others = [
        replace(VERDICT, system="t"),
        replace(VERDICT, relation=pair("q")),
        replace(VERDICT, source=dialogue("Who?", "Where?", name="d/1")),
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
