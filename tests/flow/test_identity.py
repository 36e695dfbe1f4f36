"""A question is known by what it asks: where it stands in the data, and what stands around it, changes nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.testing import ScriptedSystem

EARLIER = Path(__file__).parent / "earlier"
DRAWN = ["add-spaces", "keyboard-typos", "leet", "add-characters", "misspell"]
TEXTS = [
    "a film that was fine from its first minute to the last",
    "the dullest evening of this whole long winter",
    "two people believe in the best soup in town",
    "the lamp broke on the very first day",
]
INSERTED = "nobody in the room was quiet for long"
QUICK = {"noise_floor": 0, "confirm": 1, "shrink": 1}


def fickle() -> ScriptedSystem:
    """A system whose answer depends on how many of the texts' words it finds: edits of letters sway it."""
    known = {word for text in (*TEXTS, INSERTED) for word in text.split()}
    return ScriptedSystem(
        lambda asked: f"0.{9 - sum(word not in known for word in asked.fields['text'].split())}", label="fickle"
    )


def records(texts: Iterable[str], prefix: str = "") -> list[Case]:
    return mutatis.cases([{"text": text} for text in texts], task="sentiment", name=f"{prefix}data")


def run(cases: Any, **more: Any) -> mutatis.Run:
    settings = {**QUICK, **more.pop("settings", {})}
    return mutatis.run(fickle(), cases, more.pop("relations", DRAWN), task="sentiment", settings=settings, **more)


def judged(folder: Path, texts: Sequence[str] = TEXTS) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Return what was asked and found of some questions: by text, relation and draw."""
    lines = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]
    return {
        (line["source_input"]["text"], line["relation"], line["draw"], line["steps"][0], str(line["variant"])): (
            line["followups"][0]["input"]["text"], line["outcome"], line["finding"],
        )
        for line in lines
        if line["source_input"]["text"] in texts
    }  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        records([INSERTED, *TEXTS]),
        records([*TEXTS[:2], INSERTED, *TEXTS[2:]]),
        records(TEXTS[::-1]),
        records(TEXTS, "other-"),
        [*records(TEXTS[2:], "second-"), *records(TEXTS[:2], "first-")],
    ],
    ids=["inserted at the top", "inserted between", "reordered", "renamed", "two files"],
)
def test_follow_ups_and_findings_stay_wherever_a_question_stands(tmp_path: Path, data: list[Case]) -> None:
    run(records(TEXTS), out=tmp_path / "before")
    run(data, out=tmp_path / "after")
    before = judged(tmp_path / "before")
    assert len(before) == len(TEXTS) * len(DRAWN)
    assert len({text for text, *_ in before.values()}) == len(before)  # drawn apart for each question
    assert {outcome for _, outcome, _ in before.values()} == {"satisfied", "violated"}
    assert judged(tmp_path / "after") == before


def test_what_a_run_adds_and_people_annotate_moves_nothing(tmp_path: Path) -> None:
    annotated = [
        Case(id=f"d/{place}", turns=(Turn(fields={"text": text}, expected=("0.9",), annotations={"seen": True}),))
        for place, text in enumerate(TEXTS)
    ]
    run(records(TEXTS), out=tmp_path / "before")
    run(annotated, out=tmp_path / "after")
    assert judged(tmp_path / "after") == judged(tmp_path / "before")


def test_a_question_that_stands_twice_is_counted(tmp_path: Path) -> None:
    run(records(TEXTS), out=tmp_path / "once")
    run(records([TEXTS[0], INSERTED, *TEXTS]), out=tmp_path / "twice")
    lines = [json.loads(line) for line in (tmp_path / "twice" / "verdicts.jsonl").read_text("utf-8").splitlines()]
    both = [line for line in lines if line["source_input"]["text"] == TEXTS[0]]
    first, second = (
        {(line["finding"], line["followups"][0]["input"]["text"]) for line in both if line["source"] == source}
        for source in ("data/1", "data/3")
    )
    once = judged(tmp_path / "once", TEXTS[:1]).values()
    assert first == {(finding, text) for text, _, finding in once}
    assert not {finding for finding, _ in first} & {finding for finding, _ in second}
    assert not {text for _, text in first} & {text for _, text in second}


def test_one_file_in_two_blocks_is_not_twice_the_question(tmp_path: Path) -> None:
    """Each block has relations of its own; which of the two comes first says nothing of the question."""
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    blocks = [
        {"format": "lines", "path": str(tmp_path / "texts.txt"), "task": "sentiment", "relations": [name]}
        for name in DRAWN[:2]
    ]
    run_verdicts = []
    for data in (blocks, blocks[::-1]):
        mutatis.run(fickle(), None, settings={**QUICK, "data": data}, out=tmp_path / "run", fresh=True)
        run_verdicts.append(judged(tmp_path / "run"))
    assert len(run_verdicts[0]) == 8
    assert run_verdicts[0] == run_verdicts[1]


def test_a_limit_keeps_what_it_leaves(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("\n".join([INSERTED, *TEXTS]), encoding="utf-8")
    data = {"format": "lines", "path": str(tmp_path / "texts.txt"), "task": "sentiment", "limit": 3}
    run(records(TEXTS), out=tmp_path / "whole")
    mutatis.run(fickle(), None, DRAWN, settings={**QUICK, "data": data}, out=tmp_path / "limited")
    whole = judged(tmp_path / "whole")
    assert judged(tmp_path / "limited") == {key: value for key, value in whole.items() if key[0] in TEXTS[:2]}


def test_an_inserted_question_is_all_that_is_paid_for(tmp_path: Path) -> None:
    plain = {"confirm": 0, "shrink": 0}
    run(records(TEXTS), store=tmp_path / "store.db", settings=plain)
    again = run(records([INSERTED, *TEXTS[::-1]]), store=tmp_path / "store.db", settings=plain)
    alone = run(records([INSERTED]), settings=plain)
    assert again.report.run.queries.paid == alone.report.run.queries.paid > 0


@pytest.mark.parametrize("data", [[INSERTED, *TEXTS], TEXTS[::-1], [TEXTS[1], *TEXTS]])
def test_a_baseline_knows_the_findings_of_what_it_was_asked(tmp_path: Path, data: list[str]) -> None:
    old = run(records(TEXTS), out=tmp_path / "old")
    new = run(records(data), settings={"gate": {"baseline": str(tmp_path / "old")}})
    assert old.findings
    assert {each.id for each in old.findings} <= {each.id for each in new.findings}
    known = {each.source.case.turns[0].fields["text"] for each in new.findings if not each.new}
    assert known == {each.source.case.turns[0].fields["text"] for each in old.findings}
    assert all(each.source.case.turns[0].fields["text"] == INSERTED for each in new.findings if each.new)


def test_a_sweep_goes_by_the_question(tmp_path: Path) -> None:
    search = {"type": "grid", "transformation": "leet", "parameter": "share", "values": [0.2, 0.6], "draws": 2}
    for name, data in (("before", records(TEXTS)), ("after", records([INSERTED, *TEXTS[::-1]]))):
        run(data, relations=None, search=search, out=tmp_path / name)
    swept = [
        {
            (line["source_input"]["text"], line["draw"], json.dumps(line["followups"][0]["derivation"]["steps"])): (
                line["followups"][0]["input"]["text"]
            )
            for line in map(json.loads, (tmp_path / name / "verdicts.jsonl").read_text("utf-8").splitlines())
            if line["source_input"]["text"] in TEXTS
        }
        for name in ("before", "after")
    ]
    assert len(swept[0]) == len(TEXTS) * 4
    assert swept[0] == swept[1]


TALK = [
    {"message": "Do you have a double room for May?"},
    {"message": "How much is it for two nights, and is the breakfast included?"},
]


def talks(*cases: Mapping[str, Any]) -> list[Case]:
    return mutatis.cases(list(cases), task="chat", name="talks")


def dialogue_findings(cases: list[Case], folder: Path) -> dict[tuple[Any, ...], Any]:
    bot = ScriptedSystem(lambda asked: f"{len(asked.messages[-1].content)} letters", label="counter")
    mutatis.run(bot, cases, DRAWN, out=folder, settings={**QUICK, "judge": {"measure": "exact"}})
    lines = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]
    return {
        (line["finding"], line["turn"]): line["followups"][0]["input"]
        for line in lines
        if line["followups"] and line["source"] != "talks/other"
    }


def test_a_dialogue_is_known_by_all_its_turns_and_what_it_is_about(tmp_path: Path) -> None:
    before = dialogue_findings(talks({"id": "a", "turns": TALK}), tmp_path / "before")
    assert len({turn for _, turn in before}) == 2
    other = {"id": "other", "turns": [{"message": INSERTED}, TALK[1]]}
    after = dialogue_findings(talks(other, {"id": "z", "turns": TALK}), tmp_path / "after")
    assert after == before
    for changed in ({"id": "a", "turns": [TALK[1], TALK[0]]}, {"id": "a", "turns": TALK, "title": "An inn"}):
        moved = dialogue_findings(talks(changed), tmp_path / "changed")
        assert not moved.keys() & before.keys()


@pytest.mark.parametrize(
    "change",
    [
        {"turns": (Turn(fields={"message": "Hi"}, reply="Hello!"),)},
        {"turns": (Turn(fields={"message": "Hi"}), Turn(fields={"message": "Bye"}))},
        {"turns": (Turn(fields={"message": "Hi", "note": ""}),)},
        {"material": {"title": "t"}},
        {"ask_turns": (0,)},
    ],
)
def test_whatever_is_asked_is_in_the_name_of_a_question(change: Mapping[str, Any]) -> None:
    plain = {"id": "a/1", "turns": (Turn(fields={"message": "Hi"}),), "task": "chat"}
    assert Case(**plain).question == Case(**{**plain, "id": "b/7"}).question
    assert Case(**{**plain, **change}).question != Case(**plain).question


def test_the_order_of_fields_is_none_of_a_question() -> None:
    first, second = ({"a": "1", "b": "2"}, {"b": "2", "a": "1"})
    assert len({Case(id="a", turns=(Turn(fields=fields),)).question for fields in (first, second)}) == 1


def test_a_report_names_its_questions(tmp_path: Path) -> None:
    run(records(TEXTS), out=tmp_path / "run")
    findings = mutatis.read_run(tmp_path / "run").findings
    named = {each.source.case.turns[0].fields["text"]: each.source.case.key for each in findings}
    assert named
    assert all(key == records([text])[0].question for text, key in named.items())


# A baseline of commit b7d50608, which named findings and seeded follow-ups by the place of a record


@pytest.fixture
def desk(interpreter, tmp_path):
    shutil.copytree(EARLIER, tmp_path, dirs_exist_ok=True)
    return lambda *arguments: interpreter.run("-m", "mutatis", *arguments, cwd=tmp_path)


def test_a_baseline_of_an_earlier_version_knows_what_was_asked_and_says_that_follow_ups_are_others(desk, tmp_path):
    letters = (tmp_path / "letters.txt").read_text("utf-8")
    (tmp_path / "letters.txt").write_text(f"- Do you sell stamps for a small letter?\n{letters}", encoding="utf-8")
    done = desk("run", "desk.toml", "--baseline", "baseline.json", "--out", "new", "--relations", "desk-greeting")
    assert "was written by a version that seeded follow-ups by a record's position" in done.stdout + done.stderr
    known = json.loads((tmp_path / "baseline.json").read_text("utf-8"))["findings"]
    greeted = [each for each in known if each["relation"] == "desk-greeting"]
    findings = mutatis.read_run(tmp_path / "new").findings
    assert len(greeted) == 1
    assert [each.source.case.id for each in findings if not each.new] == ["letters/5"]
    assert done.returncode == int(any(each.new for each in findings))


def test_a_baseline_that_is_written_anew_says_nothing_of_versions(desk, tmp_path):
    desk("run", "desk.toml", "--out", "new")
    desk("report", "new", "--format", "baseline", "-o", "baseline.json")
    done = desk("run", "desk.toml", "--baseline", "baseline.json", "--out", "new")
    assert done.returncode == 0, done.stderr
    assert "version" not in done.stdout + done.stderr


def test_no_run_has_two_cases_of_one_id() -> None:
    with pytest.raises(UsageError, match="two different cases have the id"):
        run([*records(TEXTS), *records(TEXTS[::-1])])
