import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mutatis.analysis.agreement import agreement_in
from mutatis.cli.app import judge
from mutatis.cli.judge import CHUNK, judge_command
from mutatis.core.errors import UsageError

app = typer.Typer()
app.command()(judge)
LEXICAL = ["--measure", "answer-equivalence-lexical"]


def write(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_scores_sameness_and_reasons_come_in_input_order(tmp_path: Path) -> None:
    rows = [
        {"reference": "Paris", "answer": "Paris."},
        {"question": "When?", "reference": ["1993"], "answer": "in 1939"},
        {"reference": "unknown", "answer": "I don't know."},
    ]
    output = tmp_path / "out.jsonl"
    done = CliRunner().invoke(app, [str(write(tmp_path / "in.jsonl", rows)), *LEXICAL, "-o", str(output)])
    assert done.exit_code == 0, done.output
    results = [json.loads(line) for line in output.read_text().splitlines()]
    assert [result["same"] for result in results] == [True, False, True]
    assert [result["reason"] for result in results] == ["the same words", "numbers differ: 1993 / 1939", "both abstain"]
    assert all(set(result) == {"score", "same", "reason"} for result in results)


def test_pairs_in_another_language_are_judged_by_what_holds_in_every_one(tmp_path: Path) -> None:
    rows: list[object] = [
        {"question": "Kuinka kauan toimitus kestää?", "reference": "3 päivää", "answer": "5 päivää"},
        {"question": "Kuinka kauan toimitus kestää?", "reference": "kolme päivää", "answer": "Se kestää kolme päivää."},
        {"question": "Where was it built?", "reference": "in Rome", "answer": "in Paris", "language": "en"},
    ]
    done = CliRunner().invoke(app, [str(write(tmp_path / "in.jsonl", rows)), *LEXICAL])
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["same"] for result in results] == [False, None, False]
    assert results[1]["reason"] == "answer-equivalence-lexical does not support Finnish"
    assert "language of most pairs: Finnish, recognised from the first lines" in done.stderr


def test_a_pair_that_is_plainly_in_another_language_than_most_stands_apart(tmp_path: Path) -> None:
    english = {"question": "How long does the delivery take?", "reference": "It takes 3 days.", "answer": "3 days"}
    german = {"question": "Wie lange dauert die Lieferung?", "reference": "Sie dauert drei Tage.", "answer": "Drei."}
    for rows, told in (([english] * 3 + [german], ""), ([german, english], "an unknown language")):
        done = CliRunner().invoke(app, [str(write(tmp_path / "in.jsonl", rows)), *LEXICAL])
        results = [json.loads(line) for line in done.stdout.splitlines()]
        assert [result["same"] for result in results] == [True if row is english else None for row in rows]
        assert "answer-equivalence-lexical does not support German" in done.stdout
        assert (f"language of most pairs: {told}" in done.stderr) == bool(told)


def test_a_language_that_is_none_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [{"reference": "Rom", "answer": "Paris", "language": "Germn"}])
    with pytest.raises(UsageError, match=r"line 1: unknown language 'Germn'; did you mean 'German'"):
        CliRunner().invoke(app, [str(path), *LEXICAL], catch_exceptions=False)


def test_labels_give_agreement(tmp_path: Path) -> None:
    rows = [
        {"reference": "Paris", "answer": "Paris.", "label": True},
        {"reference": "1993", "answer": "1939", "label": False},
        {"reference": "1993", "answer": "1994", "label": "same"},
        {"reference": "12", "answer": "twelve", "label": "same"},
    ]
    done = CliRunner().invoke(app, [str(write(tmp_path / "in.jsonl", rows)), *LEXICAL])
    assert 'kappa 0.500, precision of "different" 0.500, recall of "different" 1.000' in done.stderr
    assert len(done.stdout.splitlines()) == 4


def test_kappa_by_hand() -> None:
    # 20 same/same, 15 different/different, 10 false alarms, 5 missed: agreed 0.7, chance 0.5.
    labels = agreement_in({(False, False): 20, (True, True): 15, (True, False): 10, (False, True): 5})
    assert labels.table == (20, 10, 5, 15)
    assert labels.kappa == pytest.approx(0.4)
    assert labels.precision == pytest.approx(0.6)
    assert labels.recall == pytest.approx(0.75)


def test_more_lines_than_a_chunk(tmp_path: Path) -> None:
    rows: list[object] = [{"reference": "a b", "answer": f"a b {n % 3}"} for n in range(CHUNK + 3)]
    done = CliRunner().invoke(app, [str(write(tmp_path / "in.jsonl", rows)), "--measure", "exact-match"])
    assert len(done.stdout.splitlines()) == CHUNK + 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"answer": "x"}, "line 2: field 'reference' is missing"),
        ({"reference": "x"}, "line 2: field 'answer' is missing"),
        (
            {"reference": [], "answer": "x"},
            "line 2: field 'reference' expected text, a number, or a list that is not empty, found []",
        ),
        (
            {"reference": {"a": 1}, "answer": "x"},
            "line 2: field 'reference' expected text, a number, or a list that is not empty, found {",
        ),
        ({"reference": "x", "answer": None}, "line 2: field 'answer' expected"),
        ({"reference": "x", "answer": "y", "question": 3}, "line 2: field 'question' expected text, found 3"),
        (
            {"reference": "x", "answer": "y", "label": "maybe"},
            "line 2: field 'label' expected true or false ('same' or 'different'), found \"maybe\"",
        ),
        ([1], "line 2: expected an object, found [1]"),
    ],
)
def test_a_malformed_line_is_one_clear_error(tmp_path: Path, row: object, message: str) -> None:
    path = write(tmp_path / "in.jsonl", [{"reference": "x", "answer": "y"}, row])
    with pytest.raises(UsageError) as caught:
        judge_command(path, "exact", tmp_path / "out.jsonl")
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_not_json_and_what_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text("no json\n")
    with pytest.raises(UsageError, match=r"line 1: not JSON"):
        judge_command(path, "exact", None)
    with pytest.raises(UsageError, match="no such file"):
        judge_command(tmp_path / "missing.jsonl", "exact", None)
    with pytest.raises(UsageError, match="did you mean 'exact'"):
        judge_command(path, "exat", None)
