"""MultiWOZ 2.1 and 2.2 and own JSONL: turns, states, replies, protected values, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mutatis.core.errors import UsageError
from mutatis.datasets import read
from mutatis.rltest4chatbot.states import SLOTS
from mutatis.tasks import TASKS


def entry(text: str, **metadata: Any) -> dict[str, Any]:
    return {"text": text, "metadata": metadata}


HOTEL = {"book": {"booked": [], "day": "monday"}, "semi": {"area": "east", "name": "not mentioned", "stars": ""}}
LOG = [
    {"text": "A hotel in the EAST for monday.", "metadata": {}, "span_info": [["Hotel-Inform", "Area", "EAST", 4, 4]]},
    entry("What stars?", hotel=HOTEL, police={"book": {"booked": []}, "semi": {}}),
    entry("Thanks, bye."),
    entry("Bye.", hotel={**HOTEL, "semi": {"area": "east", "stars": "4"}}, bus={"semi": {"day": "friday"}}),
]


def write(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_multiwoz21_reads_users_turns_with_the_state_after_them(tmp_path: Path) -> None:
    (case,) = read("multiwoz21", write(tmp_path / "val.json", {"MUL1.json": {"goal": {}, "log": LOG}}))
    assert case.id == "val/MUL1"
    assert [turn.fields for turn in case.turns] == [
        {"utterance": "A hotel in the EAST for monday."},
        {"utterance": "Thanks, bye."},
    ]
    assert [turn.reply for turn in case.turns] == ["What stars?", "Bye."]
    assert json.loads(case.turns[0].expected[0]) == {"hotel-area": "east", "hotel-bookday": "monday"}
    assert json.loads(case.turns[1].expected[0]) == {
        "hotel-area": "east",
        "hotel-bookday": "monday",
        "hotel-stars": "4",
    }
    assert sorted(case.turns[0].annotations["protected"]["values"]) == ["EAST", "monday"]
    assert case.turns[1].annotations["protected"]["values"] == []


def test_multiwoz21_may_end_with_a_users_turn(tmp_path: Path) -> None:
    (case,) = read("multiwoz21", write(tmp_path / "val.json", {"A": {"log": LOG[:1]}}))
    assert [(turn.expected, turn.reply) for turn in case.turns] == [((), "")]


def test_all_slots_on_request(tmp_path: Path) -> None:
    path = write(tmp_path / "val.json", {"MUL1": {"log": LOG}})
    (case,) = read("multiwoz21", path, slots="all")
    assert json.loads(case.turns[1].expected[0])["bus-day"] == "friday"
    with pytest.raises(UsageError, match="slots is 'al'; expected one of: published, all"):
        read("multiwoz21", path, slots="al")


def test_the_official_folder_has_splits(tmp_path: Path) -> None:
    write(tmp_path / "data.json", {name: {"log": LOG} for name in ("A.json", "B.json", "C.json")})
    (tmp_path / "valListFile.txt").write_text("A.json\n")
    (tmp_path / "testListFile.txt").write_text("B.json\n")
    ids = {split: [c.id for c in read("multiwoz21", tmp_path, split=split, name="m")] for split in ("train", "val")}
    assert ids == {"train": ["m/C"], "val": ["m/A"]}
    assert [case.id for case in read("multiwoz21", tmp_path, name="m")] == ["m/B"]
    (tmp_path / "testListFile.txt").write_text("Z.json\n")
    with pytest.raises(UsageError, match=r"data\.json has no dialogue 'Z\.json'"):
        read("multiwoz21", tmp_path)


def frame(service: str, **values: list[str]) -> dict[str, Any]:
    return {"service": service, "slots": [], "state": {"slot_values": {f"{service}-{k}": v for k, v in values.items()}}}


def dialogue22() -> dict[str, Any]:
    spoken = {"slot": "hotel-area", "start": 4, "exclusive_end": 8, "value": "east"}
    return {
        "dialogue_id": "MUL2.json",
        "turns": [
            {
                "speaker": "USER",
                "utterance": "the east!",
                "frames": [{**frame("hotel", area=["east"]), "slots": [spoken]}, frame("train")],
            },
            {"speaker": "SYSTEM", "utterance": "And a train?", "frames": []},
            {"speaker": "USER", "utterance": "at 9", "frames": [frame("train", leaveat=["09:00", "9"])]},
            {"speaker": "SYSTEM", "utterance": "Done.", "frames": []},
        ],
    }


def test_multiwoz22_keeps_the_state_of_services_that_a_turn_leaves_out(tmp_path: Path) -> None:
    (case,) = read("multiwoz22", write(tmp_path / "dialogues_001.json", [dialogue22()]))
    assert [turn.reply for turn in case.turns] == ["And a train?", "Done."]
    assert json.loads(case.turns[1].expected[0]) == {"hotel-area": "east", "train-leaveat": "09:00|9"}
    assert case.turns[0].annotations["protected"]["values"] == ["east"]
    assert case.turns[1].annotations["protected"]["values"] == ["9"]


def test_multiwoz22_reads_a_folder_and_checks_the_schema(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    write(tmp_path / "test" / "dialogues_001.json", [dialogue22()])
    write(tmp_path / "test" / "dialogues_002.json", [{**dialogue22(), "dialogue_id": "MUL3"}])
    schema = write(
        tmp_path / "schema.json",
        [{"service_name": "hotel", "slots": [{"name": "hotel-area"}]}, {"service_name": "t", "slots": []}],
    )
    assert len(read("multiwoz22", tmp_path / "test")) == 2
    with pytest.raises(UsageError, match=r"slot in .*not in the schema: 'train-leaveat'"):
        read("multiwoz22", tmp_path / "test", schema_file=str(schema))
    with pytest.raises(UsageError, match="the folder contains no dialogues_"):
        read("multiwoz22", tmp_path)


def test_a_dialogue_of_multiwoz22_without_turns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'turns'.*at least one turn"):
        read("multiwoz22", write(tmp_path / "dialogues_001.json", [{**dialogue22(), "turns": []}]))


def test_every_evaluated_slot_is_in_the_published_schema_of_multiwoz22(tmp_path: Path, shared_data: Path) -> None:
    schema = shared_data / "multiwoz22_schema" / "schema.json"
    values = {slot: ["1"] for slot in SLOTS}
    frames = [
        {
            "service": domain,
            "slots": [],
            "state": {"slot_values": {s: v for s, v in values.items() if s.startswith(domain)}},
        }
        for domain in ("attraction", "hotel", "restaurant", "taxi", "train")
    ]
    turns = [{"speaker": "USER", "utterance": "all of it", "frames": frames}]
    path = write(tmp_path / "dialogues_001.json", [{"dialogue_id": "PMUL1.json", "turns": turns}])
    (case,) = read("multiwoz22", path, schema_file=str(schema))
    assert json.loads(case.turns[0].expected[0]) == dict.fromkeys(SLOTS, "1")
    assert len(SLOTS) == 30


def test_own_dialogues_need_no_labels_and_may_be_empty_turns(tmp_path: Path) -> None:
    record = {
        "id": "7",
        "turns": [
            {"utterance": "a cafe in the East", "reply": "Which?", "state": {"cafe-area": "east"}},
            {"utterance": ""},
        ],
    }
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (case,) = read("jsonl", path, task="dialogue-state")
    assert read("states", path) == [case]
    assert case.id == "own/7"
    assert case.turns[0].annotations["protected"]["values"] == ["East"]
    assert (case.turns[1].fields, case.turns[1].expected, case.turns[1].reply) == ({"utterance": ""}, (), "")


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ({"utterance": "x", "state": {"area": "east"}}, "slots named domain-slot"),
        ({"utterance": "x", "state": {"hotel-stars": 4}}, "line 1, turn 1, state: field 'hotel-stars' expected text"),
        ({"utterence": "x"}, "'utterence'; did you mean 'utterance'"),
        ({"state": {}}, "field 'utterance' is missing"),
        ({"fields": 3}, "turn 1, fields: expected an object, found 3"),
    ],
)
def test_own_dialogues_say_what_is_wrong(tmp_path: Path, turn: dict[str, Any], message: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"turns": [turn]}), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read("jsonl", path, task="dialogue-state")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], r"expected a JSON object that maps dialogue ids"),
        ({"A": {"goal": {}}}, r"dialogue 'A': field 'log' is missing"),
        ({"A": {"log": []}}, r"at least one entry"),
        ({"A": {"log": [{"text": 3}]}}, r"entry 1: field 'text' expected text"),
        ({"A": {"log": [{"text": "x", "span_info": ["x"]}]}}, r"'span_info' expected a list of \[act, slot, value"),
        ({"A": {"log": [{"text": "x"}, entry("y", hotel={"semi": {"area": 4}})]}}, r"field 'area' expected text"),
    ],
)
def test_multiwoz21_says_what_is_wrong(tmp_path: Path, data: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read("multiwoz21", write(tmp_path / "val.json", data))


def test_a_tracker_is_shown_what_the_service_said(tmp_path: Path) -> None:
    (case,) = read("multiwoz21", write(tmp_path / "val.json", {"A": {"log": LOG}}))
    shown = TASKS["dialogue-state"].converse(case, 1, ["{}"])
    assert shown.history == (({"utterance": "A hotel in the EAST for monday."}, "What stars?"),)
    assert shown.fields["utterance"] == "Thanks, bye."


def test_real_dialogues(shared_data: Path) -> None:
    cases = read("multiwoz21", shared_data / "multiwoz21" / "test.json.xz")
    assert (len(cases), sum(len(case.turns) for case in cases)) == (1000, 7372)
    slots = {slot for case in cases for turn in case.turns for slot in json.loads(turn.expected[0])}
    assert len(slots) == 30
