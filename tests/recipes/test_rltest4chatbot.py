"""RLTest4Chatbot as a recipe: its choices, what a user may change, and its numbers counted by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.config import check
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.query import Store
from mutatis.rltest4chatbot import searches
from mutatis.rltest4chatbot.edits import Validity, small_edits
from mutatis.rltest4chatbot.metrics import EditMetrics
from mutatis.testing import ScriptedHelper, ScriptedSystem
from mutatis.transformations import single_edits

SOURCE = Case(id="d/0", task="dialogue-state", turns=(Turn(fields={"utterance": "a"}), Turn(fields={"utterance": "b"})))


def verdict(
    outcome: Outcome, text: str = "", families: Sequence[str] = ("char-drop",), turn: int = 0, **more: Any
) -> Verdict:
    steps = tuple(Step(transformation=name, turns=(turn,)) for name in families)
    derivation = Derivation(source="d/0", steps=steps, origin=(0, 1))
    case = replace(SOURCE, turns=tuple(Turn(fields={"utterance": text}) for _ in SOURCE.turns), derivation=derivation)
    member = Observation(case=case, turn=turn, response=Response(text="x"))
    group = None if outcome is Outcome.INVALID else Group(source=replace(member, case=SOURCE), members=(member,))
    return Verdict(
        system="s",
        relation=small_edits(Validity()),
        source=SOURCE,
        turn=turn,
        derivation=derivation,
        group=group,
        decision=Decision(outcome=outcome),
        **more,
    )


def test_its_numbers_by_hand() -> None:
    metrics = EditMetrics()
    for line in [
        verdict(Outcome.VIOLATED, "x"),
        verdict(Outcome.VIOLATED, "x"),  # the same text again
        verdict(Outcome.VIOLATED, "y", ("char-drop", "word-drop")),
        verdict(Outcome.VIOLATED, "z", turn=1, inherited=True),
        verdict(Outcome.VIOLATED, "z", turn=1, inherited=False),
        verdict(Outcome.SATISFIED, "w", ("word-drop",)),
        verdict(Outcome.INVALID),
        verdict(Outcome.INVALID),
    ]:
        metrics(line)
    figures = metrics.metrics()["systems"]["s"]
    assert {name: figures[name] for name in ("follow-ups", "valid rate", "failure rate", "inherited")} == {
        "follow-ups": 8,
        "valid rate": 0.75,
        "failure rate": 0.8333,
        "inherited": 1,
    }
    assert (figures["distinct"], figures["turns"], figures["distinct per 1000"]) == (3, 2, 375.0)
    assert figures["families"] == {"word-drop": {"used": 2, "failed": 1}, "char-drop": {"used": 5, "failed": 5}}


def test_the_thesis_table_counts_the_last_try_at_each_place() -> None:
    """Five tries at three places, which end invalid, violated and satisfied; an episode says which place it is."""
    metrics = EditMetrics()
    for line in [
        verdict(Outcome.SATISFIED, "x", episode=0),
        verdict(Outcome.SATISFIED, "y", episode=3),
        verdict(Outcome.INVALID, episode=0),
        verdict(Outcome.VIOLATED, "z", turn=1, episode=0),
        verdict(Outcome.SATISFIED, "v", episode=3),
    ]:
        metrics(line)
    figures = metrics.metrics()["systems"]["s"]
    assert (figures["follow-ups"], figures["valid rate"], figures["failure rate"]) == (5, 0.8, 0.25)
    assert figures["Table 4.7"] == {"places": 3, "valid rate": 0.6667, "failure rate": 0.5}


def test_dialtest_has_both_figures_and_other_searches_one(tmp_path: Path) -> None:
    run = searched({"type": "dialtest", "synonyms": "lexicon", "proposals": 24, "lanes": 4}, out=tmp_path)
    figures = run.report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    lines = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    last = {(line["episode"], line["turn"]): line["outcome"] for line in lines if "episode" in line}
    valid = sum(outcome != "invalid" for outcome in last.values())
    assert figures["follow-ups"] == 24 > len(last) == figures["Table 4.7"]["places"]
    assert figures["Table 4.7"]["valid rate"] == round(valid / len(last), 4)
    other = searched({"type": "random-edits", "proposals": 24, "lanes": 4})
    assert "Table 4.7" not in other.report.to_json()["metrics"]["edits"]["systems"]["scripted"]


def test_the_recipe_is_the_thesis_and_what_a_user_says_comes_first() -> None:
    base: dict[str, Any] = {"recipe": "rltest4chatbot"}
    told = check(base, objects=("systems", "data")).search
    assert (told.type, told.options["validity"]) == ("multi-pdqn", "thesis")
    assert (told.options["only_right"], told.options["held_out"]) == (True, 0.2)
    search = check({**base, "search": {"held_out": 0.5}}, objects=("systems", "data")).search
    assert (search.type, search.options["validity"], search.options["held_out"]) == ("multi-pdqn", "thesis", 0.5)
    other = check({**base, "search": {"type": "random-edits"}}, objects=("systems", "data")).search
    assert (other.type, other.options) == ("random-edits", {})


def test_a_run_has_the_numbers() -> None:
    def answer(conversation: Any) -> str:
        return json.dumps({"hotel-area": "north"} if "north" in conversation.fields["utterance"] else {})

    turns = tuple(
        Turn(fields={"utterance": f"a cheap room in the north for my friends {n}"}, reply="ok") for n in (1, 2)
    )
    case = Case(id="d/0", turns=turns)
    search = {
        "synonyms": "lexicon",
        "proposals": 40,
        "start": 16,
        "batch": 16,
        "type": "multi-pdqn",
        "only_right": False,
        "held_out": 0.0,
    }
    run = mutatis.run(
        ScriptedSystem(answer),
        [case],
        task="dialogue-state",
        recipe="rltest4chatbot",
        search=search,
        settings={"noise_floor": 0},
    )
    [row] = run.report.summary
    figures = run.report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    assert figures["follow-ups"] == 40 == row.satisfied + row.violated + row.invalid
    assert figures["distinct"] > 0


def bookings() -> list[Case]:
    text = "i need a cheap room in the north of the city for my two good friends please"
    return [Case(id=f"d/{n}", turns=(Turn(fields={"utterance": f"{text} {n}"}),)) for n in range(8)]


def searched(search: dict[str, Any], **more: Any) -> Any:
    return mutatis.run(
        ScriptedSystem(lambda _: "{}"),
        bookings(),
        task="dialogue-state",
        search=search,
        settings={"noise_floor": 0, "confirm": 0, "shrink": 0},
        **more,
    )


@pytest.mark.parametrize(("is_there", "said"), [(True, "WordNet"), (False, "the package's lexicon, because WordNet")])
def test_a_run_says_where_its_synonyms_come_from(monkeypatch: pytest.MonkeyPatch, is_there: bool, said: str) -> None:
    monkeypatch.setattr(searches, "wordnet_is_installed", lambda: is_there)
    monkeypatch.setattr(single_edits, "synonyms_of", lambda word: ("cab",) if word == "room" else ())
    search = {"type": "dialtest", "proposals": 20}
    figures = searched(search).report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    assert figures["synonyms"] == ("wordnet" if is_there else "lexicon")
    config = check({"search": search}, objects=("systems", "data"))
    handed_over = HandedOver(systems=[ScriptedSystem(lambda _: "{}")], cases=bookings(), task="dialogue-state")
    with Store(None) as store:
        notes = assemble(config, store, handed_over).notes
    assert [note for note in notes if f"synonyms of the search come from {said}" in note]


def test_dialtest_translates_back_by_the_helper() -> None:
    def answer(prompt: str) -> str:
        number = next(n for n in range(8) if f"please {n}" in prompt or f"bitte {n}" in prompt)
        there = "bitte" not in prompt
        return (
            f"bitte {number}"
            if there
            else f"i need a cheap room in the north of a city for my two good friends please {number}"
        )

    search = {"type": "dialtest", "synonyms": "lexicon", "back_translation": True, "proposals": 24}
    with pytest.raises(UsageError, match=r"back_translation = true needs a language model; add \[helper\]"):
        searched(search)
    run = searched(search, helper=ScriptedHelper(answer))
    figures = run.report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    # One word of 17 is exchanged: 16 of 18 are shared, so the edit is small enough, and is put to the system.
    assert figures["families"]["back-translation"]["used"] > 0
