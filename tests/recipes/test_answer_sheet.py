"""People as the system: a sheet is drawn, filled in, read as answers and judged like any other (v1, Table 4)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutatis.cli import main

TURNS = {
    "Nora": [("Who built it?", "Nora"), ("Where was she born?", "in Ardmore"), ("When did she build it?", "1871")],
    "Edith": [("Who baked the bread?", "Edith"), ("For whom was it?", "for Tom"), ("Was he her brother?", "no")],
}  # fmt: skip
STORY = {"Nora": "Nora of Ardmore built the tower in 1871.", "Edith": "Edith baked bread for her friend Tom."}
RIGHT = dict(turn for turns in TURNS.values() for turn in turns)
NAMING = {turns[0][0]: [question for question, _ in turns[1:]] for turns in TURNS.values()}
"""The question whose answer says who "she" and "he" are, and those that need it."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Two dialogues of three questions; three of the five perturbations change only their order."""
    lines = [
        json.dumps(
            {"id": who, "story": STORY[who], "turns": [{"question": q, "expected": a} for q, a in turns]}
        )
        for who, turns in TURNS.items()
    ]  # fmt: skip
    (tmp_path / "talks.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = tmp_path / "people.toml"
    path.write_text(
        'recipe = "mortar_v1"\nnoise_floor = 0\nconfirm = 0\n'
        '[data]\nformat = "jsonl"\npath = "talks.jsonl"\ntask = "dialogue"\n',
        encoding="utf-8",
    )
    return path


def drawn(config: Path, *more: str) -> list[dict[str, str]]:
    sheet = config.parent / "people.csv"
    command(["sheet", str(config), "answers", "-o", str(sheet), *more])
    with sheet.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def command(arguments: list[str]) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["mutatis", *arguments])
        try:
            main()
        except SystemExit as stopped:
            return int(stopped.code or 0)
    return 0


def judged(config: Path, rows: list[dict[str, str]], answer: Callable[[dict[str, str]], str]) -> dict[str, Any]:
    """Fill the sheet in, run it, and return what the report says of the people."""
    filled = config.parent / "filled.csv"
    with filled.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["item", "answer"])
        writer.writeheader()
        writer.writerows({"item": row["item"], "answer": answer(row)} for row in rows)
    out = config.parent / "run"
    command(["run", str(config), "--system", f"sheet:{filled}", "--out", str(out)])
    return json.loads((out / "report.json").read_text(encoding="utf-8"))["metrics"]["mortar_v1"]["systems"][
        "sheet:filled.csv"
    ]


def careful(row: dict[str, str]) -> str:
    """Answer what was asked, and "unknown" where nobody said who is meant: as MORTAR expects of a careful reader."""
    needed = next((naming for naming, questions in NAMING.items() if row["input"] in questions), None)
    return RIGHT[row["input"]] if needed is None or needed in row["earlier"].splitlines() else "unknown"


def test_whole_dialogues_stand_on_the_sheet_each_question_once(config: Path) -> None:
    rows = drawn(config)
    asked = [(*row["earlier"].splitlines(), row["input"]) for row in rows]
    assert len(set(asked)) == len(rows) == len({row["item"] for row in rows})
    for questions in asked:  # what stands before a question stands on the sheet before it
        assert all(questions[:length] in asked for length in range(1, len(questions)))
    told = {row["dialogue"]: row["material"] for row in rows if row["material"]}
    assert set(told) == {row["dialogue"] for row in rows}
    assert set(told.values()) == set(STORY.values())
    assert all(row["answer"] == "" for row in rows)
    assert len(drawn(config)) == len(drawn(config, "--seed", "1")) == len(rows)


def test_a_careful_person_has_no_bug_and_full_scores(config: Path) -> None:
    figures = judged(config, drawn(config), careful)
    assert (figures["nbugs"], figures["mean_score"], figures["reference"]["mean_score"]) == (0, 1.0, 1.0)
    assert figures["test_cases"] == 10


def test_a_slip_in_one_perturbed_dialogue_lowers_the_perturbed_score_alone(config: Path) -> None:
    """Asked after other questions than in the seed, "When did she build it?" is answered wrongly."""

    def answer(row: dict[str, str]) -> str:
        astray = row["input"].startswith("When") and len(row["earlier"].splitlines()) != 2
        return "a wooden boat" if astray else RIGHT[row["input"]]

    figures = judged(config, drawn(config), answer)
    assert figures["reference"]["mean_score"] == 1.0 > figures["mean_score"]
    assert figures["nbugs"] > 0
    assert figures["levels"]["l3"] == figures["nbugs"]


def test_what_is_blank_or_not_on_the_sheet_is_an_error_and_in_no_rate(config: Path, capsys: Any) -> None:
    rows = drawn(config, "--n", "3")
    assert len(rows) == 3
    assert "3 of" in (told := capsys.readouterr().out)
    assert "will be errors of the run, in no rate" in told
    figures = judged(config, rows, lambda row: "" if row["number"] == "3" else RIGHT[row["input"]])
    assert figures["reference"]["errors"] == 4  # the blank one, and the other dialogue
    assert figures["reference"]["mean_score"] == 1.0
    assert figures["nbugs"] == 0
    assert figures["outcomes"]["mr1_error"] > 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--relations", "reference-based"],
            "--relations does not apply to answers, because whole dialogues are sampled",
        ),
        (["--per", "relation"], "--per does not apply to answers"),
        (["--labelled"], "--labelled applies to bugs, not to answers"),
    ],
)
def test_what_does_not_go_with_answers_is_refused(config: Path, capsys: Any, arguments: list[str], says: str) -> None:
    assert command(["sheet", str(config), "answers", "-o", str(config.parent / "x.csv"), *arguments]) == 2
    assert says in capsys.readouterr().err


def test_without_the_configuration_it_says_so(tmp_path: Path, capsys: Any) -> None:
    assert command(["sheet", str(tmp_path / "none.toml"), "answers", "-o", str(tmp_path / "x.csv")]) == 2
    assert "no configuration" in capsys.readouterr().err
