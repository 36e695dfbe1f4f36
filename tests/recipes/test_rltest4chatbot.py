"""RLTest4Chatbot as a recipe: its choices, what a user may change, and its numbers counted by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import mutatis
from mutatis.config import check
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.recipes.edit_metrics import EditMetrics
from mutatis.relations.small_edits import small_edits
from mutatis.testing import ScriptedSystem
from mutatis.text.edits import Validity

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
    for one in [
        verdict(Outcome.VIOLATED, "x"),
        verdict(Outcome.VIOLATED, "x"),  # the same text again
        verdict(Outcome.VIOLATED, "y", ("char-drop", "word-drop")),
        verdict(Outcome.VIOLATED, "z", turn=1, inherited=True),
        verdict(Outcome.VIOLATED, "z", turn=1, inherited=False),
        verdict(Outcome.SATISFIED, "w", ("word-drop",)),
        verdict(Outcome.INVALID),
        verdict(Outcome.INVALID),
    ]:
        metrics(one)
    found = metrics.metrics()["systems"]["s"]
    assert {name: found[name] for name in ("follow-ups", "valid rate", "failure rate", "inherited")} == {
        "follow-ups": 8,
        "valid rate": 0.75,
        "failure rate": 0.8333,
        "inherited": 1,
    }
    assert (found["distinct"], found["turns"], found["distinct per 1000"]) == (3, 2, 375.0)
    assert found["families"] == {"word-drop": {"used": 2, "failed": 1}, "char-drop": {"used": 5, "failed": 5}}


def test_the_recipe_is_the_thesis_and_what_a_user_says_comes_first() -> None:
    base: dict[str, Any] = {"recipe": "rltest4chatbot"}
    told = check(base, objects=("systems", "data")).search
    assert (told.type, told.options["validity"], told.options["reward"]) == ("multi-pdqn", "thesis", "thesis")
    assert (told.options["noise_kind"], told.options["loss"]) == ("ornstein-uhlenbeck", "squared")
    assert (told.options["only_right"], told.options["held_out"]) == (True, 0.2)
    own = check({**base, "search": {"reward": "failures"}}, objects=("systems", "data")).search
    assert (own.type, own.options["validity"], own.options["reward"]) == ("multi-pdqn", "thesis", "failures")
    other = check({**base, "search": {"type": "random-edits"}}, objects=("systems", "data")).search
    assert (other.type, other.options) == ("random-edits", {})


def test_a_run_has_the_numbers() -> None:
    def answer(conversation: Any) -> str:
        return json.dumps({"hotel-area": "north"} if "north" in conversation.fields["utterance"] else {})

    turns = tuple(
        Turn(fields={"utterance": f"a cheap room in the north for my friends {n}"}, reply="ok") for n in (1, 2)
    )
    case = Case(id="d/0", turns=turns)
    search = {"proposals": 40, "start": 16, "batch": 16, "type": "multi-pdqn", "only_right": False, "held_out": 0.0}
    run = mutatis.run(
        ScriptedSystem(answer),
        [case],
        task="dialogue-state",
        recipe="rltest4chatbot",
        search=search,
        settings={"noise_floor": 0},
    )
    [row] = run.report.summary
    found = run.report.to_json()["metrics"]["edits"]["systems"]["scripted"]
    assert found["follow-ups"] == 40 == row.satisfied + row.violated + row.invalid
    assert found["distinct"] > 0
