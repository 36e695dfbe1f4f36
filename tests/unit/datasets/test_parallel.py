"""Data that ties questions to their translations: by a column, or by the ids of several files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mutatis
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError


def jsonl(folder: Path, *records: dict[str, object]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_ids_tie_the_records_of_one_name(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"id": "a", "message": "When?"}, {"id": 7, "message": "Where?"})
    cases = mutatis.read_cases("jsonl", path, task="chat", parallel="shop")
    assert [case.parallel for case in cases] == ["shop/a", "shop/7"]


def test_a_column_ties_records_and_is_no_text_of_theirs(tmp_path: Path) -> None:
    fields = {"language": "lang", "parallel": "twin"}
    path = jsonl(tmp_path, {"review": "Good.", "lang": "en", "twin": "r1"}, {"review": "Gut.", "lang": "de"})
    cases = mutatis.read_cases("jsonl", path, fields=fields)
    assert [(case.language, case.parallel, dict(case.turns[0].fields)) for case in cases] == [
        ("en", "r1", {"review": "Good."}),
        ("de", "", {"review": "Gut."}),
    ]


def test_the_column_of_a_dialogue_is_no_material(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"turns": ["Hi!", "When?"], "lang": "en", "twin": 3, "story": "A shop."})
    fields = {"language": "lang", "parallel": "twin"}
    [case] = mutatis.read_cases("jsonl", path, task="chat", fields=fields)
    assert (case.parallel, case.language, case.material) == ("3", "en", {"story": "A shop."})


def test_squad_in_two_languages_is_tied(tmp_path: Path) -> None:
    for code, question in (("en", "When?"), ("de", "Wann?")):
        asked = {"id": "q1", "question": question, "answers": [{"text": "1901"}]}
        data = {"data": [{"paragraphs": [{"context": "1901.", "qas": [asked]}]}]}
        (tmp_path / f"{code}.json").write_text(json.dumps(data), encoding="utf-8")
    cases = [
        case
        for code in ("en", "de")
        for case in mutatis.read_cases("squad2", tmp_path / f"{code}.json", parallel="x", language=code)
    ]
    assert [(case.id, case.language) for case in cases] == [("en/q1", "en"), ("de/q1", "de")]
    assert {case.parallel for case in cases} == {"x/q1"}


def test_records_without_ids_cannot_be_tied_by_them(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"message": "When?"})
    with pytest.raises(UsageError, match=r"line 1: field 'id' is missing.* parallel = \.\.\. ties translations"):
        mutatis.read_cases("jsonl", path, task="chat", parallel="shop")
    lines = tmp_path / "questions.txt"
    lines.write_text("When?\n", encoding="utf-8")
    with pytest.raises(UsageError, match="parallel is 'shop'; plain lines have no ids that link translations"):
        mutatis.read_cases("lines", lines, parallel="shop")


def test_the_name_outlives_a_record() -> None:
    fields = {"message": "message", "parallel": "twin"}
    [case] = mutatis.cases([{"message": "When?", "twin": "a"}], task="chat", fields=fields)
    assert Case.from_record(case.to_record()).parallel == "a"
    assert case.asked_hash() == Case.from_record({**case.to_record(), "parallel": "b"}).asked_hash()
