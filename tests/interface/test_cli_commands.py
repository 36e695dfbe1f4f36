"""The commands beside `run`: list, show, replay, report, compare, init, demo."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mutatis
import mutatis.records
from mutatis.cli import demo
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.datasets import DATASETS
from mutatis.measures import MEASURES
from mutatis.relations.soundness import readings
from support import reviews
from support.loopback import Command


@pytest.fixture
def command(command) -> Command:
    Path("bot.py").write_text(reviews.BOT)
    Path("run.toml").write_text(reviews.config("upper-case", "add-spaces"))
    lines = [json.dumps({"id": f"r{i}", "text": f"Film number {i} was lovely."}) for i in range(3)]
    Path("reviews.jsonl").write_text("\n".join(lines))
    return command


@pytest.fixture
def finding(command) -> str:
    assert command("run", "run.toml", "--out", "out", "--max-rate", "0").code == 1
    return json.loads(Path("out/report.json").read_text())["findings"][0]["id"]


KINDS = {
    "relations": {"name", "ids", "tasks", "transformations", "output_relation", "made_by", "tags", "preconditions"},
    "transformations": {"name", "level", "made_by", "parameters", "summary"},
    "tasks": {"name", "fields", "answer", "summary"},
    "systems": {"name", "options", "summary"},
    "measures": {"name", "judges", "summary"},
    "datasets": {"name", "task", "summary"},
    "recipes": {"name", "relations", "source", "summary"},
    "searches": {"name", "summary"},
    "prompts": {"name", "file", "slots", "purpose", "summary"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_list_names_everything_for_people_and_programs(command, kind):
    rows = json.loads(command("list", kind, "--json").out)
    assert rows
    assert all(row.keys() >= KINDS[kind] and row["name"] for row in rows)
    names = [row["name"] for row in rows]
    assert names == sorted(names)
    shown = command("list", kind)
    assert shown.code == 0
    for row in rows:
        if kind != "recipes":
            assert row["summary"], f"{row['name']} has no description"
        assert re.search(rf"^{re.escape(row['name'])}\b", shown.out, re.MULTILINE)


def test_list_relations_can_be_narrowed_to_a_task_and_a_tag(command):
    def names(*filters):
        rows = json.loads(command("list", "relations", *filters, "--json").out)
        return {row["name"]: row for row in rows}

    every, wording = names(), names("--tag", "wording")
    expected = {name for name, row in every.items() if "chat" in row["tasks"] and "wording" in row["tags"]}
    assert set(names("--task", "chat", "--tag", "wording")) == expected
    assert 0 < len(expected) < len(wording) < len(every)
    shown = command("list", "relations", "--task", "chat", "--tag", "tag:wording").out.splitlines()
    assert {text.split()[0] for text in shown} == expected


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["relations", "--task", "chatt"], "unknown task 'chatt'; did you mean 'chat'?"),
        (["relations", "--tag", "wordin"], "unknown tag 'wordin'; did you mean 'wording' or"),
        (["systems", "--tag", "wording"], "--tag filters relations, not systems"),
        (["measures", "--task", "chat"], "--task filters relations and datasets, not measures"),
    ],
)
def test_a_filter_that_cannot_be_is_one_line(command, arguments, told):
    failed = command("list", *arguments)
    assert failed.code == 2
    assert told in failed.complaint
    assert failed.complaint.count("\n") <= 1


def test_list_relations_of_a_language_have_its_readings(command):
    """German questions after another one were read, 14 of 15 sound; nobody read the German follow-ups of add-link."""
    shown = {text.split()[0]: text for text in command("list", "relations", "--language", "German").out.splitlines()}
    assert "14 of 15 sound" in shown["ask-after-another"]
    assert "not read in German" in shown["add-link"]
    assert "title-case" not in shown  # for English alone
    read = sum(row.read for row in readings() if row.language == "de")
    assert shown["sound:"].startswith(f"sound: language models read {read:,} follow-ups, ")
    rows = json.loads(command("list", "relations", "--language", "it", "--task", "chat", "--json").out)
    assert rows
    assert all(row["soundness"] == {} for row in rows)
    assert "--language filters relations, not systems" in command("list", "systems", "--language", "de").err


def test_list_datasets_of_a_task(command):
    rows = json.loads(command("list", "datasets", "--task", "dialogue", "--json").out)
    assert {"coqa", "quac"} <= {row["name"] for row in rows}
    assert "sst2" not in {row["name"] for row in rows}


def test_relations_and_task_that_have_nothing_in_common_are_told(command):
    told = command("list", "relations", "--task", "dialogue-state", "--tag", "fairness").out.strip()
    assert told == "no relations of task dialogue-state with tag fairness"


def test_list_systems_says_the_type_default_and_meaning_of_every_option(command):
    rows = {row["name"]: row["options"] for row in json.loads(command("list", "systems", "--json").out)}
    assert rows["openai"]["model"] == {
        "type": "text",
        "required": True,
        "default": None,
        "summary": "name of the model",
    }
    temperature = rows["openai"]["temperature"]
    assert (temperature["type"], temperature["required"], temperature["default"]) == ('number or "default"', False, 0.0)
    types = {name: rows["openai"][name]["type"] for name in ("max_tokens", "extra_body", "label")}
    assert types == {"max_tokens": "whole number", "extra_body": "table", "label": "text"}
    assert all(option["summary"] for options in rows.values() for option in options.values())
    shown = [" ".join(text.split()) for text in command("list", "systems").out.splitlines()]
    assert "model text, needed: name of the model" in shown
    assert 'temperature number or "default" = 0.0: sampling temperature, 0 by default; "default" sends none' in shown
    assert "seed whole number: sampling seed, sent if given" in shown
    searches = [" ".join(text.split()) for text in command("list", "searches").out.splitlines()]
    assert 'space "edits" or "relations" = "edits": ' in " ".join(searches)


def test_list_relations_knows_published_ids(command):
    rows = {row["name"]: row for row in json.loads(command("list", "relations", "--json").out)}
    assert rows["add-spaces"]["ids"] == ["llmorph/mr-5"]
    assert rows["add-spaces"]["transformations"] == ["add-spaces"]
    assert rows["add-spaces"]["made_by"] == "function"
    assert rows["paraphrase"]["made_by"] == "language-model"
    assert "helper" in rows["paraphrase"]["tags"]
    # 20 of 20, by Wilson's formula; what a language model makes was not read.
    assert rows["leet"]["soundness"]["sentiment"] == {"read": 20, "sound": 20, "share": 1.0, "interval": [0.8389, 1.0]}
    assert rows["paraphrase"]["soundness"] == {}
    shown = {text.split()[0]: text for text in command("list", "relations").out.splitlines()}
    assert shown["emphasis-rules"].endswith(" [wording, 57 of 57 sound, English]")
    assert shown["refused-in-a-story"].endswith(" [risky, 17 of 20 sound, English]")
    assert shown["context-preserving"].endswith(" [55 of 60 sound, English]")
    assert shown["leet"].endswith(" sound, languages in Latin script]")
    assert shown["add-link"].endswith(" sound]")  # every language
    known = {name: rows[name]["languages"] for name in ("leet", "add-link", "upper-case", "polite-words")}
    assert known == {
        "leet": ["Latin"],
        "add-link": ["every"],
        "upper-case": ["cased"],
        "polite-words": ["de", "en", "es", "fr", "zh"],
    }
    assert shown["paraphrase"].rstrip().endswith("(llmorph/mr-51)")


def test_a_run_tells_how_sound_its_relations_are(command, finding):
    report = json.loads(Path("out/report.json").read_text())
    [row] = [row for row in report["summary"] if row["relation"] == "upper-case"]
    assert row["soundness"] == {"read": 20, "sound": 20, "share": 1.0, "interval": [0.8389, 1.0]}
    assert "100 % of 20" in command("show", "out").out
    assert command("report", "out", "--format", "csv", "-o", "rows.csv").code == 0
    cells = [
        (row["relation"], row["read"], row["sound"])
        for row in csv.DictReader(Path("rows.csv").read_text().splitlines())
    ]
    assert ("upper-case", "20", "20") in cells


def test_show_puts_source_and_follow_up_side_by_side(command, finding):
    listed = command("show", "out")
    assert listed.code == 0
    assert finding in listed.out
    shown = command("show", "out", finding[:6]).out
    sides = [line for line in shown.splitlines() if "[-" in line]
    assert len(sides) == 1
    assert "text: [-Film-] [-number-] 0 [-was-] [-lovely-]." in sides[0]
    assert "text: {+FILM+} {+NUMBER+} 0 {+WAS+} {+LOVELY+}." in sides[0]
    for text in ("answer: 0.9", "answer: 0.1", "why: ", f"replay: mutatis replay out {finding}"):
        assert text in shown
    assert command("show", "out/store.db").out == listed.out.replace(" out ", " out/store.db ")


def test_replay_asks_again_and_says_whether_it_is_still_there(command, finding):
    done = command("replay", "out", finding, "--config", "run.toml")
    assert done.code == 1
    assert done.err == ""
    assert "FILM NUMBER 0 WAS LOVELY." in done.out
    assert "VIOLATED" in done.out
    Path("bot.py").write_text("def answer(text):\n    return '0.9'\n")
    mended = command("replay", "out", finding, "--config", "run.toml")
    assert mended.code == 0
    assert "SATISFIED" in mended.out


def test_recorded_answers_are_replayed(command):
    said = {"Film number 0 was lovely.": "0.9", "FILM NUMBER 0 WAS LOVELY.": "0.1"}
    lines = [json.dumps({"text": text, "answer": answer}) for text, answer in said.items()]
    Path("log.jsonl").write_text("\n".join(lines))
    named = ("--data", "jsonl:reviews.jsonl", "--task", "sentiment", "--relations", "upper-case")
    done = command("run", "--system", "recorded:log.jsonl", *named, "--out", "recorded", "--max-rate", "0")
    assert done.code == 1
    [finding] = json.loads(Path("recorded/report.json").read_text())["findings"]
    assert finding["system"] == "recorded:log.jsonl"
    again = command("replay", "recorded", finding["id"], "--trust")
    assert again.code == 1
    assert "FILM NUMBER 0 WAS LOVELY." in again.out
    assert "probabilities" in command("list", "systems").out.partition("recorded")[2]


def test_a_finding_without_its_run_is_told_the_command(command, finding):
    told = command("show", finding)
    assert told.code == 2
    assert told.complaint.startswith(f"unknown run {finding!r}")
    assert told.complaint.endswith(f"to show a finding, name its run, too: mutatis show RUN {finding}")
    command("run", "run.toml", "--relations", "add-spaces", "--out", "other")
    for asked in ("show", "replay"):
        assert f"no finding {finding!r}" in command(asked, "latest", finding).complaint
    assert "unknown run 'nothing'" in command("show", "nothing").complaint
    assert "mutatis show RUN" not in command("show", "nothing").complaint


def test_precision_of_nothing_is_a_dash_and_one_pair_is_one(command):
    line = {"reference": "yes", "answer": "yes", "label": True}
    Path("pairs.jsonl").write_text(json.dumps(line) + "\n")
    told = command("judge", "pairs.jsonl", "--measure", "exact").err
    assert "exact: 1 pair, 0 undecided" in told
    assert 'against 1 label: kappa 1.000, precision of "different" -, recall of "different" -' in told


def test_a_pair_between_the_thresholds_is_counted_as_undecided(command):
    Path("judge.toml").write_text('[judge]\nmeasure = "token-f1"\nequal = 0.8\ndifferent = 0.2\n')
    Path("pairs.jsonl").write_text(json.dumps({"reference": "a red cat", "answer": "a red dog here"}) + "\n")
    judged = command("judge", "pairs.jsonl", "--config", "judge.toml")
    assert json.loads(judged.out)["same"] is None
    assert "token-f1: 1 pair, 1 undecided" in judged.err


def test_replay_works_from_another_folder_and_for_a_configuration_elsewhere(command, monkeypatch):
    Path("deep").mkdir()
    for name in ("bot.py", "run.toml", "reviews.jsonl"):
        Path(name).rename(Path("deep", name))
    command("run", "deep/run.toml", "--out", "out")
    report = json.loads(Path("out/report.json").read_text())
    assert report["summary"][0]["system"] == "function:bot.py:answer"
    monkeypatch.chdir(command.folder / "deep")
    assert command("replay", "../out", report["findings"][0]["id"], "--trust").code == 1


def test_replay_shows_hostile_text_harmlessly(command):
    Path("bot.py").write_text("def answer(text):\n    return '0.1 \\x1b[2J' if text.isupper() else '0.9'\n")
    Path("reviews.jsonl").write_text(json.dumps({"text": "lone \ud800 and \x1b[31m red [bold]"}) + "\n")
    command("run", "run.toml", "--relations", "upper-case", "--out", "out")
    finding = json.loads(Path("out/report.json").read_text())["findings"][0]["id"]
    for arguments in (("replay", "out", finding, "--trust"), ("show", "out", finding)):
        done = command(*arguments)
        assert "Traceback" not in done.err
        assert "\x1b" not in done.out
        assert "bold" in done.out


def test_replay_tells_when_the_system_fails(command, finding):
    Path("bot.py").write_text("def answer(text):\n    raise ValueError('broken')\n")
    done = command("replay", "out", finding, "--config", "run.toml")
    assert done.code == 3
    assert "ValueError: broken" in done.out


def test_replay_of_a_run_started_from_python_says_what_to_do(command):
    bot = mutatis.system("function", target="bot.py:answer")
    cases = [mutatis.Case(id="a/1", turns=(mutatis.Turn(fields={"text": "It was lovely."}),))]
    run = mutatis.run(bot, cases, ["upper-case"], task="sentiment", out="out")
    done = command("replay", "out", run.findings[0]["id"])
    assert done.code == 2
    assert "Python" in done.complaint


def test_what_a_report_does_not_hold_itself_is_read_from_the_file_beside_it(command, monkeypatch):
    monkeypatch.setattr("mutatis.campaign.findings.SHOWN", 1)
    assert command("run", "run.toml", "--relations", "upper-case", "--out", "out", "--max-rate", "0").code == 1
    assert len(json.loads(Path("out/report.json").read_text())["findings"]) == 1
    names = [json.loads(line)["id"] for line in Path("out/findings.jsonl").read_text().splitlines()]
    assert len(names) == 3
    assert "Film number 2" in command("show", "out", names[2]).out.replace("[-", "").replace("-]", "")
    listed = command("show", "out").out
    assert names[0] in listed
    assert "... 2 more of 3 findings: mutatis show out --all lists all" in listed
    assert all(name in command("show", "out", "--all").out for name in names)
    assert command("replay", "out", names[2], "--config", "run.toml").code == 1
    for form, file, held in (("csv", "a.csv", 3), ("html", "a.html", 3), ("junit", "a.xml", 1), ("json", "a.json", 1)):
        assert command("report", "out", "--format", form, "-o", file).code == 0
        text = Path("a-findings.csv" if form == "csv" else file).read_text()
        assert (form, sum(name in text for name in names)) == (form, held)
    assert len(mutatis.records.read_report(Path("a.json")).all_findings) == 3
    assert command("sheet", "out", "bugs", "-o", "sheet.csv").code == 0
    command("run", "run.toml", "--relations", "upper-case", "--out", "again")
    assert "common: 3 findings in both runs" in command("compare", "out", "again").out
    Path("out/findings.jsonl").unlink()
    assert (
        "contains the 3 findings of the run; copy it together with the report"
        in command("show", "out", names[2]).complaint
    )


def test_reports_in_every_form_say_the_same(command, finding):
    for form, name in (("html", "a.html"), ("json", "a.json"), ("junit", "a.xml"), ("csv", "a.csv")):
        assert command("report", "out", "--format", form, "-o", name).code == 0
        written = Path(name).read_bytes()
        assert command("report", "out", "-o", name).code == 0, "the ending says it, too"
        assert Path(name).read_bytes() == written
    assert json.loads(Path("a.json").read_text()) == json.loads(Path("out/report.json").read_text())
    page = Path("a.html").read_text()
    assert finding in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    suite = ElementTree.parse("a.xml").getroot()
    cases = list(suite.iter("testcase"))
    assert sum(case.find("failure") is not None for case in cases) == 1
    rows = list(csv.DictReader(Path("a.csv").read_text().splitlines()))
    assert {row["relation"]: row["violated"] for row in rows}["upper-case"] == "3"


def test_compare_shows_what_came_and_what_went(command, finding):
    Path("bot.py").write_text("def answer(text):\n    return '0.9'\n")
    assert command("run", "run.toml", "--out", "mended").code == 0
    done = command("compare", "out", "mended")
    assert done.code == 0
    assert "gone: 3 findings" in done.out
    assert "came: 0 findings" in done.out
    back = command("compare", "mended", "out")
    assert "came: 3 findings" in back.out


def test_init_writes_a_configuration_that_runs_as_it_is(command):
    done = command("init", "first.toml")
    assert done.code == 0
    assert "mutatis run first.toml" in done.out
    ran = command("run", "first.toml", "--limit", "3", "--out", "out")
    assert ran.code in (0, 1)
    report = json.loads(Path("out/report.json").read_text())
    assert report["summary"]
    assert all(row["error"] == 0 for row in report["summary"])


def test_without_arguments_the_commands_are_listed(command):
    done = command()
    for name in ("demo", "run", "list", "show", "replay", "report", "compare", "init", "view", "judge"):
        assert re.search(rf"^  {name} ", done.out + done.err, re.MULTILINE), name


@pytest.mark.parametrize("name", ["demo", "run", "list", "show", "replay", "report", "compare", "init", "view"])
def test_every_command_explains_itself(command, name):
    done = command(name, "--help")
    assert done.code == 0
    assert f"mutatis {name}" in done.out


@pytest.mark.long
def test_demo_completes_offline_and_finds_what_is_there_and_asks_the_same_again(command, monkeypatch):
    runs, run_command = [], demo.run_command

    def noted(config, *, out):
        runs.append((config, out))
        return run_command(config, out=out) if len(runs) <= 2 else 0

    monkeypatch.setattr(demo, "run_command", noted)
    done = command("demo", "--out", "demo")
    assert done.code == 0
    report = json.loads(Path("demo/report.json").read_text())
    assert "builtin:sentiment" in {row["system"] for row in report["summary"]}
    assert report["findings"]
    assert report["run"]["queries"]["errors"] == 0
    assert "demo/report.html" in done.out
    assert command("demo", "--out", "demo").code == 0
    assert runs[:2] == runs[2:], "the same run in the same folder pays nothing; its model is not trained anew"


def test_the_version_is_told(command):
    done = command("--version")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"mutatis \d+\.\d+\.\d+\n", done.out)


def test_the_demo_shows_no_relation_that_readers_called_risky():
    import mutatis.relations  # noqa: F401 - fills the registry
    from mutatis.cli.demo import MEANING, NOISE
    from mutatis.core.relation import RELATIONS

    assert [name for name in (*NOISE, *MEANING) if "risky" in RELATIONS[name].tags] == []


def test_list_without_a_kind_says_which_there_are(command):
    assert "nothing to list; expected one of: relations, transformations, tasks" in command("list").complaint


def test_the_package_is_the_command_line_too(tmp_path):
    done = subprocess.run([sys.executable, "-m", "mutatis", "list"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing to list" in done.stderr


@pytest.mark.parametrize("registry", [RELATIONS, TRANSFORMATIONS, MEASURES, DATASETS])
def test_an_unknown_name_among_many_says_which_command_lists_them_all(registry):
    with pytest.raises(mutatis.UsageError, match=r"\d+ in all: mutatis list \w+\)$") as caught:
        registry["zzzzzzzz"]
    assert str(caught.value).rstrip(")").rpartition(" ")[2] in KINDS
