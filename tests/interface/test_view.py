"""`mutatis view`: reports on loopback, live, with labels; and who may not write them."""

from __future__ import annotations

import asyncio
import csv
import http.client
import io
import json
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager

import pytest

from mutatis.analysis.precision import Precision, precision
from mutatis.cli.view import served, view, written_page
from mutatis.core.errors import UsageError
from mutatis.query import Store
from mutatis.records.files import REPORT_FILE, VERDICTS_FILE, write_report
from mutatis.records.labels import LABELS_FILE, Label, read_labels, write_label
from mutatis.records.runs import HOME, STORE_FILE
from mutatis.reports.partial import Follower, growing
from mutatis.reports.server import Viewer
from support import report_builder as builder
from support.loopback import Command

fcntl = pytest.importorskip("fcntl", reason="no file locks on this system")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


ID = builder.sample()["findings"][1]["id"]


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "out"
    write_report(builder.typed(builder.sample()), folder / REPORT_FILE)
    return folder


@contextmanager
def serving(*folders):
    """Serve runs from a thread; gives the viewer."""
    viewer, loop = Viewer(folders), asyncio.new_event_loop()
    ready, ended = threading.Event(), asyncio.Event()

    async def work():
        runner = await viewer.start()
        ready.set()
        await ended.wait()
        await runner.cleanup()

    def main():
        try:
            loop.run_until_complete(work())
        finally:
            ready.set()

    thread = threading.Thread(target=main, daemon=True)
    thread.start()
    assert ready.wait(30), "the server did not start"
    assert thread.is_alive(), "the server could not start"
    try:
        yield viewer
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(30)
        loop.close()


@pytest.fixture
def visit():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright (extra `test`) drives the browser")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    errors = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def go(address):
            page = browser.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(address)
            return page

        yield go
        browser.close()
    assert errors == []


def ask(viewer, method, path, body=None, **headers):
    """Send one request as any program on the machine could; return status, headers and text."""
    host, port = viewer.address[7:-1].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.headers), text


def token_of(viewer):
    page = ask(viewer, "GET", "/run/0/")[2]
    return page.split('name="mutatis-token" content="')[1].split('"')[0]


def own(viewer):
    return {
        "Origin": viewer.address.rstrip("/"),
        "X_Mutatis_Token": token_of(viewer),
        "Content_Type": "application/json",
    }


SAID = json.dumps({"finding": ID, "label": {"label": "real", "comment": "seen"}})


def test_a_label_is_given_on_the_page_and_kept_beside_the_run(run, visit):
    with serving(run) as viewer:
        page = visit(f"{viewer.address}#f-{ID}")
        assert page.url.startswith(f"{viewer.address}run/0/")
        box = page.locator(f"#f-{ID} fieldset.label")
        box.get_by_label("real bug").check()
        page.locator(f"#f-{ID} .label [role=status]", has_text="kept").wait_for()
        box.get_by_label("comment").fill("a <b>typo</b> breaks it")
        box.get_by_label("comment").press("Tab")
        page.locator(f"#f-{ID} .label-tag", has_text="typo").wait_for()
        assert read_labels(run) == {ID: Label(label="real", comment="a <b>typo</b> breaks it")}
        page.locator("#filters [name=label]").select_option("real")
        assert page.locator("#list > .finding").count() == 1
        page.reload()
        assert page.locator(f"#f-{ID} .label-tag").inner_text() == "real bug: a <b>typo</b> breaks it"
        assert page.locator("table.relations td", has_text="1/1").count() == 1  # what is known of add-typos now
        page.locator(f"#f-{ID} > summary").click()
        box.get_by_label("not said").check()
        box.get_by_label("comment").fill("")
        box.get_by_label("comment").press("Tab")
        page.locator(f"#f-{ID} .label-tag").wait_for(state="detached")
    assert read_labels(run) == {}


def test_nothing_on_a_served_page_keeps_people_out(run, visit):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python (extra `test`)")
    with serving(run) as viewer:
        page = visit(f"{viewer.address}run/0/#f-{ID}")
        page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true; })")
        page.locator("fieldset.label").first.wait_for()
        found = page.evaluate("document.querySelector('meta[http-equiv]').content")
        assert "connect-src 'self'" in found
        violations = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:100]) for one in violations] == []


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
        answer = ask(viewer, "POST", "/run/0/label", body, **{**own(viewer), **changes})
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
    assert "real, false-alarm, unsure" in text


@contextmanager
def going_on(folder, *lines):
    """A run that writes: its file grows under a lock. Gives what adds lines."""
    folder.mkdir(exist_ok=True)
    with (folder / f"{VERDICTS_FILE}.part").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

        def add(*more):
            file.writelines(more)
            file.flush()

        add(*lines)
        yield add


def verdict_line(number, outcome="violated"):
    finding = builder.question_finding(f"Where is the tower number {number}?", f"Where is TEH tower number {number}?")
    return (
        json.dumps({**builder.verdict(finding, outcome), "source": f"s/{number}", "finding": f"{number:010x}"}) + "\n"
    )


def test_a_run_that_goes_on_is_followed(tmp_path, visit):
    folder = tmp_path / "out"
    with going_on(folder, verdict_line(0), verdict_line(1, "satisfied")) as add:
        assert served(str(folder)) == [folder]
        with serving(folder) as viewer:
            page = visit(viewer.address)
            assert page.locator("#live").inner_text() == "the run goes on"
            assert "1 of 2 verdicts" in page.locator(".sentence").inner_text()
            assert page.locator("#list > .finding").count() == 1
            add(verdict_line(2), verdict_line(3))
            page.locator(".sentence", has_text="3 of 4 verdicts").wait_for()
            assert page.locator("#list > .finding").count() == 1  # nothing moves under a reader's eyes
            page.locator("#live button").click()
            page.locator("#count", has_text="3 of 3").wait_for()
            (folder / f"{VERDICTS_FILE}.part").rename(folder / VERDICTS_FILE)
            write_report(builder.typed(builder.sample()), folder / REPORT_FILE)
            page.locator("#live", has_text="the run is finished").wait_for()
            page.locator("#live button").click()
            assert page.title() == "mutatis 20261120-101500-ab12"


def test_a_run_that_has_only_begun_is_waited_for(tmp_path, visit):
    folder = tmp_path / "out"
    folder.mkdir()
    Store(folder / STORE_FILE).close()
    assert served(str(folder)) == [folder]
    with serving(folder) as viewer:
        page = visit(viewer.address)
        assert page.locator(".sentence").inner_text() == "Nothing is decided yet; the run goes on."
        with going_on(folder, verdict_line(0)):
            page.locator(".sentence", has_text="1 of 1 verdicts").wait_for()


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


def test_a_page_that_had_nothing_to_show_never_says_so_when_there_is(tmp_path, visit):
    folder = tmp_path / "out"
    with going_on(folder, verdict_line(0, "invalid")) as add, serving(folder) as viewer:
        page = visit(viewer.address)
        assert page.locator("#nothing").inner_text() == "Nothing is decided yet."
        add(verdict_line(1, "satisfied"))
        page.locator("#nothing", has_text="No violation yet: the run goes on, with 1 verdict so far.").wait_for()
        add(verdict_line(2))
        page.locator("#nothing", has_text="There are findings now.").wait_for()
        assert "1 of 2 verdicts so far" in page.locator(".sentence").inner_text()


def test_half_a_line_waits_for_its_other_half(tmp_path):
    line = verdict_line(1)
    with going_on(tmp_path / "out", verdict_line(0), line[:40]) as add:
        follower = Follower(growing(tmp_path / "out"))
        follower.read()
        assert follower.verdicts == 1
        add(line[40:], verdict_line(2, "error"))
        follower.read()
    assert (follower.verdicts, follower.violated) == (3, 2)
    [row] = follower.report().summary
    assert (row.violated, row.error, row.rate, row.seeds) == (2, 1, 1.0, 2)


def test_what_a_killed_run_left_behind_does_not_go_on(run):
    (run / f"{VERDICTS_FILE}.part").write_text(verdict_line(0))
    assert growing(run) is None
    (run / REPORT_FILE).unlink()
    assert growing(run) == run / f"{VERDICTS_FILE}.part"  # all there is


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
    assert "findings are labelled as bugs" in command("sheet", str(run), "context", "--labelled", "-o", "s.csv").err


def test_labels_say_how_many_findings_are_real():
    findings = builder.typed(builder.sample()).findings
    labels = {findings[0].id: Label(label="false-alarm"), findings[1].id: Label(label="real")}
    labels |= {findings[2].id: Label(label="unsure"), "gone": Label(label="real")}
    assert precision(findings, labels) == {
        ("openai:tiny-chat", "dialogue", "equivalent-contexts-agree"): Precision(real=0, labelled=1),
        ("builtin:reader", "question-answering", "add-typos"): Precision(real=1, labelled=1),
    }
    assert Precision(real=3, labelled=4).share == 0.75


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
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert answer.url == f"{address}run/0/"
            assert "<title>mutatis 20261120-101500-ab12</title>" in answer.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
