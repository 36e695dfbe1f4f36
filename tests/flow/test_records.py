"""What real runs write: nothing that JSON lacks, nothing that the records and the published schemas do not know."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Outcome
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Response
from mutatis.core.task import TASKS
from mutatis.core.verdict import Verdict
from mutatis.records import VerdictRecord, read_report, read_verdicts
from mutatis.records.report import OutcomeName
from mutatis.testing import ScriptedSystem

DOCS = Path(__file__).parents[2] / "docs"
DIALOGUE = Case(
    id="d/1",
    turns=tuple(Turn(fields={"question": text}, expected=("Ann",)) for text in ("Who is it?", "Who has a dog?")),
    material={"story": "Ann has a dog."},
)


def strict(text: str) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def odd_scores() -> Iterator[str]:
    """A task whose answers are read as numbers that JSON does not have."""
    name = "odd-scores"
    values = {"nan": math.nan, "inf": math.inf, "list": [math.nan, {"low": -math.inf}]}
    TASKS.add(name, replace(TASKS["sentiment"], name=name, parse=lambda response, case: values[response.text]))
    yield name
    TASKS.remove(name)


def test_numbers_that_json_lacks_reach_no_file(tmp_path: Path, odd_scores: str) -> None:
    seen: list[Verdict] = []
    words = ("nan", "inf", "list")
    answers = {str(i): Response(text=word) for i, word in enumerate(words)}
    system = ScriptedSystem(lambda conversation: answers[conversation.fields["text"].split()[1]])
    cases = [Case(id=f"r/{i}", turns=(Turn(fields={"text": f"film {i} was lovely"}),)) for i in range(3)]
    run = mutatis.run(
        system, cases, [RELATIONS["upper-case"]], task=odd_scores, judge="exact", out=tmp_path,
        on_event=lambda event: seen.append(event) if isinstance(event, Verdict) else None,
    )  # fmt: skip
    groups = [verdict.group for verdict in seen if verdict.group]
    assert [str(group.source.response.value) for group in groups if group.source.response] == [
        "nan", "inf", "[nan, {'low': -inf}]",
    ]  # fmt: skip
    assert run.findings
    for name in ("again.json", "report.csv"):
        mutatis.report(run, tmp_path / name)
    names = ("report.json", "again.json", "verdicts.jsonl", "junit.xml", "report.csv", "report-findings.csv")
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    for name, text in texts.items():
        assert "NaN" not in text, name
        assert "Infinity" not in text, name
    answer = strict(texts["report.json"])["findings"][0]["source"]["response"]
    assert answer == {"text": "nan", "value": None}
    assert strict(texts["again.json"]) == strict(texts["report.json"])
    lines = [strict(line) for line in texts["verdicts.jsonl"].splitlines()]
    assert [line["source_output"]["value"] for line in lines] == [None, None, [None, {"low": None}]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dialogue with a finding, an invalid follow-up and a failed answer, and a question beside it."""
    out = tmp_path_factory.mktemp("run")
    answers = iter(range(1000))
    system = ScriptedSystem(lambda _: f"answer {next(answers)}")
    mutatis.run(system, [DIALOGUE], ["tag:mortar", "reference-based", "upper-case"], task="dialogue", out=out)
    return out


def unknown(record: Any, place: str) -> list[str]:
    """The keys of a record that its model does not declare."""
    if isinstance(record, list):
        return [name for item in record for name in unknown(item, place)]
    if not hasattr(record, "model_extra"):
        return []
    extra = [f"{place}.{name}" for name in record.model_extra or {}]
    return extra + [name for field, value in record for name in unknown(value, f"{place}.{field}")]


SOMETIMES = {"language", "cause", "part", "episode", "action", "source_earlier"}
"""In the lines of other languages, where a judge names a cause, of searches that learn and test or choose numbers, and
in the first line of a later turn."""


def test_records_know_all_that_a_run_writes(folder: Path) -> None:
    report, verdicts = read_report(folder), list(read_verdicts(folder))
    assert report.findings
    assert unknown(report, "report") == []
    assert [name for verdict in verdicts for name in unknown(verdict, "verdict")] == []
    assert {verdict.outcome for verdict in verdicts} >= {"violated"}
    for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines():
        assert set(json.loads(line)) - SOMETIMES == set(VerdictRecord.model_fields) - SOMETIMES


def test_outcomes_have_the_same_names_in_files() -> None:
    assert {outcome.value for outcome in Outcome} == set(OutcomeName.__args__)


def test_the_published_schemas_accept_what_a_run_writes_and_nothing_else(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    verdicts = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    for name, data in [("report", report), *(("verdict", verdict) for verdict in verdicts)]:
        checker = jsonschema.Draft202012Validator(json.loads((DOCS / f"{name}.schema.json").read_text("utf-8")))
        checker.check_schema(checker.schema)
        checker.validate(data)
        for key in ("format", "findings") if name == "report" else ("relation", "outcome"):
            with pytest.raises(jsonschema.ValidationError, match=key):
                checker.validate({other: value for other, value in data.items() if other != key})
    report["summary"][0]["rate"] = 1.5
    with pytest.raises(jsonschema.ValidationError, match=r"1\.5"):
        jsonschema.validate(report, json.loads((DOCS / "report.schema.json").read_text("utf-8")))
