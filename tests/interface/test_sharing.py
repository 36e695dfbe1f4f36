"""A run as one file to share: what is in it, who reads it, what a stranger's archive cannot do."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import get_args

import pytest

import mutatis
from mutatis.api import run_config
from mutatis.cli.forms import Format
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.records import read_verdicts
from mutatis.records.files import REPORT_FILE, VERDICTS_FILE, write_report
from mutatis.records.labels import Label, read_labels, write_label
from mutatis.records.runs import HOME, find_run
from mutatis.reports.forms import ENDINGS, FORMS
from mutatis.reports.grid import grid_of
from support import report_builder as builder

ID = builder.sample()["findings"][1]["id"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "out"
    report = builder.sample()
    write_report(builder.typed(report), folder / REPORT_FILE)
    lines = [json.dumps(builder.verdict(finding)) + "\n" for finding in report["findings"]]
    (folder / VERDICTS_FILE).write_text("".join(lines))
    (folder / "store.db").write_bytes(b"SQLite format 3\x00")
    return folder


def test_the_archive_is_named_where_a_run_is_named(run, command):
    write_label(run, ID, Label(label="real"))
    assert command("report", run, "-o", "run.zip").out.strip() == "run.zip"
    with zipfile.ZipFile("run.zip") as archive:
        assert set(archive.namelist()) == {"report.json", "report.html", "verdicts.jsonl", "labels.json"}
        assert b"real bug" in archive.read("report.html")
    assert "real bug" in command("show", "run.zip", ID).out
    grid = command("report", "run.zip", "--format", "grid", "-o", "grid.html")
    assert grid.code == 0
    opened = mutatis.read_run("run.zip")
    assert repr(opened.show(ID[:5])).startswith("add-typos on builtin:reader")


def test_labels_given_to_an_archive_are_kept(run, command):
    command("report", run, "-o", "run.zip")
    folder = find_run("run.zip")
    write_label(folder, ID, Label(label="false-alarm"))
    assert read_labels(find_run("run.zip"))[ID].label == "false-alarm"
    assert folder.parent == HOME / "shared"


def test_what_no_ending_says_is_named_from_python(run, command, tmp_path, monkeypatch):
    opened = mutatis.read_run("out")
    assert opened.save("by-hand.html", form="grid") == Path("by-hand.html")
    command("report", run, "--format", "grid", "-o", "by-command.html")
    assert Path("by-hand.html").read_bytes() == Path("by-command.html").read_bytes()
    assert b"Everything that was asked" in Path("by-hand.html").read_bytes()
    mutatis.report(opened, "known.json", form="baseline")
    command("report", run, "--format", "baseline", "-o", "same.json")
    assert Path("known.json").read_bytes() == Path("same.json").read_bytes()
    with pytest.raises(UsageError, match="did you mean 'grid'"):
        opened.save("grid.html", form="gird")
    with pytest.raises(UsageError, match=r"this run has no folder; verdicts are kept in a run's folder"):
        mutatis.Run(report=opened.report).save("grid.html", form="grid")


def test_a_run_without_a_folder_has_a_grid_of_its_systems(tmp_path):
    systems = [
        mutatis.system("function", target=bot, label=bot.__name__, revision="1") for bot in (str.lower, str.upper)
    ]
    ran = mutatis.run(systems, ["one film"], ["upper-case"], task="classification")
    page = ran.save(tmp_path / "grid.html", form="grid").read_text(encoding="utf-8")
    assert all(f'<th scope="col">{name}<span' in page for name in ("lower", "upper"))
    assert "one film</bdi>" in page


def test_the_command_line_offers_the_forms_that_there_are():
    assert sorted(get_args(Format)) == sorted(FORMS)
    assert set(ENDINGS.values()) < set(FORMS)


def test_a_run_without_a_folder_is_saved_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = mutatis.run(lambda text: text, ["one film"], ["upper-case"], task="classification")
    ran.save(tmp_path / "run.zip")
    again = mutatis.read_run("run.zip")
    assert [finding.id for finding in again.findings] == [finding.id for finding in ran.findings]
    assert len(again.frame("verdicts")) == 1


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"x.txt": "hello"}, "no report.json in this archive"),
        ({"report.json": "{"}, "not JSON"),
    ],
)
def test_an_archive_that_is_no_run_is_one_line(members, said, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("run.zip", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    done = command("show", "run.zip")
    assert done.code == 2
    assert said in done.complaint


def test_a_damaged_archive_is_one_line(run, command):
    command("report", run, "-o", "run.zip")
    whole = (run.parent / "run.zip").read_bytes()
    (run.parent / "cut.zip").write_bytes(whole[: len(whole) // 2])
    assert "cannot be unpacked" in command("show", "cut.zip").complaint


def test_an_archive_of_which_a_part_is_damaged_is_no_run_the_second_time_either(run, command):
    """Nobody is shown a report without its verdicts because they once could not be unpacked."""
    command("report", run, "-o", "run.zip")
    with zipfile.ZipFile("run.zip") as whole, zipfile.ZipFile("spoilt.zip", "w", zipfile.ZIP_STORED) as archive:
        for name in whole.namelist():
            archive.writestr(name, whole.read(name))
    lines = (run / VERDICTS_FILE).read_bytes()
    content = Path("spoilt.zip").read_bytes()
    assert lines in content
    Path("spoilt.zip").write_bytes(content.replace(lines, lines.replace(b"upper", b"lower").swapcase()))
    for _ in range(2):
        done = command("show", "spoilt.zip", ID)
        assert done.code == 2
        assert "cannot be unpacked" in done.complaint


def spoilt_name(content: bytes) -> bytes:
    return content.replace("é.txt".encode(), b"\xff\xff.txt")


def spoilt_place(content: bytes) -> bytes:
    end = content.rindex(b"PK\x05\x06")
    return content[: end + 16] + b"\xf0\xff\xff\xff" + content[end + 20 :]


@pytest.mark.parametrize(
    ("method", "spoil"),
    [
        (zipfile.ZIP_DEFLATED, spoilt_name),
        (zipfile.ZIP_DEFLATED, spoilt_place),
        (zipfile.ZIP_BZIP2, lambda content: content),
        (zipfile.ZIP_LZMA, lambda content: content),
    ],
)
def test_an_archive_that_no_report_of_ours_wrote_is_one_line_and_leaves_nothing(
    method, spoil, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("whole.zip", "w", method) as archive:
        archive.writestr("report.json", "{}")
        archive.writestr("é.txt", "x")
    Path("run.zip").write_bytes(spoil(Path("whole.zip").read_bytes()))
    done = command("show", "run.zip")
    assert done.code == 2
    assert done.complaint.startswith("run.zip: cannot be unpacked: ")
    assert not [file for file in (HOME / "shared").rglob("*") if file.is_file()]


def test_files_of_the_year_1970_are_packed(run, command):
    os.utime(run / VERDICTS_FILE, (0, 0))
    assert command("report", run, "-o", "run.zip").code == 0
    assert read_verdicts(find_run("run.zip"))


def test_an_archive_of_any_name_is_unpacked(run, command):
    command("report", run, "-o", "run.zip")
    renamed = Path("run.zip").rename("é" * 125 + ".zip")
    assert (find_run(renamed) / REPORT_FILE).is_file()


def test_nothing_else_of_an_archive_is_unpacked(run, command):
    command("report", run, "-o", "run.zip")
    with zipfile.ZipFile("run.zip", "a") as archive:
        archive.writestr("../evil.txt", "x")
        archive.writestr("store.db", "x")
    assert {file.name for file in find_run("run.zip").iterdir()} == {"report.json", "report.html", "verdicts.jsonl"}
    assert not list(run.parent.rglob("evil.txt"))


def test_an_archive_larger_than_any_run_is_not_unpacked(run, command, monkeypatch):
    command("report", run, "-o", "run.zip")
    with zipfile.ZipFile("run.zip") as archive:
        sizes = [archive.getinfo(name).file_size for name in archive.namelist()]
    assert len(sizes) > 1, "the limit is that of all members together: each alone is below it"
    monkeypatch.setattr("mutatis.records.bundle.LARGEST", sum(sizes) - 1)
    with pytest.raises(UsageError, match=f"contains more than {sum(sizes) - 1:,} bytes"):
        find_run("run.zip")
    assert not list((HOME / "shared").rglob("*.part"))


def test_no_more_is_unpacked_than_an_archive_states(run, command):
    command("report", run, "-o", "run.zip")
    written = bytearray(Path("run.zip").read_bytes())
    entry = written.rindex(b"PK\x01\x02")  # of the last member, with its size behind 24 other bytes
    written[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    Path("run.zip").write_bytes(written)
    with pytest.raises(UsageError, match=r"run.zip: cannot be unpacked: Bad CRC-32"):
        find_run("run.zip")
    assert not list((HOME / "shared").rglob("*.part"))


def test_as_a_baseline_it_tells_which_of_several_systems_got_worse(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text("".join(f"Is shop {number} open?\n" for number in range(6)))
    text = "def kind(text):\n    return 'no' if text.isupper() else 'yes'\n\ndef calm(text):\n    return {}\n"
    Path("bots.py").write_text(text.format("'yes'"))
    systems = [{"type": "function", "target": f"bots.py:{name}", "label": name} for name in ("kind", "calm")]
    known = two_bots(systems)
    known.save("known.zip")
    assert {finding.system for finding in known.findings} == {"kind"}
    Path("bots.py").write_text(text.format("'no' if text.isupper() else 'yes'"))
    worse = two_bots(systems, gate={"baseline": "known.zip"})
    assert {(finding.system, finding.new) for finding in worse.findings} == {("kind", False), ("calm", True)}
    grid = grid_of(worse.report, read_verdicts(worse.scratch.folder))
    assert [column.name for column in grid.systems] == ["kind", "calm"]
    assert {len(row.cells) for item in grid.inputs for row in item.rows.values()} == {2}


def two_bots(systems, **more):
    tables = {
        "relations": ["upper-case"],
        "noise_floor": 0,
        "judge": {"measure": "exact"},
        "systems": systems,
        "data": [{"task": "chat", "format": "lines", "path": "q.txt"}],
        **more,
    }
    return run_config(check(tables))
