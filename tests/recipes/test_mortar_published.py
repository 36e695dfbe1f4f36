"""The papers' own set-ups run end to end on scripted endpoints; their numbers are counted again from the verdicts."""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mutatis
from mutatis.api import run_config
from mutatis.assembly.questions import planned_questions
from mutatis.config import check
from mutatis.records import read_report
from mutatis.reports.sheets import answer_sheet
from mutatis.reports.terminal import console, print_report
from mutatis.transformations import metal, wordnet
from recipes import recount_dialogues
from recipes.recount_dialogues import Row
from support.loopback import loopback
from support.prompts import between

MORTAR = set(recount_dialogues.SHORT["mortar"])
PEOPLE = ("Nora", "Edith", "Tilda", "Ruth")
QUESTIONS = (
    "Who is {who}?", "Where was she born?", "What did she build?", "Why?", "Which prize did she win?",
    "Who is Tom Reilly?", "Was he her brother?",
)  # fmt: skip
ANSWERS = ("a builder", "in Ardmore", "a lighthouse", "for the ships", "unknown", "a keeper", "no")


def dialogues(folder: Path) -> Path:
    """Four dialogues without a story: a person, "she", then a second person, "he"; one question has no answer."""
    path = folder / "dialogues.jsonl"
    lines = []
    for who in PEOPLE:
        turns = [
            {"question": question.format(who=who), "expected": answer, "answerable": answer != "unknown"}
            for question, answer in zip(QUESTIONS, ANSWERS, strict=True)
        ]
        lines.append(json.dumps({"id": who, "turns": turns}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _between(prompt: str, mark: str) -> Any:
    return json.loads(between(prompt, mark))


def _uses(row: dict[str, Any]) -> dict[str, Any]:
    said = [name for name in (*PEOPLE, "Tom Reilly") if name in row["asked"]]
    meant = [name for name in (*PEOPLE, "Tom Reilly") if name in row["clear"]]
    return {"round": row["round"], "explicit": said, "question": meant, "answer": []}


class Extractor:
    """Answers the extraction steps by the plot; every first answer to the graph step is cut off."""

    def __init__(self) -> None:
        self.steps: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        step, answer = self._answer(prompt)
        self.steps[step] += 1
        if step == "graph" and not body.get("temperature"):
            return '{"entities": ['
        return json.dumps(answer)

    def _answer(self, prompt: str) -> tuple[str, Any]:
        if "into plain statements" in prompt:
            rounds = _between(prompt, "DIALOGUE")["rounds"]
            return "declarative", {
                "rounds": [{"round": r["round"], "statement": f"{r['question']} {r['answer']}"} for r in rounds]
            }
        if "name what a dialogue is about" in prompt:
            return "topic", {"topic": "builders"}
        if "choose the kinds of things" in prompt:
            return "types", {"types": ["person"]}
        if "build a knowledge graph" in prompt:
            names = [name for name in (*PEOPLE, "Tom Reilly") if name in prompt]
            return "graph", {"entities": [{"name": name, "type": "person"} for name in names]}
        if "can be understood alone" in prompt:
            rounds = _between(prompt, "DIALOGUE")["rounds"]
            who = next((name for name in PEOPLE if name in prompt), "she")
            whole = [r["question"].replace("Why?", "Why did she build it?") for r in rounds]
            clear = [re.sub(r"\b(she|her)\b", who, re.sub(r"\bhe\b", "Tom Reilly", text)) for text in whole]
            return "decontextualise", {
                "rounds": [{"round": r["round"], "question": text} for r, text in zip(rounds, clear, strict=True)]
            }
        if "each round of a dialogue uses" in prompt:
            return "rounds", {"rounds": [_uses(row) for row in _between(prompt, "ROUNDS")]}
        if "what a name in a knowledge graph stands for" in prompt:
            return "canonicalise", {"kind": "new", "members": [], "type": "person"}
        raise AssertionError(f"an unexpected prompt: {prompt[:80]}")


def forgetful(body: dict[str, Any]) -> str:
    """Answer as annotated, except that a question asked late in a dialogue gets another answer, and "he" is unknown."""
    question = body["messages"][-1]["content"]
    asked = sum(message["role"] == "user" for message in body["messages"])
    for template, answer in zip(QUESTIONS, ANSWERS, strict=True):
        if question.startswith(template.split("{")[0].rstrip("?")):
            return "a wooden boat" if asked > 5 else "unknown" if " he " in question else answer
    return "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """A recipe run on scripted endpoints: what it said, and where."""

    recipe: str
    draws: int
    folder: Path
    report: dict[str, Any]
    verdicts: list[Row]


@pytest.fixture(scope="module", params=[("mortar", 1), ("mortar", 2), ("mortar_v2_paper", 1), ("mortar_v1", 1)])
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """Run one recipe with a scripted system and a scripted helper, with one or two draws of each perturbation."""
    recipe, draws = request.param
    extractor, folder = Extractor(), tmp_path_factory.mktemp(recipe)
    with loopback(answer=forgetful) as system, loopback(answer=extractor) as helper:
        tables = {
            "recipe": recipe,
            "system": {"type": "openai", "model": "m", "base_url": system.url, "label": "m"},
            "helper": {"type": "openai", "model": "h", "base_url": helper.url},
            "data": {"format": "jsonl", "path": str(dialogues(folder)), "task": "dialogue"},
            "context": {"extractor": "language-model"},
            "search": {"draws": draws},
            "noise_floor": 0, "confirm": 0, "shrink": 0,
        }  # fmt: skip
        report = run_config(check(tables), store=folder / "store.db", out=folder / "out").report
    # Six steps once per dialogue, the seventh only for unseen names, of which there are none; "graph" twice.
    steps = ("declarative", "topic", "types", "decontextualise", "rounds")
    assert extractor.steps == {**dict.fromkeys(steps, len(PEOPLE)), "graph": 2 * len(PEOPLE)}
    verdicts = recount_dialogues.rows_of(folder / "out")
    return Campaign(recipe=recipe, draws=draws, folder=folder, report=report, verdicts=verdicts)


def told(figures: Mapping[str, Any], counted: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a report's figures those that were counted again."""
    return {
        key: told(figures[key], count) if isinstance(count, dict) else figures[key] for key, count in counted.items()
    }


def test_the_numbers_are_those_of_the_verdicts(campaign: Campaign) -> None:
    method = "mortar_v1" if campaign.recipe == "mortar_v1" else "mortar"
    figures = campaign.report["metrics"][method]["systems"]["m"]
    counted = recount_dialogues.recount(
        campaign.verdicts, method, recount_dialogues.unanswerable_of(campaign.folder / "dialogues.jsonl")
    )
    assert told(figures, counted) == counted
    # Nothing is told that was not counted here, but for these, which are 0 or empty here and have tests of their own.
    assert set(figures) - set(counted) == {"seeds_left_out", "seeds_lost", "undecided_context"}
    for part in ("per_perturbation", "per_relation"):
        assert all(set(row) == set(counted[part][name]) for name, row in figures[part].items())
    assert min(counted["detections"].values()) > 0
    assert all(part["bugs"] for part in counted["per_relation"].values())
    assert figures["outcomes"] == counted["outcomes"]  # and none besides
    assert counted["test_cases"] == 5 * len(PEOPLE) * campaign.draws


def test_the_published_recipes_have_two_verdicts_and_no_veto(campaign: Campaign) -> None:
    rows = [row for row in campaign.verdicts if row["relation"] != "reference-based"]
    judged = [member["annotations"] for row in rows for member in row["followups"]]
    assert {verdict["context"] for verdict in judged} == {"equivalent", "altered"}
    assert ("adjacency" in {verdict["context_check"] for verdict in judged}) == (campaign.recipe == "mortar")
    [metrics] = campaign.report["metrics"].values()
    assert metrics["systems"]["m"]["undecided_context"] == 0


def test_the_judge_is_the_papers(campaign: Campaign) -> None:
    measures = {row["measure"] for row in campaign.verdicts if row["measure"]}
    assert measures == {
        {"mortar_v1": "mss", "mortar_v2_paper": "minilm-cosine"}.get(campaign.recipe, "answer-equivalence")
    }
    limits = {tuple(row["thresholds"].values()) for row in campaign.verdicts if row["thresholds"]}
    assert limits == ({(0.5, 0.5)} if campaign.recipe == "mortar" else {(0.6, 0.6)})


class Unreadable(Extractor):
    """Extracts nothing of one dialogue, however often it is asked."""

    def __call__(self, body: dict[str, Any]) -> str:
        whole = super().__call__(body)
        return "I would rather not." if "Edith" in body["messages"][-1]["content"] else whole


def test_dialogues_that_cannot_be_read_are_left_out_and_the_others_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MORTAR lost 97 of 500 dialogues so; one of four here, which is more than the tenth that errors may be."""
    monkeypatch.setattr(wordnet, "wordnet_is_installed", lambda: False)
    monkeypatch.setattr(metal, "_cosine", lambda *texts: 1.0)  # nothing is put back, so that nothing is embedded
    with loopback(answer=forgetful) as system, loopback(answer=Unreadable()) as helper:
        tables = {
            "recipe": "mortar_v2_paper",
            "relations": ["tag:mortar", "tag:metal", "reference-based"],
            "system": {"type": "openai", "model": "m", "base_url": system.url, "label": "m"},
            "helper": {"type": "openai", "model": "h", "base_url": helper.url},
            "data": {"format": "jsonl", "path": str(dialogues(tmp_path)), "task": "dialogue"},
            "judge": {"measure": "exact"},
            "noise_floor": 0, "confirm": 0, "shrink": 0,
        }  # fmt: skip
        run = run_config(check(tables), store=tmp_path / "store.db", out=tmp_path / "out")
    rows = recount_dialogues.rows_of(tmp_path / "out")
    unread = [row for row in rows if row["source"].endswith("/Edith") and row["relation"] in MORTAR]
    assert {(row["outcome"], row["precondition"]) for row in unread} == {("invalid", "follow-up input: context")}
    assert all("extraction failed" in row["reason"] and not row["followups"] for row in unread)
    assert not any(row["outcome"] == "error" for row in rows)
    figures = run.report["metrics"]["mortar"]["systems"]["m"]
    assert (figures["seeds"], figures["seeds_left_out"], figures["test_cases"]) == (3, 1, 15)
    [lost] = figures["seeds_lost"]
    assert lost.endswith("/Edith")
    shown = io.StringIO()
    print_report(read_report(tmp_path / "out"), console(file=shown, width=200))
    line = f"mortar: 1 of 4 dialogues is in no figure of m, because its context could not be read: {lost}"
    assert line in shown.getvalue()
    # Reference-based testing (Table I) has all four.
    assert figures["reference"]["dialogues"] == 4
    assert figures["reference"]["questions"] == sum(row["relation"] == "reference-based" for row in rows) == 28
    run.check(max_rate=1.0)  # the system could be tested: only its violations are for people to weigh
    # METAL reads no dialogue: it has the one that MORTAR lost, too. On the common seeds, as in Table V's brackets:
    unique = run.report["metrics"]["mortar"]["uniqueness"]["m"]
    read = {row["source"] for row in rows} - {row["source"] for row in unread}
    for told, seeds in ((unique["all_seeds"], None), (unique["common_seeds"], read)):
        assert {name: (figures["bugs"], figures["unique"]) for name, figures in told.items()} == unique_bugs(
            rows, seeds
        )
    lost = [bugs["bugs"] for bugs in (unique["all_seeds"]["metal"], unique["common_seeds"]["metal"])]
    assert lost[0] > lost[1] > 0


def unique_bugs(rows: list[Row], seeds: set[str] | None) -> dict[str, tuple[int, int]]:
    """Return each method's bugs, and those on questions where the other has none, by numpy."""
    bugs = [row for row in rows if row["outcome"] == "violated" and row["relation"] != "reference-based"]
    bugs = [row for row in bugs if seeds is None or row["source"] in seeds]
    question = np.array([f"{row['source']} {row['turn']}" for row in bugs])
    mortar = np.array([row["relation"] in MORTAR for row in bugs])
    return {
        name: (int(bugs.sum()), int((bugs & ~np.isin(question, question[~bugs])).sum()))
        for name, bugs in (("mortar", mortar), ("metal", ~mortar))
    }


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The study's command; its folder is on the path for this test only."""
    folder = str(Path(__file__).resolve().parents[2] / "studies" / "mortar")
    monkeypatch.syspath_prepend(folder)
    for name in ("run", "tables", "figure", "published"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import run

    return run.main


def test_the_study_takes_a_helper_and_the_papers_check(study: Any, tmp_path: Path, capsys: Any) -> None:
    with loopback(answer=forgetful) as system, loopback(answer=Extractor()) as helper:
        study(
            [
                "--data", str(mutatis.sample("dialogues")), "--limit", "2", "--systems", "", "--out", str(tmp_path),
                "--endpoint", system.url, "--model", "m", "--published", "--helper", "h",
                "--helper-endpoint", helper.url, "--dataset-check", "off",
            ]
        )  # fmt: skip
        assert helper.requests > 0
    told = capsys.readouterr().out
    assert "`language-model` with two verdicts, the story read as `off`" in told
    lines = (tmp_path / "mortar_v2_paper" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    bugs = Counter(row["relation"] for row in verdicts if row["outcome"] == "violated")
    [row] = re.findall(r"^\| m \| ([\d,]+) \(.*?\) \| ([\d,]+) \(", told.split("### Table VIII")[1], re.M)
    assert tuple(int(cell.replace(",", "")) for cell in row) == (bugs["context-preserving"], bugs["context-altering"])


def told_rows(told: str, title: str, system: str) -> tuple[str, ...]:
    """Return the cells of a system's row in a printed table."""
    [row] = re.findall(rf"^\| {system} \| (.*) \|$", told.split(title)[1].split("###")[0], re.M)
    return tuple(row.split(" | "))


def filled_in(folder: Path) -> Path:
    """An answer sheet of the first sample dialogue, on which every answer is the annotated one."""
    data = mutatis.sample("dialogues")
    config = folder / "people.toml"
    lines = ('recipe = "mortar_v1"', "[data]", 'format = "coqa"', f'path = "{data}"', "limit = 1")
    config.write_text("\n".join(lines), encoding="utf-8")
    [case] = mutatis.api.read_cases("coqa", data, limit=1)
    known = {turn.fields["question"]: turn.expected[0] for turn in case.turns}
    sheet = folder / "people.jsonl"
    planned = planned_questions(config)
    drawn = answer_sheet(planned.sources, planned.follow_ups, planned.converse, size=1000)
    rows = [json.loads(line) for line in drawn.as_jsonl().splitlines()]
    sheet.write_text(
        "".join(json.dumps(row | {"answer": known[row["input"]]}) + "\n" for row in rows), encoding="utf-8"
    )
    return sheet


def test_the_study_shows_people_and_the_overlap_of_critical_bugs(study: Any, tmp_path: Path, capsys: Any) -> None:
    with loopback(answer=lambda body: "quarterly tax forms") as system:
        study(
            [
                "--data", str(mutatis.sample("dialogues")), "--limit", "1", "--systems", "", "--out", str(tmp_path),
                "--endpoint", system.url, "--model", "m", "--earlier", "--metal", "--sheet", str(filled_in(tmp_path)),
            ]
        )  # fmt: skip
    told = capsys.readouterr().out
    earlier = told.split("## The earlier paper")[1]
    verdicts = recount_dialogues.rows_of(tmp_path / "mortar_v1")
    report = json.loads((tmp_path / "mortar_v1" / "report.json").read_text(encoding="utf-8"))
    overlap = recount_dialogues.critical_overlap([row for row in verdicts if row["system"] == "m"], "mortar_v1")
    assert told_rows(earlier, "### Figure 7", "m") == tuple(map(str, overlap))
    assert min(overlap[:2]) > 0
    assert told_rows(earlier, "### Table 4", "people")[0] == "1.000"
    people = report["metrics"]["mortar_v1"]["systems"]["people"]
    assert people["reference"]["mean_score"] == 1.0 >= people["mean_score"] > 0.9
    drawn = (tmp_path / "figure7.svg").read_text(encoding="utf-8")
    assert all(name in drawn for name in ("Gemma-2-9B (paper)", ">m<", "METAL alone"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--published"], "needs --helper MODEL"),
        (["--extractor", "language-model"], "needs --helper MODEL"),
        (["--helper", "h"], "needs --helper-endpoint or --endpoint"),
    ],
)
def test_the_study_says_what_is_missing(study: Any, tmp_path: Path, arguments: list[str], says: str) -> None:
    with pytest.raises(SystemExit, match=says):
        study(["--data", str(mutatis.sample("dialogues")), "--out", str(tmp_path), *arguments])


def test_the_published_shares_of_unique_bugs_are_of_bugs() -> None:
    """Why `uniqueness` counts bugs: Table V's overall shares are its levels' ones, weighted by the bugs of Table IV."""
    printed = (Path(__file__).parents[2] / "studies" / "mortar" / "results.md").read_text(encoding="utf-8")
    bugs, shares = (
        {
            cells[0]: cells[1:]
            for line in printed.partition(f"### Table {number}: ")[2].partition("###")[0].splitlines()
            if " (paper) |" in line and (cells := [cell.strip() for cell in line.strip("|").split("|")])
        }
        for number in ("IV", "V")
    )
    agreeing = 0
    for dataset, cells in bugs.items():
        for levels, told in ((cells[0:3], shares[dataset][0]), (cells[5:8], shares[dataset][2])):
            counts = np.array([float(level.replace(",", "")) for level in levels])
            *by_level, overall = (float(share.rstrip("%")) for share in told.split(" / "))
            agreeing += abs((counts * by_level).sum() / counts.sum() - overall) <= 0.1
    assert (len(bugs), agreeing) == (6, 12)
