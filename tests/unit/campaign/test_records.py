"""What is written of verdicts and findings, field by field."""

from __future__ import annotations

from dataclasses import replace

from mutatis.campaign.records import finding_record, recorded_cases, response_record, verdict_record
from mutatis.campaign.tally import Finding
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Finish, Response
from mutatis.core.verdict import Verdict
from mutatis.records.report import FindingRecord
from support.parts import dialogue, pair, step

SOURCE = dialogue("Who?", "Where?", "When?", material={"story": "A story."}, ask_turns=(1, 2))
DERIVATION = Derivation(source="d/0", steps=(step("upper-case"),), variant=("question",), draw=3, origin=(2, 1))
MADE = Case(
    id="d/0~1",
    task="dialogue",
    turns=(
        Turn(fields={"question": "WHEN?"}),
        Turn(fields={"question": "WHERE?"}, annotations={"context": "altered", "protected": {"entities": ["x"]}}),
    ),
    material=SOURCE.material,
    derivation=DERIVATION,
)
BEFORE = Observation(case=SOURCE, turn=1, response=Response(text="Rome.", value="Rome"), history=("Ann",))
AFTER = Observation(case=MADE, turn=1, response=Response(text="Oslo"), history=("late",), role="altered")
OTHER = replace(AFTER, case=replace(MADE, id="d/0~2"), turn=0, response=None, error="down", history=(), role="x")
VERDICT = Verdict(
    system="s",
    relation=pair("loud"),
    source=SOURCE,
    turn=1,
    variant=("question",),
    group=Group(source=BEFORE, members=(AFTER, OTHER), reference=("Rome",)),
    decision=Decision(
        outcome=Outcome.VIOLATED, score=0.25, reason="they differ", measure="exact", undecided=True, worst=(0,),
        thresholds={"equal": 0.5, "different": 0.4},
    ),
    repeat=2,
    derivation=DERIVATION,
    steps=("upper-case",),
    vacuous=True,
    inherited=False,
)  # fmt: skip
WRITTEN_DERIVATION = {
    "source": "d/0",
    "steps": [{"transformation": "upper-case", "parameters": {}}],
    "variant": ["question"],
    "draw": 3,
    "origin": [2, 1],
}


def test_a_line_of_verdicts_holds_the_whole_group():
    assert verdict_record(VERDICT) == {
        "system": "s",
        "task": "dialogue",
        "relation": "loud",
        "source": "d/0",
        "turn": 1,
        "variant": ["question"],
        "draw": 3,
        "repeat": 2,
        "steps": ["upper-case"],
        "expects": "same",
        "outcome": "violated",
        "score": 0.25,
        "measure": "exact",
        "thresholds": {"equal": 0.5, "different": 0.4},
        "reason": "they differ",
        "undecided": True,
        "unchanged": False,
        "vacuous": True,
        "inherited": False,
        "estimates": True,
        "precondition": None,
        "worst": [0],
        "finding": VERDICT.finding,
        "reference": ["Rome"],
        "source_input": {"question": "Where?"},
        "source_output": {"text": "Rome.", "value": "Rome"},
        "source_error": None,
        "followups": [
            {
                "case": "d/0~1",
                "derivation": WRITTEN_DERIVATION,
                "turn": 1,
                "role": "altered",
                "input": {"question": "WHERE?"},
                "annotations": {"context": "altered"},
                "output": {"text": "Oslo", "value": None},
                "error": None,
                "earlier": [{"input": {"question": "WHEN?"}, "reply": "late"}],
            },
            {
                "case": "d/0~2",
                "derivation": WRITTEN_DERIVATION,
                "turn": 0,
                "role": "x",
                "input": {"question": "WHEN?"},
                "annotations": {},
                "output": None,
                "error": "down",
            },
        ],
    }


def test_a_refusal_has_no_group_and_says_which_condition_is_broken():
    decision = Decision(outcome=Outcome.INVALID, reason="no", precondition="constraint: x", unchanged=True)
    record = verdict_record(replace(VERDICT, group=None, decision=decision, derivation=None))
    absent = {"reference": [], "source_output": None, "source_error": None, "followups": [], "score": None, "draw": 0}
    assert {name: record[name] for name in absent} == absent
    assert (record["precondition"], record["unchanged"]) == ("constraint: x", True)


def test_an_answer_is_told_without_what_is_absent_or_ordinary():
    assert response_record(None) is None
    full = Response(text="a", value=1, probabilities={"a": 0.75}, finish=Finish.LENGTH, prompt_tokens=3)
    assert response_record(full) == {"text": "a", "value": 1, "probabilities": {"a": 0.75}, "finish": "length"}


def test_a_finding_holds_cases_as_far_as_the_judged_turn_and_the_worst_members():
    shrunk = replace(AFTER, case=replace(MADE, id="d/0~3"), turn=0, response=None, history=())
    least = replace(VERDICT.decided, score=0.125, reason="nothing is said")
    finding = Finding(verdict=VERDICT, count=4, confirmed=True, shrunk=shrunk, shrunk_decision=least)
    turn = {"fields": {"question": "WHEN?"}}
    where = {
        "fields": {"question": "WHERE?"},
        "annotations": {"context": "altered", "protected": {"entities": ["x"]}},
    }
    assert finding_record(finding, "folder") == {
        "id": VERDICT.finding,
        "system": "s",
        "task": "dialogue",
        "relation": "loud",
        "variant": ["question"],
        "count": 4,
        "outcome": "violated",
        "confirmed": True,
        "undecided": True,
        "score": 0.25,
        "thresholds": {"equal": 0.5, "different": 0.4},
        "measure": "exact",
        "reason": "they differ",
        "output_relation": "equal",
        "reference": ["Rome"],
        "source": {
            "case": {
                "id": "d/0",
                "turns": [{"fields": {"question": "Who?"}}, {"fields": {"question": "Where?"}}],
                "task": "dialogue",
                "material": {"story": "A story."},
                "ask_turns": [1],
            },
            "turn": 1,
            "history": ["Ann"],
            "response": {"text": "Rome.", "value": "Rome"},
        },
        "followups": [
            {
                "case": {"id": "d/0~1", "turns": [turn, where], "task": "dialogue"},
                "turn": 1,
                "role": "altered",
                "derivation": WRITTEN_DERIVATION,
                "history": ["late"],
                "response": {"text": "Oslo", "value": None},
                "says": "one earlier turn left out, one turn moved, then 7 letters in upper case",
            }
        ],
        "shrunk": {
            "case": {"id": "d/0~3", "turns": [turn], "task": "dialogue"},
            "turn": 0,
            "role": "altered",
            "derivation": WRITTEN_DERIVATION,
            "history": [],
            "response": None,
            "says": "all earlier turns left out, then 3 letters in upper case",
            "score": 0.125,
            "reason": "nothing is said",
        },
        "replay": f"mutatis replay folder {VERDICT.finding}",
    }


def test_without_a_worst_pair_all_members_are_told_and_without_a_name_there_is_no_replay():
    verdict = replace(VERDICT, decision=replace(VERDICT.decided, worst=()))
    record = finding_record(Finding(verdict=verdict), "")
    assert [made["case"]["id"] for made in record["followups"]] == ["d/0~1", "d/0~2"]
    assert (record["replay"], record["shrunk"], record["confirmed"], record["count"]) == (None, None, None, 1)


def test_what_was_written_is_read_back_with_the_material_of_the_source():
    record = FindingRecord.model_validate(finding_record(Finding(verdict=VERDICT), "folder"))
    source, turn, [(case, place, role)] = recorded_cases(record)
    assert source == replace(SOURCE, turns=SOURCE.turns[:2], ask_turns=(1,))
    assert (turn, place, role) == (1, 1, "altered")
    assert case == replace(MADE, turns=MADE.turns[:2])
    assert (case.task, case.material, case.derivation) == ("dialogue", {"story": "A story."}, DERIVATION)


def test_a_follow_up_without_a_derivation_is_read_back_as_it_is():
    bare = replace(AFTER, case=replace(MADE, derivation=None))
    verdict = replace(VERDICT, group=replace(VERDICT.group, members=(bare,)))
    written = finding_record(Finding(verdict=verdict), "")
    assert written["followups"][0]["derivation"] is None
    _, _, [(case, _, _)] = recorded_cases(FindingRecord.model_validate(written))
    assert case == bare.case
