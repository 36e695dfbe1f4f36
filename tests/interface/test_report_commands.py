"""The commands on finished runs: show, report, compare, sheet, agreement, view; called as typer calls them."""

from __future__ import annotations

import copy
import csv
import json
import os
import re
import sqlite3
import tomllib
import webbrowser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner

import mutatis
from mutatis.cli.app import agreement, compare, report, sheet, show, view
from mutatis.cli.app import app as whole
from mutatis.core.errors import UsageError
from mutatis.records.files import check_report, dump, write_report, write_text
from mutatis.records.runs import find_finding, find_run, known_runs
from mutatis.reports.numbers import percent
from mutatis.testing import ScriptedSystem
from support import report_builder as builder

app = typer.Typer()
for command in (show, report, compare, sheet, agreement, view):
    app.command()(command)


def write_run(folder, data, *, verdicts=None):
    write_report(check_report(data, "here"), folder / "report.json")
    lines = [builder.verdict(f) for f in data["findings"]] if verdicts is None else verdicts
    write_text(folder / "verdicts.jsonl", (dump(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return write_run(tmp_path / "out", builder.sample())


def call(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_show_lists_all_findings(run):
    text = call("show", run)
    for finding in builder.sample()["findings"]:
        assert finding["id"] in text
    assert "FLAKY" in text
    assert "too-many-invalid" in text


def test_show_prints_metrics(run, tmp_path):
    text = call("show", run, "--metrics")
    assert "NBugs" in text
    assert "31,942" in text
    bare = write_run(tmp_path / "bare", {**builder.sample(), "metrics": {}})
    assert "no metrics" in call("show", bare, "--metrics")


def open_line(number):
    """A line of verdicts.jsonl of a pair that the judge could not tell, and the pair."""
    pair = builder.question_finding(f"Where is tower {number}?", f"WHERE is tower {number}?", outcome="invalid")
    pair |= {"id": f"{number:010x}", "reason": "the judge cannot tell: not sure", "shrunk": None, "confirmed": None}
    precondition = "follow-up output: the judge can tell"
    line = {**builder.verdict(pair, "invalid"), "precondition": precondition, "reason": pair["reason"]}
    return pair, {**line, "finding": pair["id"], "source": f"s/{number}"}


def test_show_lists_and_shows_the_pairs_that_the_judge_could_not_tell(run, tmp_path):
    assert "none is open" in call("show", run, "--open")
    pairs, lines = zip(*map(open_line, range(30)), strict=True)
    rows = [builder.row(builder.READER, builder.QA, "add-typos", 5, 0, invalid=30, open=30)]
    data = {**builder.sample(), "summary": rows, "findings": [], "open": list(pairs[:25])}
    folder = write_run(tmp_path / "open", data, verdicts=lines)
    text = call("show", folder, "--open")
    assert "{+WHERE+} is tower" in text
    assert "the judge cannot tell: not sure" in text
    assert "5 more of 30 open pairs" in text
    assert call("show", folder, "--open", "--all").count("the judge cannot tell") == 30
    assert "why: the judge cannot tell: not sure" in call("show", folder, pairs[0]["id"])
    assert "tower 29?" in call("show", folder, f"{29:010x}")  # not in report.json: read from the verdicts
    assert "trust:" not in call("show", folder, pairs[0]["id"])


def test_show_says_what_to_do_about_the_notes(run, tmp_path):
    text = call("show", run)
    assert text.count("300 of 300 follow-ups are INVALID") == 1
    assert "look at the preconditions" not in text
    notes = call("show", run, "--notes")
    assert "look at the preconditions in verdicts.jsonl" in notes
    assert "to silence:" in notes
    assert "no notes" in call("show", write_run(tmp_path / "bare", {**builder.sample(), "health": []}), "--notes")


def test_show_takes_the_beginning_of_a_hash(run):
    name = builder.question_finding()["id"]
    text = call("show", run, name[:4].upper())
    assert "{+EIFFEL+}" in text
    assert f"mutatis replay out {name}" in text


def test_unknown_and_ambiguous_findings(run):
    name = builder.question_finding()["id"]
    with pytest.raises(UsageError, match=f"did you mean '{name}'"):
        call("show", run, name[:-1] + "x")
    first, two, _ = builder.typed_findings(builder.sample())
    alike = [first.model_copy(update={"id": "abc1"}), two.model_copy(update={"id": "abc2"})]
    with pytest.raises(UsageError, match="ambiguous; choose one: abc1, abc2"):
        find_finding(alike, "abc")
    with pytest.raises(UsageError, match="no findings"):
        find_finding([], "abc")


@pytest.mark.parametrize("form", ["html", "json", "junit", "csv"])
def test_report_in_every_form(run, tmp_path, form):
    target = tmp_path / "new" / f"file.{form}"
    assert str(target) in call("report", run, "--format", form, "-o", target)
    text = target.read_text(encoding="utf-8")
    if form == "json":
        assert json.loads(text) == json.loads((run / "report.json").read_text(encoding="utf-8"))
    elif form == "junit":
        ElementTree.fromstring(text)
    elif form == "csv":
        assert len(list(csv.reader(text.splitlines()))) == 9
        assert target.with_name("file-findings.csv").is_file()
    else:
        assert text.startswith("<!doctype html>")


def test_runs_are_found_by_folder_file_store_id_and_latest(run, tmp_path):
    home = tmp_path / ".mutatis" / "runs"
    old, new = write_run(home / "20260101-aa", builder.sample()), write_run(home / "20260102-bb", builder.sample())
    os.utime(old / "report.json", (1, 1))
    for store in (run / "store.db", tmp_path / ".mutatis" / "store.db"):
        connection = sqlite3.connect(store)
        connection.execute("create table t (a)")
        connection.close()
    assert known_runs() == [old.relative_to(tmp_path), new.relative_to(tmp_path)]
    assert find_run(str(run)) == run
    assert find_run("out") == Path("out")
    assert find_run("out/report.json") == Path("out")
    assert find_run("out/store.db") == Path("out")
    assert find_run("latest").name == "20260102-bb"
    assert find_run("20260101-aa").name == "20260101-aa"
    assert find_run("20260102").name == "20260102-bb"
    assert find_run(".mutatis/store.db").name == "20260102-bb"
    assert find_run(".mutatis").name == "20260102-bb"


def test_runs_that_are_not_there(run, tmp_path):
    with pytest.raises(UsageError, match="no run yet"):
        find_run("latest")
    with pytest.raises(UsageError, match="there is no such folder or file"):
        find_run("nowhere")
    with pytest.raises(UsageError, match=r"no report\.json in this folder"):
        find_run(str(tmp_path))
    (tmp_path / "x.txt").write_text("x")
    with pytest.raises(UsageError, match="this is not a report"):
        find_run("x.txt")
    (tmp_path / "s.db").write_bytes(b"SQLite format 3\x00")
    with pytest.raises(UsageError, match="no report next to this store"):
        find_run("s.db")
    for name in ("20260101-aa", "20260101-bb"):
        write_run(tmp_path / ".mutatis" / "runs" / name, builder.sample())
    with pytest.raises(UsageError, match="ambiguous"):
        find_run("20260101")
    with pytest.raises(UsageError, match="did you mean '20260101-aa'"):
        find_run("20260101-ac")


def test_compare_tells_what_came_and_went(run, tmp_path):
    later = builder.sample()
    gone = later["findings"].pop(1)
    later["findings"].append(builder.question_finding("Who built it?", "WHO built it?", confirmed=None))
    later["findings"][-1]["id"] = "0123456789"
    later["findings"][-1]["source"]["case"]["id"] = "squad/0002"
    later["summary"][1].update(violated=10, satisfied=270, rate=10 / 280, interval=[0.01, 0.08])
    lines = [builder.verdict(f) for f in later["findings"]] + [builder.verdict(gone, outcome="satisfied")]
    other = write_run(tmp_path / "later", later, verdicts=lines)
    text = call("compare", run, other)
    assert "came: 1 finding (in the old run: 1 not tested)" in text
    assert "gone: 1 finding (in the new run: 1 satisfied)" in text
    assert "common: 2 findings" in text
    (other / "verdicts.jsonl").unlink()
    assert "-25.0 *" in call("compare", run, other)  # source by source nothing is known: intervals that do not overlap


def test_compare_refuses_nonsense(run, tmp_path):
    with pytest.raises(UsageError, match="same run"):
        call("compare", run, run)
    other = copy.deepcopy(builder.sample())
    for row in other["summary"]:
        row["system"] += "-2"
    with pytest.raises(UsageError, match="different systems"):
        call("compare", run, write_run(tmp_path / "other", other))


@pytest.mark.parametrize("suffix", ["csv", "html", "jsonl"])
@pytest.mark.parametrize("kind", ["bugs", "context"])
def test_sheets(run, tmp_path, kind, suffix):
    target = tmp_path / f"sheet.{suffix}"
    assert "2 of" in call("sheet", run, kind, "-o", target, "--n", 2)
    assert target.stat().st_size > 100


def test_a_sheet_of_findings_tells_what_should_hold(tmp_path):
    report = copy.deepcopy(builder.sample())
    for row in report["summary"]:
        row["says"] = f"{row['relation']}, edited: the answer should stay the same"
    run = write_run(tmp_path / "told", report)
    call("sheet", run, "bugs", "-o", tmp_path / "s.csv")
    with (tmp_path / "s.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert rows
    assert all(row["expectation"] == f"{row['relation']}, edited: the answer should stay the same" for row in rows)


def test_unknown_sheet_suffix(run):
    with pytest.raises(UsageError, match=r"\.csv, \.html or \.jsonl"):
        call("sheet", run, "bugs", "-o", "sheet.xlsx")


def fill(path, target, column, labels):
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row, label in zip(rows, labels, strict=True):
        row[column] = label
    with target.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return target


def test_two_raters_of_bugs(run, tmp_path):
    call("sheet", run, "bugs", "-o", tmp_path / "s.csv")
    first = fill(tmp_path / "s.csv", tmp_path / "a.csv", "score", ["0", "7", "8"])
    two = fill(tmp_path / "s.csv", tmp_path / "b.csv", "score", ["1", "6", "2"])
    text = call("agreement", first, two)
    assert "false positives: 1" in text
    assert "PPD: 66.7 %" in text
    assert "mean score: 5.00 and 3.00" in text
    assert "agreement 66.7 %, Cohen's kappa 0.400" in text  # observed 2/3, by chance 4/9


def test_two_raters_of_context_tags(run, tmp_path):
    call("sheet", run, "context", "-o", tmp_path / "s.csv")
    labels = ["altered", "equivalent"]
    first, two = (fill(tmp_path / "s.csv", tmp_path / f"{name}.csv", "label", labels) for name in "ab")
    text = call("agreement", first, two)
    assert "raters: agreement 100 %, Cohen's kappa 1.000" in text
    assert "precision 100 %, recall 100 %" in text or "precision 0 %, recall 0 %" in text


@pytest.fixture
def read_run(tmp_path):
    """A run of two relations on six reviews."""
    texts = [f"Film {n} is not good, and it was too long." for n in range(6)]
    options = {
        "task": "sentiment",
        "store": tmp_path / "s.db",
        "out": tmp_path / "read",
        "settings": {"noise_floor": 0, "confirm": 0},
    }
    mutatis.run(ScriptedSystem({"*": "0.1"}), texts, ["upper-case", "contract"], **options)
    return tmp_path / "read"


def test_readings_of_follow_ups_become_rows_of_the_table(read_run, tmp_path):
    told = call("sheet", read_run, "follow-ups", "-o", tmp_path / "s.csv", "--per", "relation", "--n", 4)
    assert "s.csv: 8 of 12 items" in told
    key = [json.loads(line) for line in (tmp_path / "s.key.jsonl").read_text().splitlines()]
    upper = [row["relation"] == "upper-case" for row in key]
    first = fill(tmp_path / "s.csv", tmp_path / "a.csv", "sound", ["yes" if is_upper else "no" for is_upper in upper])
    two = fill(tmp_path / "s.csv", tmp_path / "b.csv", "sound", ["" if is_upper else "no" for is_upper in upper])
    text = call("agreement", first, two, "--key", tmp_path / "s.key.jsonl", "-o", tmp_path / "rows.toml")
    assert "upper-case on sentiment (text): 4 of 4, 51.0-100 %" in text
    assert "contract on sentiment (text): 0 of 4" in text
    assert "two readers of 4: agreement 100 %" in text
    counts = {"read": 4, "sound": 0, "both": 4, "agreed": 4}
    assert tomllib.loads((tmp_path / "rows.toml").read_text())["readings"] == [
        {"relation": "contract", "task": "sentiment", "fields": "text", "readers": "people", **counts},
        {"relation": "upper-case", "task": "sentiment", "fields": "text", "readers": "people", "read": 4, "sound": 4},
    ]
    assert "upper-case" in call("agreement", first, "--key", tmp_path / "s.key.jsonl", "-o", tmp_path / "rows.json")
    assert json.loads((tmp_path / "rows.json").read_text())[1]["sound"] == 4


def test_what_people_read_stands_beside_what_language_models_read(read_run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    call("sheet", read_run, "follow-ups", "-o", tmp_path / "s.csv")
    key = [json.loads(line)["relation"] for line in (tmp_path / "s.key.jsonl").read_text().splitlines()]
    labels = ["no" if number == key.index("contract") else "yes" for number in range(len(key))]
    filled = fill(tmp_path / "s.csv", tmp_path / "anna.csv", "sound", labels)
    rows = tmp_path / "people.toml"
    assert "readings = " in call("agreement", filled, "--key", tmp_path / "s.key.jsonl", "-o", rows)
    texts = [f"Film {n} is not good, and it was too long." for n in range(6)]
    run = mutatis.run(
        lambda text: "0.9" if "isn't" in text else "0.1", texts, ["contract"], task="sentiment", out=tmp_path / "again",
        settings={"noise_floor": 0, "confirm": 0, "readings": str(rows)},
    )  # fmt: skip
    [row] = run.report.summary
    assert (row.people.sound, row.people.read) == (5, 6)
    assert row.soundness.read > 6, "the models' readings are as they were"
    models = f"{percent(row.soundness.share)} of {row.soundness.read}"
    assert f"{models}; people 83.3 % of 6" in call("show", tmp_path / "again")
    page = (tmp_path / "again" / "report.html").read_text(encoding="utf-8")
    assert f"{models}; people 83.3 % of 6" in page
    listed = CliRunner().invoke(whole, ["list", "relations"]).output
    assert listed.splitlines()[-1].startswith("sound: language models read ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('readings = [{relation = "contract", task = "sentiment", read = 3, sound = 3}]', "readers = 'models'"),
        (
            'readings = [{relation = "contract", task = "t", read = 3, sound = 4, readers = "people"}]',
            "sound = 4, read = 3; expected whole numbers",
        ),
        ('readings = [{relation = "contrct", task = "t", read = 3, sound = 3, readers = "people"}]', "'contract'"),
        ("rows = []", "the file contains no readings of follow-ups"),
    ],
)
def test_readings_that_are_none_are_told_on_one_line(tmp_path, text, message):
    (tmp_path / "people.toml").write_text(text, encoding="utf-8")
    settings = {"readings": str(tmp_path / "people.toml")}
    with pytest.raises(UsageError, match=re.escape(message)):
        mutatis.run(ScriptedSystem({"*": "0.1"}), ["Good."], ["contract"], task="sentiment", settings=settings)
    with pytest.raises(UsageError, match="cannot be read"):
        mutatis.run(
            ScriptedSystem({"*": "0.1"}), ["Good."], ["contract"], task="sentiment", settings={"readings": "no.toml"}
        )


def test_a_sheet_of_a_dialogue_has_every_round_with_its_reply_the_rounds_that_were_put_in_too(tmp_path):
    talks = [["Do you deliver?", "What does it cost?", "And on Sunday?"], ["Are you open?", "Until when?"]]
    bot = ScriptedSystem(lambda c: f"Reply to {c.fields['message'].lower()}")
    relations = ["upper-case", "recall-after-2", "ask-again", "another-value"]
    settings = {"noise_floor": 0, "confirm": 0}
    mutatis.run(bot, talks, relations, task="chat", out=tmp_path / "talk", settings=settings)
    call("sheet", tmp_path / "talk", "follow-ups", "-o", tmp_path / "s.jsonl")
    items = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    rounds = [
        line for item in items for name in ("source", "follow_up") for line in item[f"{name}_earlier"].split("\n")
    ]
    told = [line.partition(" -> ") for line in rounds if line]
    assert any(len(item["follow_up_earlier"]) > len(item["source_earlier"]) for item in items), "rounds were put in"
    assert told
    assert all(reply == f"Reply to {asked.lower()}" for asked, _, reply in told)


def test_follow_ups_of_chosen_relations(read_run, tmp_path):
    call("sheet", read_run, "follow-ups", "-o", tmp_path / "s.jsonl", "--relations", "contract")
    lines = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert len(lines) == 6
    assert all("isn't" in line["follow_up_input"] for line in lines)
    assert all(line["should_hold"].startswith("The answer must stay the same") for line in lines)
    with pytest.raises(UsageError, match=r"'contrct'.*did you mean 'contract'"):
        call("sheet", read_run, "follow-ups", "-o", tmp_path / "s.csv", "--relations", "contrct")


def test_what_is_missing_for_the_table_is_told(read_run, run, tmp_path):
    call("sheet", read_run, "follow-ups", "-o", tmp_path / "s.csv")
    first = fill(tmp_path / "s.csv", tmp_path / "a.csv", "sound", ["yes"] * 12)
    with pytest.raises(UsageError, match="add --key"):
        call("agreement", first, first)
    with pytest.raises(UsageError, match=r"\.toml or \.json"):
        call("agreement", first, "--key", tmp_path / "s.key.jsonl", "-o", "rows.csv")
    (tmp_path / "other.jsonl").write_text("")
    with pytest.raises(UsageError, match="expected the key of the same sheet"):
        call("agreement", first, "--key", tmp_path / "other.jsonl")
    call("sheet", run, "context", "-o", tmp_path / "context.csv")
    tags = fill(tmp_path / "context.csv", tmp_path / "tags.csv", "label", ["altered", "equivalent"])
    with pytest.raises(UsageError, match="by two raters"):
        call("agreement", tags)


def test_false_positives_per_relation_from_filled_sheets(tmp_path):
    texts = [f"Film {n} is not good, and it was too long." for n in range(6)]

    def changeable(text: str) -> str:
        return "0.9" if text.isupper() or "isn't" in text else "0.1"

    options = {"task": "sentiment", "store": tmp_path / "s.db", "out": tmp_path / "run"}
    settings = {"noise_floor": 0, "confirm": 0}
    mutatis.run(changeable, texts, ["upper-case", "contract"], settings=settings, **options)
    told = call("sheet", tmp_path / "run", "bugs", "-o", tmp_path / "s.csv", "--per", "relation", "--n", 4)
    assert "8 of 12 items" in told
    with (tmp_path / "s.csv").open(newline="", encoding="utf-8-sig") as stream:
        rows = list(csv.DictReader(stream))
    assert {(row["relation"], row["task"]) for row in rows} == {("upper-case", "sentiment"), ("contract", "sentiment")}
    # The first rater calls three of upper-case and one of contract false alarms, the second only two and none of them.
    left = {"upper-case": 3, "contract": 1}
    scores = []
    for row in rows:
        scores.append("8" if left[row["relation"]] > 0 else "1")
        left[row["relation"]] -= 1
    first = fill(tmp_path / "s.csv", tmp_path / "a.csv", "score", scores)
    text = call("agreement", first)
    assert text.splitlines() == [
        "false positives per relation (6 or more):",
        "  upper-case on sentiment: 3 of 4, 75.0 % (19.4-99.4 %)",
        "  contract on sentiment: 1 of 4, 25.0 % (0.6-80.6 %)",
    ]
    first_upper = next(place for place, row in enumerate(rows) if row["relation"] == "upper-case")
    contract = next(place for place, row in enumerate(rows) if row["relation"] == "contract")
    fewer = ["1" if place in (first_upper, contract) else score for place, score in enumerate(scores)]
    two = fill(tmp_path / "s.csv", tmp_path / "b.csv", "score", fewer)
    text = call("agreement", first, two)
    assert "  upper-case on sentiment: 2 of 4, 50.0 % (6.8-93.2 %)" in text
    assert "  contract on sentiment: 0 of 4, 0 % (0-60.2 %)" in text
    assert "items: 8" in text


def test_an_unlabelled_sheet_is_one_clear_line(run, tmp_path):
    call("sheet", run, "bugs", "-o", tmp_path / "s.csv")
    with pytest.raises(UsageError, match=r"s\.csv: the sheet has not been filled in; expected a score from 0 to 10"):
        call("agreement", tmp_path / "s.csv", tmp_path / "s.csv")


def test_view_opens_a_file_which_is_written_where_it_is_missing(run, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    call("view", run, "--file")
    assert (run / "report.html").is_file()
    assert opened == [(run / "report.html").resolve().as_uri()]
    assert "report.html" in call("view", run, "--file", "--no-browser")
    assert len(opened) == 1
