"""`mutatis view`: reports on loopback, live, with labels; and who may not write them."""

from __future__ import annotations

import csv
import http.client
import io
import json
import os
import signal
import subprocess
import sys
import urllib.request

import pytest

import mutatis
from mutatis.analysis.agreement import FalsePositives, precision
from mutatis.cli.view import served, view, written_page
from mutatis.core.errors import UsageError
from mutatis.query import Store
from mutatis.records.files import REPORT_FILE, VERDICTS_FILE, write_report
from mutatis.records.labels import LABELS_FILE, Label, write_label
from mutatis.records.runs import HOME, STORE_FILE
from mutatis.reports.partial import Follower, goes_on, growing
from support import report_builder as builder
from support.loopback import Command
from support.viewing import ID, going_on, serving, verdict_line


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "out"
    write_report(builder.typed(builder.sample()), folder / REPORT_FILE)
    return folder


def ask(viewer, method, path, body=None, **headers):
    """Send one request as any program on the machine could; return status, headers and text."""
    host, port = viewer.address[7:-1].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=600)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.headers), text


def token_of(viewer):
    page = ask(viewer, "GET", "/run/0/")[2]
    return page.split('name="mutatis-token" content="')[1].split('"')[0]


def headers_of(viewer):
    return {
        "Origin": viewer.address.rstrip("/"),
        "X_Mutatis_Token": token_of(viewer),
        "Content_Type": "application/json",
    }


SAID = json.dumps({"finding": ID, "label": {"label": "real", "comment": "seen"}})


@pytest.mark.parametrize(
    ("changes", "body", "status"),
    [
        ({}, SAID, 200),
        ({"X_Mutatis_Token": "guess"}, SAID, 403),
        ({"X_Mutatis_Token": ""}, SAID, 403),
        ({"Origin": "http://evil.example"}, SAID, 403),
        ({"Origin": ""}, SAID, 403),
        ({"Content_Type": "text/plain"}, SAID, 403),
        ({"Host": "evil.example"}, SAID, 403),
        ({}, SAID.replace(ID, "ffffffffff"), 404),
        ({}, SAID.replace(ID, "../../x"), 404),
        ({}, SAID.replace('"real"', '"true"'), 400),
        ({}, "[]", 400),
        ({}, json.dumps({"finding": ID, "label": {"comment": "x" * 70_000}}), 413),
    ],
)
def test_labels_are_taken_from_pages_of_this_server_only(run, changes, body, status):
    with serving(run) as viewer:
        answer = ask(viewer, "POST", "/run/0/label", body, **{**headers_of(viewer), **changes})
    assert answer[0] == status
    assert (run / LABELS_FILE).is_file() == (status == 200)


@pytest.mark.parametrize(
    "path",
    ["/run/1/", "/run/-1/", "/run/out/", "/run/0/report.json", "/run/../report.json", "/%2e%2e/etc/passwd", "/x"],
)
def test_there_is_nothing_but_runs(run, path):
    with serving(run) as viewer:
        status, _, text = ask(viewer, "GET", path)
    assert status == 404
    assert "question" not in text
    assert "root:" not in text


def test_pages_are_for_this_machine_and_for_no_frame(run):
    with serving(run) as viewer:
        assert viewer.address.startswith("http://127.0.0.1:")
        status, headers, _ = ask(viewer, "GET", "/run/0/")
        assert ask(viewer, "GET", "/run/0/", Host="rebound.example")[0] == 403
    assert status == 200
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


def test_several_runs_are_listed(run, tmp_path):
    second = tmp_path / "second"
    write_report(builder.typed(builder.sample()), second / REPORT_FILE)
    assert set(served(str(tmp_path))) == {run, second}
    with serving(*served(str(tmp_path))) as viewer:
        text = ask(viewer, "GET", "/")[2]
        assert text.count('<a href="/run/') == 2
        assert "All runs" in ask(viewer, "GET", "/run/1/")[2]


def test_a_broken_file_of_labels_is_told(run):
    (run / LABELS_FILE).write_text('{"format": "mutatis/labels", "version": 1, "findings": {"a": {"label": "yes"}}}')
    with serving(run) as viewer:
        status, _, text = ask(viewer, "GET", "/run/0/")
    assert status == 409
    assert "findings.a.label" in text
    assert "'real', 'false-alarm' or 'unsure'" in text


def test_where_no_run_is_named_the_first_is_waited_for(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no run to view"):
        view(None, browser=False, port=0, file=False)
    Store(HOME / STORE_FILE).close()
    (HOME / "runs").mkdir()
    with pytest.raises(UsageError, match="no run in this folder"):
        served(str(HOME))
    folder, shown = tmp_path / HOME / "runs" / "first", []
    monkeypatch.setattr("mutatis.cli.view.time.sleep", lambda _: shown.append(1) or begin(folder))
    monkeypatch.setattr("mutatis.reports.server.Viewer", lambda folders: shown.extend(folders) or interrupt())

    def begin(folder):
        folder.mkdir(parents=True)
        (folder / f"{VERDICTS_FILE}.part").touch()

    def interrupt():
        raise KeyboardInterrupt

    view(None, browser=False, port=0, file=False)
    assert shown == [1, folder]
    assert "waiting for the first one" in capsys.readouterr().out


def test_half_a_line_waits_for_its_other_half(tmp_path):
    line = verdict_line(1)
    with going_on(tmp_path / "out", verdict_line(0), line[:40]) as add:
        follower = Follower(growing(tmp_path / "out"))
        follower.read()
        assert [row.judged for row in follower.report().summary] == [1]
        add(line[40:], verdict_line(2, "error"))
        follower.read()
    [row] = follower.report().summary
    assert (row.violated, row.error, row.rate, row.seeds) == (2, 1, 1.0, 2)


def test_what_a_killed_run_left_behind_does_not_go_on(run):
    (run / f"{VERDICTS_FILE}.part").write_text(verdict_line(0))
    assert growing(run) is None
    (run / REPORT_FILE).unlink()
    assert growing(run) == run / f"{VERDICTS_FILE}.part"  # all there is


def test_a_copied_run_is_finished_whatever_the_times_of_its_files(run):
    (run / VERDICTS_FILE).write_text(verdict_line(0))
    os.utime(run / REPORT_FILE, (0, 0))
    assert growing(run) is None


def test_a_run_goes_on_until_its_report_is_there(tmp_path):
    seen = []

    def bot(text: str) -> str:
        seen.append(goes_on(tmp_path / "out"))
        return "0.1" if text.isupper() else "0.9"

    def goes(event: object) -> None:
        seen.append(goes_on(tmp_path / "out"))

    for _ in range(2):  # the second one beside the report of the first
        reviews = [f"Film {number} was fine." for number in range(3)]
        mutatis.run(
            bot, reviews, ["upper-case"], task="sentiment", out=tmp_path / "out", fresh=True,
            on_event=goes, settings={"confirm": 2, "shrink": 2},
        )  # fmt: skip
        assert (tmp_path / "out" / VERDICTS_FILE).is_file()
        assert goes_on(tmp_path / "out") is False
    assert len(seen) > 10
    assert all(seen)


def test_a_page_that_is_not_the_run_s_own_is_never_opened(run):
    (run / "report.html").write_text("<script>alert(1)</script>")
    os.utime(run / REPORT_FILE, (0, 0))
    assert "alert(1)" not in written_page(run).read_text("utf-8")


def test_the_page_as_a_file_has_the_labels(run):
    write_label(run, ID, Label(label="false-alarm", comment="</script><b>x"))
    text = written_page(run).read_text(encoding="utf-8")
    assert "false alarm: \\u003c/script>" in text
    assert '<meta name="mutatis-token"' not in text
    assert "connect-src" not in text


def test_labels_are_shown_by_other_commands_and_exported(run, tmp_path, monkeypatch, capsys):
    command = Command(monkeypatch, capsys, tmp_path)
    write_label(run, ID, Label(label="false-alarm", comment="a name,\nnot a word"))
    later = tmp_path / "later"
    write_report(builder.typed({**builder.sample(), "findings": builder.sample()["findings"][:1]}), later / REPORT_FILE)
    assert "labelled: false alarm: a name, not a word" in command("show", str(run), ID).out
    compared = command("compare", str(run), str(later), "--format", "markdown").out
    assert "labelled   false alarm: a name, not a word" in compared
    findings = builder.sample()["findings"]
    lines = [json.dumps(builder.verdict(finding)) + "\n" for finding in findings]
    (run / VERDICTS_FILE).write_text("".join([*lines, lines[1]]), encoding="utf-8")
    done = command("sheet", str(run), "bugs", "--labelled", "-o", str(tmp_path / "s.csv"))
    assert "1 of 1 items" in done.out
    [row] = list(csv.DictReader(io.StringIO((tmp_path / "s.csv").read_bytes().decode("utf-8"), newline="")))
    assert (row["relation"], row["score"], row["comment"]) == ("add-typos", "10", "a name,\nnot a word")
    assert (
        "--labelled applies to bugs, not to context"
        in command("sheet", str(run), "context", "--labelled", "-o", "s.csv").err
    )


def test_labels_say_how_many_findings_are_real():
    findings = builder.typed(builder.sample()).findings
    labels = {findings[0].id: Label(label="false-alarm"), findings[1].id: Label(label="real")}
    labels |= {findings[2].id: Label(label="unsure"), "gone": Label(label="real")}
    assert precision(findings, labels) == {
        ("openai:tiny-chat", "dialogue", "equivalent-contexts-agree"): FalsePositives(judged=1, false=1),
        ("builtin:reader", "question-answering", "add-typos"): FalsePositives(judged=1, false=0),
    }
    assert FalsePositives(judged=4, false=1).real == 3


def test_a_folder_without_runs(tmp_path):
    with pytest.raises(UsageError, match="no run in this folder; expected the --out folder"):
        served(str(tmp_path))


def test_the_command_serves_until_it_is_interrupted(run):
    # What a shell starts in the background ignores interrupts, and so do these tests there.
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program += "import sys; from mutatis.cli import main; sys.argv[1:] = ['view', sys.argv[1], '--no-browser']; main()"
    process = subprocess.Popen([sys.executable, "-c", program, str(run)], stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().split()[0]
        with urllib.request.urlopen(address, timeout=600) as answer:
            assert answer.url == f"{address}run/0/"
            assert "<title>mutatis 20261120-101500-ab12</title>" in answer.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
