"""Sweeps, families, vacuous follow-ups and oracles through whole runs of a configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.api import Run, run_config
from mutatis.config import check
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.recipes.content_quality import FamilyMetrics
from mutatis.relations.content_quality import FAMILIES
from mutatis.relations.oracle import load_oracle, regions_of, save_oracle

SYSTEM = """
def shout(text):
    letters = [letter for letter in text if letter.isalpha()]
    loud = sum(map(str.isupper, letters)) / len(letters)
    return "rude" if loud > 0.6 or "hate" in text.lower() else "polite"


def folds(text):
    return "rude" if "hate" in text.lower() else "polite"


def many(texts):
    with open(__file__ + ".log", "a") as log:
        log.writelines(text + "\\n" for text in texts)
    with open(__file__ + ".calls", "a") as calls:
        calls.write(f"{len(texts)}\\n")
    return [folds(text) for text in texts]
"""


def write(folder: Path, name: str, texts: Sequence[str], labels: Sequence[str] = ()) -> Path:
    records: list[dict[str, Any]] = [{"id": str(n), "text": text} for n, text in enumerate(texts)]
    for record, label in zip(records, labels, strict=False):
        record["label"] = label
    file = folder / name
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def configured(folder: Path, data: Path, *, target: str = "shout", **more: Any) -> Run:
    (folder / "bot.py").write_text(SYSTEM, encoding="utf-8")
    tables = {
        "system": {"type": "function", "target": f"bot.py:{target}", "label": "bot", "batch": target == "many"},
        "data": {"format": "jsonl", "path": str(data), "task": "classification", "labels": ["polite", "rude"]},
        "confirm": 0,
        "shrink": 0,
        "noise_floor": 0,
        **more,
    }
    return run_config(check(tables, folder), out=folder / "out")


def sweep(transformation: str, parameter: str, values: Sequence[Any], **more: Any) -> dict[str, Any]:
    options = {"type": "grid", "transformation": transformation, "parameter": parameter, "values": list(values)}
    return {**options, **more}


def family(run: Run) -> Mapping[str, Any]:
    [only] = run.report["metrics"]["families"]["families"]
    return only


TEXTS = [f"we like the thing number {n} a lot" for n in range(20)] + ["we hate it", "nobody hates this"]


def test_a_sweep_without_relations_is_judged_by_an_implicit_one(tmp_path: Path) -> None:
    run = configured(tmp_path, write(tmp_path, "d.jsonl", TEXTS), search=sweep("upper-case", "share", [0.25, 0.5, 1.0]))
    assert [row["relation"] for row in run.summary] == ["upper-case-over-share"]
    points = family(run)["systems"]["bot"]["points"]
    assert [(p["value"], p["violated"], p["satisfied"]) for p in points] == [(0.25, 0, 22), (0.5, 0, 22), (1.0, 20, 2)]
    assert family(run)["systems"]["bot"]["region"]["high"] == 0.5
    assert family(run)["unchanged_at"] == 0


def test_a_chosen_relation_judges_where_it_accepts_every_value(tmp_path: Path) -> None:
    data = write(tmp_path, "d.jsonl", TEXTS)
    search = sweep("upper-case", "share", [0.25, 1.0])
    run = configured(tmp_path, data, relations=["upper-case"], search=search)
    assert [row["relation"] for row in run.summary] == ["upper-case"]
    # One that names a value judges no other: picked by tag it is left out, picked by name it is an error.
    pinned = configured(tmp_path, data, relations=["tag:content-quality"], search=search)
    assert [row["relation"] for row in pinned.summary] == ["upper-case-over-share"]
    with pytest.raises(mutatis.UsageError, match="'uppercase-25' does not fit"):
        configured(tmp_path, data, relations=["upper-case", "uppercase-25"], search=search)


@pytest.mark.parametrize(
    ("transformation", "parameter", "values"),
    [
        ("keyboard-typos", "share", [0.05, 0.1, 0.2]),
        ("random-sentence", "count", [1, 2]),
        ("upper-case", "unit", ["prefix", "words"]),
    ],
)
def test_any_declared_parameter_is_swept(
    tmp_path: Path, transformation: str, parameter: str, values: list[Any]
) -> None:
    data = write(tmp_path, "d.jsonl", TEXTS)
    run = configured(tmp_path, data, search=sweep(transformation, parameter, values))
    points = family(run)["systems"]["bot"]["points"]
    assert [point["value"] for point in points] == ([0, 1] if parameter == "unit" else values)
    assert all(point["violated"] + point["satisfied"] + point["unchanged"] == 22 for point in points)
    if parameter == "unit":
        assert family(run)["parameter"] == "unit (0 prefix, 1 words, 2 characters)"
        assert family(run)["systems"]["bot"]["region"] is None


def test_a_sweep_of_dialogue_orders(tmp_path: Path) -> None:
    dialogue = {"id": "d", "turns": [{"question": f"What is {n}?", "answer": "x"} for n in range(6)]}
    (tmp_path / "d.jsonl").write_text(json.dumps(dialogue) + "\n", encoding="utf-8")
    (tmp_path / "bot.py").write_text("def answer(text):\n    return text\n", encoding="utf-8")
    tables = {
        "system": {"type": "function", "target": "bot.py:answer", "label": "bot"},
        "data": {"format": "jsonl", "path": str(tmp_path / "d.jsonl"), "task": "dialogue"},
        "judge": {"measure": "exact"},
        "search": sweep("round-reduction", "ratio", [0.2, 0.5]),
        "confirm": 0,
        "noise_floor": 0,
    }
    run = run_config(check(tables, tmp_path))
    assert family(run)["task"] == "dialogue"
    assert [p["satisfied"] for p in family(run)["systems"]["bot"]["points"]] == [5, 3]


def test_refined_values_are_marked_and_plotted(tmp_path: Path) -> None:
    search = sweep("upper-case", "share", [0.5, 1.0], refine=True, tolerance=0.1)
    run = configured(tmp_path, write(tmp_path, "d.jsonl", TEXTS), search=search)
    series = family(run)["systems"]["bot"]
    assert series["region"]["first_violating"] - series["region"]["high"] <= 0.1
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count('<figure role="img"') == 1
    assert "0 violations in 22 items per value" in page


def test_equal_inputs_are_asked_once(tmp_path: Path) -> None:
    texts = ["the same text", "the same text", "another one"]
    data = write(tmp_path, "d.jsonl", texts)
    configured(tmp_path, data, target="many", search=sweep("upper-case", "share", [0.5, 1.0]))
    asked = (tmp_path / "bot.py.log").read_text(encoding="utf-8").splitlines()
    assert len(asked) == len(set(asked)) == 2 * 3


def test_a_classifier_gets_batches(tmp_path: Path) -> None:
    texts = [f"text number {n} of many" for n in range(100)]
    configured(tmp_path, write(tmp_path, "d.jsonl", texts), target="many", search=sweep("upper-case", "share", [1.0]))
    calls = [int(line) for line in (tmp_path / "bot.py.calls").read_text(encoding="utf-8").splitlines()]
    assert sum(calls) == 200
    assert len(calls) <= 6


def oracle_of(run: Run, file: Path) -> Path:
    return save_oracle(regions_of(run.report), file, run="r")


def test_a_region_judges_fresh_inputs(tmp_path: Path) -> None:
    search = sweep("upper-case", "share", [0.25, 0.5])
    swept = configured(tmp_path, write(tmp_path, "d.jsonl", TEXTS), search=search)
    oracle = oracle_of(swept, tmp_path / "region.json")
    [region] = load_oracle(oracle)
    assert (region.system, region.low, region.high, region.items) == ("bot", 0, 0.5, 22)
    assert region.bound == pytest.approx(1 - 0.05 ** (1 / 22))
    fresh = [
        "SO NICE of you all to come here",  # in the region; its canonical member is its lower-case form
        "THIS IS RATHER LOUD BUT STILL POlite",  # recognised, and beyond the region
        "nothing in capitals at all",  # itself the unchanged_at: compared with the far end of the region
        "I am Mixed",  # no prefix in capitals: taken as it comes
    ]
    run = configured(tmp_path, write(tmp_path, "fresh.jsonl", fresh), oracle=str(oracle))
    [row] = run.summary
    assert (row["relation"], row["satisfied"], row["violated"], row["invalid"]) == ("oracle-uppercase", 3, 0, 1)
    lines = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    by_source = {line["source"]: line for line in lines}
    assert by_source["fresh/0"]["followups"][0]["input"]["text"] == fresh[0].lower()
    assert by_source["fresh/2"]["followups"][0]["input"]["text"] == "NOTHING IN CApitals at all"[:13] + fresh[2][13:]
    assert by_source["fresh/1"]["precondition"] == "source input: the input lies in the region"


def test_a_fault_inside_a_region_is_found_with_one_question_or_none(tmp_path: Path) -> None:
    search = sweep("upper-case", "share", [0.25, 0.5, 1.0])
    swept = configured(tmp_path, write(tmp_path, "d.jsonl", TEXTS), target="folds", search=search)
    oracle = oracle_of(swept, tmp_path / "region.json")
    # The redeployed system no longer folds case.
    texts = ["WE LIKE IT VERY MUCH INDEED", "we like it"]
    unlabelled = configured(tmp_path, write(tmp_path, "f.jsonl", texts), oracle=str(oracle))
    assert [(row["violated"], row["satisfied"]) for row in unlabelled.summary] == [(2, 0)]
    assert unlabelled.report["run"]["queries"]["paid"] == 4
    labelled = configured(tmp_path, write(tmp_path, "g.jsonl", texts, ["polite", "polite"]), oracle=str(oracle))
    assert [(row["violated"], row["satisfied"]) for row in labelled.summary] == [(1, 1)]
    assert labelled.report["run"]["queries"]["paid"] == 2
    assert not any(warning["name"] == "vacuous" for warning in labelled.report["health"])
    ignoring = configured(
        tmp_path, write(tmp_path, "g.jsonl", texts, ["polite", "polite"]), oracle=str(oracle), reference="source"
    )
    assert ignoring.report["run"]["queries"]["paid"] == 4


def test_an_oracle_of_another_system_is_refused(tmp_path: Path) -> None:
    data = write(tmp_path, "d.jsonl", TEXTS)
    swept = configured(tmp_path, data, search=sweep("upper-case", "share", [0.25]))
    regions = regions_of(swept.report)
    file = oracle_of(swept, tmp_path / "region.json")
    assert load_oracle(file) == regions
    file.write_text(file.read_text().replace('"bot"', '"other"'), encoding="utf-8")
    with pytest.raises(UsageError, match="no region for bot; it only has regions for: other on classification"):
        configured(tmp_path, data, oracle=str(file))
    for damaged, message in (("{}", "not an oracle"), ("[", "not JSON")):
        file.write_text(damaged, encoding="utf-8")
        with pytest.raises(UsageError, match=message):
            load_oracle(file)
    file.write_text('{"format": "mutatis/oracle", "version": 2, "regions": [{"fields": []}]}', encoding="utf-8")
    with pytest.raises(UsageError, match=r"regions\[0\]\.system is missing"):
        load_oracle(file)


def test_follow_ups_that_the_system_cannot_tell_from_their_source_are_no_evidence(tmp_path: Path) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts = [f"{'bad' if n % 2 else 'good'} thing {n}" for n in range(40)]
    labels = ["no" if n % 2 else "yes" for n in range(40)]
    folding = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(texts, labels)
    keeping = make_pipeline(TfidfVectorizer(lowercase=False), LogisticRegression()).fit(texts, labels)
    systems = [
        mutatis.system("sklearn", model=folding, label="folding"),
        mutatis.system("sklearn", model=keeping, label="keeping"),
    ]
    cases = [
        Case(id=f"t/{n}", turns=(Turn(fields={"text": text}, expected=(label,)),))
        for n, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    metrics = FamilyMetrics(FAMILIES)
    run = mutatis.run(
        systems, cases, ["uppercase-50"], task="classification", settings={"confirm": 0}, on_event=metrics
    )
    [figures] = metrics.metrics()["families"]
    [point] = figures["systems"]["folding"]["points"]
    assert (point["satisfied"], point["vacuous"], point["acc"]) == (40, 40, 1.0)
    assert figures["systems"]["folding"]["region"] is None
    assert figures["systems"]["keeping"]["points"][0]["vacuous"] == 0
    warned = [w for w in run.report["health"] if w["name"] == "vacuous"]
    assert [w["subject"] for w in warned] == ["folding on classification"]
    assert "uppercase-50 40 of 40" in warned[0]["message"]


def test_the_command_saves_regions_and_says_where_there_are_none(tmp_path: Path, capsys: Any) -> None:
    from mutatis.cli.show import region

    data = write(tmp_path, "d.jsonl", TEXTS)
    configured(tmp_path, data, search=sweep("upper-case", "share", [0.25, 0.5]))
    region(str(tmp_path / "out"), tmp_path / "saved" / "region.json")
    shown = capsys.readouterr().out
    assert "bot, classification: uppercase (share 0 to 0.5), 0 violations in 22 items, rate at most 12.73%" in shown
    assert len(load_oracle(tmp_path / "saved" / "region.json")) == 1
    configured(tmp_path, data, search=sweep("upper-case", "share", [1.0]))
    with pytest.raises(UsageError, match=r"found no region .* the swept value that changes least has a violation"):
        region(str(tmp_path / "out"), tmp_path / "none.json")
    configured(tmp_path, data, relations=["upper-case"])
    with pytest.raises(UsageError, match=r"found no region .* sweep a family"):
        region(str(tmp_path / "out"), tmp_path / "none.json")


def test_an_oracle_on_the_command_line_takes_the_place_of_the_files_search(tmp_path: Path) -> None:
    from mutatis.cli.run import tables

    file = tmp_path / "sweep.toml"
    file.write_text('[system]\ntype = "builtin"\n[search]\ntype = "grid"\n', encoding="utf-8")
    assert "search" in tables(file, values={"oracle": None}, assignments=[])[0]
    config, _ = tables(file, values={"oracle": "region.json"}, assignments=[])
    assert "search" not in config
    assert config["oracle"] == "region.json"
