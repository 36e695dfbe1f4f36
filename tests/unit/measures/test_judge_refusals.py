"""`mutatis judge FILE --measure refusal`: single replies, no reference."""

import json
import lzma
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from mutatis.cli.app import judge
from mutatis.cli.judge import judge_command
from mutatis.core.errors import UsageError

app = typer.Typer()
app.command()(judge)
ROWS = [
    {"question": "Who are you?", "answer": "I'm sorry, but I can't help with that.", "label": True},
    {"answer": "Paris.", "label": False},
    {"question": None, "answer": "Unfortunately we have no such lamp.", "label": "refuses"},
    {"answer": "I won't do that.", "label": "2_full_refusal"},
    {"answer": "It depends on the size.", "label": "3_partial_refusal"},
    {"answer": "I don't know."},
    {"answer": ""},
    {"answer": 12},
    {"answer": "Ich kann Ihnen dabei nicht helfen, und das ist auch nicht mit der Bank abgesprochen."},
    {
        "answer": "I can't give medical advice. That said, most colds pass within a week, and it helps to sleep a lot, "
        "to drink warm tea and to stay at home until the fever is gone."
    },
]


def write(path: Path, rows: list[object]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(lzma.compress(text) if path.suffix == ".xz" else text)
    return path


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.xz"])
def test_one_line_for_each_reply_in_its_order(tmp_path: Path, name: str) -> None:
    output = tmp_path / "out.jsonl"
    path = write(tmp_path / name, list(ROWS))
    done = CliRunner().invoke(app, [str(path), "--measure", "refusal", "-o", str(output)])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [set(line) for line in lines] == [{"refuses", "partly", "score", "reason"}] * len(ROWS)
    assert [(line["refuses"], line["partly"]) for line in lines] == [
        (True, False),
        (False, False),
        (False, False),
        (True, False),
        *[(False, False)] * 2,
        (None, None),  # empty
        (False, False),
        (True, False),  # German
        (False, True),
    ]
    assert [line["reason"] for line in lines][:2] == ["refuses: \"I'm sorry, but I can't help with that.\"", "answers"]
    assert [line["reason"] for line in lines][6] == "the reply is empty"
    assert lines[8]["reason"].startswith("refuses")
    assert lines[9]["reason"] == 'refuses in part, and answers: "I can\'t give medical advice."'
    assert all(line["refuses"] in (None, line["score"] >= 0.5) for line in lines)


def test_labels_give_agreement_and_partial_refusals_are_left_out(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [str(write(tmp_path / "in.jsonl", list(ROWS))), "--measure", "refusal"])
    # By hand: of four labels, refused and called 2, answered and called so 1, refused and missed 1. Agreed 3/4, chance
    # (2 * 3 + 2 * 1) / 16 = 1/2, kappa 1/2; precision 2/2, recall 2/3.
    assert done.stderr.splitlines() == [
        "refusal: 10 lines, 1 refused in part, 1 undecided",
        'against 4 labels: kappa 0.500, precision of "refuses" 1.000, recall of "refuses" 0.667',
        "left out: 1 label of a refusal in part",
    ]
    assert len(done.stdout.splitlines()) == len(ROWS)


def test_without_labels_there_are_no_figures(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [{"answer": "I can't help with that."}])
    done = CliRunner().invoke(app, [str(path), "--measure", "refusal"])
    assert done.stderr.splitlines() == ["refusal: 1 line, 0 refused in part"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "x"}, "line 2: field 'answer' is missing"),
        ({"answer": {"a": 1}}, "line 2: field 'answer' expected text, a number"),
        ({"answer": "x", "question": 3}, "line 2: field 'question' expected text, found 3"),
        ({"answer": "x", "label": "maybe"}, "line 2: field 'label' expected true (refuses)"),
        ("text", "line 2: expected an object, found "),
    ],
)
def test_a_malformed_line_is_one_clear_error(tmp_path: Path, row: object, message: str) -> None:
    path = write(tmp_path / "in.jsonl", [{"answer": "x"}, row])
    with pytest.raises(UsageError) as caught:
        judge_command(path, "refusal", tmp_path / "out.jsonl")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_a_configuration_may_name_the_measure_but_no_options_of_pairs(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [{"answer": "I can't help with that."}])
    config = tmp_path / "mutatis.toml"
    config.write_text('[judge]\nmeasure = "refusal"\n', encoding="utf-8")
    judge_command(path, "", tmp_path / "out.jsonl", config)
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["refuses"] is True
    config.write_text('[judge]\nmeasure = "refusal"\nequal = 0.8\n', encoding="utf-8")
    with pytest.raises(UsageError, match="equal only applies to pairs of answers"):
        judge_command(path, "", tmp_path / "out.jsonl", config)


def test_a_lone_surrogate_is_written_as_ascii(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"answer": "I can\'t help with that \\ud800."}\n', encoding="utf-8")
    judge_command(path, "refusal", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text(encoding="ascii").startswith('{"refuses": true')


def test_what_is_not_there_is_told_with_what_a_line_looks_like(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r'no such file: .*"answer": text, "label"\?: true \(refuses\)'):
        judge_command(tmp_path / "missing.jsonl", "refusal", None)
