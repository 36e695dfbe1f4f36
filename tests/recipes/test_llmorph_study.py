"""The study of LLMorph end to end: an endpoint, a model and a helper, and every number it prints counted again."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

from recipes import recount
from support.loopback import loopback
from support.nursery import Interpreter

HERE = Path(__file__).parent
STUDY = HERE.parents[1] / "studies" / "llmorph" / "run.py"


PLACES = ("Leeds", "York", "Bath", "Derby", "Hull", "Ripon")
REVIEWS = (
    ("1", "a good film, and a warm one."),
    ("0", "a dull film that is not funny."),
    ("1", "it is a great story."),
    ("0", "the jokes are bad."),
    ("1", "we loved the actors."),
    ("0", "it was boring. it was too long."),
)


def data(folder: Path) -> Path:
    """Write six items of each data set in the form in which they come."""
    reviews = "".join(f"{label}\t{text}\n" for label, text in REVIEWS)
    pairs = "".join(
        f"A man walks in {place}. He has a dog.\tA man is {what}.\t{n % 3}\n"
        for n, (place, what) in enumerate(zip(PLACES, ("walking", "asleep", "tired") * 2, strict=True))
    )
    paragraphs = [
        {
            "context": f"Ada was born in {place}. She was not rich. She worked there for {n + 3} years.",
            "qas": [
                {
                    "id": f"q{n}",
                    "question": "Where was Ada born?" if n else "Who was her brother?",
                    "answers": [{"text": place, "answer_start": 16}] if n else [],
                    "is_impossible": not n,
                }
            ],
        }
        for n, place in enumerate(PLACES)
    ]
    documents = [
        {
            "title": place,
            "vertexSet": [
                [{"name": "Ada", "pos": [0, 1], "sent_id": 0, "type": "PER"}],
                [{"name": place, "pos": [4, 5], "sent_id": 0, "type": "LOC"}],
            ],
            "labels": [{"h": 0, "t": 1, "r": "P19", "evidence": [0]}],
            "sents": [["Ada", "was", "born", "in", place, "."], ["She", "was", "not", "rich", "."]],
        }
        for place in PLACES
    ]
    texts = {
        "sst2/dev.tsv": reviews,
        "snli/validation.tsv": f"premise\thypothesis\tlabel\n{pairs}",
        "squad2/dev-v2.0-rebuilt.json": json.dumps(
            {"version": "v2.0", "data": [{"title": "t", "paragraphs": paragraphs}]}
        ),
        "redocred/dev_revised.json": json.dumps(documents),
    }
    for name, text in texts.items():
        file = folder / f"{name}.xz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(lzma.compress(text.encode()))
    (folder / "redocred" / "rel_info.json").write_text(json.dumps({"P19": "place of birth"}))
    return folder


def answer(body: dict[str, Any]) -> str:
    """Answer as the helper or as a system under test whose answers hang on every letter, here and there."""
    prompt = body["messages"][-1]["content"]
    if body["model"] == "helper":
        return helped(prompt)
    drawn = int(hashlib.sha256(prompt.encode()).hexdigest(), 16)
    steady = drawn % 3 > 0
    if "<premise>" in prompt:
        return "entailment" if steady else ("contradiction", "neutral")[drawn % 2]
    if "<context>" in prompt:
        place = next((place for place in PLACES if place in prompt), "unknown")
        return place if steady else ("unknown", "in the north")[drawn % 2]
    if "<first>" in prompt:
        return (
            ("partner" if "Leeds" in prompt else "place of birth") if steady else ("no relation", "employer")[drawn % 2]
        )
    return "0.80" if steady else f"{drawn % 101 / 100:.2f}"


def helped(prompt: str) -> str:
    """Answer a request of the product to its helper: each text comes back with two words more, or as it was asked."""
    instruction = prompt.partition("\n\n")[0]
    keys = json.loads(re.search(r"with the keys (\[.*?\]) and", prompt)[1])  # type: ignore[index]
    material = prompt.partition("Now this material:")[2]
    material_by_name = dict(re.findall(r"<([\w-]+)-[0-9a-f]{20}>\n(.*?)\n</\1-", material, re.DOTALL))
    if keys == ["verdict"]:
        symmetric = material_by_name.get("relation") not in ("place of birth", "employer")
        return json.dumps({"verdict": "yes" if symmetric else "no"})
    first = next(iter(material_by_name.values()))
    if "upper case" in instruction or "capital" in instruction:
        return json.dumps({"text": first.upper()})
    if "elete" in instruction:
        return json.dumps({"text": " ".join(first.split()[:-1])})
    return json.dumps({key: f"{material_by_name.get(key, first)} or so" for key in keys})


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, interpreter: Interpreter) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("llmorph")
    with loopback(answer=answer) as server:
        arguments = ["--data", data(folder / "data"), "--out", folder / "out", "--endpoint", server.url]
        told = run(interpreter, *arguments, "--model", "sut", "--helper", "helper", "--limit", "6")
        asked = {body["model"] for body in server.bodies}
    assert asked == {"sut", "helper"}
    return told, folder / "out"


def run(interpreter: Interpreter, *arguments: object) -> str:
    done = interpreter.run(STUDY, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


TASKS = {"sst2": "sentiment", "squad2": "question-answering", "snli": "inference", "docred": "relation-extraction"}


@pytest.mark.long
@pytest.mark.parametrize("name", TASKS)
def test_every_number_of_the_recipe_is_counted_again(study: tuple[str, Path], name: str) -> None:
    folder = study[1] / name
    rows = recount.rows_of(folder)
    report = json.loads((folder / "report.json").read_text())
    assert report["metrics"]["llmorph"] == recount.llmorph(rows)
    counts = recount.summary(rows)
    for row in report["summary"]:
        counted = counts[row["system"], row["task"], row["relation"]]
        assert {outcome: row[outcome] for outcome in recount.OUTCOMES} == counted
        judged = counted["satisfied"] + counted["violated"]
        assert row["rate"] == recount.share(counted["violated"], judged)
    [labels] = recount.llmorph(rows)["label-based"].values()
    assert labels["sources"] == 6


@pytest.mark.long
@pytest.mark.parametrize("name", TASKS)
def test_the_printed_tables_are_those_numbers(study: tuple[str, Path], name: str) -> None:
    text = study[0].partition(f"## {name} (")[2].partition("\n## ")[0]
    counted = recount.llmorph(recount.rows_of(study[1] / name))
    published, _, rest = text.partition("### Ours")
    ours, _, labels = rest.partition("### Beside testing by labels")
    printed = {"published": published, "ours": ours}
    told = 0
    for row in counted["relations"]:
        start = f"| {row['relation']} | {row['violated']} | {row['judged']} | {row['rate']:.1%} |"
        ends = f"| {row['source_right']} | {row['source_wrong']} |"
        [line] = [line for line in printed[row["origin"]].splitlines() if line.startswith(f"| {row['relation']} |")]
        assert line.startswith(start)
        assert line.endswith(ends)
        told += 1
    assert told == sum(line.startswith("| ") for line in f"{published}{ours}".splitlines()) - 2  # two headers
    [by_label] = counted["label-based"].values()
    assert f"{by_label['accuracy']:.1%} ({by_label['right']} of {by_label['sources']})" in labels
    for group, title in (("published", "published relations"), ("ours", "ours")):
        [row] = counted[group].values()
        cells = [row[key] for key in ("sources", "both", "only_relations", "only_labels", "neither")]
        assert f"| {title} | " + " | ".join(map(str, cells)) + " | " in labels


@pytest.mark.long
def test_relations_made_by_the_helper_and_free_ones_are_judged(study: tuple[str, Path]) -> None:
    judged = {
        row["relation"] for name in TASKS for row in recount.llmorph(recount.rows_of(study[1] / name))["relations"]
    }
    assert recount.LLMORPH - judged == set()


@pytest.mark.long
def test_labels_of_a_binary_sentiment_tell_a_side(study: tuple[str, Path]) -> None:
    right = 0
    for row in recount.rows_of(study[1] / "sst2"):
        if row["relation"] == "label-based":
            [label] = [label for label, text in REVIEWS if text == row["source_input"]["text"]]
            score = row["source_output"]["value"]
            held = score > 0.5 if label == "1" else score < 0.5
            assert row["outcome"] == ("satisfied" if held else "violated")
            right += held
    assert 0 < right < 6


def test_wrong_arguments_are_one_line(interpreter: Interpreter) -> None:
    for arguments, told in (
        (("--endpoint", "http://127.0.0.1:1/v1"), "--endpoint and --model go together"),
        (("--helper", "m"), "--helper needs --helper-endpoint"),
    ):
        done = interpreter.run(STUDY, *arguments)
        assert done.returncode == 2
        assert told in done.stderr.splitlines()[-1]


def test_false_positives_of_a_filled_sheet(tmp_path: Path, interpreter: Interpreter) -> None:
    sheet = [
        {"item": f"i{n}", "relation": relation, "task": "sentiment", "score": score}
        for n, (relation, score) in enumerate(
            [("leet", 9), ("leet", 1), ("leet", 6), ("upper-case", 0), ("homoglyphs", 10), ("homoglyphs", 5)]
        )
    ]
    first, two = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("".join(json.dumps(row) + "\n" for row in sheet))
    two.write_text("".join(json.dumps({**row, "score": 2 if row["item"] == "i2" else 10}) + "\n" for row in sheet))
    told = run(interpreter, "--sheet", first)
    published, _, ours = told.partition("### Ours")
    assert "| leet | sentiment | 3 | 2 | 67% | 9% - 99% |" in published
    assert "| upper-case | sentiment | 1 | 0 | 0% | 0% - 98% |" in published
    assert "All: 2 of 4, 50%" in published
    assert "| homoglyphs | sentiment | 2 | 1 | 50% | 1% - 99% |" in ours
    assert "| leet | sentiment | 3 | 1 | 33% |" in run(interpreter, "--sheet", first, "--second", two)
