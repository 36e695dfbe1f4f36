"""The language of the data, as the user or the data say it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import UsageError
from mutatis.core.transformation import derive
from mutatis.datasets import DATASETS
from mutatis.datasets.objects import cases


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.txt"
    path.write_text("Wo ist sie?\nPayPal?\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("written", ["de", "German", "de-CH"])
def test_the_language_of_a_file_is_an_option_of_every_format(questions: Path, written: str) -> None:
    assert [case.language for case in DATASETS["lines"].read(questions, {"language": written})] == ["de", "de"]
    assert all("language" in DATASETS[name].options for name in DATASETS)


def test_without_it_nothing_is_said(questions: Path) -> None:
    assert [case.language for case in DATASETS["lines"].read(questions)] == ["", ""]
    assert [case.language for case in cases(["Wo ist sie?"])] == [""]


def test_a_language_that_is_none_is_told(questions: Path) -> None:
    with pytest.raises(UsageError, match=r"questions\.txt: unknown language 'Germn'; did you mean"):
        list(DATASETS["lines"].read(questions, {"language": "Germn"}))
    with pytest.raises(UsageError, match="cases: unknown language 'xx'"):
        cases(["Wo ist sie?"], language="xx")


def test_records_may_name_their_own(tmp_path: Path) -> None:
    rows = [{"message": "Wo?", "lang": "German"}, {"message": "Where?", "lang": "en"}, {"message": "Hm?"}]
    path = tmp_path / "messages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = {"task": "chat", "fields": {"message": "message", "language": "lang"}}
    assert [case.language for case in DATASETS["jsonl"].read(path, options)] == ["de", "en", ""]
    assert [case.language for case in DATASETS["jsonl"].read(path, {**options, "language": "fr"})] == ["de", "en", "fr"]
    named = cases(rows, task="chat", fields={"message": "message", "language": "lang"}, language="fr")
    assert [case.language for case in named] == ["de", "en", "fr"]
    assert all(list(case.turns[0].fields) == ["message"] for case in named)


def test_dialogues_may_name_theirs() -> None:
    rows = [{"turns": ["Wo ist sie?", "Und jetzt?"], "lang": "de"}]
    [case] = cases(rows, fields={"language": "lang"})
    assert case.language == "de"


def test_dialogues_of_a_task_with_a_form_of_its_own_may_name_theirs() -> None:
    rows = [{"turns": [{"utterance": "Ein Hotel im Norden", "state": {"hotel-area": "north"}}], "lang": "de"}]
    [case] = cases(rows, task="dialogue-state", fields={"language": "lang"})
    assert (case.language, case.material) == ("de", {})


def test_a_case_that_was_written_down_keeps_its_language_and_its_translations() -> None:
    case = Case(id="data/1", task="chat", turns=(Turn(fields={"message": "Wo?"}),), language="de", parallel="7")
    [restored] = cases([{**case.to_record(), "id": "1"}], task="chat")
    assert restored == case


def test_an_unknown_language_of_a_record_is_told_with_its_place() -> None:
    with pytest.raises(UsageError, match=r"cases: record 1: unknown language 'Elvish'"):
        cases([{"message": "Wo?", "lang": "Elvish"}], task="chat", fields={"message": "message", "language": "lang"})


async def test_a_follow_up_has_the_language_of_its_source_and_another_id_says_nothing_of_it() -> None:
    source = Case(id="d/1", task="chat", turns=(Turn(fields={"message": "Wo ist sie?"}),), language="de")
    wanted = Derivation(source="d/1", steps=(Step(transformation="lower-case"),), variant=("message",))
    made = await derive(source, wanted)
    plain = await derive(Case(id="d/1", task="chat", turns=source.turns), wanted)
    assert (made.language, made.id, made.turns) == ("de", plain.id, plain.turns)


@pytest.mark.parametrize(("language", "written"), [("de", {"language": "de"}), ("und", {"language": "und"})])
def test_a_record_keeps_the_language(language: str, written: dict[str, str]) -> None:
    case = Case(id="d/1", turns=(Turn(fields={"message": "Wo?"}),), language=language)
    record = case.to_record()
    assert {name: record[name] for name in ("language",)} == written
    assert Case.from_record(record) == case


@pytest.mark.parametrize("language", ["", "en"])
def test_english_is_not_written_down(language: str) -> None:
    """Reports of English data are what they were before cases had languages."""
    record = Case(id="d/1", turns=(Turn(fields={"message": "Where?"}),), language=language).to_record()
    assert record == {"id": "d/1", "turns": [{"fields": {"message": "Where?"}}]}
    assert Case.from_record(record).language == ""
