from __future__ import annotations

import json

import pytest

from mutatis.core.errors import UsageError
from mutatis.records.files import check_report, dump, make_report, read_report, read_verdicts, write_report, write_text


def test_round_trip_of_hostile_text(tmp_path, hostile):
    path = write_report(check_report(hostile, "hostile"), tmp_path / "deep" / "report.json")
    assert read_report(path) == read_report(path.parent)
    assert json.loads(dump(read_report(path).to_json())) == json.loads(json.dumps(hostile))
    assert list(tmp_path.rglob("*.part")) == []


def test_format_and_version_are_written_first_and_by_us(tmp_path, sample):
    del sample["format"], sample["version"]
    path = write_report(make_report(sample), tmp_path / "report.json")
    assert path.read_text(encoding="utf-8").startswith('{\n"format": "mutatis/report",\n"version": 1,\n')


def test_numbers_that_json_lacks_become_null():
    assert dump({"a": float("nan"), "b": [float("inf")], "c": {"y", "x"}, "d": (1, 2)}) == (
        '{"a": null, "b": [null], "c": ["x", "y"], "d": [1, 2]}'
    )


def test_text_is_readable_unless_it_cannot_be_encoded():
    assert dump("Zürich") == '"Zürich"'
    assert json.loads(dump("a\ud800ü")) == "a\ud800ü"
    dump("a\ud800ü").encode("utf-8")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[]", "format is 'list'"),
        ('{"format": "other"}', "format is 'other'"),
        ('{"format": "mutatis/report", "version": 2}', "version 2"),
        ('{"format": "mutatis/report", "version": 1, "run": {}}', r"run\.id is missing"),
        (
            '{"format": "mutatis/report", "version": 1, "run": {"id": "r"},'
            ' "summary": [{"system": "a"}], "findings": [], "health": [], "metrics": {}}',
            r"summary\[0\].task is missing",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path, content, message):
    path = tmp_path / "report.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message) as caught:
        read_report(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", ["NaN", "-Infinity"])
def test_numbers_that_json_lacks_are_refused_where_a_file_holds_them(tmp_path, builder, sample, number):
    verdict = dump(builder.verdict(sample["findings"][0], reference=["HERE"])).replace('"HERE"', number)
    write_text(tmp_path / "verdicts.jsonl", verdict + "\n")
    with pytest.raises(UsageError, match=f"line 1: not JSON: {number} is not a JSON number"):
        list(read_verdicts(tmp_path))
    sample["metrics"] = {"own": "HERE"}
    write_text(tmp_path / "report.json", dump(sample).replace('"HERE"', number))
    with pytest.raises(UsageError, match=f"not JSON: {number} is not a JSON number"):
        read_report(tmp_path)


@pytest.mark.parametrize("member", ["source", "followups"])
def test_a_turn_that_its_case_does_not_have_is_refused(sample, member):
    asked = sample["findings"][1][member]
    (asked if member == "source" else asked[0])["turn"] = 9
    with pytest.raises(UsageError, match=rf"findings\[1\]\.{member}.*the case has 1 turns, but no turn 9") as caught:
        check_report(sample, "here")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": "broken"}, "outcome is 'broken'; input should be 'satisfied', 'violated', 'invalid' or 'error'"),
        ({"followups": [3]}, r"followups\[0\] is '3'; expected an object"),
        ({"source": 7}, "source is '7'; input should be an instance of text"),
    ],
)
def test_what_is_wrong_with_a_verdict_is_said_with_its_line(tmp_path, builder, sample, change, message):
    verdict = builder.verdict(sample["findings"][0])
    write_text(tmp_path / "verdicts.jsonl", dump(verdict) + "\n\n" + dump(verdict | change) + "\n")
    with pytest.raises(UsageError, match="line 3: " + message):
        list(read_verdicts(tmp_path))


def test_missing_and_binary_files(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        read_report(tmp_path)
    (tmp_path / "report.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot be read"):
        read_report(tmp_path)


def test_verdicts_stream_and_name_the_bad_line(tmp_path, builder, sample):
    lines = [builder.verdict(finding) for finding in sample["findings"]]
    path = write_text(tmp_path / "verdicts.jsonl", (dump(line) + "\n" for line in lines))
    assert [verdict.to_json() for verdict in read_verdicts(tmp_path)] == lines
    path.write_text(path.read_text(encoding="utf-8") + '{"system": "a"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"line 4: task is missing"):
        list(read_verdicts(path))
    path.write_text("\n{oops\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 2: not JSON"):
        list(read_verdicts(path))
    with pytest.raises(UsageError, match="cannot be read"):
        list(read_verdicts(tmp_path / "none"))


def test_a_failing_writer_leaves_the_old_file(tmp_path):
    path = write_text(tmp_path / "a.txt", "old")

    def pieces():
        yield "new"
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError):
        write_text(path, pieces())
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_a_file_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write_text(tmp_path / "file" / "x.html", "text")
